"""The report's page in a headless browser: it draws, filters, fits, and asks for nothing."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from lab.made_up_results import CPU, graph_line, result, run_line, write
from skerry_bench.report.measurements import geometric_mean
from skerry_bench.report.write import write_report

pytest.importorskip("vl_convert", reason="vl-convert, which brings the charts, is not installed")

pytestmark = pytest.mark.xdist_group("page")  # one browser for all
FIGURE = "DATA.figures.find((one) => one.id === '{}')"


def count_bars(page, figure):
    """How many measured and published marks a figure shows."""
    selector = f"#{figure} .charts [class*='mark-'][class*='role-mark'] path"
    return page.ask(f"document.querySelectorAll({selector!r}).length")


def test_no_complaint_and_no_request(opened):
    assert opened.complaints() == []
    assert opened.ask("document.querySelectorAll('#data').length") == 1
    assert opened.outside() == []
    assert opened.requests, "the log of requests is empty: the page itself should be in it"
    # Even a script that tried could not: the page forbids itself every request.
    blocked = opened.ask("fetch('https://example.org/').then(() => 'sent', (error) => error.name)")
    assert blocked == "TypeError"
    assert any("Content Security Policy" in one for one in opened.complaints())


def test_every_figure_has_its_marks(opened, report):
    for figure in report.figures:
        shown = opened.ask(f"Number(document.getElementById({figure.id!r}).dataset.marks)")
        assert shown > 0, figure.id
        assert count_bars(opened, figure.id) > 0, figure.id


def test_bars_stand_for_the_measurements(opened, report):
    """All measured bars except the baseline's, and the mean of each series."""
    figure = next(one for one in report.figures if one.id == "eclcc-fig9")
    (gpu, _) = figure.panels
    rows = opened.rows_of("eclcc-fig9")
    measured = [mark for mark in gpu.marks if not mark.source and mark.implementation != "auto"]
    assert len(
        [row for row in rows if not row["published"] and row["row"] != "geometric mean"]
    ) == len(measured)
    for series in {mark.series for mark in measured}:
        mean = geometric_mean(mark.over_auto for mark in measured if mark.series == series)
        (shown,) = (
            row["v"]
            for row in rows
            if row["s"] == series and row["row"] == "geometric mean" and not row["published"]
        )
        assert math.isclose(shown, mean, rel_tol=1e-3)


def test_the_baseline_switches(opened):
    def axis():
        return opened.ask("document.querySelector('#eclcc-fig11 .charts svg').textContent")

    before = count_bars(opened, "eclcc-fig11"), axis()
    assert "time over auto" in before[1]
    opened.do("document.querySelector('[name=base][value=base]').click()")
    assert "time over ECL-CC" in axis()
    assert count_bars(opened, "eclcc-fig11") != before[0] or axis() != before[1]


def test_a_filter_changes_what_is_shown(opened):
    def shown():
        return opened.ask("document.querySelector('#eclcc-fig11 .charts').textContent")

    assert "europe_osm" in shown()
    before = count_bars(opened, "eclcc-fig11")
    opened.do("document.querySelector('#graphs input[value=europe_osm]').click()")
    assert "europe_osm" not in shown()
    assert 0 < count_bars(opened, "eclcc-fig11") < before
    assert opened.ask("document.querySelector('#eclcc-table5 tr[data-graph=europe_osm]').hidden")
    fewer = count_bars(opened, "eclcc-fig11")
    opened.do("document.querySelector('#implementations input[value=groute]').click()")
    assert 0 < count_bars(opened, "eclcc-fig11") < fewer
    opened.do("document.querySelector('#platforms input').click()")
    assert "Nothing to show" in shown()
    opened.do("document.getElementById('reset').click()")
    assert count_bars(opened, "eclcc-fig11") == before


def test_published_bars_can_be_left_out_and_changed(opened):
    def legend():
        return opened.ask("document.querySelector('#eclcc-fig11 .legend').textContent")

    before = count_bars(opened, "eclcc-fig11")
    assert "GTX Titan X, 2018" in legend()
    opened.choose("published", 1)
    assert "Tesla K40, 2018" in legend()
    opened.choose("published", -1)
    assert "published" not in legend()
    assert count_bars(opened, "eclcc-fig11") < before


def test_order_of_graphs(opened):
    def first_row():
        figure = FIGURE.format("eclcc-fig11")
        return opened.ask(f"orderOf(rowsOf({figure}, {figure}.panels[0]))[0]")

    assert first_row() == "2d-2e20.sym *"
    opened.choose("order", "size")
    assert first_row() == "internet *"


def test_hovering_shows_the_samples(opened):
    opened.run(
        "const bar = document.querySelectorAll('#eclcc-fig11 .charts .mark-rect path');"
        "const one = bar[bar.length - 1];"
        "one.scrollIntoView({block: 'center', behavior: 'instant'});"
        "const box = one.getBoundingClientRect();"
        "for (const kind of ['pointerover', 'pointermove', 'mouseover', 'mousemove'])"
        " one.dispatchEvent(new PointerEvent(kind, {bubbles: true, clientX: box.x + 1,"
        " clientY: box.y + 1, pointerType: 'mouse'}))"
    )
    tooltip = opened.ask("document.getElementById('tooltip').textContent")
    assert not opened.ask("document.getElementById('tooltip').hidden")
    assert "graphs shown" in tooltip or "median" in tooltip
    text = opened.ask("tooltipText(DATA.figures[0], {s: 'x', row: 'y', m: 0}, 2)")
    assert "median" in text
    assert text.count(",") >= 4


