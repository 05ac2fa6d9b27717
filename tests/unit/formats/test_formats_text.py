"""Edge lists in text: written by hand, against a slow parser, and wrong ones."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry import _native
from skerry.errors import InputError, UnsupportedError
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.io import read_edges
from support.edge_files import pairs, read_text, weights, write

BLOCKS = [1, 2, 7, 64, 1 << 20]
"""Sizes of blocks: most cut every line."""


# Edge lists


@pytest.mark.parametrize("block_bytes", BLOCKS)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 1\n2 3\n", [(0, 1), (2, 3)]),
        ("0 1\n2 3", [(0, 1), (2, 3)]),
        ("0\t1\r\n2\t3\r\n", [(0, 1), (2, 3)]),
        ("0\t1\r\n2\t3\r", [(0, 1), (2, 3)]),
        ("# a\n% b\n// c\n\n   \n 1   2 \n\t3,4\n5;6\n7 , 8\n", [(1, 2), (3, 4), (5, 6), (7, 8)]),
        ("1 2 0.5 x y\n3 4\tabc\n5 6,\n", [(1, 2), (3, 4), (5, 6)]),
        ("-1 2\n0 0\n", [(-1, 2), (0, 0)]),
        ("4294967295 4294967296\n", [(2**32 - 1, 2**32)]),
        ("1 2\n99999999 123456789\n", [(1, 2), (99999999, 123456789)]),
        ("18446744073709551615 9223372036854775808\n", [(2**64 - 1, 2**63)]),
        ("-9223372036854775808 9223372036854775807\n", [(-(2**63), 2**63 - 1)]),
        ("\n\n\n", []),
        ("#\n", []),
        ("#", []),
        ("\ufeff1 2\n3 4\n", [(1, 2), (3, 4)]),
        ("1 2" + 500 * " x" + "\n3 4\n", [(1, 2), (3, 4)]),
    ],
)
def test_edge_lists(tmp_path, text, expected, threads, block_bytes):
    got = read_text(tmp_path, "a.el", text, threads=threads, block_bytes=block_bytes)
    assert got == expected


def test_types_of_ids(tmp_path):
    def types(text):
        stream = open_edges(write(tmp_path, "a.el", text))
        return [batch.src.dtype.name for batch in stream.open(1)]

    assert types("1 2\n") == ["uint32"]
    assert types("1 4294967296\n") == ["int64"]
    assert types("1 -2\n") == ["int64"]
    assert types("1 9223372036854775808\n") == ["uint64"]
    wide_later = open_edges(write(tmp_path, "a.el", "1 2\n-3 4\n5 6\n"), ReadOptions(block_bytes=5))
    assert [batch.src.dtype.name for batch in wide_later.open(1)] == ["uint32", "int64", "int64"]


def test_columns_and_weights(tmp_path):
    text = "# t u w v\n10 1 0.25 2\n20 3 -1e3 4\n30 5 12345678901234567890 6\n"
    path = write(tmp_path, "a.txt", text)
    chosen = ReadOptions(source=3, target=1, weight=2)
    stream = open_edges(path, chosen)
    assert pairs(stream) == [(2, 1), (4, 3), (6, 5)]
    assert weights(stream) == [0.25, -1e3, 12345678901234567890.0]
    assert weights(open_edges(path, ReadOptions(weight=2))) == [0.25, -1e3, 12345678901234567890.0]
    assert weights(open_edges(path, ReadOptions(weight="weight")))[0] == 0.25
    assert pairs(open_edges(path, ReadOptions(source=1, target=1))) == [(1, 1), (3, 3), (5, 5)]


def test_weights_of_any_notation(tmp_path):
    words = ["1e999", "-1e999", "1e-999", "inf", "+1.5e3", "+2", "5.", ".5", "1E2", "-0.0"]
    path = write(tmp_path, "a.wel", "".join(f"1 2 {word} 9\n" for word in words))
    assert weights(open_edges(path, ReadOptions(weight=2))) == [float(word) for word in words]


def test_header_line(tmp_path):
    path = write(tmp_path, "a.txt", "# c\nsrc dst\n1 2\n")
    assert pairs(open_edges(path, ReadOptions(header=True))) == [(1, 2)]
    with pytest.raises(InputError, match=r"line 4: .*'x'"):
        read_text(tmp_path, "a.txt", "# c\nsrc dst\n1 2\nx 1\n", header=True)


def test_own_delimiter(tmp_path):
    assert read_text(tmp_path, "a.el", "1|2\n3 | 4\n", delimiter="|") == [(1, 2), (3, 4)]
    with pytest.raises(InputError, match="'1\\|2' is not a whole number"):
        read_text(tmp_path, "a.el", "1|2\n")
    for wrong in ("5", "-", ".", "e", "#"):
        with pytest.raises(InputError, match="cannot stand between numbers"):
            read_text(tmp_path, "a.el", "1|2\n", delimiter=wrong)


@pytest.mark.parametrize("block_bytes", [3, 1 << 20])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1", "a column is missing"),
        ("1 ", "a column is missing"),
        ("1,,2", "a column is missing"),
        (",2", "a column is missing"),
        ("a b", r"'a' is not a whole number.*format=\"csv\" reads words as ids"),
        ("1 b", "'b' is not a whole number"),
        ("1 2b", "'2b' is not a whole number"),
        ("1.5 2", r"'1\.5' is not a whole number"),
        ("1 2e3", "'2e3' is not a whole number"),
        ("1 - 2", "'-' is not a whole number"),
        ("nan 2", "'nan' is not a whole number"),
        ("0x10 2", "'0x10' is not a whole number"),
        ('"1" "2"', "is not a whole number"),
        ("1 18446744073709551616", "18446744073709551616 does not fit into 64 bits"),
        ("1 -9223372036854775809", "-9223372036854775809 does not fit into 64 bits"),
        ("1 99999999999999999999999999", "does not fit into 64 bits"),
        ("1 \u0662", "is not a whole number"),
        ("1\r2", "is not a whole number"),
        ("/ 2", "'/' is not a whole number"),
        ("x" * 5000, r"'x{57}\.\.\.' is not a whole number"),
    ],
)
def test_bad_lines(tmp_path, line, told, threads, block_bytes):
    text = f"# c\n1 2\n\n3 4\n{line}\n5 6\n"
    with pytest.raises(InputError, match=rf"a\.txt: line 5: .*{told}") as caught:
        read_text(tmp_path, "a.txt", text, threads=threads, block_bytes=block_bytes)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "line", ["1 2 x", "1 2 nan", "1 2", "1 2 3x", "1 2 1e", "1 2 +-1", "1 2 0x10", "1 2 ,"]
)
def test_bad_weights(tmp_path, line):
    with pytest.raises(InputError, match=r"line 2: (the weight|a column is missing)"):
        path = write(tmp_path, "a.wel", f"1 2 3\n{line}\n")
        pairs(open_edges(path, ReadOptions(weight=2)))


def test_ids_that_no_type_holds(tmp_path):
    with pytest.raises(InputError, match="no integer type holds both"):
        read_text(tmp_path, "a.txt", "-1 18446744073709551615\n")


def test_word_in_the_first_line_may_be_a_header(tmp_path):
    with pytest.raises(InputError, match=r"line 1: .*if it is a header, add header=True"):
        read_text(tmp_path, "a.txt", "src dst\n1 2\n")


def test_old_line_ends(tmp_path):
    with pytest.raises(InputError, match="bare CR"):
        read_text(tmp_path, "a.txt", "1 2\r3 4\r")


def test_refused_options(tmp_path):
    for options in ({"source": "a", "target": "b"}, {"source": (0, 1), "target": (2, 3)}):
        with pytest.raises(UnsupportedError, match=r"a\.txt: source=.*by number only"):
            read_text(tmp_path, "a.txt", "1 2\n", **options)
    with pytest.raises(UnsupportedError, match="weight='score'"):
        read_text(tmp_path, "a.txt", "1 2 3\n", weight="score")
    with pytest.raises(UnsupportedError, match="source= and target= mean nothing for DIMACS"):
        read_text(tmp_path, "a.gr", "p tw 2 1\n1 2\n", source=0, target=1)


BLANK = st.sampled_from([" ", "\t", "  ", ",", ";", " , ", "\t\t"])
IDS = st.one_of(
    st.integers(0, 200), st.integers(0, 2**33), st.integers(-(2**63), 2**63 - 1), st.just(2**31)
)
EDGE = st.builds(
    lambda lead, u, gap, v, more: f"{lead}{u}{gap}{v}{more}",
    st.sampled_from(["", " ", "\t "]),
    IDS,
    BLANK,
    IDS,
    st.sampled_from(["", " ", "\t0.5", " a b c", ",", ", 7"]),
)
LINE = st.one_of(EDGE, EDGE, EDGE, st.sampled_from(["", "# c 1 2", " % x", "//", "  "]))
NOISE = st.text(st.sampled_from('0123456789 \t,;-+.eax#/\r"'), max_size=12)


def slow_pairs(text):
    """The same by regular expressions; None where a line is wrong."""
    found = []
    for raw in text.split("\n"):
        line = raw.removesuffix("\r").strip(" \t")
        if not line or line[0] in "#%" or line.startswith("//"):
            continue
        columns = re.split(r"[ \t]*[,;][ \t]*|[ \t]+", line)[:2]
        if len(columns) < 2 or not all(re.fullmatch(r"[-+]?[0-9]+", one) for one in columns):
            return None
        found.append((int(columns[0]), int(columns[1])))
    return found


@given(
    st.lists(LINE, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(1, 40),
    st.sampled_from([1, 3]),
)
def test_as_a_slow_parser(tmp_path_factory, lines, line_end, last, block_bytes, threads):
    text = line_end.join(lines) + (line_end if last else "")
    folder = tmp_path_factory.mktemp("slow")
    got = read_text(folder, "a.el", text, threads=threads, block_bytes=block_bytes)
    assert got == slow_pairs(text)


@given(st.lists(st.one_of(EDGE, NOISE), max_size=4), st.integers(1, 40))
def test_noise_is_read_as_a_slow_parser_does_or_refused(tmp_path_factory, lines, block_bytes):
    text = "\n".join(lines)
    folder = tmp_path_factory.mktemp("noise")
    expected = slow_pairs(text)
    try:
        got = read_text(folder, "a.el", text, block_bytes=block_bytes)
    except InputError:
        assert expected is None or "\r" in text or any(abs(i) >= 2**63 for p in expected for i in p)
    else:
        assert got == expected


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_weights_are_read_exactly(tmp_path_factory, values):
    formats = [repr, lambda x: f"{x:.3f}", lambda x: f"{x:.17g}", lambda x: f"{x:.6e}"]
    words = [formats[i % 4](value) for i, value in enumerate(values)]
    path = write(tmp_path_factory.mktemp("w"), "a.wel", "".join(f"1 2 {word}\n" for word in words))
    got = weights(open_edges(path, ReadOptions(weight="weight")))
    assert got == [float(word) for word in words]


# The native functions refuse what would read or write outside of their arrays


@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
@pytest.mark.parametrize("column", range(4))
def test_a_column_that_is_both_ends_has_room_for_short_lines(name, column, tmp_path):
    """Lines of three bytes were written past arrays for lines of four: a segmentation fault."""
    path = write(tmp_path, name, ("," * column + "2\n") * 50_000)
    options = ReadOptions(source=column, target=column, header=False)
    assert pairs(open_edges(path, options)) == [(2, 2)] * 50_000
    text = np.frombuffer(b"," * column + b"2\n" + b"\n" * _native.TEXT_PADDING, np.uint8)
    ids, size = np.empty(1, np.uint32), column + 2
    with pytest.raises(ValueError, match="room for every edge"):
        _native.edges_of_text(text, size, ids, ids, None, "", "", False, (column, column, 0), None)


def test_native_functions_check_their_arrays():
    text = np.frombuffer(b"1 2\n" + b"\n" * _native.TEXT_PADDING, np.uint8)
    ids = np.empty(2, np.uint32)
    rest = (None, "", "", False, (0, 1, 2), None)
    assert _native.edges_of_text(text, 4, ids, ids.copy(), *rest)[0] == 1
    with pytest.raises(ValueError, match="room for the text"):
        _native.edges_of_text(text, 5, ids, ids.copy(), *rest)
    with pytest.raises(ValueError, match="padding"):
        _native.edges_of_text(text, 2, ids, ids.copy(), *rest)
    with pytest.raises(ValueError, match="room for every edge"):
        _native.edges_of_text(text, 4, ids[:1], ids.copy(), *rest)
    with pytest.raises(ValueError, match="room for every edge"):
        _native.rows_of_text(text, 4, ids, ids.copy(), None, "", 0, False, (0, 5))
    with pytest.raises(ValueError, match="room for all"):
        _native.numbers_of_text(text, 4, np.empty(2, np.uint64))


@pytest.mark.parametrize("line", [b"1 2 ,", b"1 2 ", b"1 2 \x0b", b"1 2 -", b"1 2 +", b"1 2 ."])
def test_no_number_is_taken_from_behind_the_text(line):
    """The C library's reader of numbers passes over line ends, and so out of a text."""
    behind = b"\n" * _native.TEXT_PADDING + b"5 6\n"
    text = np.frombuffer(line + behind, np.uint8)
    ids, found = np.empty((2, 8), np.uint32), np.empty(8)
    rest = ("", "", False, (0, 1, 2), None)
    told = _native.edges_of_text(text, len(line), ids[0], ids[1], found, *rest)
    assert told[0] == 0
    assert told[-1][0] in (_native.TEXT_FAULTS["missing"], _native.TEXT_FAULTS["weight"])
    told = _native.rows_of_text(text, len(line), ids[0], ids[1], found, "", 0, True, (0, 9))
    assert told[-1] is not None or line == b"1 2 "
    assert told[0] <= 1


def test_no_id_is_taken_from_behind_the_text():
    line = b"1 \x0b"
    text = np.frombuffer(line + b"\n" * _native.TEXT_PADDING + b"5 6\n", np.uint8)
    ids = np.empty((2, 8), np.uint32)
    told = _native.edges_of_text(
        text, len(line), ids[0], ids[1], None, "", "", False, (0, 1, 2), None
    )
    assert told[-1][0] == _native.TEXT_FAULTS["word"]


@pytest.mark.parametrize("name", ["snap", "mtx", "metis", "gr"])
def test_ids_as_text_is_refused_where_ids_are_integers(name, tmp_path):
    texts = {
        "snap": "0 1\n",
        "mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n",
        "metis": "2 1\n2\n1\n",
        "gr": "p sp 2 1\na 1 2 1\n",
    }
    path = tmp_path / f"graph.{name}"
    path.write_text(texts[name])
    named = {"snap": "snap", "mtx": "mtx", "metis": "metis", "gr": "dimacs"}[name]
    assert skerry.connected_components(read_edges(path, format=named)).count == 1
    with pytest.raises(UnsupportedError, match="ids_as_text= mean"):
        read_edges(path, format=named, ids_as_text=True)
