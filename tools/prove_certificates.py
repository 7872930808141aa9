"""Let Coq judge certificates of "rankspec certify", by the definitions of proofs/.

    rankspec certify --cases mine.json --format json > certificates.json
    python tools/prove_certificates.py certificates.json
    rankspec certify --cases mine.json --format json | python tools/prove_certificates.py -

A certificate is a case with "expected" and "certificate", as these commands print it. Its measure
and its input become a term of proofs/Vectors.v by tools/prove_vectors.py, which reads the term back
from its text. What it says of the value becomes claims:

    bits, hex, decimal   the double nearest to the value (RS-NUM-1)
    lower, upper         the ends of an enclosure
    digits               the decimal number nearest to the value, of so many digits
    exact                the value itself, a fraction

Coq's kernel checks that all claims of a certificate are true, by the theorem judge_sound and by
computing. A claim that is false is never proved. One that is true may remain unproved, where its
value is irrational and equal to an end or a tie; it is named in the same way. The formula "form" is
not judged.

The measure must state its gain, its discount and its other parameters, as those of spec/vectors do,
for a certificate must not depend on defaults. What is not translated is named with the reason.

It exits with 1 unless Coq has proved all claims of all certificates.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "tools"))

import prove as prover  # noqa: E402
import prove_vectors as vectors  # noqa: E402

NotProved, NotTranslated = vectors.NotProved, vectors.NotTranslated
SPARE = 128
"""The bits of an enclosure beyond the digits that are claimed."""
MOST_LOGARITHMS = 64
"""The greatest number of logarithms that are computed once."""
INPUTS = {"labels", "judged", "scores", "ties", "ids", "queries", "documents"}
REASONS = {
    "no definition": "proofs/Vectors.v has no such measure",
    "no expectation defined": "proofs/Vectors.v has no expectation of it under ties",
    "long": f"more than {vectors.LONGEST} labels or ranks, or {vectors.FEW} of a rational measure",
    "no numbers": "a label, score or parameter is not a finite number",
    "gain": "proofs/Vectors.v has no such gain",
    "discount": "proofs/Vectors.v has no such discount",
}
"""What a word of prove_vectors means to the reader of a certificate."""


@dataclass(frozen=True)
class Claim:
    """A part of a certificate, "bits 3ff0000000000000", and its constructor in Coq."""

    said: str
    text: str


@dataclass(frozen=True)
class Certificate:
    """One value with what is claimed of it.

    term: its measure and input in Coq
    bits, ranks: of the enclosures that Coq computes, and how many logarithms it computes once
    """

    name: str
    term: str
    claims: tuple[Claim, ...]
    bits: int
    ranks: int


# ---- from a certificate to Coq -------------------------------------------------------------


def certificates_of(content: Any) -> list[dict[str, Any]]:
    """Return the cases of a file: of the command, or one alone."""
    cases = content.get("cases", [content]) if isinstance(content, dict) else content
    if not isinstance(cases, list) or not all(isinstance(case, dict) for case in cases):
        raise ValueError("expected the JSON that rankspec certify --cases prints")
    return cases


def certificates(content: Any) -> Iterator[Certificate | str]:
    """Return the certificates, in place of those that are not translated the reason."""
    for number, case in enumerate(certificates_of(content), start=1):
        name = str(case.get("id", f"certificate {number}"))
        try:
            name = f"{name}, {vectors.name_of(case)}"
            yield from of_case({**case, "id": name})
        except (NotTranslated, NotProved) as error:
            yield f"{name}: not translated: {REASONS.get(str(error), error)}"
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            yield f"{name}: not translated: no certificate of its form: {error!r}"


def of_case(case: dict[str, Any]) -> Iterator[Certificate]:
    """Return the certificate of a case, or one for each of its cut-offs."""
    expected, proof = case.get("expected"), case.get("certificate")
    if isinstance(expected, dict) and "error" in expected:
        raise NotTranslated("the input is refused")
    if not expected or not proof:
        raise NotTranslated('no "expected" and "certificate"')
    measure = case["measure"]
    check_stated(measure, case["input"])
    inner = measure.get("of", measure)
    if not isinstance(inner.get("k"), list):
        yield certificate(case, expected, proof)
        return
    for k, one, of_one in zip(inner["k"], expected, proof, strict=True):
        at_k = {**inner, "k": k}
        at_k = {**measure, "of": at_k} if "of" in measure else at_k
        yield certificate({**case, "measure": at_k}, one, of_one)


def certificate(case: dict[str, Any], expected: Any, proof: Any) -> Certificate:
    case = vectors.all_tied(case)
    text = vectors.written(vectors.term(case))
    vectors.check_back(case, text)
    claims = tuple(claims_of(expected, proof))
    digits = max(len(x) for x in (proof["digits"], proof["lower"], proof["upper"]))
    lists = [x for x in case["input"].values() if isinstance(x, list)]
    ranks = min(max(map(len, lists), default=0), MOST_LOGARITHMS)
    return Certificate(case["id"], text, claims, SPARE + 4 * digits, ranks)


@cache
def stated() -> dict[str, set[str]]:
    """Return the parameters that the vectors state of each measure, by its name."""
    by_name: dict[str, set[str]] = {}
    for case in vectors.cases(HERE):
        for measure in (case["measure"], case["measure"].get("of")):
            if measure is not None:
                by_name.setdefault(measure["name"], set(measure)).intersection_update(measure)
    return by_name


def check_stated(measure: dict[str, Any], inputs: dict[str, Any]) -> None:
    """Raise NotTranslated where a measure leaves a parameter to a default."""
    for part in (measure, measure.get("of", {})):
        name = str(part.get("name"))
        if missing := sorted(stated().get(name, set()) - set(part)):
            raise NotTranslated(f"{name} does not state its {', '.join(missing)}")
    if "scores" in inputs and "ties" not in inputs:
        raise NotTranslated("the input has scores and does not state its rule for ties")
    if unknown := sorted(set(inputs) - INPUTS):
        raise NotTranslated(f"the part {', '.join(unknown)} of the input")


def claims_of(expected: dict[str, Any], proof: dict[str, Any]) -> Iterator[Claim]:
    """Return what a certificate says of its value; nothing twice."""
    doubles = {
        f"bits {expected['bits']}": int(expected["bits"], 16),
        f"hex {expected['hex']}": bits_of(float.fromhex(expected["hex"])),
        f"decimal {expected['decimal']}": bits_of(float(expected["decimal"])),
    }
    for said, bits in doubles.items():
        if said.startswith("bits") or bits != int(expected["bits"], 16):
            yield Claim(said, f"Double 0x{bits:016x}%Z")
    digits = Decimal(proof["digits"])
    if not digits.is_finite():
        raise NotTranslated("digits are no number")
    half_of_last = Fraction(10) ** int(digits.as_tuple().exponent) / 2
    for end, kind, at_digits in (
        ("lower", "AtLeast", Fraction(digits) - half_of_last),
        ("upper", "AtMost", Fraction(digits) + half_of_last),
    ):
        yield Claim(f"{end} {proof[end]}", rational(kind, Fraction(proof[end])))
        yield Claim(f"digits {proof['digits']}", rational(kind, at_digits))
    if expected["exact"] is not None:
        exact = Fraction(expected["exact"])
        yield Claim(f"exact {expected['exact']}", rational("Equals", exact))


def bits_of(x: float) -> int:
    return int.from_bytes(struct.pack(">d", x))


def rational(kind: str, x: Fraction) -> str:
    return f"{kind} ({vectors.rational(x)})%Q"


# ---- Coq -----------------------------------------------------------------------------------


def judge(claimed: list[Certificate], folder: Path) -> list[list[Claim]]:
    """Return the claims of each certificate that Coq does not prove; the kernel has the others.

    folder: where proofs/ is compiled
    """
    lines = [vectors.HEAD]
    for a, one in enumerate(claimed):
        claims = "; ".join(claim.text for claim in one.claims)
        lines.append(f"Definition measure{a} : measure := {one.term}.")
        lines.append(f"Definition claims{a} : list claim := [{claims}].")
    questions = [
        f"Eval vm_compute in judge {one.bits} {one.ranks} measure{a} claims{a}."
        for a, one in enumerate(claimed)
    ]
    printed = vectors.coqc("Judged", "\n".join([*lines, *questions, ""]), folder)
    answers = [re.findall(r"true|false", answer) for answer in printed.split(": list bool")[:-1]]
    if list(map(len, answers)) != [len(one.claims) for one in claimed]:
        raise NotProved(f"as many answers as claims are expected, not {answers}")
    unproved = [
        [claim for claim, answer in zip(one.claims, of_one, strict=True) if answer == "false"]
        for one, of_one in zip(claimed, answers, strict=True)
    ]
    for a, refused in enumerate(unproved):
        if not refused:
            lines += [
                f"Theorem proved{a} : Forall (true_of (value measure{a})) claims{a}.",
                f"Proof. apply (judge_sound {claimed[a].bits} {claimed[a].ranks}).",
                "vm_cast_no_check (eq_refl true). Qed.",
            ]
    proved = [f"proved{a}" for a, refused in enumerate(unproved) if not refused]
    if proved:
        lines += [f"Definition all := ({', '.join(proved)}).", "Print Assumptions all."]
        text = "\n".join([*lines, ""])
        vectors.check_assumed("Certificates", vectors.coqc("Certificates", text, folder))
    return unproved


def report(content: Any, folder: Path) -> tuple[list[str], bool]:
    """Return a line for each certificate, and True if all are proved."""
    results = list(certificates(content))
    unproved = iter(judge([one for one in results if isinstance(one, Certificate)], folder))
    lines, all_proved = [], bool(results)
    for one in results:
        claims = [] if isinstance(one, str) else next(unproved)
        all_proved = all_proved and not isinstance(one, str) and not claims
        if isinstance(one, str):
            lines.append(one)
        elif claims:
            said = ", ".join(dict.fromkeys(claim.said for claim in claims))
            lines.append(f"{one.name}: not proved: {said}")
        else:
            lines.append(f"{one.name}: proved")
    return lines, all_proved


def main() -> int:
    parser = argparse.ArgumentParser(description="Let Coq judge certificates.")
    parser.add_argument("file", help="what rankspec certify --cases printed; -: standard input")
    arguments = parser.parse_args()
    file = arguments.file
    try:
        content = json.loads(sys.stdin.read() if file == "-" else Path(file).read_text("utf-8"))
        certificates_of(content)
    except ValueError as error:
        print(f"{file}: {error}", file=sys.stderr)
        return 1

    def proved() -> str:
        with vectors.compiled(HERE) as folder:
            lines, all_proved = report(content, folder)
        if not all_proved:
            raise NotProved("\n".join(lines))
        return "\n".join(lines)

    return prover.status_of(proved)


if __name__ == "__main__":
    sys.exit(main())