def test_light_and_dark(opened):
    def ground():
        # A frame later: a style is not in force at once.
        opened.ask("new Promise((done) => requestAnimationFrame(() => done(0)))")
        return opened.ask("getComputedStyle(document.body).backgroundColor")

    light = ground()
    opened.run("document.querySelector('button[data-theme=dark]').click()")
    dark = ground()
    assert dark != light
    assert opened.ask("document.querySelector('button[data-theme=dark]').ariaPressed") == "true"
    opened.run("document.querySelector('button[data-theme=light]').click()")
    assert ground() == light
    opened.run("document.querySelector('button[data-theme=\"\"]').click()")
    opened.prefer("dark")
    assert opened.ask("matchMedia('(prefers-color-scheme: dark)').matches")
    opened.ask(
        "new Promise((done) => { const look = () => document.documentElement.dataset.theme"
        " === 'dark' ? done(0) : requestAnimationFrame(look); look(); })"
    )
    assert ground() == dark


def test_claims_by_verdict(opened, report):
    def visible():
        return opened.ask(
            "[...document.querySelectorAll('.claims li')].filter((c) => !c.hidden).length"
        )

    judged = sum(verdict.conclusion != "not measured" for _, verdict in report.claims)
    assert visible() == judged
    opened.run("document.querySelector('[data-verdict=\"not measured\"]').click()")
    assert visible() == len(report.claims)


def test_tables_sort(opened):
    names = "[...document.querySelectorAll('#eclcc-table5 tbody tr th')].map((t) => t.textContent)"
    press = "document.querySelectorAll('#eclcc-table5 thead button')[3].click()"
    before = opened.ask(names)
    opened.run(press)
    after = opened.ask(names)
    assert after != before
    assert sorted(after) == sorted(before)
    opened.run(press)
    assert (
        opened.ask("document.querySelectorAll('#eclcc-table5 thead th')[3].ariaSort")
        == "descending"
    )


def test_numbers_as_tables(opened, report):
    opened.run("document.querySelector('#eclcc-fig11 .numbers').open = true")
    opened.run("document.getElementById('all').open = true")
    opened.ask("new Promise((done) => setTimeout(() => done(0), 300))")
    cells = "document.querySelectorAll('#eclcc-fig11 .numbers td').length"
    assert opened.ask(cells) > 5 * 4
    rows = opened.ask("document.querySelectorAll('#all tbody tr').length")
    assert rows == report.overview.measurements


def test_headings_names_and_focus(opened):
    levels = opened.ask(
        "[...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    named = "[role=img], nav, [role=region], section.filters"
    assert opened.ask(f"[...document.querySelectorAll('{named}')].every((one) => one.ariaLabel)")
    assert opened.ask("[...document.querySelectorAll('table')].every((t) => t.caption)")
    assert opened.ask(
        "new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size"
    ) == opened.ask("document.querySelectorAll('[id]').length")
    links = "[...document.querySelectorAll('nav a')]"
    assert opened.ask(f"{links}.every((link) => document.querySelector(link.hash))")


def test_prints(opened):
    made = opened.send("Page.printToPDF", {"preferCSSPageSize": True})
    assert len(made["data"]) > 50_000
    opened.send("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert opened.ask("getComputedStyle(document.querySelector('.filters')).display") == "none"
    finally:
        opened.send("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("what", ["one result", "no auto", "odd names"])
def test_a_page_of_little(page, folder, what):
    lines = [result("auto", "somewhere", 1.0)]
    if what == "no auto":
        lines = [run_line(), graph_line("grid"), result("ecl", "grid", 1), result("cc", "grid", 2)]
    if what == "odd names":
        name = "</script><b>&\"'\u00e9"
        lines = [run_line("r1", CPU), graph_line(name)]
        lines += [result("auto", name, 1.0), result(name, name, 2.0, peer=True)]
    path = folder / "little.html"
    write_report([write(folder / "little.jsonl", lines)], path)
    page.open(path)
    assert page.complaints() == []
    assert not page.ask("[...document.querySelectorAll('main b')].some((b) => b.innerText === '&')")
    text = page.ask("document.body.textContent")
    assert "Not measured in these results." in text
    if what == "odd names":
        assert name in page.ask("document.querySelector('#peers-solve .legend').textContent")
        assert name in page.ask("document.querySelector('.race').textContent")
    page.do("document.querySelector('[name=base][value=base]').click()")
    assert page.complaints() == []


def test_the_library_is_packed(report, folder):
    """The page is small enough to be kept, and its own text is all that is plain in it."""
    del report
    import vl_convert

    text = (folder / "report.html").read_text("utf-8")
    assert len(text) < 1_500_000
    bundle = vl_convert.javascript_bundle()
    pieces = [bundle[start : start + 80] for start in range(0, len(bundle), 5_000)]
    assert not [piece for piece in pieces if piece.strip() in text]
    for library in ("Vega-Lite", "D3", "TopoJSON", "fast-json-patch"):
        assert library in text


def test_an_old_browser_gets_a_message(page, report, folder):
    del report
    script = {"source": "delete window.DecompressionStream"}
    added = page.send("Page.addScriptToEvaluateOnNewDocument", script)
    try:
        page.open(folder / "report.html")
        assert not page.ask("document.getElementById('old-browser').hidden")
        assert page.ask("document.querySelectorAll('#eclcc-table5 tbody tr').length") > 0
        assert page.complaints() == []
    finally:
        page.send("Page.removeScriptToEvaluateOnNewDocument", added)
