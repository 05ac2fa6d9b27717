"""Folders, partitions and patterns; files whose columns differ but fit, and damaged text."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather, ipc

import skerry
from skerry.errors import InputError
from support.edge_files import write
from support.streams import edges_in, read

INT32 = pa.int32()


def part(folder, name, **columns):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


# Folders


@pytest.fixture
def hive(tmp_path):
    folder = tmp_path / "hive"
    part(folder, "dt=2024-01-01/part-0.parquet", src=[1], dst=[2])
    part(folder, "dt=2024-01-02/hour=7/part-0.parquet", src=[3], dst=[4])
    part(folder, "_temporary/part-9.parquet", src=[9], dst=[9])
    part(folder, ".hidden/part-9.parquet", src=[9], dst=[9])
    write(folder, "_SUCCESS", "")
    return folder


def test_folders_are_read_with_the_folders_in_them(hive):
    assert edges_in(read(hive)) == [(1, 2), (3, 4)]
    (hive / "dt=2024-01-02/loop").symlink_to(hive)
    assert edges_in(read(hive)) == [(1, 2), (3, 4)]


@pytest.mark.parametrize(
    ("pattern", "right"),
    [
        ("dt=*", [(1, 2), (3, 4)]),
        ("**", [(1, 2), (3, 4)]),
        ("**/*.parquet", [(1, 2), (3, 4)]),
        ("*/*.parquet", [(1, 2)]),
        ("_temp*/*", [(9, 9)]),
    ],
)
def test_patterns_read_folders_and_skip_hidden_ones(pattern, right, hive):
    assert edges_in(read(hive / pattern)) == right


def test_a_key_of_folders_is_not_a_column(hive):
    words = "there is no column dt: dt is a key of the folders.*there are: src, dst"
    with pytest.raises(InputError, match=words):
        read(hive, source="src", target="dt")


def test_remote_folders_are_read_with_the_folders_in_them(hive):
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    for path in hive.rglob("*.parquet"):
        system.pipe(f"/hive/{path.relative_to(hive)}", path.read_bytes())
    assert edges_in(read("memory://hive")) == [(1, 2), (3, 4)]
    assert edges_in(read("memory://hive/dt=*")) == [(1, 2), (3, 4)]
    assert edges_in(read("memory://hive/**/*.parquet")) == [(1, 2), (3, 4)]


def test_folders_without_graphs(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    with pytest.raises(InputError, match="the folder holds no files"):
        read(tmp_path)
    with pytest.raises(InputError, match="no file matches"):
        read(tmp_path / "a*")
    write(tmp_path, "a/b/c.doc", "x")
    with pytest.raises(InputError, match=r"no file of a known format \(but, for instance, c\.doc"):
        read(tmp_path)


# Columns


def ids_of(*paths, **options):
    result = skerry.connected_components(list(map(str, paths)), **options)
    assert result.verify()
    return result.ids.tolist()


def test_files_whose_columns_differ_in_order_and_width_are_one_graph(tmp_path):
    one = part(tmp_path, "1.parquet", src=pa.array([1], INT32), dst=pa.array([2], INT32))
    other = part(tmp_path, "2.parquet", x=["a"], dst=[2**40], src=[1])
    assert ids_of(one, other) == ids_of(other, one) == [1, 2, 2**40]
    texts = [
        pa.array(["a"]),
        pa.array(["b"], pa.large_string()),
        pa.array(["c"]).dictionary_encode(),
        pa.array(["d"]).cast(pa.string_view()),
    ]
    files = [part(tmp_path, f"t{n}.parquet", src=text, dst=text) for n, text in enumerate(texts)]
    assert ids_of(*files) == ids_of(*files[::-1]) == ["a", "b", "c", "d"]


def test_columns_that_are_clear_in_the_first_file_are_read_by_name(tmp_path):
    one = part(tmp_path, "1.parquet", x=[1], y=[2])
    other = part(tmp_path, "2.parquet", n=[9], y=[4], x=[3])
    assert edges_in(read_all(one, other)) == [(1, 2), (3, 4)]
    first, second = write(tmp_path, "1.csv", "x,y\n1,2\n"), write(tmp_path, "2.csv", "y,x\n4,3\n")
    assert edges_in(read_all(first, second)) == [(1, 2), (3, 4)]
    words = write(tmp_path, "3.csv", "p;q\n1;kim\n")
    with pytest.raises(InputError, match=r"1\.csv has x - y .*3\.csv: there is no column x"):
        read_all(first, words)


def read_all(*paths):
    from skerry.formats.open import open_edges

    return open_edges(list(map(str, paths)))


def test_empty_and_null_typed_parts_fit_any_others(tmp_path):
    nulls = part(tmp_path, "0.parquet", src=pa.nulls(0), dst=pa.nulls(0))
    full = part(tmp_path, "1.parquet", src=["a"], dst=["b"])
    half = part(tmp_path, "2.parquet", src=["a"], dst=pa.nulls(1))
    assert ids_of(nulls, full) == ids_of(full, nulls) == ["a", "b"]
    assert ids_of(nulls, full, algorithm="afforest") == ["a", "b"]
    assert ids_of(nulls, half, full, on_null="drop") == ["a", "b"]
    assert ids_of(nulls) == []
    texts = ["", "# nothing\n", "src,dst\n", "src,dst\n,\n", "src,dst\na,b\n"]
    files = [write(tmp_path, f"{n}.csv", text) for n, text in enumerate(texts)]
    for order in (files, files[::-1]):
        assert ids_of(*order, on_null="drop") == ["a", "b"]
    weights = part(tmp_path, "w0.parquet", src=pa.nulls(0), dst=pa.nulls(0), w=pa.nulls(0))
    full = part(tmp_path, "w1.parquet", src=[1], dst=[2], w=[0.5])
    assert ids_of(weights, full, weight="w", threshold=0.1) == [1, 2]


def test_integers_after_text_name_both_files(tmp_path):
    numbers = part(tmp_path, "1.parquet", src=[1], dst=[2])
    texts = part(tmp_path, "2.parquet", src=["a"], dst=["b"])
    nulls = part(tmp_path, "0.parquet", src=pa.nulls(0), dst=pa.nulls(0))
    words = r"1\.parquet has src - dst \(int64\), .*2\.parquet has src - dst \(string\)"
    with pytest.raises(InputError, match=words):
        read_all(nulls, numbers, texts)
    missing = part(tmp_path, "3.parquet", src=[1], other=[2])
    with pytest.raises(InputError, match=r"1\.parquet has src - dst.*3\.parquet: there is no col"):
        read_all(numbers, missing)
    tables = [pa.table({"src": ["a"], "dst": ["b"]}), pa.table({"src": [1], "dst": [2]})]
    with pytest.raises(InputError, match=r"batch 1, rows from 0: ids of type int64 after ids of"):
        skerry.connected_components(tables)


# Damaged and unusual text


def test_carriage_returns_end_lines(tmp_path):
    assert edges_in(read(write(tmp_path, "a.csv", "src,dst\r1,2\r3,4\r"))) == [(1, 2), (3, 4)]
    assert edges_in(read(write(tmp_path, "b.csv", "# x\r\r1;2\r3;4"))) == [(1, 2), (3, 4)]
    long = write(tmp_path, "c.csv", "src,dst\r" + "a,b\r" * 300_000)
    assert len(edges_in(read(long))) == 300_000
    with pytest.raises(InputError, match="line 2: 3 columns instead of 2"):
        edges_in(read(write(tmp_path, "d.csv", "src,dst\ra,b,c\r")))
    with pytest.raises(InputError, match=r"line \d+: "):
        edges_in(read(write(tmp_path, "e.csv", "src,dst\na\rb,c\n")))


def test_cells_over_128_kib(tmp_path):
    long = "x" * 200_000
    path = write(tmp_path, "a.csv", f"src,dst\na,b\nc,{long}\n")
    assert edges_in(read(path))[1] == ("c", long)
    with pytest.raises(InputError, match=r"a\.csv: line 1: a cell has more than 131,072 char"):
        read(write(tmp_path, "a.csv", f"{long},b\na,b\n"))
    with pytest.raises(InputError, match=r"a\.csv: line 2: a cell is very long"):
        edges_in(read(write(tmp_path, "a.csv", f"src,dst\n{long},b\n")))


@pytest.mark.parametrize("cell", ["\x1d6", "\x1c", "9" * 5000, "-" + "1" * 4400, "\u0661", "6\x1f"])
def test_cells_that_only_python_takes_for_numbers(cell, tmp_path):
    path = write(tmp_path, "a.csv", f"src,dst\n{cell},7\n")
    assert edges_in(read(path)) == [(cell, "7")]
    many = f"{10**17},{10**17 + 1}\n" * 30_000  # more than is looked at beforehand
    path.write_text(f"src,dst\n{many}{cell},7\n")
    with pytest.raises(InputError, match=r"a\.csv: line 30002: column src: .*ids_as_text=True"):
        edges_in(read(path))


# Memory


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_too_little_memory_is_not_a_damaged_file(name, tmp_path, monkeypatch):
    write_table = pq.write_table if name == "a.parquet" else feather.write_feather
    write_table(pa.table({"src": [1], "dst": [2]}), tmp_path / name)
    source = read(tmp_path / name)

    class Failing:
        num_record_batches = 1
        metadata = pq.read_metadata(tmp_path / name) if name == "a.parquet" else None

        def __init__(self, message):
            self.message = message

        def get_batch(self, _number):
            raise pa.ArrowMemoryError(self.message)

        def iter_batches(self, *_arguments, **_options):
            raise OSError(self.message)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

    def lacks(size):
        failing = Failing(f"malloc of size {size} failed")
        monkeypatch.setattr(pq, "ParquetFile", lambda *_arguments, **_options: failing)
        monkeypatch.setattr(ipc, "open_file", lambda *_arguments, **_options: failing)
        return list(source.open(1))

    with pytest.raises(MemoryError, match=rf"{name}: .* needs more memory than is free: malloc"):
        lacks(3_293_312)
    with pytest.raises(InputError, match="damaged"):
        lacks(2**62)
