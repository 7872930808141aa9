"""Measure objects of ir_measures, as the measures of rankspec that they are. Spec: RS-CONV-34.

They are told by their class, and ir_measures is not imported: who has such an object has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..compute.gain import whole
from ..errors import InputError, shown
from ..typed import Any, Protocol, TypeGuard

_PROGRAM = "ir_measures"
GRADED = {
    "RBP": ("rel", "without rel it is of graded labels in ir_measures; RBP(rel=1) is this RBP")
}
"""Measures that are something else without a parameter: {name: (the parameter, what to say)}."""


class ForeignMeasure(Protocol):
    """A measure object of ir_measures: a name, parameters, and which of them follows the @."""

    NAME: Any
    AT_PARAM: Any
    SUPPORTED_PARAMS: Any
    params: Any


def is_foreign(x: Any) -> TypeGuard[ForeignMeasure]:
    """Whether it is a measure object of ir_measures."""
    classes = type(x).__mro__
    return any(c.__name__ == "Measure" and c.__module__.split(".")[0] == _PROGRAM for c in classes)


def written_here(x: ForeignMeasure, condensed: bool = False) -> str:
    """A measure object as rankspec writes it, for the grammar to read.

    condensed: whether lists are without unjudged documents, as judged_only has them
    """
    name, at, given = str(x.NAME), x.AT_PARAM, dict(x.params)
    for parameter in given:
        if parameter not in x.SUPPORTED_PARAMS:
            raise _refused(x, f"{name} has no parameter {parameter!r} there")
    for parameter, about in x.SUPPORTED_PARAMS.items():
        if about.required and parameter not in given:
            lacks = "a cut-off" if parameter == "cutoff" else parameter
            raise _refused(x, f"it lacks {lacks}, without which ir_measures has no {name}")
    if name in GRADED and GRADED[name][0] not in given:
        raise _refused(x, GRADED[name][1])
    if given.pop("judged_only", False) and not condensed:
        raise _refused(
            x,
            "judged_only is a convention of the whole evaluation here: give "
            'unjudged="condensed" beside it',
        )
    cut = f"@{given.pop(at)}" if at == "cutoff" and at in given else ""
    if "gains" in given:
        given["gain"] = _gain_table(x, given.pop("gains"))
    inside = ", ".join(f"{parameter}={value!r}" for parameter, value in given.items())
    return f"{name}({inside}){cut}" if inside else f"{name}{cut}"


def means_another(text: str) -> str:
    """Why a text that ir_measures reads is another measure there than here; "": it is not."""
    name, _, inside = text.strip().partition("@")[0].partition("(")
    parameter, why = GRADED.get(name.strip(), ("", ""))
    return "" if re.search(rf"\b{parameter}\s*=", inside) else why


def _gain_table(x: ForeignMeasure, gains: Any) -> list[Any]:
    """The gains of the labels 0, 1, ...; there a label that is not named is its own gain."""
    if not isinstance(gains, Mapping) or not all((whole(label) or 0) >= 0 for label in gains):
        raise _refused(x, "gains must be of labels from 0 on")
    by_label = {whole(label): gain for label, gain in gains.items()}
    if None in by_label:
        raise _refused(x, "gains must be of whole labels")
    if by_label.get(0, 0) != 0:
        raise _refused(
            x,
            "it gives label 0 a gain where that is judged, and unjudged documents none; here they "
            "have the same",
        )
    return [by_label.get(label, label) for label in range(max([0, *filter(None, by_label)]) + 1)]


def _refused(x: ForeignMeasure, why: str) -> InputError:
    return InputError(f"measure {shown(x)} of ir_measures: {why} (RS-CONV-34)")
