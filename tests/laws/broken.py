"""Ways to break a metric, for the controls of laws: each makes a wrong metric of a right one."""

from __future__ import annotations


def using(**replacements):
    """Computes with other conventions or parameters than asked."""
    return lambda f: lambda *given, **a: f(*given, **{**a, **replacements})


def reading(name, given, other):
    """Reads one value of a parameter as another."""
    return lambda f: (
        lambda labels, **a: f(labels, **{**a, name: other if a[name] == given else a[name]})
    )


def truncating(f):
    """Reads labels as whole numbers."""
    return lambda labels, **a: f([int(x) for x in labels], **a)


def backwards(f):
    """Takes the list from its end."""
    return lambda labels, **a: f(labels[::-1], **a)


def shifted(f):
    """Discounts one rank too deep."""
    return lambda labels, k=None, **a: f([0, *labels], k=k + 1 if k else k, **a)


def own_pool(f):
    """Ignores the pool and takes the list's own labels for it."""
    return lambda labels, **a: f(labels, **{n: x for n, x in a.items() if n != "judged"})
