"""Every text format: byte order marks, encodings, long lines; and members of compressed files."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tracemalloc
import zlib

import numpy as np
import pytest

import skerry.io
from skerry import config
from skerry.errors import InputError
from skerry.formats import decompress
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.formats.registry import FORMATS
from skerry.formats.source import source_file
from skerry.graph.edge_source import ReadPosition
from support.edge_files import COMPRESS, pairs, write
from support.sample_files import TEXTS, sample_file

TEXT_FORMATS = [format.name for format in FORMATS if format.text]
MEMBERS = {**COMPRESS, ".gz": gzip.compress}


@pytest.fixture
def short_lines(monkeypatch):
    """Lines have 100,000 bytes at most."""
    monkeypatch.setenv("SKERRY_LONGEST_LINE", "100000")
    config.setting.cache_clear()
    yield
    config.setting.cache_clear()


def test_every_sample_of_text_is_of_a_text_format():
    assert set(TEXT_FORMATS) == set(TEXTS) - {"graphml", "gexf"}


@pytest.mark.parametrize("name", sorted(TEXTS))
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_byte_order_mark_is_no_part_of_the_text(name, suffix, tmp_path):
    path = sample_file(tmp_path, name)
    expected = pairs(open_edges(path, format=name))
    contents = b"\xef\xbb\xbf" + path.read_bytes()
    path.unlink()
    marked = write(tmp_path, path.name + suffix, contents)
    if name == "ldbc":
        (tmp_path / "sample.v").write_text("\ufeff0\n1\n2\n")
    assert pairs(open_edges(marked, format=name)) == expected


@pytest.mark.parametrize("name", TEXT_FORMATS)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings_are_named(name, encoding, tmp_path):
    path = sample_file(tmp_path, name)
    path.write_bytes(TEXTS[name].encode(encoding))
    known = encoding[:6].upper()
    with pytest.raises(InputError, match=rf"{path.name}: the text is in {known}.*iconv -f {known}"):
        pairs(open_edges(path, format=name))


def test_other_encodings_are_named_where_the_format_is_not_known(tmp_path):
    for name in ("bare", "edges.txt"):
        path = tmp_path / name
        path.write_bytes("1 2\n3 4\n".encode("utf-16"))
        with pytest.raises(InputError, match="the text is in UTF-16"):
            open_edges(path)


@pytest.mark.parametrize("name", ["graphml", "gexf"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_says_its_encoding_itself(name, encoding, tmp_path):
    path = sample_file(tmp_path, name)
    expected = pairs(open_edges(path))
    declared = f'<?xml version="1.0" encoding="{encoding}"?>{TEXTS[name]}'
    path.write_bytes(declared.encode(encoding))
    assert pairs(open_edges(path)) == expected


def test_zeros_in_ids_are_no_encoding(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\0\na,c\n")
    assert pairs(skerry.io.read_edges(path, header=False)) == [("a", "b\0"), ("a", "c")]


@pytest.mark.parametrize("name", TEXT_FORMATS)
@pytest.mark.usefixtures("short_lines")
def test_a_long_line_is_refused_and_not_held(name, tmp_path):
    """Twelve megabytes without a line end come from some kilobytes; they are not kept."""
    path = sample_file(tmp_path, name)
    text = path.read_bytes()
    head = text if text.endswith(b"\n") else text + b"\n"
    path.unlink()
    packed = tmp_path / f"{path.name}.gz"
    packed.write_bytes(gzip.compress(head + b" 1" * 6_000_000, 1))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"line that begins at byte .*SKERRY_LONGEST_LINE"):
            pairs(open_edges(packed, ReadOptions(block_bytes=1 << 16), name), threads=1)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("short_lines")
def test_a_line_of_the_largest_length_is_read(tmp_path):
    for length in (99_999, 100_000, 100_001):
        lines = ["1 2", "3 4".ljust(length), "5 6"]
        for text in ("\n".join(lines), "\r\n".join(lines), "\n".join(lines[::-1][:2])):
            path = write(tmp_path, "a.el.gz", text)
            if length <= 100_000:
                assert (3, 4) in pairs(open_edges(path))
            else:
                with pytest.raises(InputError, match="more than 100,000 bytes"):
                    pairs(open_edges(path))


@pytest.mark.parametrize(
    ("text", "count"), [("5", 5), ("2k", 2048), ("3M", 3 << 20), ("1G", 1 << 30)]
)
def test_the_longest_line_is_a_number_of_bytes(text, count, monkeypatch):
    monkeypatch.setenv("SKERRY_LONGEST_LINE", text)
    config.setting.cache_clear()
    assert config.longest_line() == count
    for wrong in ("0", "-1", "k", "many", "1.5M"):
        monkeypatch.setenv("SKERRY_LONGEST_LINE", wrong)
        config.setting.cache_clear()
        with pytest.raises(InputError, match=r"SKERRY_LONGEST_LINE=.*number of bytes"):
            config.longest_line()
    config.setting.cache_clear()


# Members of compressed files


def contents_of(path):
    with source_file(path).open() as stream:
        return stream.read()


@pytest.mark.parametrize("suffix", [".bz2", ".xz"])
def test_every_flipped_byte_of_a_later_member_is_an_error(suffix, tmp_path):
    first, second = (MEMBERS[suffix](text) for text in (b"1 2\n3 4\n", b"5 6\n7 8\n" * 9))
    path = tmp_path / f"a.el{suffix}"
    lost = 0
    for at in range(len(second)):
        damaged = bytearray(second)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(first + damaged + first)
        try:
            assert contents_of(path) == b"1 2\n3 4\n" + b"5 6\n7 8\n" * 9 + b"1 2\n3 4\n"
        except InputError as error:
            assert "data is truncated or corrupt" in str(error)
        else:
            lost += 1  # bits that mean nothing
    assert lost <= 4
    for end in range(1, len(second)):
        path.write_bytes(first + second[:end])
        with pytest.raises(InputError, match="truncated or corrupt"):
            contents_of(path)


@pytest.mark.parametrize("suffix", [".bz2", ".xz", ".gz", ".zst"])
def test_members_are_read_to_the_end_and_nothing_else(suffix, tmp_path):
    texts = [b"1 2\n", b"", b"3 4\n" * 50_000, os.urandom(200_000), b"5 6\n"]
    members = [bytes(MEMBERS[suffix](text)) for text in texts]
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"".join(members))
    assert contents_of(path) == b"".join(texts)
    for junk in (b"j", b"junk, and more of it", members[0][:3], b"\n"):
        path.write_bytes(members[0] + members[2] + junk)
        with pytest.raises(InputError, match="truncated or corrupt"):
            contents_of(path)


def test_xz_may_be_padded_by_words_of_zeros(tmp_path):
    path = tmp_path / "a.xz"
    member = lzma.compress(b"1 2\n")
    for before, after in ((4, 0), (0, 8), (200_000, 4)):
        path.write_bytes(member + bytes(before) + member + bytes(after))
        assert contents_of(path) == b"1 2\n1 2\n"
        path.write_bytes(member + bytes(before + 1) + member + bytes(after))
        with pytest.raises(InputError, match="truncated or corrupt"):
            contents_of(path)


def test_contents_beyond_what_a_file_can_hold_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(decompress, "FREE_CONTENTS", 1 << 20)
    for compress in (bz2.compress, lzma.compress):
        path = tmp_path / ("a.bz2" if compress is bz2.compress else "a.xz")
        path.write_bytes(compress(bytes(5 << 20)))
        with pytest.raises(InputError, match="more than 2,000 times its size"):
            contents_of(path)
    path.write_bytes(lzma.compress(np.random.default_rng(1).bytes(1000) * 1800))
    assert len(contents_of(path)) == 1_800_000


def test_an_xz_that_needs_gigabytes_is_refused(tmp_path):
    path = tmp_path / "a.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]
    packed = bytearray(lzma.compress(b"1 2\n", filters=filters))
    assert contents_of_bytes(path, packed) == b"1 2\n"
    big = lzma.compress(b"1 2\n", filters=filters).replace(b"\x21\x01\x10", b"\x21\x01\x26", 1)
    header = bytearray(big[12 : 12 + (big[12] + 1) * 4])
    header[-4:] = zlib.crc32(header[:-4]).to_bytes(4, "little")
    with pytest.raises(InputError, match="Memory usage limit"):
        contents_of_bytes(path, big[:12] + bytes(header) + big[12 + len(header) :])


def contents_of_bytes(path, data):
    path.write_bytes(data)
    return contents_of(path)


def test_reading_on_behind_a_byte_order_mark(tmp_path):
    lines = b"".join(b"%d %d\n" % (i, i + 1) for i in range(50_000))
    path = write(tmp_path, "a.el", b"\xef\xbb\xbf" + lines)
    source = open_edges(path, ReadOptions(block_bytes=1 << 14))
    batches = list(source.open(1))
    for number in (0, 3, len(batches) - 2):
        position = ReadPosition(batches[number].next_offset)
        rest = [id for batch in source.open_at(1, position) for id in batch.src.tolist()]
        assert rest == [id for batch in batches[number + 1 :] for id in batch.src.tolist()]
