"""Lines and numbers of TREC files as the core reads them, 64 bytes and 8 digits at a time."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rankspec.errors import InputError
from rankspec.evaluation.conventions import Conventions
from rankspec.evaluation.evaluate import evaluate, prepared
from tests.conventions import convention_values
from tests.differential.readers import by_both
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
CC = shutil.which("cc") or shutil.which("gcc")
SCORED = Conventions(relevance="phi")

SPLITTER = r"""
    #include "core.c"
    #include <stdio.h>

    int main(void)
    {
        static char text[1 << 22];
        int64_t size = (int64_t)fread(text, 1, sizeof text, stdin);
        char *exact = malloc((size_t)size); /* not a byte behind it may be read */
        memcpy(exact, text, (size_t)size);
        for (const char *p = exact; p < exact + size; p++) {
            split_columns line = {.n = 0};
            const char *begin = p, *end = split_line(p, exact + size, &line);
            if (!end) {
                printf("refused\n");
                p = memchr(begin, '\n', (size_t)(exact + size - begin));
                continue;
            }
            printf("%d:", (int)rs_min(line.n, MOST_COLUMNS + 1));
            for (int i = 0; i < rs_min(line.n, MOST_COLUMNS); i++) {
                token t = column(&line, i);
                printf(" %d-%d", (int)(t.begin - begin), (int)(t.end - begin));
            }
            printf("\n");
            p = end;
        }
        free(exact);
        return 0;
    }
