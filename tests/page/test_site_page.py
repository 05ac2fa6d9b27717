"""The site of `make docs` in a browser: front page, search, the animation, phones and themes."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from pathlib import Path

import pytest

from support.browser import Page, browser
from support.paths import ROOT

SITE = ROOT / "build/site"

pytestmark = [
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="`make docs` builds the site"),
    pytest.mark.xdist_group("page"),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address():
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("site-browser")) as pipe:
        yield Page(pipe)


@pytest.fixture
def page(window):
    window.prefer("light")
    yield window
    assert window.complaints() == []


def test_the_front_page(page, address):
    page.visit(f"{address}/index.html")
    text = page.ask("document.querySelector('article').innerText")
    assert "pip install" in text and ">>> import skerry" in text and "Verification(ok" in text
    doors = page.ask("[...document.querySelectorAll('article .sd-card a')].map((a) => a.href)")
    assert len(doors) == 4 and all(door.startswith(address) for door in doors)
    assert page.ask("document.querySelector('article img').naturalWidth") > 100
    assert (
        page.ask("document.querySelector('article .sd-card').getBoundingClientRect().bottom") < 900
    )
    assert [url for url in page.outside() if not url.startswith(address)] == []


def test_search_finds_union_find(page, address):
    page.visit(f"{address}/index.html")
    page.run(
        "const box = document.querySelector('input[name=q]'); box.value = 'union-find';"
        "box.form.submit()"
    )
    page.until("document.querySelector('.search-summary')?.textContent.includes('found')")
    found = page.ask("[...document.querySelectorAll('#search-results li a')].map((a) => a.href)")
    names = {Path(url.split("#")[0].split("?")[0]).name for url in found}
    assert {"algorithms.html", "catalog.html"} <= names


@pytest.mark.parametrize("name", ["large", "none"])
def test_the_animation_steps_through_the_trace(page, address, name):
    page.visit(f"{address}/how-it-works.html")
    figure = f"document.querySelector('#stages-{name}')"
    trace = json.loads(page.ask(f"{figure}.querySelector('script').textContent"))
    parents = f"[...{figure}.querySelectorAll('.parents b')].map((b) => Number(b.textContent))"
    assert page.ask(parents) == [*range(len(trace["positions"]))]
    for stage in trace["stages"]:
        page.run(f"{figure}.querySelector('.next').click()")
        assert page.ask(parents) == stage["parents"]
        assert page.ask(f"{figure}.querySelector('.status').textContent").startswith(stage["name"])
        drawn = f"[...{figure}.querySelectorAll('.links path')].map((p) => p.getAttribute('d'))"
        arrows = [bool(path) for path in page.ask(drawn)]
        assert arrows == [parent != v for v, parent in enumerate(stage["parents"])]
    assert page.ask(f"{figure}.querySelector('.next').disabled")
    page.run(f"{figure}.querySelector('.back').click()")
    assert page.ask(parents) == trace["stages"][-2]["parents"]


def test_less_motion_is_respected(page, address):
    page.prefer("light", motion="reduce")
    page.visit(f"{address}/how-it-works.html")
    assert page.ask("document.querySelector('.stages .play').hidden")
    style = "getComputedStyle(document.querySelector('.stages circle')).transitionDuration"
    assert page.ask(style) == "0s"
    page.prefer("light")
    page.visit(f"{address}/how-it-works.html")
    assert not page.ask("document.querySelector('.stages .play').hidden")


def test_no_page_is_wider_than_a_phone(page, address):
    wide = []
    for path in sorted(SITE.rglob("*.html")):
        if path.name != "report.html":  # its own tests open it
            page.visit(f"{address}/{path.relative_to(SITE)}", width=390, height=844)
            if page.ask("document.documentElement.scrollWidth") > 390:
                wide.append(path.name)
    assert wide == []


def test_themes(page, address):
    shade = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)[0]"
    for scheme, dark in (("light", False), ("dark", True)):
        page.prefer(scheme)
        page.visit(f"{address}/index.html")
        assert (page.ask(shade) < 100) == dark
    page.run("document.querySelector('.theme-toggle').click()")  # to light, whatever the system has
    assert page.ask("document.body.dataset.theme") == "light"
    assert page.ask(shade) > 200
    assert page.complaints() == ["Changed to light mode."]  # the theme's own message
