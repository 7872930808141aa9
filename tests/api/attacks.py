"""Attacks on the process, run by test_hostile.py in one of its own; prints "survived".

The first argument says which.
"""

from __future__ import annotations

import ctypes
import gc
import io
import random
import re
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, cycle, product
from typing import Any

import numpy as np

import rankspec as rs
from rankspec.evaluation.conventions import Conventions
from rankspec.evaluation.dicts import judged_dicts
from rankspec.formats import arrow

SECONDS = 0.5


def attempt(call: Callable[..., Any], *args: Any, **options: Any) -> None:
    """A call that may fail as Python fails."""
    with suppress(Exception):
        call(*args, **options)


# ---- objects that lie --------------------------------------------------------------------


def kinds_of(base: type, **methods: Any) -> type:
    return type("Lying", (base,), methods)


LENGTHS = (0, 1, 5, 1 << 22)
ITEMS = ((), (1,), (3, 2, 1, 0), tuple(range(200)))


def lists() -> Iterator[list[Any]]:
    """Lists whose length, items and slices are not their own."""
    for length, items in product(LENGTHS, ITEMS):
        lying = kinds_of(
            list,
            __len__=lambda _, n=length: n,
            __iter__=lambda _, x=items: iter(x),
            __getitem__=lambda _, i, x=items: x[i],
        )
        yield lying([1, 2, 3])
        yield lying([[1, 2], [3]])
        yield [lying([1, 2]), lying([3])]


def buffers() -> Iterator[Any]:
    """Arrays that have another length, another typecode, or another shape."""
    for length in LENGTHS:
        said = {"__len__": lambda _, n=length: n, "typecode": "q", "itemsize": 8}
        yield kinds_of(array, **said)("q", [0, 1, 3])
        yield kinds_of(array, **said)("b", [0, 1, 3])
        shape = {"__len__": said["__len__"], "shape": (length,), "size": length, "ndim": 1}
        yield np.array([0, 1, 3]).view(kinds_of(np.ndarray, **shape))
        yield np.array([0, 1, 3], dtype=np.uint8).view(kinds_of(np.ndarray, **shape))
    yield memoryview(array("q", [0, 1, 3]))
    yield memoryview(bytearray(24)).cast("q")[::2]
    yield np.zeros((3, 0))
    yield np.zeros((0, 3))
    yield np.broadcast_to(np.int64(1), (1000,))
    yield np.frombuffer(bytes(25), dtype=np.uint8, offset=1, count=24).view(np.int64)


class Number:
    """A number that changes the list that it is in, when it is read."""

    def __init__(self, of: list[Any]) -> None:
        self.of = of

    def _read(self) -> int:
        self.of.clear()
        return 1

    __index__ = __int__ = _read

    def __float__(self) -> float:
        return float(self._read())


class Array:
    """What looks like an array, and gives another one."""

    def __init__(self, given: Any, shape: tuple[int, ...]) -> None:
        self.given, self.shape, self.ndim = given, shape, len(shape)
        self.dtype = given.dtype

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.given

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, i: int) -> Any:
        return [self.given, self.given][i]

    def reshape(self, *_: Any) -> Any:
        return self.given.reshape(1, -1)

    def tolist(self) -> list[Any]:
        return [1, 2, 3, 4]


class Text(str):
    """A text of other bytes."""

    __slots__ = ()

    def encode(self, *_: Any) -> bytes:
        return b"x" * (1 << 20)

    def __len__(self) -> int:
        return 1 << 40


class Raw(io.BufferedReader):
    """An open file that says that it has read more, or less than nothing, or keeps the buffer."""

    kept: list[Any] = []  # noqa: RUF012

    def __init__(self, content: bytes, n: int | None) -> None:
        super().__init__(io.BytesIO(content))
        self.n = n

    def readinto(self, buffer: Any) -> int:
        self.kept.append(buffer)
        n = super().readinto(buffer)
        return n if self.n is None or not n else self.n


