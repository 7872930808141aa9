"""The reference: each equation of the spec, once, in plain Python.

One module a chapter, and in it one function an equation, with the names of the paper.
The functions do not care what numbers they compute with: floats, exact rationals,
enclosures or symbols go through the same body. What a function needs beyond
``+ - * /`` (a logarithm, a power of two) comes from a :class:`~.numbers.reals.Reals`.

Standard library only, and nothing of the rest of the package is imported here.
"""
