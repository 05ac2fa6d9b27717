"""The same edges in every format and dialect, compression and place: one partition."""

from __future__ import annotations

from pathlib import Path

import pytest

import skerry
from skerry.errors import InputError
from skerry.formats.registry import FORMATS
from support.forms.edges import PAIRS, check, check_edges
from support.forms.files import FILES, TEXT, FileForm
from support.forms.kinds import KINDS
from support.forms.objects import Given
from support.forms.stores import STORES, Store
from support.spilled import LIMIT, tiny_passes
from support.streams import opened

KIND = {kind.name: kind for kind in KINDS}
FIRST = list({form.format: form for form in reversed(FILES)}.values())
"""A form of each format."""
PLAIN = STORES[0]
SHARE = 4

EDITS = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "CR": lambda data: data.replace(b"\n", b"\r"),
    "mark": lambda data: b"\xef\xbb\xbf" + data,
    "no last line end": lambda data: data.rstrip(b"\n"),
    "blank lines behind": lambda data: data + b"\n\n",
}
"""What editors and other systems do to text, before: what is refused rather than read."""
MUST_BE_READ = ("CRLF", "no last line end")

pytestmark = pytest.mark.filterwarnings("ignore")


def stored(form: FileForm, kind_name: str, store: Store, folder: Path, change=None):
    """What to read and how, and the ids of the answer."""
    kind = KIND[kind_name]
    size = -(-len(PAIRS) // store.parts)
    parts = [form.files(Given(kind, PAIRS[i : i + size])) for i in range(0, len(PAIRS), size)]
    if change is not None:
        parts = [{suffix: change(data) for suffix, data in part.items()} for part in parts]
    kept = store.keep(folder, parts, form.format, form.options(Given(kind)))
    graph, arguments = opened(*kept)
    return graph, arguments, form.vertices(kind)


def test_every_format_that_is_read_has_a_form() -> None:
    assert {form.format for form in FILES} == {f.name for f in FORMATS if f.read is not None}
    assert len({form.id for form in FILES}) == len(FILES)


@pytest.mark.parametrize(
    ("form", "kind"),
    [pytest.param(form, kind, id=f"{form.id}, {kind}") for form in FILES for kind in form.kinds],
)
def test_every_form_of_every_kind_of_ids(form: FileForm, kind: str, tmp_path: Path) -> None:
    graph, arguments, vertices = stored(form, kind, PLAIN, tmp_path)
    check(skerry.connected_components(graph, **arguments), vertices)
    if kind == form.kinds[0]:
        result = skerry.connected_components(graph, forest=True, **arguments)
        check_edges(result, vertices, form.keeps)


def stores():
    for i, form in enumerate(FIRST):
        for j, store in enumerate(STORES):
            if form.format not in store.refused:
                slow = form.format not in ("snap", "parquet") and (i + j) % SHARE
                marks = [pytest.mark.slow] if slow else []
                yield pytest.param(form, store, id=f"{form.format}, {store.name}", marks=marks)


@pytest.mark.parametrize(("form", "store"), list(stores()))
def test_every_store(form: FileForm, store: Store, tmp_path: Path) -> None:
    graph, arguments, vertices = stored(form, form.kinds[0], store, tmp_path)
    check(skerry.connected_components(graph, **arguments), vertices, store.repeatable)


@pytest.mark.parametrize("form", FILES, ids=lambda form: form.id)
def test_small_batches(form: FileForm, tmp_path: Path) -> None:
    store = next(store for store in STORES if store.name == "small batches")
    graph, arguments, vertices = stored(form, form.kinds[-1], store, tmp_path)
    check(skerry.connected_components(graph, **arguments), vertices)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("form", [f for f in FILES if f.format in TEXT], ids=lambda form: form.id)
def test_text_as_editors_leave_it(form: FileForm, edit: str, tmp_path: Path) -> None:
    if form.name == "UTF-16":
        pytest.skip("the edits are those of bytes")
    kind = form.kinds[0]
    graph, arguments, vertices = stored(form, kind, PLAIN, tmp_path, EDITS[edit])
    try:
        result = skerry.connected_components(graph, **arguments)
    except InputError:
        assert edit not in MUST_BE_READ
        return
    check(result, vertices)


@pytest.mark.parametrize("form", FILES, ids=lambda form: form.id)
def test_files_on_disk(form: FileForm, tmp_path: Path) -> None:
    if form.kinds[0] != "numbers" or form.spell is str:
        pytest.skip("only integers go to disk")
    graph, arguments, vertices = stored(form, "numbers", PLAIN, tmp_path)
    (tmp_path / "spill").mkdir()
    with tiny_passes(2):
        arguments |= {"stream": skerry.StreamOptions(LIMIT, spill=tmp_path / "spill")}
        check(skerry.connected_components(graph, **arguments), vertices)