def objects() -> None:
    """Buffers and what looks like an array, and texts and files that lie."""
    arrays = [Array(np.arange(n), shape) for n in (0, 1, 5) for shape in ((3,), (1, 3), (1, 1, 3))]
    shrinking: list[Any] = [1, 2, 3, 4]
    shrinking[1] = Number(shrinking)
    rows: list[Any] = [[1], [2, 3], [4]]
    rows[1] = kinds_of(list, __iter__=lambda _: (rows.clear() or x for x in (1, 2)))([5])
    in_every_place(chain(buffers(), arrays, [shrinking, rows, iter([1, 2, 3])]))
    qrels = {"q": {"a": 1, "b": 0}}
    text = {"q": {Text("a\n"): 1.0, Text("b"): 0.5, "c": 1.0}}
    attempt(rs.evaluate, qrels, text, "AP")
    attempt(rs.evaluate, text, text, "AP")
    attempt(rs.evaluate, qrels, {Text("q"): {"a": 1.0}}, "AP")
    run = b"".join(b"q%d Q0 d 1 1 t\n" % a for a in range(1000))
    for n in (None, -1, 0, 1, 1 << 62):
        attempt(rs.evaluate, qrels, Raw(run, n), "AP")
        attempt(rs.evaluate, Raw(b"q 0 a 1\n", n), Raw(run, n), "AP")


def objects_of_lists() -> None:
    in_every_place(lists())


def in_every_place(objects: Iterable[Any]) -> None:
    """Each object in every place that takes a list or an array."""
    plain = [1, 2, 3]
    for lying in objects:
        for name in ("ndcg", "err", "ap", "gap", "lndcg", "dcg_phi"):
            attempt(getattr(rs, name), lying)
            attempt(getattr(rs, name), plain, judged=lying)
        attempt(rs.ndcg, plain, scores=lying)
        attempt(rs.ndcg, plain, scores=plain, ids=lying)
        attempt(rs.ndcg, lying, scores=lying, ids=lying)
        attempt(rs.ndcg, np.array(plain), offsets=lying)
        attempt(rs.ndcg, plain, offsets=lying)
        attempt(rs.ndcg, lying, offsets=lying)
        attempt(rs.ndcg, lying, offsets=[0, 3], judged=lying, judged_offsets=lying)
        attempt(rs.rbp_residual, plain, unjudged=lying)
        attempt(rs.relevance, lying)
        for name in ("sdcg", "nsdcg", "isdcg_vector", "nsdcg_vector", "query_sdcg_vectors"):
            attempt(getattr(rs, name), lying)
            attempt(getattr(rs, name), [lying, lying], ids=[lying, lying])
            attempt(getattr(rs, name), plain, offsets=lying, sessions=lying)
            attempt(getattr(rs, name), plain, offsets=[0, 3], sessions=lying, ids=lying)
            attempt(getattr(rs, name), np.ones((1, 1, 3)), ids=lying, repeats=0)
            attempt(getattr(rs, name), [plain], judged=lying)
        attempt(rs.ndcg, plain, k=lying)
        attempt(rs.ndcg, plain, gain=lying)
        attempt(rs.ndcg, plain, discount=lying)
        attempt(rs.mean, lying)


# ---- streams of Arrow that are somebody else's --------------------------------------------