"""


def splits(line: bytes) -> str:
    """What the splitter prints for a line, by a regular expression."""
    if b"\0" in line:
        return "refused"
    found = [x.span() for x in re.finditer(rb"[^ \t\n\v\f\r]+", line)]
    spans = "".join(f" {begin}-{end}" for begin, end in found[:6])
    return f"{min(len(found), 7)}:{spans}"


def any_lines() -> list[bytes]:
    """Lines of any bytes, some with columns that end, or blanks that go on, beyond 64 bytes."""
    rng = random.Random(1)
    lines = [b"a" * n + b" " * m + b"b" for n in range(140) for m in (1, 2, 64, 70)]
    lines += [b" " * n + b"a\0b" * (n % 3 == 0) for n in range(140)]
    lines += [b"a " * n + b"\x80\xff\x1f!" for n in range(140)]
    for _ in range(3000):
        alphabet = rng.choice([b"ab \t", b"aaaaaaaa ", b" \t\v\f\r\x01\x08\x0e\x1f!~\x7f\x80\xff"])
        lines.append(bytes(rng.choices(alphabet, k=rng.randrange(200))))
        if rng.random() < 0.05:
            lines[-1] += b"\0" + lines[-1]
    return lines


@pytest.mark.slow
@pytest.mark.skipif(CC is None, reason="there is no C compiler: apt-get install gcc")
@pytest.mark.parametrize("options", [[], ["-U__SSE2__"]], ids=["vectors", "words"])
@pytest.mark.spec("RS-CONV-19")
def test_columns_are_what_blanks_divide(options: list[str], tmp_path: Path) -> None:
    source, program = tmp_path / "splitter.c", tmp_path / "splitter"
    source.write_text(SPLITTER, encoding="utf-8")
    command = [str(CC), "-std=c11", "-O0", "-DRS_NO_CLONES", f"-I{ROOT / 'csrc'}", *options]
    subprocess.run([*command, source, "-o", program, "-lm"], check=True)  # noqa: S603
    lines = any_lines()
    text = b"".join(line + b"\n" for line in lines)
    done = subprocess.run([program], input=text, capture_output=True, check=True)  # noqa: S603
    assert done.stdout.decode().splitlines() == list(map(splits, lines))


@pytest.mark.spec("RS-CONV-19")
@each("n", range(1, 140), fast=35)
def test_a_line_may_end_or_be_divided_at_any_byte(n: int) -> None:
    """A judged document of any length, behind any number of blanks, is the first of two."""
    for blanks in (b" ", b" " * n, b"\t \r"):
        document = b"d" * n
        run = b"q Q0 %s 1 2.5 t\nq Q0 x 2 1.5 %s\n" % (blanks.join([document, b""]), document)
        evaluation = evaluate(io.BytesIO(b"q 0 %s 1\nq 0 y 0" % document), io.BytesIO(run), ["RR"])
        assert evaluation["RR"] == 1, blanks


@pytest.mark.slow(but=3)
@pytest.mark.spec("RS-CONV-19")
@pytest.mark.parametrize("end", [b"", b" more", b" \0", b"\0", b" " + b"x" * 80 + b"\0"])
def test_the_columns_of_a_line_are_counted_wherever_it_ends(end: bytes) -> None:
    """Five columns, seven or a NUL byte are refused, in the same words as by the plain reader."""
    for n in (1, 30, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 110):
        columns = [b"q", b"Q0", b"d" * n, b"1", b"2.5"] + ([b"t"] if end else [])
        run = b"q Q0 a 1 3 t\n" + b" ".join(columns) + end + b"\n"
        by_c, by_reference = by_both(b"q 0 a 1\n", run, {})
        assert by_c == by_reference
        assert "the open file:2: " in by_c, n


def labels_of(written: list[str]) -> Any:
    """The labels of lines, as the core reads them."""
    lines = "".join(f"q 0 d{a} {text}\n" for a, text in enumerate(written))
    return [*prepared(io.BytesIO(lines.encode("latin-1")), SCORED, "c").labels]  # type: ignore[attr-defined]


@pytest.mark.spec("RS-CONV-6")
def test_short_decimals_are_the_nearest_doubles() -> None:
    """Any number of digits on either side of the point, about eight of each."""
    rng = random.Random(1)
    written = ["0.5", "99999999.99999999", "00000000.00000000", "-12345678.87654321"]
    for whole in range(11):
        for places in range(11):
            for _ in range(5):
                digits = "".join(rng.choices("0123456789", k=whole + places))
                text = f"{digits[:whole]}.{digits[whole:]}"
                written += [text, "-" + text] if digits else []
    assert labels_of(written) == list(map(float, written))


@pytest.mark.spec("RS-CONV-6")
@pytest.mark.parametrize("number", ["1234.5678", "12345678.12345678", "1.5", "7.", ".25"])
def test_no_byte_of_a_number_may_be_another(number: str) -> None:
    for at in range(len(number)):
        for byte in "/:;.,_-xA\x01\x7f\x80\xb5\xff":
            text = number[:at] + byte + number[at + 1 :]
            if re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)", text):
                assert labels_of(["0.5", text]) == [0.5, float(text)]
                continue
            with pytest.raises(InputError, match="the label is "):
                labels_of(["0.5", text])


@pytest.mark.parametrize("ties", convention_values("ties", "expected"))
@pytest.mark.spec("RS-CONV-7", "RS-TIE-2")
def test_ties_of_scores_that_never_rise_are_ordered_by_their_rule(ties: str) -> None:
    """The order of documents is that of Python's sort."""
    rng = random.Random(ties)
    for n in (1, 2, 3, 40):
        for last in range(4):
            scores = sorted((rng.randrange(1 + n // 2) for _ in range(n)), reverse=True)
            scores[-1] += last * n  # which is the first then, unless last is 0
            names = [f"d{x:0{rng.choice([1, 9])}}" for x in rng.sample(range(100), n)]
            labels = {d: rng.randrange(3) for d in names if rng.random() < 0.7} | {"other": 1}
            rows = list(zip(names, scores, strict=True))
            if ties.startswith("id"):
                rows.sort(key=lambda row: row[0].encode(), reverse=ties == "id-descending")
            elif ties != "input":
                rows.sort(key=lambda row: labels.get(row[0], -1), reverse=ties == "best")
            rows.sort(key=lambda row: -row[1])
            settled = {d: float(n - a) for a, (d, _) in enumerate(rows)}
            qrels = "".join(f"q 0 {d} {x}\n" for d, x in labels.items()).encode()
            run = "".join(f"q Q0 {d} 1 {x} t\n" for d, x in zip(names, scores, strict=True))
            measures = ["DCG", "AP", "RR"]
            found = evaluate(io.BytesIO(qrels), io.BytesIO(run.encode()), measures, ties=ties)
            assert dict(found) == dict(evaluate({"q": labels}, {"q": settled}, measures))


@pytest.mark.spec("RS-CONV-10", "RS-CONV-15")
def test_judgments_are_found_where_others_of_their_query_were_dropped() -> None:
    """So is each of 9 documents, of which 40 lines had a judgment, or 31 more a negative one."""
    run = "".join(f"q Q0 d{a} {a} {-a} t\n" for a in range(9)).encode()
    twice = "".join(f"q 0 d{a % 9} 1\n" for a in range(40)).encode()
    negative = "".join(f"q 0 d{a} {1 if a < 9 else -1}\n" for a in range(40)).encode()
    for qrels, chosen in ((twice, {"duplicates": "first"}), (negative, {"negative": "unjudged"})):
        found = evaluate(io.BytesIO(qrels), io.BytesIO(run), ["P@9", "R@9"], **chosen)
        assert dict(found) == {"P@9": 1, "R@9": 1}
