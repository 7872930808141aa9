"""Tables of counts: what is read, in which order, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankspec as rs
from rankspec.papers import moniz_2016 as paper
from rankspec.papers.popularity import read_folder

from .tables import HEADER, write_table


def test_items_by_their_id_without_those_that_were_never_seen(tmp_path: Path) -> None:
    write_table(tmp_path / "A_x.csv", [(30, -1, 4), (7, 0, 2), (11, -1, -1), (100, 3, 0)])
    write_table(tmp_path / "B_y.csv.gz", [(1, 5, 6)])
    tables, left_out = read_folder(tmp_path)
    assert left_out == {}
    assert list(tables) == ["A_x", "B_y"]
    assert [(item[0], item[71], item[72], item[143]) for item in tables["A_x"]] == [
        (0, 0, 2, 2),
        (-1, -1, 4, 4),
        (3, 3, 0, 0),
    ]
    assert [list(item) for item in tables["B_y"]] == [[5] * 72 + [6] * 72]
    assert read_folder(str(tmp_path)).tables == tables


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    write_table(tmp_path / "A.csv", [(1, 2, 3)])
    (tmp_path / "ranks.csv").write_text("Timestamp,R1\n2014,1\n")
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "notes.txt").write_text(HEADER)
    (tmp_path / "latin.csv").write_bytes(b"\xe9")
    (tmp_path / "B.csv").mkdir()
    folder = read_folder(tmp_path)
    assert list(folder.tables) == ["A"]
    assert folder.left_out == {
        "B.csv": "a folder",
        "empty.csv": "other columns",
        "latin.csv": "not ASCII",
        "notes.txt": "not .csv",
        "ranks.csv": "other columns",
    }


@pytest.mark.slow
def test_files_that_are_left_out_are_told(tmp_path: Path) -> None:
    write_table(tmp_path / "A.csv", [(n, n % 7, n) for n in range(230)])
    (tmp_path / "ranks.csv").write_text("Timestamp,R1\n2014,1\n")
    found = rs.reproduce("moniz-2016", samples=1, data=tmp_path, backend="reference")
    (files,) = [table for table in found.tables if table.corner == "file"]
    assert files.rows == (
        ("A", (230, 2, 30, None)),
        ("ranks.csv", (None, None, None, "other columns")),
    )


def test_two_tables_of_one_name(tmp_path: Path) -> None:
    for name in ("A.csv", "A.csv.gz"):
        write_table(tmp_path / name, [(1, 2, 3)])
    with pytest.raises(rs.InputError, match=r'A.csv.gz: the folder holds another table "A"'):
        read_folder(tmp_path)


def test_no_name_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_table(tmp_path / "A.csv", [(1, 2, 3)])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.InputError, match="data: the folder name is empty"):
        read_folder("")
    assert list(read_folder(".").tables) == ["A"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("5,1", "line 3: 2 cells; expected 145"),
        ("x" + ",1" * 144, 'line 3: IDLink is "x"; expected a whole number of -1 or more'),
        ("5,-2" + ",1" * 143, 'line 3: TS1 is "-2"; expected a whole number of -1 or more'),
        ("5,1.5" + ",1" * 143, 'line 3: TS1 is "1.5"; expected a whole number'),
        ("5" + ",1" * 143 + ",", 'line 3: TS144 is ""; expected a whole number'),
        ("5" + ",1" * 143 + ",NA", 'line 3: TS144 is "NA"; expected a whole number'),
        ("5" + ",1" * 143 + ",-", 'line 3: TS144 is "-"; expected a whole number'),
        ("5" + ",1" * 143 + "," + "9" * 16, "line 3: TS144 is"),
        ("5" + ",1" * 143 + ",\N{SUPERSCRIPT TWO}", None),  # not a table at all: no ASCII
    ],
)
def test_bad_tables(tmp_path: Path, row: str, message: str | None) -> None:
    write_table(tmp_path / "A.csv", [(1, 2, 3)])
    with (tmp_path / "A.csv").open("a", encoding="utf-8") as file:
        file.write(row + "\n")
    with pytest.raises(rs.InputError) as error:
        read_folder(tmp_path)
    assert (message or "no table in it has the columns IDLink, TS1, ..., TS144") in str(error.value)


def test_no_table(tmp_path: Path) -> None:
    with pytest.raises(rs.InputError, match="no table in it has the columns"):
        read_folder(tmp_path)
    write_table(tmp_path / "A.csv", [(n, 1, 2) for n in range(99)])
    with pytest.raises(rs.InputError, match="A has 99 items; a ranking has 100"):
        paper.rankings_of(read_folder(tmp_path).tables, "reference")
