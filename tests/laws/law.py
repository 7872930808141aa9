"""A law of the spec as a test: it holds by C and by the reference, and its check can fail.

    @pytest.mark.spec("RS-DCG-1/L1")
    @law(cg=lambda cg: ..., labels=..., k=...)
    def test_cg_is_free_of_the_order(rs, labels, k):
        assert rs.cg(...) == rs.cg(...)

The check runs with ``rs`` bound to the public API by each backend. Then it runs as its own
control, once for each metric that a function is given for under its name: that function makes a
broken metric of the right one, which replaces it, and a counterexample must be found. The fast
lane takes the law by C alone; the slow one gives the reference a third of the examples.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from inspect import signature
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

import rankspec

READINGS = ["c", pytest.param("reference", marks=pytest.mark.slow)]
"""The backends; by C alone in the fast lane, whose differential tests compare the two."""

WITHOUT_BACKEND = {"mean", "user_expected_dcg", "avg_vect", "norm_vect", "held", "still_running"}


@cache
def parameters_of(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(signature(function).parameters)


class Metrics:
    """The public functions by one backend, some of them replaced.

    A law is one of the definition, which takes any pool (RS-CONV-3): what RS-CONV-38 refuses of
    the functions has tests of its own.
    """

    def __init__(self, backend: str, **broken: Callable[..., Any]) -> None:
        self.backend = backend
        self._broken = broken

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(rankspec, name)
        if name not in WITHOUT_BACKEND:
            any_pool = {"check": False} if "check" in parameters_of(function) else {}
            function = partial(function, backend=self.backend, **any_pool)
        return self._broken[name](function) if name in self._broken else function


def few() -> int:
    """A third of the examples, 5 at least: for further readings, whose values are the same."""
    return max(5, settings().max_examples // 3)


def at_most(n: int) -> settings:
    """Settings with n examples, or with as many as the lane takes if these are fewer."""
    return settings(max_examples=min(n, settings().max_examples))


def law(**given_by_name: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Strategies for the arguments of the check, and what breaks the metrics of the control."""
    return law_by(Metrics, "c", "reference", **given_by_name)


def law_by(
    make: Callable[..., Any], *readings: str, **given_by_name: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same of functions by other readings; make(reading, **broken) has them as attributes."""
    strategies = {n: x for n, x in given_by_name.items() if isinstance(x, SearchStrategy)}
    broken = {n: x for n, x in given_by_name.items() if n not in strategies}
    assert broken, "a law without a control"

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        holds = given(**strategies)(check)
        holds_too = settings(max_examples=few())(given(**strategies)(check))
        control = settings(
            max_examples=1000,
            phases=[Phase.explicit, Phase.generate],
            database=None,
            report_multiple_bugs=False,
        )(given(**strategies)(check))

        first, *others = readings  # the controls are by the first one

        @pytest.mark.parametrize(
            "by",
            [
                first,
                *(pytest.param(name, marks=pytest.mark.slow) for name in others),
                *(
                    pytest.param(name, id=f"broken-{name}", marks=pytest.mark.slow)
                    for name in broken
                ),
            ],
        )
        def test(by: str) -> None:
            if by in broken:
                with pytest.raises(AssertionError):
                    control(make(readings[0], **{by: broken[by]}))
            else:
                (holds if by == first else holds_too)(make(by))

        test.__name__, test.__doc__, test.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        test.is_law = True  # type: ignore[attr-defined]
        return test

    return decorate
