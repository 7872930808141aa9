"""LETOR files: labelled rows of features, ranked by one of these, or by predictions.

    label qid:ID feature:value feature:value ... # comment

The files of SVM-rank and of LETOR are such; those of LightGBM have no qid, but a second file with
the number of rows of each query. Spec: RS-CONV-21.

A file is read once, for any number of rankings, in blocks of whole queries that are evaluated
before they are forgotten. Several files are the parts of one collection, and read one after
another. Of a row only what is needed is looked at: its label, its query, and the features that
rank. All else must have the form of features, whatever their values are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, pairwise
from math import inf, isfinite, nan

from ..compute.gain import whole
from ..errors import InputError, shown, shown_text
from ..progress import Progress, Readings
from ..records import field, record
from ..typed import TYPE_CHECKING, Any, TypeAlias
from . import trec
from .frames import Label
from .letor_form import ROW as ROW  # noqa: PLC0414 - it is had from here, too
from .limits import STREAM, TOKEN, check_tokens
from .streams import UNNAMED, Source, Stream, is_file, without_suffix

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

OF_A_GROUP = "; where a file has the number of rows of each query, give it: group (--group)"
QID = b"qid:"
FEATURE = rb"[1-9][0-9]*+:[^ ]++"
_WHOLE_FEATURE = re.compile(FEATURE).fullmatch
_WHOLE_ROW = re.compile(rb" *+[^ ]++(?: ++qid:[^ ]++)?+(?: ++%b)*+ *+" % FEATURE).fullmatch
_NUMBER_OF_FEATURE = re.compile(rb"(?<=[ \t])([1-9][0-9]*+):")
_COMMENT = re.compile(rb"#[^\n]*+")
_DOCUMENT = re.compile(rb"\s*docid\s*=\s*(\S++)").match
NOT_RANKED = b"NULL"
ABSENT = 0.0  # a feature that a row does not have
BLOCK = 1 << 21  # bytes
MOST_REMEMBERED = 4096  # labels, by how they are written

Group: TypeAlias = "Source | Iterable[int]"

Files: TypeAlias = "Source | Sequence[Source]"
"""A LETOR file, or the parts of a collection (RS-CONV-21)."""

Groups: TypeAlias = "Group | Sequence[Group | None]"
"""The sizes of the groups of a file, or those of each part."""


@record()
class Feature:
    """A ranking of rows by a feature: the highest value first, or the lowest."""

    number: int
    lowest_first: bool = False

    def __str__(self) -> str:
        return f"feature {'-' * self.lowest_first}{self.number}"

    @property
    def order(self) -> str:
        """How rows are ordered by it, in words."""
        direction = "ascending" if self.lowest_first else "descending"
        return f"feature {self.number}, {direction}; where a row has none, 0"


@record()
class Predictions:
    """A ranking of rows by a number for each: a file of one number a line, or any list.

    source: that file or list; of the parts of a collection a list with one for each part
    """

    source: Any

    @property
    def order(self) -> str:
        """How rows are ordered by it, in words."""
        return "predictions, descending"


RowRanking: TypeAlias = "Feature | Predictions"


def feature_of(number: Any) -> Feature:
    """The ranking by a feature: 3, or -3 where the lowest value is best."""
    given = whole(number)
    if given is None or not 0 < abs(given) < 1 << 63:
        raise InputError(
            "feature: expected an integer from 1 on (-1: feature 1, the lowest value first), got "
            f"{shown(number)}"
        )
    return Feature(abs(given), lowest_first=given < 0)


def read_rows(
    file: Files,
    group: Groups | None,
    rankings: Iterable[RowRanking],
    check: Callable[[Rows], None],
    progress: Progress | None = None,
) -> Iterator[tuple[Rows, list[Sequence[Exact]]]]:
    """The rows of a file, some whole queries at a time, and what each ranking orders them by.

    That is a number for each row, the highest first; NaN: the row is not ranked.
    check: is called with rows before they are ranked, and raises InputError where it must
    """
    parts = _parts(file, group)
    columns = _RankingColumns(parts, rankings)
    queries = _QueriesOfParts()
    readings = Readings(progress, len(parts))
    for part in parts:
        for rows in _queries(part, columns.features, readings.next(), queries.count):
            if part.of > 1:
                queries.check(rows)
            check(rows)
            yield rows, list(columns.of(part, rows))
        columns.check_end_of(part)
    columns.check_end()


def begins_with_qid(file: Source) -> bool:
    """Whether the first row of a file has a qid."""
    buffer = memoryview(bytearray(BLOCK))
    with _stream(file, "file").opened() as fill:
        return _begins_with_qid(_first_row(bytes(buffer[: fill(buffer)])))


def features_of(file: Source) -> tuple[set[int], bool]:
    """The numbers of the features that some row of a file has, and whether one of them is NULL."""
    seen: set[bytes] = set()
    null = False
    for _, text in _texts(_stream(file, "file"), None):
        rows = _COMMENT.sub(b"", text)
        seen.update(_NUMBER_OF_FEATURE.findall(rows))
        null = null or b":%b" % NOT_RANKED in rows
    return set(map(int, seen)), null


def document_ids(file: Source) -> dict[int, str]:
    """The document that a comment names, "# docid = ID", by the number of its line."""
    found: dict[int, str] = {}
    for first, text in _texts(_stream(file, "file"), None):
        for number, line in enumerate(text.split(b"\n"), first):
            if document := _DOCUMENT(line.partition(b"#")[2]):
                found[number] = trec.id_of(document[1])
    return found


# ---- parts of a collection ---------------------------------------------------------------


@record()
class _Part:
    """A LETOR file with the sizes of its groups, if they are given.

    number, of: of this file in a list, from 1, and of all files there; 0: there is no list
    """

    number: int
    of: int
    stream: Stream
    group: Group | None


def _parts(file: Files, group: Groups | None) -> list[_Part]:
    """The parts of a collection, in order; one file is the only one."""
    if not isinstance(file, (list, tuple)):
        return [_Part(0, 0, _stream(file, "file"), group)]  # type: ignore[arg-type]
    if not file:
        raise InputError("file: expected at least one file, got an empty list (RS-CONV-21)")
    found = []
    for number, source in enumerate(file, start=1):
        stream = _stream(source, _argument("file", number))
        _name_by_place(stream, "file", number)
        own = None if group is None else _of_part("group", group, number, len(file))
        found.append(_Part(number, len(file), stream, own))
    return found


def _of_part(what: str, given: Any, number: int, n: int) -> Any:
    """Return the items of an argument, one per part; an InputError unless it has n of them."""
    if not number:
        return given
    if not isinstance(given, (list, tuple)) or len(given) != n:
        got = f"{len(given)} items" if isinstance(given, (list, tuple)) else shown(given)
        raise InputError(
            f"{what}: the rows are in a list of files; expected a list with one file, or list of "
            f"numbers, for each of the {n}, got {got} (RS-CONV-21)"
        )
    return given[number - 1]


def _argument(what: str, number: int) -> str:
    """The name of an argument in messages, or of what in it is for a part."""
    return f"{what}[{number - 1}]" if number else what


def _name_by_place(stream: Stream, what: str, number: int) -> None:
    """Name an open file without a name by its place in the list, where there is one."""
    if number and stream.name == UNNAMED:
        stream.name = _argument(what, number)


class _QueriesOfParts:
    """Where the queries of the parts began: none may be in two of them.

    count: the number of queries so far
    """

    def __init__(self) -> None:
        self._begun: dict[str, str] = {}

    @property
    def count(self) -> int:
        return len(self._begun)

    def check(self, rows: Rows) -> None:
        """Take the next queries; an InputError for one that has been in an earlier part."""
        for query, begin in zip(rows.queries, rows.begins, strict=True):
            place = rows.place(begin)
            if query in self._begun:
                raise InputError(
                    f"{place}: a further row of query {shown_text(query)}, whose rows began in "
                    f"{self._begun[query]}; the rows of a query must be adjacent, in one file "
                    "(RS-CONV-21)"
                )
            self._begun[query] = place


# ---- the numbers that rank ---------------------------------------------------------------


class _RankingColumns:
    """The numbers by which each of some rankings orders the rows.

    features: the numbers of the features that are to be read
    """

    def __init__(self, parts: Sequence[_Part], rankings: Iterable[RowRanking]) -> None:
        self._names = [part.stream.name for part in parts]
        self._rankings = list(rankings)
        numbers = (r.number for r in self._rankings if isinstance(r, Feature))
        self.features = list(dict.fromkeys(numbers))
        self._seen: set[int] = set()
        self._predicted = {
            (part.number, a): _Predicted(
                _of_part("predictions", ranking.source, part.number, part.of), part.number
            )
            for part in parts
            for a, ranking in enumerate(self._rankings)
            if isinstance(ranking, Predictions)
        }
        self._rows = 0  # of the part

    def of(self, part: _Part, rows: Rows) -> Iterator[Sequence[Exact]]:
        """The numbers of the next rows, for each ranking; NaN: it does not rank the row."""
        self._rows += len(rows.labels)
        self._seen |= rows.seen
        for a, ranking in enumerate(self._rankings):
            if isinstance(ranking, Feature):
                values = rows.columns[self.features.index(ranking.number)]
                yield [-x for x in values] if ranking.lowest_first else values
            else:
                predicted = self._predicted[part.number, a]
                yield predicted.next(len(rows.labels), part.stream.name)

    def check_end_of(self, part: _Part) -> None:
        """An InputError where predictions are left at the end of a part."""
        for (number, _), predicted in self._predicted.items():
            if number == part.number:
                predicted.check_end(self._rows, part.stream.name)
        self._rows = 0

    def check_end(self) -> None:
        """An InputError where a feature was in no row."""
        for number in self.features:
            if number not in self._seen:
                raise InputError(
                    f"{', '.join(self._names)}: no row has the feature {number} (RS-CONV-21)"
                )


class _Predicted:
    """Predictions of the rows of a part, of that number, from the first on."""

    def __init__(self, source: Any, part: int) -> None:
        self._taken = 0
        if is_file(source):
            stream = Stream(source)
            _name_by_place(stream, "predictions", part)
            self._name = stream.name
            self._left: Iterator[Exact] = chain.from_iterable(_numbers(stream))
            return
        self._name = argument = _argument("predictions", part)
        from ..compute.arrays import read_lists  # the help names this format, too

        given = read_lists(source, None, argument)
        if not given.single:
            raise InputError(f"{argument}: expected a flat list with one number per row")
        numbers = given.numbers()
        wrong = next((a for a, x in enumerate(numbers) if not isfinite(x)), None)
        if wrong is not None:
            raise InputError(
                f"{argument}: the number at position {wrong} is {numbers[wrong]!r}; it must be "
                "finite"
            )
        self._left = iter(numbers)

    def next(self, n: int, file: str) -> list[Exact]:
        found = list(islice(self._left, n))
        self._taken += len(found)
        if len(found) < n:
            raise InputError(
                f"{self._name}: {self._taken} numbers, but {file} has more rows; expected one "
                "number per row (RS-CONV-21)"
            )
        return found

    def check_end(self, rows: int, file: str) -> None:
        if next(self._left, None) is not None:
            raise InputError(
                f"{self._name}: more numbers than the {rows} rows of {file}; expected one number "
                "per row (RS-CONV-21)"
            )


def _numbers(stream: Stream) -> Iterator[list[float]]:
    """The numbers of a file of one a line."""
    for first, text in _texts(stream, None):
        tokens = text.split(b"\n")
        numbers: list[float] = []
        with suppress(ValueError):
            numbers = list(map(float, tokens))
        long = len(text) > TOKEN.value and max(map(len, tokens)) > TOKEN.value
        if long or not numbers or b"_" in text or not all(map(isfinite, numbers)):
            numbers = [_number(f"{stream.name}:{n}", x) for n, x in enumerate(tokens, first)]
        yield numbers


def _number(place: str, line: bytes) -> float:
    token = line.strip()
    if not token:
        raise InputError(f"{place}: blank line; expected a number for each row (RS-CONV-21)")
    check_tokens(place, [token], TOKEN.value)
    try:
        return trec.decimal(token)
    except ValueError:
        raise InputError(
            f"{place}: found {shown_text(token)}{trec.lone_cr(token)}; expected a finite number, "
            "one a line (RS-CONV-21)"
        ) from None


def _stream(source: Any, what: str) -> Stream:
    """The stream of a file; an InputError for what is none."""
    if is_file(source):
        return Stream(source)
    memory = "; rows in memory are a file as io.BytesIO(rows)" if isinstance(source, bytes) else ""
    raise InputError(
        f"{what}: expected a path or an open file, got {type(source).__name__}{memory} (RS-CONV-21)"
    )


# ---- rows --------------------------------------------------------------------------------


@record()
class Rows:
    """The rows of some queries of a file, flat.

    part: the number of the file among several, from 1; 0: it is the only one
    queries, begins: their ids, and where the rows of each begin
    lines, labels: of each row
    columns: of each feature that is read, its value in each row; NaN: NULL
    seen: the features that some row has
    """

    name: str
    queries: list[str] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    columns: list[list[float]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    part: int = 0

    def of_queries(self) -> Iterator[slice]:
        """Which rows are of the first query, of the second, and so on."""
        return (slice(*ends) for ends in pairwise([*self.begins, len(self.lines)]))

    def by_query(self, numbers: Sequence[Any]) -> dict[str, dict[Any, Any]]:
        """Numbers of the rows, by query and line; NaN is left out."""
        table = {}
        for query, rows in zip(self.queries, self.of_queries(), strict=True):
            own = zip(self.lines[rows], numbers[rows], strict=True)
            table[query] = {line: x for line, x in own if x == x}  # noqa: PLR0124
        return table

    def place(self, row: int) -> str:
        """Where a row is, for messages."""
        return f"{self.name}:{self.lines[row]}"

    def document(self, row: int) -> str:
        """The id that a row has as a document: its line, after the number of its file."""
        line = str(self.lines[row])
        return f"{self.part}:{line}" if self.part else line

    def split(self, row: int, queries: int) -> Rows:
        """Takes away the rows before one, and so many queries, and gives them."""
        taken = Rows(
            self.name,
            self.queries[:queries],
            self.begins[:queries],
            self.lines[:row],
            self.labels[:row],
            [column[:row] for column in self.columns],
            self.seen,
            self.part,
        )
        del self.queries[:queries], self.lines[:row], self.labels[:row]
        self.begins[:] = [begin - row for begin in self.begins[queries:]]
        for column in self.columns:
            del column[:row]
        return taken


def _queries(
    part: _Part, features: Sequence[int], progress: Progress | None, before: int = 0
) -> Iterator[Rows]:
    """The rows of a file, some whole queries at a time; before: the queries of earlier parts."""
    stream = part.stream
    reading = _RowReader(stream.name, features, part.number if part.of > 1 else 0)
    sizes = None if part.group is None else _sizes_given(part.group, part.number, before)
    for first, text in _texts(stream, progress):
        at_once = reading.rows
        if sizes is None and not at_once.lines and not at_once.queries:
            sizes = _sizes_beside(stream, text, before)
        reading.read(first, text, with_qid=sizes is None)
        if sizes is not None:
            yield from sizes.divided(at_once)
        elif len(at_once.queries) > 1:
            yield at_once.split(at_once.begins[-1], len(at_once.queries) - 1)
    if sizes is not None:
        sizes.check_end(reading.rows)
    elif reading.rows.queries:
        yield reading.rows
    if not reading.any:
        raise InputError(f"{stream.name}: empty; expected rows: {ROW}")


def _texts(stream: Stream, progress: Progress | None) -> Iterator[tuple[int, bytes]]:
    """Whole lines at a time, without the last line end, and the number of the first."""
    number = 1
    for text in stream.texts(BLOCK, STREAM):
        yield number, text.removesuffix(b"\n")
        number += text.count(b"\n")
        if progress is not None:
            progress(*stream.read_so_far())


class _RowReader:
    """The rows of a file as they are read.

    rows: those that are not taken yet
    any: whether there was one
    """

    def __init__(self, name: str, features: Sequence[int], part: int = 0) -> None:
        self.rows = Rows(name, columns=[[] for _ in features], part=part)
        self.any = False
        self._features = features
        self._labels: dict[bytes, Label] = {}
        self._qid = b""
        self._first_lines: dict[bytes, int] = {}  # of the queries
        self._lone_cr = False
        self._longest = TOKEN.value

    def read(self, first: int, text: bytes, *, with_qid: bool) -> None:
        """Read lines; first: the number of the first of them."""
        if b"\0" in text:
            line = first + text.count(b"\n", 0, text.index(b"\0"))
            raise trec.nul(f"{self.rows.name}:{line}")
        if any(blank in text for blank in (b"\t", b"\r", b"\v", b"\f")):
            self._lone_cr = text.count(b"\r") > text.count(b"\r\n") + text.endswith(b"\r")
            text = text.translate(_BLANKS)
        before = len(self.rows.lines)
        contents = self._contents(first, text, with_qid)
        lines = self.rows.lines[before:]
        for feature, column in zip(self._features, self.rows.columns, strict=True):
            column.extend(self._values(feature, contents, lines))
        self.any = self.any or bool(contents)

    def _contents(self, first: int, text: bytes, with_qid: bool) -> list[bytes]:
        """The rows without comments; labels and queries are read already."""
        contents = []
        known, lines, labels = self._labels, self.rows.lines, self.rows.labels
        for number, line in enumerate(text.split(b"\n"), first):
            content = line.partition(b"#")[0] if b"#" in line else line
            cells = content.split(None, 2)
            if not cells:
                continue
            label = known.get(cells[0])
            if label is None:
                label = self._label(number, cells[0])
            if with_qid:
                if len(cells) < 2 or cells[1] != self._qid:
                    self._begin(number, cells)
            elif len(cells) > 1 and cells[1].startswith(QID):
                raise self._error(number, "a qid, where a group file says the queries")
            if not _WHOLE_ROW(content):
                raise self._error(number, _no_feature(content))
            if len(content) > self._longest:
                check_tokens(f"{self.rows.name}:{number}", content.split(), self._longest)
            lines.append(number)
            labels.append(label)
            contents.append(content)
        return contents

    def _values(
        self, feature: int, contents: Sequence[bytes], lines: Sequence[int]
    ) -> Iterator[float]:
        """The values of a feature; the others are not looked at."""
        name = b" %d:" % feature
        for content, number in zip(contents, lines, strict=True):
            begin = content.find(name)
            if begin < 0:
                yield ABSENT
                continue
            begin += len(name)
            end = content.find(b" ", begin)
            token = content[begin:end] if end >= 0 else content[begin:]
            try:
                x = float(token)
            except ValueError:
                x = nan
            if not -inf < x < inf or b"_" in token:
                x = self._not_ranked(number, feature, token)
            if content.find(name, begin) >= 0:
                raise self._error(number, f"the feature {feature} a second time")
            self.rows.seen.add(feature)
            yield x

    def _label(self, number: int, token: bytes) -> Label:
        try:
            x = trec.decimal(token)
        except ValueError:
            raise self._error(number, f"the label {shown_text(token)}, no finite number") from None
        label = int(x) if x.is_integer() and abs(x) < 1 << 63 else x
        if len(self._labels) < MOST_REMEMBERED:
            self._labels[token] = label
        return label

    def _begin(self, number: int, cells: Sequence[bytes]) -> None:
        """A query begins in this line."""
        qid = cells[1] if len(cells) > 1 else b""
        if not qid.startswith(QID) or len(qid) == len(QID):
            raise self._error(number, "no qid behind the label", OF_A_GROUP)
        if qid in self._first_lines:
            raise InputError(
                f"{self.rows.name}:{number}: a further row of query "
                f"{shown_text(qid[len(QID) :])}, whose rows began in line "
                f"{self._first_lines[qid]}; the rows of a query must be adjacent (RS-CONV-21)"
            )
        self._first_lines[qid] = number
        self._qid = qid
        self.rows.queries.append(trec.id_of(qid[len(QID) :]))
        self.rows.begins.append(len(self.rows.lines))

    def _not_ranked(self, number: int, feature: int, token: bytes) -> float:
        if token != NOT_RANKED:
            raise self._error(
                number, f"the feature {feature} as {shown_text(token)}, no finite number"
            )
        return nan

    def _error(self, number: int, what: str, fix: str = "") -> InputError:
        why = trec.LONE_CR if self._lone_cr else ""
        return InputError(
            f"{self.rows.name}:{number}: found {what}{why}; expected {ROW}{fix} (RS-CONV-21)"
        )


def _no_feature(content: bytes) -> str:
    """What stands in a row where a feature should."""
    _, *cells = content.split()
    begin = 1 if cells[0].startswith(QID) else 0
    wrong = next(cell for cell in cells[begin:] if not _WHOLE_FEATURE(cell))
    return f"{shown_text(wrong)}, no feature:value (features are 1, 2, ...)"


_BLANKS = bytes.maketrans(b"\t\r\v\f", b"    ")


# ---- group files -------------------------------------------------------------------------


def _sizes_beside(stream: Stream, text: bytes, before: int) -> _Sizes | None:
    """The group file of a file whose first row has no qid, as LightGBM names it."""
    first = _first_row(text)
    if _begins_with_qid(first):
        return None
    names = [f"{stream.name}.query", f"{without_suffix(stream.name)}.query"]
    # pathlib would cost start-up time.
    found = next((name for name in names if first and os.path.isfile(name)), None)  # noqa: PTH113
    return None if found is None else _sizes_of_file(Stream(found), before)


def _sizes_given(group: Group, part: int, before: int) -> _Sizes:
    """The group file, or the sizes of the groups, that are given for the part of a number."""
    if is_file(group):
        stream = Stream(group)
        _name_by_place(stream, "group", part)
        return _sizes_of_file(stream, before)
    from ..compute.arrays import read_lists  # the help names this format, too

    argument = _argument("group", part)
    given = read_lists(group, None, argument)
    if not given.single:
        raise InputError(f"{argument}: expected a flat list with the number of rows of each query")
    sizes = given.numbers()
    for at, x in enumerate(sizes):
        if not isfinite(x) or x != int(x) or x < 1:
            raise InputError(
                f"{argument}: the number at position {at} is {x!r}; expected the number of rows "
                "of a query, an integer above 0 (RS-CONV-21)"
            )
    return _Sizes(
        argument,
        iter([int(x) for x in sizes]),
        lambda n: f"{argument}: position {n - 1}",
        before,
    )


def _sizes_of_file(stream: Stream, before: int) -> _Sizes:
    return _Sizes(stream.name, _group_sizes(stream), lambda n: f"{stream.name}:{n}", before)


def _first_row(text: bytes) -> list[bytes]:
    """The first two cells of the first row, and the rest of it; nothing where there is no row."""
    rows = (line.partition(b"#")[0].split(None, 2) for line in text.split(b"\n"))
    return next(filter(None, rows), [])


def _begins_with_qid(row: Sequence[bytes]) -> bool:
    return len(row) > 1 and row[1].startswith(QID)


class _Sizes:
    """The numbers of rows of the queries.

    name, place: for messages, what gives them, and where the n-th of them stands
    before: the number of queries of earlier parts, after which these are counted
    """

    def __init__(
        self, name: str, sizes: Iterator[int], place: Callable[[int], str], before: int
    ) -> None:
        self._name = name
        self._before = before
        self._place = place
        self._sizes = sizes
        self._next = next(self._sizes, None)
        self._query = 0

    def divided(self, rows: Rows) -> Iterator[Rows]:
        """The rows of the queries that are complete."""
        end = 0
        while self._next is not None and end + self._next <= len(rows.lines):
            self._query += 1
            rows.queries.append(str(self._before + self._query))
            rows.begins.append(end)
            end += self._next
            self._next = next(self._sizes, None)
        if self._next is None and end < len(rows.lines):
            raise InputError(
                f"{rows.place(end)}: this row is in none of the {self._query} groups of "
                f"{self._name} (RS-CONV-21)"
            )
        if end:
            yield rows.split(end, len(rows.queries))

    def check_end(self, rows: Rows) -> None:
        """An InputError where the rows ended before the groups."""
        if self._next is not None:
            raise InputError(
                f"{self._place(self._query + 1)}: this group has {self._next} rows, but "
                f"{rows.name} has only {len(rows.lines)} (RS-CONV-21)"
            )


def _group_sizes(stream: Stream) -> Iterator[int]:
    for first, text in _texts(stream, None):
        for number, line in enumerate(text.split(b"\n"), first):
            token = line.strip()
            if not token.isdigit() or len(token) > 18 or int(token) == 0:
                raise InputError(
                    f"{stream.name}:{number}: found {shown_text(token)}{trec.lone_cr(token)}; "
                    "expected the number of rows of a query, whole and above 0 (RS-CONV-21)"
                )
            yield int(token)
