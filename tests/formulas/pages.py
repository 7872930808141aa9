"""The formulas of an entry or a law of the spec, with the lines where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SPEC = Path(__file__).resolve().parents[2] / "spec"
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<!\$)\$([^$]+)\$(?!\$)")


@dataclass(frozen=True)
class Passage:
    """An entry without its laws, a law, or what stands before the first entry of a chapter."""

    where: str
    page: str
    line: int
    text: str

    def displays(self) -> list[str]:
        return [match[1].strip() for match in DISPLAY.finditer(self.text)]

    def inline(self) -> list[str]:
        return [match[1] for match in INLINE.finditer(DISPLAY.sub("", self.text))]

    def definition(self, name: str) -> str:
        """Return the formula in the line that says what a name is: "name = ..."."""
        for tex in self.inline():
            left, sign, _ = tex.partition("=")
            if sign and left.strip() == name:
                return tex
        raise LookupError(f"{self.where} ({self.page}) does not say what {name} is")


@cache
def passages() -> dict[str, Passage]:
    """Return all passages by their IDs: "RS-DCG-2", "RS-DCG-2/L1", "dcg.md"."""
    found = {}
    for path in sorted(SPEC.glob("*.md")):
        text = path.read_text("utf-8")
        begins = [match.start() for match in re.finditer(r"^## RS-", text, re.M)]
        for begin, end in zip([0, *begins], [*begins, len(text)], strict=True):
            entry = text[begin:end]
            where = entry.split()[1] if begin else path.name
            head, *laws = re.split(r"^(?=- \*\*L\d+\*\*)", entry, flags=re.M)
            line = text.count("\n", 0, begin) + 1
            found[where] = Passage(where, path.name, line, head.partition("**Laws.**")[0])
            for law in laws:
                at = line + entry[: entry.index(law)].count("\n")
                label = f"{where}/{law[4 : law.index('**', 4)]}"
                found[label] = Passage(label, path.name, at, law.partition("\n**")[0])
    return found
