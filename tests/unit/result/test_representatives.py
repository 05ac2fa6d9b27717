"""The best record of each component, against a sort in plain Python."""

from __future__ import annotations

import datetime
import math
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry


def solve(pairs, as_id):
    src, dst = ([as_id(pair[i]) for pair in pairs] for i in (0, 1))
    return skerry.connected_components(pa.table({"src": src, "dst": dst}))


def best_rows(component, rows, descending):
    """Rows are (id, value or None); one of each component, and all that are in none."""

    def rank(number):
        id, value = rows[number]
        missing = value is None or (isinstance(value, float) and math.isnan(value))
        return missing, 0 if missing else -value if descending else value, id, number

    clusters = {}
    for number, (id, _) in enumerate(rows):
        clusters.setdefault(component.get(id, (number,)), []).append(number)
    return sorted(min(numbers, key=rank) for numbers in clusters.values())


VALUES = {
    "floats": lambda draw: draw.choice([None, math.nan, -1.5, 0.0, 2.5]),
    "integers": lambda draw: draw.choice([None, -(2**60), 2**60, 2**60 + 1]),
    "booleans": lambda draw: draw.choice([None, False, True]),
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("as_id", [int, "r{}".format])
def test_random_records(kind, as_id):
    for seed in range(25):
        draw = random.Random(seed)
        pairs = [(draw.randrange(12), draw.randrange(12)) for _ in range(8)]
        result = solve(pairs, as_id)
        component = dict(zip(*result.table().to_pydict().values(), strict=True))
        rows = [(as_id(draw.randrange(15)), VALUES[kind](draw)) for _ in range(25)]
        records = pa.table({"quality": [v for _, v in rows], "id": [i for i, _ in rows]})
        pieces = pa.Table.from_batches(records.to_batches(max_chunksize=1 + seed % 7))
        for descending in (True, False):
            kept = result.representatives(pieces, by="quality", descending=descending)
            assert kept.rows.tolist() == best_rows(component, rows, descending), seed
            ids = [rows[number][0] for number in kept.rows]
            assert kept.table()["id"].to_pylist() == ids
            assert kept.unclustered == sum(id not in component for id in ids)


@pytest.mark.parametrize("form", ["parquet", "arrow", "csv", "tsv"])
def test_files(form, tmp_path):
    days = [datetime.date(2026, 1, day) for day in (3, 1, 2)]
    records = pa.table({"id": ["01", "02", "03"], "day": days, "name": ["x", "y", "z"]})
    path = tmp_path / f"records.{form}"
    if form == "parquet":
        pq.write_table(records, path)
    else:
        skerry.io.write_labels(records, path)
    result = solve([("01", "02")], str)
    kept = result.representatives(path, by="day", descending=False)
    assert kept.rows.tolist() == [1, 2] and len(kept) == 2
    output = tmp_path / f"kept.{form}"
    assert kept.write(output) == 2
    assert result.representatives(output, by="day").table()["name"].to_pylist() == ["y", "z"]
    assert kept.write(output, flag=True) == 3
    again = result.representatives(output, by="is_representative")
    assert again.table()["is_representative"].to_pylist() == [True, True]
    with pytest.raises(skerry.InputError, match="is_representative already"):
        again.write(output, flag=True)


def test_a_reader_is_read_once():
    table = pa.table({"id": [1, 2], "n": [5, 6]})
    kept = solve([(1, 2)], int).representatives(table.to_reader(), by="n")
    assert kept.rows.tolist() == [1]
    with pytest.raises(skerry.UnsupportedError, match="only once"):
        kept.table()


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"id": ["a"], "n": [1]}, {"by": "m"}, "no column m; there are: id, n"),
        ({"id": ["a"], "n": [1]}, {"by": "n", "id": "key"}, "no column key"),
        ({"key": ["a"], "n": [1]}, {"by": "n"}, "name it: id="),
        ({"id": ["a"], "n": ["x"]}, {"by": "n"}, "column n is string"),
        ({"id": [7], "n": [1]}, {"by": "n"}, "got int64"),
        ("absent.parquet", {"by": "n"}, "no such file"),
        ("graph.mtx", {"by": "n"}, "records are read from"),
    ],
)
def test_what_is_refused(columns, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graph.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n")
    with pytest.raises((skerry.InputError, skerry.UnsupportedError), match=message):
        solve([("a", "b")], str).representatives(columns, **options)
