"""The reference: each equation of the spec, once, in plain Python.

Each chapter is a module, and each equation a function with the names of its paper.
The functions compute with any kind of number: floats, exact rationals, enclosures and
symbols go through the same body. What a function needs beyond
``+ - * /`` (a logarithm, a power of two) comes from a :class:`~.numbers.reals.Reals`.

Standard library only, and nothing of the rest of the package is imported here.
"""
