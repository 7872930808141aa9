"""Data frames of real libraries: what is read, by which names, and what is said about the rest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.columns import Columns
from rankspec.formats.frames import by_column, labels_of, scores_of

from ..each import each

QRELS = {"query_id": [7, 7, 7, 8, 8], "doc_id": [10, 9, -3, 10, 11], "relevance": [1, 0, 2, 0, 3]}
RUN = {"query_id": [8, 7, 7, 8, 7, 7], "doc_id": [11, 9, 10, 5, -3, 12]}
RUN |= {"score": [0.5, 0.25, 0.25, 0.5, 0.125, 0.25]}
MEASURES = ["nDCG@2", "AP", "RR"]
BACKENDS = ["c", "reference"]

Table = dict[str, list[Any]]


def lacking(name: str) -> Any:
    return pytest.importorskip(name, reason=f'{name} is not installed: pip install ".[peers]"')


def pandas(table: Table) -> Any:
    return lacking("pandas").DataFrame(table)


def pandas_of_objects(table: Table) -> Any:
    """The ids as objects of Python: what is no UTF-8, pandas 3 takes for no text of its own."""
    pd = lacking("pandas")
    return pd.DataFrame(
        {n: pd.Series(x, dtype=object if a < 2 else None) for a, (n, x) in enumerate(table.items())}
    )


def polars(table: Table) -> Any:
    return lacking("polars").DataFrame(table)


def arrow(table: Table) -> Any:
    return lacking("pyarrow").table(table)


def pandas_with(*types: str) -> Callable[[Table], Any]:
    """A frame whose queries and documents are of these types, one after the other."""

    def made(table: Table) -> Any:
        frame = pandas(table)
        if any("pyarrow" in x for x in types):
            lacking("pyarrow")
        for kind in types:
            frame = frame.astype(dict.fromkeys(list(table)[:2], kind))
        return frame

    return made


def polars_with(*types: str) -> Callable[[Table], Any]:
    def made(table: Table) -> Any:
        pl, frame = lacking("polars"), polars(table)
        for kind in types:
            frame = frame.with_columns(pl.col(*list(table)[:2]).cast(getattr(pl, kind)))
        return frame

    return made


def arrow_with(*types: str) -> Callable[[Table], Any]:
    def made(table: Table) -> Any:
        pa, columns = lacking("pyarrow"), {}
        for a, (name, values) in enumerate(table.items()):
            columns[name] = pa.array(values)
            for kind in types if a < 2 else ():
                columns[name] = columns[name].cast(getattr(pa, kind)())
        return pa.table(columns)

    return made


def dictionary(table: Table) -> Any:
    text = arrow_with("string")(table)
    pa = lacking("pyarrow")
    return pa.table(
        {n: text[n].dictionary_encode() if text[n].type == "string" else text[n] for n in table}
    )


def duck(table: Table) -> Any:
    lacking("pyarrow")
    return lacking("duckdb").from_arrow(arrow(table))


def duck_with_enums(table: Table) -> Any:
    text = arrow_with("string")(table)
    relation = lacking("duckdb").from_arrow(text)
    names = list(table)
    ids = [f"{n}::enum('7','8','10','9','-3','11','5','12') as {n}" for n in names[:2]]
    return relation.select(", ".join([*ids, names[2]]))


def narwhals(table: Table) -> Any:
    return lacking("narwhals").from_native(pandas(table))


FORMS: dict[str, Callable[[Table], Any]] = {
    "pandas": pandas,
    "pandas of int16": pandas_with("int16"),
    "pandas of text": pandas_with("str"),
    "pandas of objects": pandas_with("object"),
    "pandas of nullable integers": pandas_with("Int64"),
    "pandas of string": pandas_with("string[python]"),
    "pandas of Arrow's strings": pandas_with("str", "string[pyarrow]"),
    "pandas of Arrow's integers": pandas_with("int64[pyarrow]"),
    "pandas of categories of integers": pandas_with("category"),
    "pandas of categories of text": pandas_with("str", "category"),
    "polars": polars,
    "polars, lazy": lambda table: polars(table).lazy(),
    "polars of int8": polars_with("Int8"),
    "polars of text": polars_with("String"),
    "polars of categories": polars_with("String", "Categorical"),
    "pyarrow": arrow,
    "pyarrow of string": arrow_with("string"),
    "pyarrow of large_string": arrow_with("large_string"),
    "pyarrow of string_view": arrow_with("string_view"),
    "pyarrow of dictionaries": dictionary,
    "pyarrow of decimals": lambda table: lacking("pyarrow").table(
        {
            name: lacking("pyarrow").array(list(map(Decimal, x)) if a < 2 else x)
            for a, (name, x) in enumerate(table.items())
        }
    ),
    "pyarrow in chunks": lambda table: lacking("pyarrow").Table.from_batches(
        arrow_with("string")(table).to_batches(max_chunksize=2)
    ),
    "a slice": lambda table: (
        lacking("pyarrow").concat_tables([arrow_with("string")(table)] * 2).combine_chunks()
    ).slice(len(next(iter(table.values())))),
    "a record batch": lambda table: arrow(table).to_batches()[0],
    "a reader of batches": lambda table: arrow(table).to_reader(),
    "DuckDB": duck,
    "DuckDB with enums": duck_with_enums,
    "narwhals": narwhals,
    "narwhals, lazy": lambda table: lacking("narwhals").from_native(polars(table).lazy()),
}


def as_dict(table: Table) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for query, document, x in zip(*table.values(), strict=True):
        made.setdefault(str(query), {})[str(document)] = x
    return made


class TestAccepted:
    @pytest.mark.spec("RS-CONV-41", "RS-CONV-42/L1")
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("backend", BACKENDS)
    def test_all_forms_are_as_the_dictionaries(self, form: str, backend: str) -> None:
        expected = evaluate(as_dict(QRELS), as_dict(RUN), MEASURES)
        assert expected.mean["AP"] not in (0, 1)
        make = FORMS[form]
        for qrels, run in (
            (make(QRELS), make(RUN)),
            (as_dict(QRELS), make(RUN)),
            (make(QRELS), as_dict(RUN)),
        ):
            found = evaluate(qrels, run, MEASURES, backend=backend)
            assert (found.per_query, found.mean) == (expected.per_query, expected.mean)

    @pytest.mark.parametrize("form", FORMS)
    def test_no_object_is_made_of_a_row(self, form: str) -> None:
        """They become Columns: what is read by the row is none."""
        assert isinstance(by_column(FORMS[form](RUN), "run"), Columns)

    @pytest.mark.spec("RS-CONV-41/L2")
    def test_rows_may_come_in_any_order_and_ties_are_broken_by_the_text(self) -> None:
        """9 is above 10 in the order of bytes, as it is in a file."""
        run = pandas({"qid": [1, 1], "docno": [10, 9], "score": [0.5, 0.5]})
        assert evaluate({"1": {"9": 1}}, run, "RR")["RR"] == 1.0
        assert evaluate({"1": {"10": 1}}, run, "RR")["RR"] == 0.5

    @pytest.mark.spec("RS-CONV-42/L2")
    @each(
        ("values", "kind"),
        [
            ([1, 0, 2**53 + 1], "int64"),
            ([2**63, 2**64 - 1, 0], "uint64"),
            ([0.1, 0.5, -2.0], "float32"),
            ([0.5, 65504.0, -0.0], "float16"),
            ([1, 0, 1], "bool"),
            ([-128, 127, 0], "int8"),
        ],
    )
    def test_numbers_are_taken_exactly(self, values: list[Any], kind: str) -> None:
        exact = np.array(values, kind).tolist()
        table = {"qid": ["q"] * 3, "docid": ["a", "b", "c"]}
        frames = [pandas(table).assign(score=np.array(values, kind))]
        frames.append(lacking("pyarrow").table(table | {"score": np.array(values, kind)}))
        frames.append(polars(table | {"score": np.array(values, kind)}))
        for frame in frames:
            assert list(scores_of(frame)["q"].values()) == exact

    def test_scores_that_no_double_tells_apart_are_told_apart(self) -> None:
        run = polars({"qid": ["q", "q"], "docid": ["a", "b"], "score": [2**53 + 1, 2**53]})
        for backend in BACKENDS:
            assert evaluate({"q": {"a": 1}}, run, "RR", backend=backend)["RR"] == 1.0

    @pytest.mark.spec("RS-CONV-42/L2")
    def test_decimals_that_are_doubles(self) -> None:
        pa = lacking("pyarrow")
        scores = pa.array([Decimal("0.5"), Decimal("-2.25")])
        frame = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "score": scores})
        assert scores_of(frame) == {"q": {"a": 0.5, "b": -2.25}}
        sum_of_integers = lacking("duckdb").sql(
            "select 'q' as qid, i::hugeint as docid, sum(i) as score from range(3) t(i) group by i"
        )
        assert scores_of(sum_of_integers) == {"q": {"0": 0, "1": 1, "2": 2}}

    def test_numbers_of_python_in_pandas(self) -> None:
        frame = pandas({"qid": ["q"] * 3, "docid": ["a", 5, "c"]})
        mixed = frame.assign(score=np.array([1, 2**70, Decimal("0.1")], object))
        assert (
            scores_of(mixed)["q"]
            == scores_of([("q", "a", 1), ("q", "5", 2**70), ("q", "c", Decimal("0.1"))])["q"]
        )
        assert labels_of(frame.assign(label=np.array([1, 2, 3], object)))["q"]["5"] == 2

    @pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow", "DuckDB"])
    def test_no_rows(self, form: str) -> None:
        table = {"qid": np.array([], "int64"), "docid": np.array([], "int64")}
        for backend in BACKENDS:
            run = FORMS[form](table | {"score": np.array([], "float64")})
            assert evaluate({"q": {"a": 1}}, run, "RR", backend=backend)["RR"] == 0.0
            qrels = FORMS[form](table | {"label": np.array([], "int64")})
            with pytest.raises(InputError, match="qrels: empty"):
                evaluate(qrels, {"q": {"a": 1}}, "RR", backend=backend)

    def test_ids_of_any_bytes(self) -> None:
        ids = ["", "\n", "\0", "a\0b", "\udcff", "\u00e4"]
        scores = dict(zip(ids, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], strict=True))
        table = {"qid": ["q"] * 6, "docid": ids, "score": list(scores.values())}
        run = pandas_of_objects(table)
        assert scores_of(run) == {"q": scores}
        for document in ids:
            for backend in BACKENDS:
                own = {"q": {document: 1}}
                assert evaluate(own, run, "RR", backend=backend) == evaluate(
                    own, {"q": scores}, "RR"
                )

    def test_a_dictionary_with_values_that_are_unused_or_there_twice(self) -> None:
        pa = lacking("pyarrow")
        codes = pa.array([0, 3, 2, 0], pa.int8())
        coded = pa.DictionaryArray.from_arrays(codes, pa.array(["a", None, "c", "a"]))
        run = pa.table({"qid": ["p", "q", "q", "r"], "docid": coded, "score": [1, 2, 3, 4]})
        assert scores_of(run) == {"p": {"a": 1}, "q": {"a": 2, "c": 3}, "r": {"a": 4}}

    def test_only_the_columns_that_are_read_are_asked_for(self) -> None:
        """Of objects polars gives no column, and DuckDB computes none that is not asked for."""
        pl = lacking("polars")
        objects = pl.Series("extra", [object(), object()], dtype=pl.Object)
        frame = polars({"qid": ["q", "q"], "docid": ["a", "b"], "sim": [1, 2]}).with_columns(
            objects
        )
        assert scores_of(frame) == {"q": {"a": 1, "b": 2}}
        fails = "select 'q' as qid, 1 as docid, 2 as sim, error('computed') as extra"
        assert scores_of(lacking("duckdb").sql(fails)) == {"q": {"1": 2}}


class TestNames:
    @pytest.mark.spec("RS-CONV-43/L1")
    @each(
        ("query", "document", "label"),
        [
            ("query_id", "doc_id", "relevance"),
            ("qid", "docno", "label"),
            ("q_id", "doc-id", "rel"),
            ("topic", "item_id", "grade"),
            ("Query", "Product ID", "Rating"),
        ],
    )
    def test_usual_names(self, query: str, document: str, label: str) -> None:
        frame = pandas({"x": [0], label: [2], document: [5], query: ["q"]})
        assert labels_of(frame) == {"q": {"5": 2}}

    def test_names_of_a_run(self) -> None:
        for name in ("score", "prediction", "sim"):
            assert scores_of(pandas({"qid": ["q"], "docid": [5], name: [2.5]})) == {"q": {"5": 2.5}}

    @pytest.mark.spec("RS-CONV-32", "RS-CONV-43")
    def test_ranks_and_the_order_of_the_rows(self) -> None:
        run = pandas({"qid": [1, 1, 1], "docid": [5, 6, 7], "rank": [2, 1, 3]})
        qrels = {"1": {"5": 1}}
        for backend in BACKENDS:
            assert evaluate(qrels, run, "RR", order="rank", backend=backend)["RR"] == 0.5
            assert evaluate(qrels, run, "RR", order="file", backend=backend)["RR"] == 1.0
        with pytest.raises(InputError, match='a column of ranks, but none of scores; order="rank"'):
            evaluate(qrels, run, "RR")

    @pytest.mark.spec("RS-CONV-43/L1")
    def test_names_that_are_not_usual(self) -> None:
        names = {"query": "user", "document": "item", "label": "stars", "score": "p"}
        qrels = pandas({"user": [1], "item": [5], "stars": [4], "relevance": [0]})
        run = polars({"user": [1, 1], "item": [6, 5], "p": [0.5, 0.25], "score": [0.0, 1.0]})
        assert evaluate(qrels, run, "RR", columns=names)["RR"] == 0.5
        own = {"qrels": names, "run": {"query": "user", "document": "item"}}
        assert evaluate(qrels, run, "RR", columns=own)["RR"] == 1.0

    @pytest.mark.spec("RS-CONV-43")
    def test_two_that_might_be_meant(self) -> None:
        frame = pandas({"qid": [1], "q_id": [1], "doc_id": [5], "docno": ["x"], "s": [1]})
        with pytest.raises(InputError) as error:
            evaluate({"1": {"x": 1}}, frame, "RR", columns={"score": "s"})
        assert str(
            error.value
        ) == (  # both at once, with what is known; neither as if it were right
            'run: the query may be in the column "qid" or "q_id"; the document may be in the '
            'column "doc_id" or "docno". Say which they are: columns={"score": "s", "query": NAME, '
            '"document": NAME} (RS-CONV-43)'
        )
        columns = {"score": "s", "query": "qid", "document": "docno"}
        assert evaluate({"1": {"x": 1}}, frame, "RR", columns=columns)["RR"] == 1.0

    @pytest.mark.spec("RS-CONV-43")
    def test_a_frame_of_pyterrier(self) -> None:
        """Its docid is a number of its own, and its query is the text."""
        run = {"qid": ["1"], "docid": [5], "docno": ["x"], "query": ["a text"], "score": [1.5]}
        qrels = {"qid": ["1"], "docno": ["x"], "label": [1]}
        for make in (pandas, polars):
            assert evaluate(make(qrels), make(run | {"rank": [0]}), "RR")["RR"] == 1.0
        assert (
            evaluate({"1": {"5": 1}}, pandas(run), "RR", columns={"document": "docid"})["RR"] == 1
        )

    @pytest.mark.spec("RS-CONV-43")
    @each(
        ("query", "document"),
        [
            ("user_id", "item_id"),
            ("userId", "itemId"),
            ("userID", "itemID"),
            ("user", "item"),
            ("query-id", "corpus-id"),
        ],
    )
    def test_frames_of_recommenders(self, query: str, document: str) -> None:
        test = pandas({query: [1, 1], document: [7, 8], "rating": [0, 5]})
        predictions = pandas({query: [1, 1], document: [7, 8], "prediction": [0.5, 0.25]})
        assert evaluate(test, predictions, "RR")["RR"] == 0.5
        for name, other in (("query_id", query), ("topic", query)):
            if query.startswith("user"):  # the user of a query is not what was asked
                both = predictions.rename(columns={query: name}).assign(**{other: 2})
                assert evaluate(test, both, "RR")["RR"] == 0.5

    @pytest.mark.spec("RS-CONV-43")
    def test_swapped_frames(self) -> None:
        test = pandas({"user_id": [1], "item_id": [7], "rating": [5]})
        predictions = pandas({"user_id": [1], "item_id": [7], "prediction": [0.5]})
        with pytest.raises(InputError) as error:
            evaluate(predictions, test, "RR")
        assert str(error.value) == (
            'qrels: the qrels have no column of the label, "relevance", "label", "rel", "grade", '
            '"rating", but "prediction", of the score: are the qrels and the run swapped? The '
            'qrels come first; it has "user_id", "item_id", "prediction". Where that is the label: '
            'columns={"label": "prediction"} (RS-CONV-43)'
        )
        with pytest.raises(
            InputError, match=r'run: the run has no column of the score, .* "rating"'
        ):
            evaluate(test, test, "RR")
        assert evaluate(test, test, "RR", columns={"score": "rating"})["RR"] == 1.0

    @pytest.mark.spec("RS-CONV-43")
    def test_none_that_might_be_meant(self) -> None:
        with pytest.raises(InputError) as error:
            scores_of(pandas({"a": [1], "docid": [5], "score": [1]}))
        assert str(error.value) == (
            'run: there is no column of the query, "query_id", "qid", "q_id", "topic", "query", '
            '"user_id", "userid", "user"; it has "a", "docid", "score". Say which it is: '
            'columns={"query": NAME} (RS-CONV-43)'
        )
        with pytest.raises(InputError, match=r"of the query, .*, nor of the document, .*; it has"):
            scores_of(pandas({"a": [1], "b": [5], "score": [1]}))
        with pytest.raises(InputError, match='there is no column "b" for the query; it has "a"'):
            evaluate({"1": {"x": 1}}, pandas({"a": [1]}), "RR", columns={"query": "b"})

    def test_a_name_that_is_there_twice(self) -> None:
        frame = pandas({"qid": [1], "docid": [5], "score": [1]})
        frame.columns = ["qid", "qid", "score"]
        with pytest.raises(InputError, match='run: 2 columns have the name "qid"'):
            scores_of(frame)

    @each(
        ("columns", "message"),
        [
            (
                "qid",
                'columns: expected {"query": NAME, "document": NAME, "label": NAME, "score": NAME}'
                ', or {"qrels": {...}, "run": {...}}, got "qid" (RS-CONV-43)',
            ),
            ({"documents": "x"}, 'did you mean "document"'),
            ({"qrels": "x"}, 'columns: expected a dict of names for "qrels", got "x"'),
            (
                {"qrels": {}, "score": "x"},
                'columns: unknown name "score"; expected one of "qrels", "run"',
            ),
            ({"qrels": {"run": {}}}, 'expected a dict of names for "qrels", got "{\'run\': {}}"'),
            ({"query": "qid"}, "columns: they apply to data frames"),
        ],
    )
    def test_what_is_no_names(self, columns: Any, message: str) -> None:
        with pytest.raises(InputError) as error:
            evaluate({"1": {"x": 1}}, {"1": {"x": 1}}, "RR", columns=columns)
        assert message in str(error.value)


def polars_that_fails() -> Any:
    pl = lacking("polars")
    table = polars({"qid": ["q"], "docid": ["a"], "score": ["x"], "label": ["x"]}).lazy()
    return table.with_columns(pl.col("score", "label").cast(pl.Float64))


def polars_without_its_columns() -> Any:
    return polars_that_fails().select("nothing")


def duck_that_is_closed() -> Any:
    connection = lacking("duckdb").connect()
    relation = connection.sql("select 'q' as qid, 'a' as docid, 1.0 as score, 1 as label")
    connection.close()
    return relation


def duck_that_fails() -> Any:
    fails = "select 'q' as qid, 'a' as docid, 'x'::double as score, 'x'::int as label"
    return lacking("duckdb").sql(fails)


class TestRefused:
    @pytest.mark.spec("RS-CONV-42")
    @pytest.mark.parametrize(
        ("make", "cause"),
        [
            (polars_that_fails, "InvalidOperationError: conversion from `str`"),
            (polars_without_its_columns, "ColumnNotFoundError: "),
            (duck_that_is_closed, "ConnectionException: Connection Error: "),
            (duck_that_fails, "ConversionException: Conversion Error: "),
        ],
    )
    def test_a_frame_whose_library_fails(self, make: Callable[[], Any], cause: str) -> None:
        frame, table = make(), {"q": {"a": 1}}
        kind, package = type(frame).__name__, type(frame).__module__.partition(".")[0].strip("_")
        for backend in BACKENDS:
            for what, tables in {"run": (table, frame), "qrels": (frame, table)}.items():
                with pytest.raises(InputError) as error:
                    evaluate(*tables, "RR", backend=backend)
                words = f"{what}: the {kind} of {package} cannot be read: {cause}"
                assert str(error.value).startswith(words)
                assert type(error.value.__cause__).__name__ == cause.partition(":")[0]

    def test_a_lack_of_memory_is_none_of_its_input(self) -> None:
        def without_memory(_: Any) -> Any:
            raise MemoryError

        lazy = polars({"qid": ["q"], "docid": ["a"], "score": [1.0]}).lazy()
        lazy.collect_schema = lambda: without_memory(lazy)
        with pytest.raises(MemoryError):
            scores_of(lazy)

    @pytest.mark.spec("RS-CONV-42")
    @pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow", "pyarrow in chunks", "DuckDB"])
    @pytest.mark.parametrize(
        ("name", "what"), [("qid", "query id"), ("docid", "document id"), ("score", "score")]
    )
    def test_nulls(self, form: str, name: str, what: str) -> None:
        table = {"qid": ["q"] * 4, "docid": ["a", "b", "c", "d"], "score": [1.0, 2.0, 3.0, 4.0]}
        table[name][3] = None  # type: ignore[call-overload]
        make = arrow if form == "pyarrow in chunks" else FORMS[form]
        frame = make(table)
        if form == "pyarrow in chunks":
            frame = lacking("pyarrow").Table.from_batches(frame.to_batches(max_chunksize=3))
        message = f'run: row 3: there is no {what} in column "{name}" (null)'
        if form == "pandas" and name == "score":
            message = 'run: row 3: the score in column "score" is nan; it must be a finite number'
        for backend in BACKENDS:
            with pytest.raises(InputError) as error:
                evaluate({"q": {"a": 1}}, frame, "RR", backend=backend)
            assert message in str(error.value)

    @pytest.mark.spec("RS-CONV-42")
    def test_a_null_before_the_slice_and_one_behind_it(self) -> None:
        pa = lacking("pyarrow")
        ids = pa.array([None, *"abcdefghijk", None])
        frame = pa.table({"qid": ["q"] * 13, "docid": ids, "score": list(range(13))})
        assert len(scores_of(frame.slice(1, 11))["q"]) == 11
        for begin, row in ((0, 0), (1, 11), (9, 3)):
            with pytest.raises(InputError, match=f"run: row {row}: there is no document id"):
                scores_of(frame.slice(begin))

    @pytest.mark.spec("RS-CONV-42")
    def test_a_reader_that_fails_midway(self) -> None:
        """pyarrow says a whole traceback; its type and message are enough, in a line."""
        pa = lacking("pyarrow")
        schema = pa.schema({"qid": pa.string(), "docid": pa.string(), "score": pa.float64()})

        def batches(words: str) -> Iterator[Any]:
            yield pa.record_batch([["q"], ["a"], [1.0]], schema=schema)
            raise RuntimeError(words)

        for words in ("the disk is gone", "the disk\n  is gone"):
            with pytest.raises(InputError) as error:
                scores_of(pa.RecordBatchReader.from_batches(schema, batches(words)))
            assert str(error.value) == (
                "run: the Arrow stream cannot be read: RuntimeError: the disk is gone"
            )

    @pytest.mark.spec("RS-CONV-42")
    @each("form", ["pandas", "polars", "pyarrow"])
    def test_columns_without_values_are_of_any_type(self, form: str) -> None:
        """pandas makes floats or objects of no values, others a type of their own."""
        table: dict[str, list[Any]] = {"qid": [], "docid": [], "score": []}
        make = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[form]
        assert scores_of(getattr(lacking(form), make)(table)) == {}
        with pytest.raises(InputError, match="qrels: empty"):
            labels_of(getattr(lacking(form), make)(table | {"label": []}))

    @pytest.mark.spec("RS-CONV-43")
    def test_names_that_are_numbers_are_shown_as_such(self) -> None:
        frame = lacking("pandas").DataFrame([["q", "a", 1.0]])
        with pytest.raises(InputError, match="it has 0, 1, 2\\. Say which they are"):
            scores_of(frame)

    @pytest.mark.spec("RS-CONV-42")
    def test_a_row_that_is_null_as_a_whole(self) -> None:
        pa = lacking("pyarrow")
        columns = [pa.array(["q", "q"]), pa.array(["a", "b"]), pa.array([1.0, 2.0])]
        mask = pa.array([False, True])
        rows = pa.StructArray.from_arrays(columns, ["qid", "docid", "score"], mask=mask)
        with pytest.raises(InputError, match="run: row 1: there is no query id"):
            scores_of(pa.chunked_array([rows]))
        assert scores_of(pa.chunked_array([rows.slice(0, 1)])) == {"q": {"a": 1.0}}

    @pytest.mark.spec("RS-CONV-42")
    @each("value", [float("nan"), float("inf"), float("-inf")])
    @each("form", ["pandas", "polars", "pyarrow"])
    def test_numbers_that_are_not_finite(self, value: float, form: str) -> None:
        table = {"qid": ["q"] * 3, "docid": ["a", "b", "c"]}
        run, qrels = (FORMS[form](table | {name: [1.0, value, 2.0]}) for name in ("score", "rel"))
        words = f"is {value}; it must be a finite number"
        for backend in BACKENDS:
            with pytest.raises(InputError) as error:
                evaluate({"q": {"a": 1}}, run, "RR", backend=backend)
            assert f'run: row 1: the score in column "score" {words}' in str(error.value)
            with pytest.raises(InputError) as error:
                evaluate(qrels, {"q": {"a": 1}}, "RR", backend=backend)
            assert f'qrels: row 1: the label in column "rel" {words}' in str(error.value)

    @pytest.mark.spec("RS-CONV-41")
    @each(
        ("values", "said"),
        [
            ([1.0, 2.0], 'the column "docid" of document ids is of type'),
            ([True, False], 'the column "docid" of document ids is of type bool'),
            ([b"a", b"b"], "bin"),
            (np.array([1, 2], "datetime64[ms]"), "type"),
        ],
    )
    @each("form", ["pandas", "polars", "pyarrow"])
    def test_ids_that_are_none(self, values: Any, said: str, form: str) -> None:
        frame = FORMS[form]({"qid": ["q", "q"], "docid": values, "score": [1, 2]})
        if form == "pandas" and values[0] == b"a":
            said = 'row 0: the document id in column "docid" is "b\'a\'", of type bytes'
        with pytest.raises(InputError) as error:
            scores_of(frame)
        assert said in str(error.value).lower() if "bin" in said else said in str(error.value)

    def test_ids_of_objects_name_the_row(self) -> None:
        frame = pandas({"qid": ["q", "q"], "docid": ["a", ("b",)], "score": [1, 2]})
        with pytest.raises(InputError, match=r"run: row 1: the document id .* of type tuple; ids"):
            scores_of(frame)
        table = {"qid": ["q", "q"], "docid": ["a", "\ud800"], "score": [1, 2]}
        frame = pandas_of_objects(table)
        with pytest.raises(InputError, match=r"row 1: .*'\\ud800', has no unique encoding in UTF"):
            scores_of(frame)

    @each("form", ["pandas", "polars", "pyarrow"])
    def test_numbers_that_are_none(self, form: str) -> None:
        for values in (["1", "2"], np.array([1, 2], "datetime64[ms]"), [[1], [2]]):
            with pytest.raises(InputError, match=r"score"):
                scores_of(FORMS[form]({"qid": ["q", "q"], "docid": [1, 2], "score": values}))

    def test_decimals_that_are_none(self) -> None:
        pa = lacking("pyarrow")
        scores = pa.array([Decimal("0.5"), Decimal("0.1")])
        frame = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "score": scores})
        with pytest.raises(
            InputError, match=r"run: row 1: the score in column .* is a decimal that"
        ):
            scores_of(frame)

    @pytest.mark.spec("RS-CONV-10")
    @pytest.mark.parametrize("form", ["pandas", "polars of text", "pyarrow in chunks", "DuckDB"])
    def test_duplicates_name_both_rows(self, form: str) -> None:
        table = {"qid": [7, 8, 7], "docid": [9, 9, 9], "score": [1, 2, 3]}
        for backend in BACKENDS:
            with pytest.raises(InputError) as error:
                evaluate({"7": {"9": 1}}, FORMS[form](table), "RR", backend=backend)
            assert str(error.value).startswith(
                'run: row 2: document "9" of query "7" occurs a second time; it is already in '
                "row 0; "
            )
            last = evaluate({"7": {"9": 1}}, FORMS[form](table), "RR", duplicates="last")
            assert last["RR"] == 1.0

    def test_labels_that_are_neither_int64_nor_doubles(self) -> None:
        frame = polars({"qid": ["q"], "docid": ["a"], "label": np.array([2**64 - 1], "uint64")})
        for backend in BACKENDS:
            with pytest.raises(InputError, match="must be an integer of 64 bits or a double"):
                evaluate(frame, {"q": {"a": 1}}, "RR", backend=backend)
        fine = polars({"qid": ["q"], "docid": ["a"], "label": np.array([2**63], "uint64")})
        assert labels_of(fine) == {"q": {"a": 2.0**63}}


LONELY = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
import {library} as library
import rankspec as rs
qrels = library.DataFrame({{"qid": ["a", "a"], "docid": [1, 2], "label": [0, 1]}})
run = library.DataFrame({{"qid": ["a", "a"], "docid": ["1", "2"], "score": [1.5, 1.5]}})
print(rs.evaluate(qrels, run, "RR")["RR"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "blocked"),
    [("pandas", ["pyarrow", "polars", "narwhals"]), ("polars", ["pyarrow", "pandas", "narwhals"])],
)
def test_a_library_needs_no_other(library: str, blocked: list[str]) -> None:
    lacking(library)
    code = LONELY.format(library=library, blocked=blocked)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stdout == "1.0\n", done.stderr
