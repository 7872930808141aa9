"""Certified values in writing: of a measure, and of a file of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..certify import Certified
from ..evaluation.render import one_cell
from ..metrics.bounds import spec_of
from .cases import decimal, fraction

WIDTH_OF_NAMES = 9


def table(found: Sequence[Certified]) -> str:
    """Of each value a block: the double, the digits, the enclosure, the exact form, the bits."""
    return "\n".join(map(_block, found))


def _block(found: Certified) -> str:
    lower, upper = found.between
    rows = {
        "value": repr(found.value),
        "digits": found.digits,
        "at least": lower,
        "at most": upper,
        "exact": found.form or "no short form is known",
        "hex": found.hex,
        "bits": found.bits,
        "spec": spec_of(found.measure),
    }
    lines = [f"  {name:{WIDTH_OF_NAMES}}{text}\n" for name, text in rows.items()]
    return f"{found.measure}\n{''.join(lines)}"


def to_dict(found: Certified) -> dict[str, Any]:
    """A certified value as plain data.

    lower, upper: decimals, rounded outwards; exact: a fraction where it is known to be one, form:
    the same or a formula
    """
    lower, upper = found.between
    return {
        "measure": str(found.measure),
        "spec": spec_of(found.measure),
        "value": decimal(found.value),
        "hex": found.hex,
        "bits": found.bits,
        "digits": found.digits,
        "lower": lower,
        "upper": upper,
        "exact": None if found.exact is None else fraction(found.exact),
        "form": found.form,
    }


def table_of_cases(cases: Sequence[dict[str, Any]]) -> str:
    """Lines of case, place in a list of values, decimal, hex, bits, exact, digits, divided by tabs.

    exact: the fraction, or another exact form
    """
    lines = ["case\tvalue\tdecimal\thex\tbits\texact\tdigits\n"]
    for a, case in enumerate(cases, start=1):
        name, expected, proofs = case.get("id", a), case["expected"], case.get("certificate", {})
        many = isinstance(expected, list)
        values = zip(expected, proofs, strict=True) if many else [(expected, proofs)]
        for p, (value, proof) in enumerate(values, start=1):
            row = (name, p if many else "", *_cells(value, proof))
            lines.append("\t".join(one_cell(str(cell)) for cell in row) + "\n")
    return "".join(lines)


def _cells(value: dict[str, Any], proof: dict[str, Any]) -> list[Any]:
    if "error" in value:
        return ["refused", value["error"], "", "", ""]
    exact = value["exact"] or proof.get("form") or ""
    return [value["decimal"], value["hex"], value["bits"], exact, proof.get("digits", "")]
