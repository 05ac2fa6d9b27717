"""A file with any byte changed, or cut anywhere, gives the same partition or an error.

That is so wherever the container has a checksum; without one it is an answer or an error of ours.
`make test` changes a bit of every third byte; the tests that are marked slow set every byte to ten
other values.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry
from skerry.errors import SkerryError
from skerry.formats import decompress
from skerry.formats.memory import resident
from support.forms.edges import RIGHT
from support.forms.files import FILES, FileForm
from support.forms.kinds import KINDS
from support.forms.objects import Given
from support.forms.packed import JUNK, PACKED, Packed

STEP = 3
SPARE = 256 << 20
"""Bytes of memory that reading may take: a changed header may say billions of vertices."""
pytestmark = pytest.mark.filterwarnings("ignore")
CONTAINERS = pytest.mark.parametrize("packed", PACKED, ids=lambda packed: packed.name)
EVERY = pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])


def answer(path: Path, data: bytes) -> frozenset[frozenset[int]] | None:
    """The sets that a file of these bytes joins; None if it is refused."""
    path.write_bytes(data)
    try:
        # pyarrow ends the process where it is asked for the sizes of some damaged columns.
        limit = None if path.suffix == ".parquet" else resident() + SPARE
        result = skerry.connected_components(
            path, threads=1, stream=skerry.StreamOptions(limit=limit)
        )
    except (SkerryError, MemoryError):
        return None
    groups = result.groups() if result.num_vertices < 1000 else []
    return frozenset(frozenset(group.tolist()) for group in groups)


def changed(data: bytes, begin: int, end: int, step: int) -> Iterator[tuple[int, bytes]]:
    """The data with one byte changed, and where."""
    for at in range(begin, end):
        if (at - begin) % step and min(at - begin, end - 1 - at) > 8:
            continue  # both ends hold lengths and sums
        masks = (1 << at % 8,) if step > 1 else (1, 2, 4, 8, 16, 32, 64, 128, data[at], ~data[at])
        for value in {data[at] ^ mask & 255 for mask in masks} - {data[at]}:
            yield at, data[:at] + bytes([value]) + data[at + 1 :]


@CONTAINERS
@EVERY
def test_a_changed_byte_is_an_error_or_changes_nothing(packed: Packed, step: int, tmp_path) -> None:
    data = b"".join(packed.pack())
    path = tmp_path / f"edges{packed.suffix}"
    assert answer(path, data) == RIGHT
    copies = changed(data, packed.begin(data), packed.end(data), step)
    wrong = [at for at, copy in copies if answer(path, copy) not in (None, RIGHT)]
    assert not wrong, f"wrong answers after changes at {wrong} of {len(data)} bytes"


@CONTAINERS
@EVERY
def test_a_cut_file_is_an_error(packed: Packed, step: int, tmp_path) -> None:
    members = packed.pack()
    data = b"".join(members)
    whole = {sum(map(len, members[:count])) for count in range(len(members))}
    path = tmp_path / f"edges{packed.suffix}"
    cuts = [cut for cut in range(len(data)) if cut not in whole and cut % step == 0]
    wrong = [cut for cut in cuts if answer(path, data[:cut]) not in (None, RIGHT)]
    assert not wrong, f"wrong answers after cuts at {wrong} of {len(data)} bytes"


@CONTAINERS
def test_junk_behind_the_end_is_an_error_or_changes_nothing(packed: Packed, tmp_path) -> None:
    data = b"".join(packed.pack())
    path = tmp_path / f"edges{packed.suffix}"
    for junk in JUNK:
        found = answer(path, data + junk)
        refused = junk.strip(b"\0") and packed.suffix.rpartition(".")[2] in (
            "gz",
            "bz2",
            "xz",
            "zst",
        )
        assert found is None or (found == RIGHT and not refused), junk


FORMATS = list({form.format: form for form in reversed(FILES)}.values())


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.format)
@pytest.mark.parametrize("step", [19, pytest.param(1, marks=pytest.mark.slow)])
def test_a_changed_byte_of_any_format_is_no_crash(form: FileForm, step: int, tmp_path) -> None:
    given = Given(KINDS[0])
    files = form.files(given)
    for suffix, data in files.items():
        (tmp_path / f"edges{suffix}").write_bytes(data)
    suffix, data = next(iter(files.items()))
    path = tmp_path / f"edges{suffix}"
    assert answer(path, data) is not None
    for _, copy in changed(data, 0, len(data), step):
        answer(path, copy)  # anything but our own errors ends the test


def test_gzip_without_pyarrow(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(decompress, "arrow_if_installed", lambda: None)
    for packed in PACKED:
        if packed.suffix.endswith(".gz"):
            test_a_changed_byte_is_an_error_or_changes_nothing(packed, STEP, tmp_path)
            test_a_cut_file_is_an_error(packed, STEP, tmp_path)
            test_junk_behind_the_end_is_an_error_or_changes_nothing(packed, tmp_path)
