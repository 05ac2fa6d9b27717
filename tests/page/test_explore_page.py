"""The page of `explore` in a headless browser: it finds, draws, copies, and asks for nothing."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
import pyarrow as pa
import pytest

import skerry

pytestmark = pytest.mark.xdist_group("explore page")  # one browser for all
HOSTILE = "</script><script>window.pwned = 1</script>"
ACTING = "a\u202eb\x1b[2J\nc\U000e0001\u200dd"
PAIRS = [
    ("kim", "lee", 0.93),
    ("lee", "lea", 0.88),
    ("lea", "al", 0.35),
    ("al", "max", 0.81),
    ("max", "alex", 0.77),
    ("kim", "lea", 0.79),
    (HOSTILE, ACTING, 0.5),
    ("<img src=x onerror='window.pwned = 2'>", ACTING, 0.5),
]


def table():
    return pa.table(dict(zip(("id_l", "id_r", "score"), zip(*PAIRS, strict=True), strict=True)))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    result = skerry.connected_components(table(), weight="score", forest=True)
    return result.explore(tmp_path_factory.mktemp("explore") / "pairs.html")


@pytest.fixture
def page(explore_page, path):
    explore_page.prefer("light")
    explore_page.requests.clear()
    explore_page.open(path)
    yield explore_page
    assert explore_page.complaints() == []
    assert explore_page.outside() == []


def press(page, *keys):
    """Presses keys as a keyboard does: characters, or names of keys."""
    codes = {"Tab": 9, "Enter": 13, "ArrowLeft": 37}
    for key in keys:
        texts = {"text": "\r" if key == "Enter" else key} if key not in ("Tab", "ArrowLeft") else {}
        event = {"key": key, "windowsVirtualKeyCode": codes.get(key, 0), **texts}
        page.send("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        page.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})


def fill(page, id, text):
    page.run(f"document.getElementById('{id}').focus()")
    page.run(f"document.getElementById('{id}').select()")
    page.send("Input.insertText", {"text": text})


def text_of(page, id):
    return page.ask(f"document.getElementById('{id}').textContent")


def texts(page, selector):
    return page.ask(f"[...document.querySelectorAll('{selector}')].map((e) => e.textContent)")


def path_drawn(page):
    return sorted(texts(page, "#drawing line.path title"))


def test_no_request_is_made_and_none_can_be(page):
    assert [url.rpartition("/")[2] for url in page.requests[-1:]] in ([], ["pairs.html"])
    blocked = page.ask("fetch('https://example.org/').then(() => 'sent', (error) => error.name)")
    assert blocked == "TypeError"
    assert any("Content Security Policy" in each for each in page.complaints())
    page.run(
        "const s = document.createElement('script'); s.textContent = 'window.pwned = 3';"
        "document.body.append(s)"
    )
    assert page.ask("window.pwned") is None
    assert any("Content Security Policy" in each for each in page.complaints())
    page.requests.clear()


def test_a_search_is_typed(page):
    page.run("document.getElementById('query').focus()")
    press(page, *"ale")
    assert text_of(page, "found") == "1 id:"
    press(page, "x", "Enter")
    assert text_of(page, "chosen") == "Selected: alex"
    assert page.ask("document.activeElement.id") == "part"
    assert texts(page, "#drawing circle.selected title") == ["alex"]
    assert texts(page, "#drawing circle.near title") == ["max"]
    fill(page, "query", "nobody")
    assert text_of(page, "found") == "No id on this page has this text."


def test_a_path_is_drawn(page):
    fill(page, "from", "kim")
    fill(page, "to", "max")
    press(page, "Enter")
    right = networkx.shortest_path(networkx.Graph([pair[:2] for pair in PAIRS]), "kim", "max")
    assert right == ["kim", "lea", "al", "max"]
    assert texts(page, "#path-links li") == [
        "kim \u2013 lea: weight 0.79, row 5",
        "lea \u2013 al: weight 0.35, row 2, a bridge, which splits off 3 vertices",
        "al \u2013 max: weight 0.81, row 3, a bridge, which splits off 2 vertices",
    ]
    assert len(path_drawn(page)) == 3 and path_drawn(page)[0].startswith("al \u2013 lea")
    assert sorted(texts(page, "#drawing circle.path title")) == sorted(right)
    assert text_of(page, "path-status") == "3 links, a shortest path."
    fill(page, "to", HOSTILE)
    press(page, "Enter")
    assert "different components" in text_of(page, "path-status")
    assert path_drawn(page) == []
    fill(page, "to", "zoe\u202e")
    press(page, "Enter")
    assert text_of(page, "path-status") == "zoe\\u202e is not an id on this page."


def test_a_path_in_another_component_shows_it(page):
    fill(page, "from", HOSTILE)
    fill(page, "to", "<img src=x onerror='window.pwned = 2'>")
    press(page, "Enter")
    assert len(path_drawn(page)) == 2
    assert text_of(page, "facts") == "3 vertices, 2 edges, 2 bridges"


def test_hostile_ids_are_text(page):
    fill(page, "query", "c")
    fill(page, "query", "pwned = 1")
    press(page, "Enter")
    assert page.ask("window.pwned") is None
    assert texts(page, "#chosen .id") == [HOSTILE]
    shown = "a\\u202eb\\x1b[2J\\nc\\U000e0001\u200dd"
    assert shown in texts(page, "#vertices li")
    assert shown in texts(page, "#drawing circle title")
    assert page.ask("document.querySelectorAll('img, iframe, body script').length") == 3
    everything = page.ask("document.body.innerText + document.title")
    assert not any(character in everything for character in "\u202e\x1b\U000e0001")


def test_bridges_and_weights_are_drawn(page):
    assert sorted(text.split(":")[0] for text in texts(page, "#drawing line.bridge title")) == [
        "al \u2013 lea",
        "al \u2013 max",
        "alex \u2013 max",
    ]
    assert sorted(texts(page, "#drawing text.weight")) == sorted(
        f"{weight:g}" for *_, weight in PAIRS[:6]
    )
    widths = page.ask(
        "[...document.querySelectorAll('#drawing line')].map((l) =>"
        " [l.textContent, Number(l.getAttribute('stroke-width'))])"
    )
    weights = [float(text.split("weight ")[1].split(",")[0]) for text, _ in widths]
    order = np.argsort(weights)
    assert [widths[i][1] for i in order] == sorted(width for _, width in widths)


def test_ids_are_copied_as_they_are(page):
    page.run(
        "navigator.clipboard.writeText = (text) => { window.copied = text;"
        " return Promise.resolve(); }"
    )
    fill(page, "query", "\\u202e")
    press(page, "Enter")
    page.run("document.getElementById('copy-id').click()")
    assert page.ask("window.copied") == ACTING
    page.run("document.getElementById('copy-ids').click()")
    assert set(page.ask("window.copied").split("\n")) >= {HOSTILE}
    assert text_of(page, "copied") == "Copied 3 ids."
    fill(page, "from", "kim")
    fill(page, "to", "lee")
    press(page, "Enter")
    page.run("document.getElementById('copy-path').click()")
    assert page.ask("window.copied") == "kim\tlee\t0.93"
    page.run("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    page.run("document.getElementById('copy-path').click()")
    page.ask("new Promise((done) => setTimeout(() => done(0), 20))")
    assert page.ask("document.getElementById('copy-box').value") == "kim\tlee\t0.93"


def test_all_is_reached_by_tab_and_the_drawing_has_keys(page):
    page.run("document.activeElement.blur()")
    reached = []
    for _ in range(25):
        press(page, "Tab")
        reached.append(page.ask("document.activeElement.id || document.activeElement.textContent"))
    wanted = ["query", "al", "drawing", "closer", "farther", "fit", "from", "to"]
    assert [each for each in reached if each in wanted][: len(wanted)] == wanted
    where = "document.querySelector('#drawing circle').getAttribute('cx')"
    page.run("document.getElementById('drawing').focus()")
    before = page.ask(where)
    press(page, "ArrowLeft")
    assert float(page.ask(where)) == pytest.approx(float(before) + 40)
    press(page, "+")
    assert page.ask("document.getElementById('drawing').classList.contains('zoomed')")
    press(page, "0")
    assert page.ask(where) == before


def test_light_dark_and_a_phone(page, path):
    grounds = []
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        page.open(path, 360, 780)
        page.ask("new Promise((done) => requestAnimationFrame(() => done(0)))")
        grounds.append(page.ask("getComputedStyle(document.body).backgroundColor"))
        assert page.ask("document.documentElement.scrollWidth") <= 360
        inside = (
            "[...document.querySelectorAll('#drawing circle')].every((c) => {"
            " const [o, i] = [c.closest('svg').getBoundingClientRect(), c.getBoundingClientRect()];"
            " return i.left >= o.left && i.right <= o.right && i.top >= o.top"
            " && i.bottom <= o.bottom; })"
        )
        assert page.ask(inside)
    assert grounds[0] != grounds[1]


def test_names_in_the_drawing_do_not_overlap(page, tmp_path):
    names = [f"https://example.org/customers/{i:03d}?source=crm" for i in range(60)]
    pairs = pa.table({"a": [names[i // 2] for i in range(1, 60)], "b": names[1:]})
    page.open(skerry.connected_components(pairs).explore(tmp_path / "long.html"))
    fill(page, "query", "057")
    press(page, "Enter")
    boxes = page.ask(
        "[...document.querySelectorAll('#drawing text')].filter((t) => t.style.display !== 'none')"
        ".map((t) => [t.textContent, t.getBoundingClientRect().toJSON()])"
    )
    assert "\u202657\u2026" in [text for text, _ in boxes] and len(boxes) > 10
    for (_, first), (_, second) in combinations(boxes, 2):
        apart = [
            first["right"] < second["left"] or second["right"] < first["left"],
            first["bottom"] < second["top"] + 2 or second["bottom"] < first["top"] + 2,
        ]
        assert any(apart), (first, second)


def test_a_large_component_says_that_it_is_a_sample(page, tmp_path):
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 60_000, (2, 90_000))
    result = skerry.connected_components(tuple(ends), num_vertices=60_000)
    page.open(result.explore(tmp_path / "large.html"))
    size = result.largest().size
    assert f"a sample: 400 of {size:,} vertices, close to" in text_of(page, "sampled")
    assert page.ask("document.querySelectorAll('#drawing circle').length") == 400
    assert "50,000 of 60,000 ids" in text_of(page, "notes")
    drawn = {int(name) for name in texts(page, "#drawing circle title")}
    outside, inside = next(v for v in result.largest().members if v not in drawn), min(drawn)
    fill(page, "query", str(outside))
    press(page, "Enter")
    assert text_of(page, "chosen").startswith(f"Selected: {outside}, which is not in the sample")
    fill(page, "from", str(inside))
    fill(page, "to", str(outside))
    press(page, "Enter")
    assert text_of(page, "path-status").startswith(f"{outside}, which is not in the sample")
    rows = "document.querySelectorAll('#parts tbody tr').length"
    assert page.ask(rows) == 50
    page.run("document.getElementById('more').click()")
    assert page.ask(rows) == 100
    counts = np.bincount(result.sizes())
    shown = texts(page, "#sizes tbody td:nth-child(3)")
    assert sum(int(text.replace(",", "")) for text in shown) == counts.sum()


def test_a_redacted_page_has_numbers(page, tmp_path):
    result = skerry.connected_components(table())
    page.open(result.explore(tmp_path / "redacted.html", redact_ids=True))
    assert text_of(page, "name") == "Component 1"
    assert texts(page, "#vertices li") == [f"#{number}" for number in range(1, 7)]
    page_text = page.ask("document.documentElement.outerHTML")
    assert not any(name in page_text for name in ("kim", "alex", "pwned"))
    fill(page, "query", "#4")
    press(page, "Enter")
    assert text_of(page, "chosen") == "Selected: #4"
    assert len(texts(page, "#drawing line")) == 6


def test_a_page_without_edges(page, tmp_path):
    for edges, n in (([], []), 0), (([], []), 3):
        result = skerry.connected_components(edges, num_vertices=n)
        page.open(result.explore(tmp_path / "empty.html"))
        assert page.ask("document.getElementById('part').hidden") == (n == 0)
        assert len(texts(page, "#parts tbody tr")) == n
