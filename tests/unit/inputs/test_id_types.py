"""Every type of id of Arrow, polars and pandas, in memory and in files, with thresholds.

Each answer is compared with a plain union-find over Python values.
"""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from support.named import named_components

EDGES = [(3, 1), (7, 7), (1, 8), (4, 5), (3, 8), (6, 2), (5, 0), (2, 9), (9, 6)]
WEIGHTS = [0.9, 0.1, 0.5, 0.2, 0.8, 0.7, 0.9, 0.3, 0.4]
"""Each number stands for an id of the type under test."""

BERLIN = dt.timezone(dt.timedelta(hours=2))


def text(k):
    return "naïve" * (k % 3) + chr(97 + k) + "long enough to be outside of a view" * (k % 2)


def data(k):
    return text(k).encode() + bytes([0, 255 - k])


def moment(k):
    return dt.datetime(1965 + k, 2, 3, 4, 5, 6)


TEXTS = {"string": pa.string(), "large_string": pa.large_string(), "string_view": pa.string_view()}
BYTES = {"binary": pa.binary(), "large_binary": pa.large_binary(), "binary_view": pa.binary_view()}
FIXED = {"fixed_size_binary": pa.binary(16)}
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64()]
NATURALS = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]

ARROW = {
    **{name: (kind, text) for name, kind in TEXTS.items()},
    **{name: (kind, data) for name, kind in BYTES.items()},
    **{name: (kind, lambda k: uuid.UUID(int=k**20).bytes) for name, kind in FIXED.items()},
    **{
        f"dictionary {index} {name}": (pa.dictionary(index, kind), make)
        for index in INTEGERS + NATURALS
        for make, kinds in ((text, TEXTS), (data, BYTES))
        for name, kind in kinds.items()
    },
    "dictionary int64": (pa.dictionary(pa.int16(), pa.int64()), lambda k: k - 5),
    "dictionary date": (
        pa.dictionary(pa.int8(), pa.date32()),
        lambda k: dt.date(1965 + k, 2, 3),
    ),
    **{str(kind): (kind, lambda k: k - 5) for kind in INTEGERS},
    **{str(kind): (kind, lambda k: k + 240) for kind in NATURALS},
    "uint64 above 2^63": (pa.uint64(), lambda k: 2**64 - 11 + k),
    "bool": (pa.bool_(), lambda k: k > 4),
    "date32": (pa.date32(), lambda k: dt.date(1965 + k, 2, 3)),
    "date64": (pa.date64(), lambda k: dt.date(1965 + k, 2, 3)),
    "time32": (pa.time32("ms"), lambda k: dt.time(k, 59, 3)),
    "time64": (pa.time64("us"), lambda k: dt.time(k, 59, 3, 7)),
    "timestamp s": (pa.timestamp("s"), moment),
    "timestamp us": (pa.timestamp("us"), moment),
    "timestamp with a zone": (
        pa.timestamp("us", "Europe/Berlin"),
        lambda k: moment(k).replace(tzinfo=BERLIN),
    ),
    "duration": (pa.duration("us"), lambda k: dt.timedelta(days=k - 5, seconds=7)),
    "decimal32": (pa.decimal32(7, 2), lambda k: Decimal(k - 5) / 4),
    "decimal64": (pa.decimal64(12, 2), lambda k: Decimal(k - 5) / 4),
    "decimal128": (pa.decimal128(20, 2), lambda k: Decimal(k - 5) / 4),
    "decimal256": (pa.decimal256(50, 2), lambda k: Decimal(k - 5) / 4),
    "uuid": (pa.uuid(), lambda k: uuid.UUID(int=k**20)),
}


def arrow_column(values, kind):
    if kind == pa.uuid():
        storage = pa.array([value.bytes for value in values], pa.binary(16))
        return pa.ExtensionArray.from_storage(kind, storage)
    if pa.types.is_dictionary(kind) and kind.value_type in (pa.string_view(), pa.binary_view()):
        distinct = list(dict.fromkeys(values))
        indices = pa.array([distinct.index(value) for value in values], kind.index_type)
        return pa.DictionaryArray.from_arrays(indices, pa.array(distinct, kind.value_type))
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode().cast(kind)
    return pa.array(values, kind)


def arrow_table(kind, make, edges=EDGES, weights=WEIGHTS):
    src, dst = (arrow_column([make(edge[end]) for edge in edges], kind) for end in (0, 1))
    return pa.table({"src": src, "dst": dst, "score": weights})


def sliced(kind, make):
    """A slice of a longer table, so that every buffer is read from the middle."""
    beside = [(0, 9), (8, 0)]
    long = arrow_table(kind, make, [*beside, *EDGES, *beside], [1.0, 1.0, *WEIGHTS, 1.0, 1.0])
    return long.slice(2, len(EDGES))


def chunked(kind, make):
    table = arrow_table(kind, make)
    return pa.concat_tables([table.slice(0, 4), table.slice(4, 0), table.slice(4)])


def in_parquet(kind, make, folder):
    pq.write_table(arrow_table(kind, make), folder / "x.parquet", row_group_size=4)
    return folder / "x.parquet"