class Once:
    """A table of which the stream is taken only once: each asker gets the same capsule."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.capsule


def refused(words: str, call: Callable[..., Any], *args: Any) -> None:
    """A call that must end in an InputError with these words."""
    import pytest  # which takes a while

    with pytest.raises(rs.InputError, match=re.escape(words)):
        call(*args)


def streams() -> None:
    """Capsules that were used, hold no stream, or lack a function; and threads that share one."""
    import pyarrow as pa

    table = pa.table({"qid": ["q"], "docno": ["a"], "label": [1], "score": [1.0]})
    labels, again = {"q": {"a": 1}}, "the Arrow stream was already read"
    both = Once(table.__arrow_c_stream__())
    refused(again, rs.evaluate, both, both, "RR")
    twice = Once(table.__arrow_c_stream__())
    assert rs.evaluate(labels, twice, "RR")["RR"] == 1.0
    refused(again, rs.evaluate, labels, twice, "RR")
    refused(again, rs.evaluate, twice, labels, "RR")
    of_arrow = Once(table.__arrow_c_stream__())
    pa.RecordBatchReader.from_stream(of_arrow).read_all()
    refused(again, rs.evaluate, labels, of_arrow, "RR")
    for other in (table.schema.__arrow_c_schema__(), None, 7, b"arrow_array_stream"):
        refused("cannot be read", rs.evaluate, labels, Once(other), "RR")
    for function in ("get_schema", "get_next"):
        lacking = Once(table.__arrow_c_stream__())
        given = stream_in(lacking.capsule)
        setattr(given, function, type(getattr(given, function))())
        refused(f"it has no {function}()", rs.evaluate, labels, lacking, "RR")
    shared(table)


def stream_in(capsule: Any) -> Any:
    """The structure that a capsule holds."""
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    return arrow._Stream.from_address(pointer(capsule, b"arrow_array_stream"))


def shared(table: Any) -> None:
    """Threads with one capsule: one of them reads it."""
    sys.setswitchinterval(1e-6)
    for _ in range(200):
        once, read = Once(table.__arrow_c_stream__()), []

        def ask(once: Any = once, read: Any = read) -> None:
            with suppress(rs.InputError):
                read.append(rs.evaluate({"q": {"a": 1}}, once, "RR")["RR"])

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for x in threads:
            x.start()
        for x in threads:
            x.join()
        assert read == [1.0], read


# ---- what changes while it is read -------------------------------------------------------


def against(change: Callable[[], None], *calls: Callable[[], Any]) -> None:
    """Calls, one after the other, for some time, while another thread changes something."""
    end = time.monotonic() + SECONDS

    def change_often() -> None:
        while time.monotonic() < end:
            change()

    thread = threading.Thread(target=change_often)
    thread.start()
    for call in cycle(calls):
        attempt(call)
        if time.monotonic() > end:
            break
    thread.join()


class Changing(Mapping[str, float]):
    """A mapping of another length each time."""

    def __init__(self) -> None:
        self.n = 0

    def __iter__(self) -> Iterator[str]:
        self.n = (self.n + 7) % 50
        return iter([f"d{a}" for a in range(self.n)])

    def __len__(self) -> int:
        self.n = (self.n + 11) % 50
        return self.n

    def __getitem__(self, key: str) -> float:
        return 1.0


def mappings() -> None:
    sys.setswitchinterval(1e-6)
    qrels = {"q": {"d1": 1}, "r": {"d2": 1}}
    documents: dict[str, float] = {}
    run: dict[str, Any] = {"q": documents, "r": {}}
    changing = Changing()
    state = iter(range(1 << 60))

    def change() -> None:
        a = next(state)
        documents[f"d{a % 5000}"] = 1.0
        documents.pop(f"d{(a - 1000) % 5000}", None)
        run[f"x{a % 100}"] = documents
        run.pop(f"x{(a - 50) % 100}", None)

    against(
        change,
        lambda: rs.evaluate(qrels, run, "AP"),
        lambda: rs.evaluate(run, run, "AP"),
        lambda: rs.evaluate(qrels, {"q": changing, "r": changing}, "AP"),
    )


class Document(str):
    """A document with the hash of its text, whose comparison with another one changes dicts."""

    __slots__ = ("change",)
    __hash__ = str.__hash__
    change: Callable[[], None]

    def __eq__(self, other: object) -> bool:
        self.change()
        return False


def hostile(ids: list[str], change: Callable[[], None]) -> dict[Any, int]:
    """Judgments of documents whose comparison with these ids calls a function."""
    made = {}
    for x in map(Document, ids):
        x.change = lambda: None
        made[x] = 1
    for x in made:
        x.change = change
    return made


def dicts() -> None:
    """Dicts that change while they are read: by a key that is compared with an id, and by what is
    called when garbage is collected.
    """
    for ties, grown in product(("id-descending", "input", "expected"), (0, 1, 3000)):
        by_comparison("condensed", ties, grown)
    for grown in (1, 3000):
        by_comparison("nonrelevant", "input", grown)
    by_garbage(1)


def dicts_at_length() -> None:
    """The same, with dicts that grow much, and with threads that change them while it happens."""
    by_garbage(3000)
    by_threads()


def by_comparison(unjudged: str, ties: str, grown: int) -> None:
    """grown: how many documents there are afterwards; 0: the dicts are replaced."""
    ids = [f"d{a}" for a in range(50)]
    plain = {"d": 1, "e": 0}
    run: dict[Any, Any] = {}
    qrels: dict[Any, Any] = {"q": plain, "r": {"d1": 1}}

    def change() -> None:
        for table in (run, qrels):
            own = list(table.values())
            if grown:
                for x in own:
                    x.update((f"new{a}", 1) for a in range(grown))
            else:
                table.clear()
                for x in own:
                    x.clear()

    run["q"] = dict.fromkeys(ids, 1.0)
    run["r"] = {"d1": 1.0}
    index = judged_dicts(qrels, Conventions(unjudged=unjudged, ties=ties))
    assert index is not None
    plain.update(hostile(ids, change))  # after the judgments were looked at
    attempt(index._lists, run, Conventions(unjudged=unjudged, ties=ties))
    run["q"] = dict.fromkeys(ids, 1.0)
    attempt(rs.evaluate, qrels, run, ["AP", "nDCG"], unjudged=unjudged, ties=ties)
    queries = hostile(["q", "r"], change)
    attempt(rs.evaluate, queries, {"q": {"d1": 1.0}, "r": {"d1": 1.0}}, "AP", unjudged=unjudged)
    of_run = {x: {"d1": 1.0} for x in hostile(["q", "r"], change)}
    attempt(rs.evaluate, {"q": {"d1": 1}, "r": {"d1": 1}}, of_run, "AP", unjudged=unjudged)


def by_garbage(grown: int) -> None:
    """The collector runs whenever an object is made."""
    threshold = gc.get_threshold()
    tables: list[dict[Any, Any]] = []
    new = iter(range(1 << 60))

    def change(phase: str, _: Any) -> None:
        if phase == "start":
            for table in tables:
                for x in table.values():
                    x.update((f"new{next(new)}", 1) for _ in range(grown))

    condensed = Conventions(unjudged="condensed", ties="expected")
    for conventions, which in product((Conventions(), condensed), ((0, 1), (0,), (1,))):
        qrels = {f"q{a}": {"x": 1, "y": 0} for a in range(9)}
        run = {f"q{a}": {"x": 1.0, "y": 2.0, "z": 2.0} for a in range(9)}
        index = judged_dicts(qrels, conventions)
        assert index is not None
        tables[:] = [(qrels, run)[a] for a in which]
        gc.callbacks.append(change)
        gc.set_threshold(1)
        try:
            attempt(index._lists, run, conventions)
        finally:
            gc.set_threshold(*threshold)
            gc.callbacks.remove(change)


def by_threads() -> None:
    """Threads add and remove documents while keys are compared."""
    sys.setswitchinterval(1e-6)
    ids = [f"d{a}" for a in range(300)]
    run: dict[str, dict[Any, float]] = {"q": dict.fromkeys(ids, 1.0)}
    qrels: dict[Any, dict[Any, int]] = {"q": {"d": 1}}
    qrels["q"].update(hostile(ids, lambda: None))
    state = iter(range(1 << 60))

    def change() -> None:
        a = next(state)
        for table, most in ((run, 5000), (qrels, 700)):
            table["q"][f"n{a % most}"] = 1
            table["q"].pop(f"n{(a - 600) % most}", None)
        if a % 1000 == 0:
            run["q"], qrels["q"] = dict(run["q"]), dict(qrels["q"])

    options = {"unjudged": "condensed"}
    against(
        change,
        lambda: rs.evaluate(qrels, run, "AP", **options),
        lambda: rs.evaluate({"q": {"d1": 1, "n1": 2}}, run, ["AP", "nDCG"], **options),
        lambda: rs.evaluate(qrels, run, "nDCG", ties="input"),
    )


def offsets() -> None:
    """An offset far away, and back."""
    labels = np.ones(400_000, dtype=np.int64)
    right = np.arange(0, 400_001, 4)
    given, own = right.copy(), array("q", right)
    view = np.frombuffer(own, dtype=np.int64)

    def change() -> None:
        for _ in range(1000):
            given[-2] = view[-2] = 1 << 50
            given[-2] = view[-2] = right[-2]

    against(
        change,
        lambda: rs.ndcg(labels, offsets=given),
        lambda: rs.dcg(labels, offsets=own, judged=labels, judged_offsets=given),
        lambda: rs.ndcg(labels, scores=labels, offsets=given),
        lambda: rs.relevance(labels, offsets=own),
    )


def labels() -> None:
    """Labels within a table, and far beyond it."""
    given = {
        kind: np.zeros(60_000, dtype=kind) for kind in ("u1", "i1", "i2", "u4", "i8", "f4", "f8")
    }
    row = np.arange(0, 60_001, 60)

    def change() -> None:
        for x in given.values():
            x[-60:] = 100 if x.itemsize == 1 else 1 << 14 if x.itemsize == 2 else 1 << 30
            x[-60:] = 2

    table = [0, 1, 2, 3.5]
    random.seed(time.time_ns())  # which of the calls there is time for
    calls: list[Callable[[], Any]] = []
    for x in given.values():
        for options in ({"gain": table}, {"gain": "exp2"}, {}):
            calls += [
                partial(getattr(rs, name), x, offsets=row, **options)
                for name in ("ndcg", "lndcg", "dcg")
            ]
            calls += [
                partial(bound(rs.DCG(**options)).of, x, offsets=row)
                for bound in (rs.UL1, rs.UL2, rs.MinMax, rs.variance)
            ]
        calls += [
            lambda x=x: rs.err(x, offsets=row, max=4),
            lambda x=x: rs.nerr(x, scores=x, offsets=row, max=4),
            lambda x=x: rs.gap(x, offsets=row, q=[0.5, 0.5]),
            lambda x=x: rs.ap(x, offsets=row),
            lambda x=x: rs.dcg_phi(x, offsets=row),
            lambda x=x: rs.ndcg(x, scores=x, offsets=row),
        ]
    random.shuffle(calls)
    against(change, *calls)


def sessions() -> None:
    """Documents that are the same, and are not: the pool, and so a vector, changes its size."""
    labels, ids = np.ones((50, 4, 200), dtype=np.int64), np.zeros((50, 4, 200), dtype=np.int64)
    different = np.arange(ids.size).reshape(ids.shape)
    queries, begins = np.arange(0, 40_001, 200), np.arange(0, 201, 4)

    def change() -> None:
        ids[:] = different
        ids[:] = 0
        for _ in range(100):
            queries[-2] = begins[-2] = 1 << 50
            queries[-2], begins[-2] = 39_800, 196

    flat = labels.reshape(-1)
    against(
        change,
        lambda: rs.nsdcg_vector(labels, ids=ids, padding="X"),
        lambda: rs.isdcg_vector(labels, ids=ids, padding="X"),
        lambda: rs.nsdcg(labels, ids=ids, repeats=0),
        lambda: rs.nsdcg(flat, offsets=queries, sessions=begins, ids=ids.reshape(-1)),
    )


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("survived")