def in_arrow(kind, make, folder):
    with pa.ipc.new_file(folder / "x.arrow", arrow_table(kind, make).schema) as writer:
        writer.write_table(arrow_table(kind, make), max_chunksize=100)
    return folder / "x.arrow"


FORMS = {
    "table": lambda kind, make, _: arrow_table(kind, make),
    "chunked": lambda kind, make, _: chunked(kind, make),
    "sliced": lambda kind, make, _: sliced(kind, make),
    "batch": lambda kind, make, _: sliced(kind, make).combine_chunks().to_batches()[0],
    "batches": lambda kind, make, _: chunked(kind, make).to_batches(),
    "parquet": in_parquet,
    "arrow": in_arrow,
}


def check(graph, make, threshold, algorithm="auto"):
    options = {} if threshold is None else {"weight": "score", "threshold": threshold}
    ends = {"source": "src", "target": "dst"}
    result = skerry.connected_components(graph, **ends, **options, algorithm=algorithm)
    kept = [
        edge
        for edge, weight in zip(EDGES, WEIGHTS, strict=True)
        if threshold is None or weight >= threshold
    ]
    expected = named_components([(answer(make(u)), answer(make(v))) for u, v in kept])
    table = result.table()
    ids, labels = (table.column(i).to_pylist() for i in (0, 1))
    assert dict(zip(ids, labels, strict=True)) == expected
    assert ids == sorted(expected)
    assert result.verify()
    u, v = (answer(make(end)) for end in kept[0])
    assert result.connected(u, v)


def answer(id):
    """What an id is in a result: UUIDs come back as their bytes."""
    return id.bytes if isinstance(id, uuid.UUID) else id


def writable(make_file, kind, make, folder):
    try:
        return make_file(kind, make, folder)
    except pa.ArrowNotImplementedError as error:
        pytest.skip(f"pyarrow cannot write it: {error}")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        (name, form)
        for name in ARROW
        for form in FORMS
        # One width of the indices stands for all of them in most forms.
        if not name.startswith("dictionary") or " int8 " in name or form in ("table", "arrow")
    ],
)
def test_ids_of_every_arrow_type(name, form, tmp_path):
    kind, make = ARROW[name]
    graph = writable(FORMS[form], kind, make, tmp_path)
    for threshold in (None, 0.5):
        check(graph, make, threshold)


def test_ids_in_runs_are_read():
    runs = [pa.RunEndEncodedArray.from_arrays([2, 3, 5], [*values]) for values in ("abc", "bcd")]
    table = pa.table({"src": runs[0], "dst": runs[1]})
    for graph in (table, table.slice(1)):
        assert skerry.connected_components(graph).ids.to_pylist() == list("abcd")


POLARS = {
    "String": (pl.String, text),
    "Binary": (pl.Binary, data),
    "Categorical": (pl.Categorical, text),
    "Enum": (pl.Enum([text(k) for k in range(12)]), text),
    **{
        str(kind): (kind, lambda k: k + 100)
        for kind in (
            *(pl.Int8, pl.Int16, pl.Int32, pl.Int64),
            *(pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64),
        )
    },
    "Boolean": (pl.Boolean, lambda k: k > 4),
    "Date": (pl.Date, lambda k: dt.date(1965 + k, 2, 3)),
    "Time": (pl.Time, lambda k: dt.time(k, 59, 3)),
    "Datetime": (pl.Datetime("us"), moment),
    "Datetime with a zone": (
        pl.Datetime("ms", "UTC"),
        lambda k: moment(k).replace(tzinfo=dt.UTC),
    ),
    "Duration": (pl.Duration("us"), lambda k: dt.timedelta(days=k - 5, seconds=7)),
    "Decimal": (pl.Decimal(20, 2), lambda k: Decimal(k - 5) / 4),
}


def polars_frame(kind, make):
    ends = ([make(edge[end]) for edge in EDGES] for end in (0, 1))
    src, dst = (pl.Series(values, dtype=kind) for values in ends)
    return pl.DataFrame({"src": src, "dst": dst, "score": WEIGHTS})


def polars_file(kind, make, path):
    frame = polars_frame(kind, make)
    frame.write_ipc(path) if path.suffix == ".arrow" else frame.write_parquet(path)
    return path


POLARS_FORMS = {
    "frame": lambda kind, make, _: polars_frame(kind, make),
    "chunked": lambda kind, make, _: pl.concat(
        [polars_frame(kind, make)[:4], polars_frame(kind, make)[4:]], rechunk=False
    ),
    "sliced": lambda kind, make, _: pl.concat(
        [polars_frame(kind, make)[:2], polars_frame(kind, make), polars_frame(kind, make)[:1]]
    )[2:-1],
    "arrow": lambda kind, make, folder: polars_file(kind, make, folder / "x.arrow"),
    "parquet": lambda kind, make, folder: polars_file(kind, make, folder / "x.parquet"),
}


@pytest.mark.parametrize("form", POLARS_FORMS)
@pytest.mark.parametrize("name", POLARS)
def test_ids_of_every_polars_type(name, form, tmp_path):
    kind, make = POLARS[name]
    graph = POLARS_FORMS[form](kind, make, tmp_path)
    for threshold in (None, 0.5):
        check(graph, make, threshold)


PANDAS = {
    "string[python]": ("string[python]", text),
    "string[pyarrow]": ("string[pyarrow]", text),
    "str": ("str", text),
    "object of text": ("object", text),
    "object of bytes": ("object", data),
    "object of integers": ("object", lambda k: k - 5),
    "object of dates": ("object", lambda k: dt.date(1965 + k, 2, 3)),
    "category of text": ("category", text),
    "category of integers": ("category", lambda k: k * 1000),
    **{
        name: (name, lambda k: k + 100)
        for name in (
            *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
            *("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"),
        )
    },
    "bool": ("bool", lambda k: k > 4),
    "boolean": ("boolean", lambda k: k > 4),
    "datetime64[s]": ("datetime64[s]", moment),
    "datetime64[ns, UTC]": (
        "datetime64[ns, UTC]",
        lambda k: pd.Timestamp(moment(k).replace(tzinfo=dt.UTC)),
    ),
    "timedelta64[ns]": ("timedelta64[ns]", lambda k: pd.Timedelta(days=k, seconds=7)),
    **{
        f"Arrow's {name}": (pd.ArrowDtype(ARROW[name][0]), ARROW[name][1])
        for name in (*TEXTS, *BYTES, "dictionary int8 string", "date32", "decimal128", "uint64")
    },
}


def pandas_frame(kind, make):
    ends = ([make(edge[end]) for edge in EDGES] for end in (0, 1))
    src, dst = (pd.Series(values, dtype=kind) for values in ends)
    return pd.DataFrame({"src": src, "dst": dst, "score": WEIGHTS})


PANDAS_FORMS = {
    "frame": lambda kind, make, _: pandas_frame(kind, make),
    "sliced": lambda kind, make, _: pd.concat(
        [pandas_frame(kind, make)[:2], pandas_frame(kind, make)]
    )[2:],
    "parquet": lambda kind, make, folder: pandas_file(kind, make, folder / "x.parquet"),
}


def pandas_file(kind, make, path):
    pandas_frame(kind, make).to_parquet(path)
    return path


@pytest.mark.parametrize("form", PANDAS_FORMS)
@pytest.mark.parametrize("name", PANDAS)
def test_ids_of_every_pandas_type(name, form, tmp_path):
    kind, make = PANDAS[name]
    graph = PANDAS_FORMS[form](kind, make, tmp_path)
    for threshold in (None, 0.5):
        check(graph, make, threshold)


def test_whole_numbers_that_pandas_made_floats_are_an_error_that_says_what_to_do():
    frame = pd.DataFrame({"src": [1.0, 2.0], "dst": [2.0, None]})
    with pytest.raises(skerry.InputError, match="a missing id makes pandas turn them into floats"):
        skerry.connected_components(frame)
    nullable = pd.DataFrame({"src": [1, 2], "dst": [2, None]}, dtype="Int64")
    with pytest.raises(skerry.InputError, match="dst is null in row 1"):
        skerry.connected_components(nullable)


def test_further_vertices_may_be_of_every_type_of_text():
    pairs = pa.table({"src": ["a"], "dst": ["b"]})
    for vertices in (
        pl.Series(["b", "z"]),
        pl.Series(["b", "z"], dtype=pl.Categorical),
        pd.Series(["b", "z"], dtype="category"),
        pa.array(["b", "z"], pa.string_view()),
    ):
        result = skerry.connected_components(pairs, vertices=vertices)
        assert result.ids.to_pylist() == ["a", "b", "z"]
        assert result.connected(vertices, vertices).all()


def test_uuids_in_lists_and_arrays_are_ids():
    ids = [uuid.UUID(int=number) for number in (9, 3, 5)]
    for src, dst in ((ids[:2], ids[1:]), (np.array(ids[:2]), np.array(ids[1:]))):
        result = skerry.connected_components((src, dst))
        assert result.count == 1 and result.num_vertices == 3
        assert result.verify()


def test_batches_may_mix_widths_of_integers_and_types_of_text():
    """As docs/ids.md says: they are one kind."""
    pairs = [(1, 2), (2, 3), (7, 8)]
    for kinds, make in (
        ([pa.int8(), pa.uint64(), pa.dictionary(pa.int8(), pa.int32())], lambda k: k),
        ([pa.string(), pa.large_string(), pa.string_view()], text),
        ([pa.binary_view(), pa.dictionary(pa.int8(), pa.binary()), pa.binary()], data),
    ):
        for order in (kinds, kinds[::-1]):
            batches = [
                arrow_table(kind, make, [pair], [1.0])
                for kind, pair in zip(order, pairs, strict=True)
            ]
            for algorithm in ("auto", "bfs"):
                result = skerry.connected_components(batches, algorithm=algorithm)
                ids, labels = (result.table().column(i).to_pylist() for i in (0, 1))
                expected = named_components([(make(u), make(v)) for u, v in pairs])
                assert dict(zip(ids, labels, strict=True)) == expected
                assert result.verify()
