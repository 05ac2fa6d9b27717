"""Draws the figures of the gallery from the variables of its examples, and one from our records."""

from __future__ import annotations

import csv
import doctest
import io
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from pages import SITE

import skerry
from skerry_bench.report.build import Report
from skerry_bench.report.csv_table import csv_table

PAGES = [SITE / "gallery.md", SITE / "gallery-images.md"]
SECTION = re.compile(r"^\(gallery-(\w+)\)=\n(.*?)(?=^\(gallery-|\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

COLORS = ("#0a5cc2", "#b35900", "#1f7a3a", "#8a3ffc", "#b0125b", "#00727d")
DARK = ("#7ab7ff", "#ffab5c", "#6fdc8c", "#c9a6ff", "#ff8fc0", "#57d9e3")


def write(folder: Path, report: Report) -> None:
    """Runs the examples and writes one file for each section of the gallery."""
    names: dict[str, Any] = {"report": report}
    sections = [(page, each) for page in PAGES for each in SECTION.finditer(page.read_text())]
    for page, section in sections:
        for block in BLOCK.finditer(section[2]):
            for example in doctest.DocTestParser().get_examples(block[1]):
                with redirect_stdout(io.StringIO()):
                    exec(compile(example.source, str(page), "exec"), names)
        (folder / f"gallery-{section[1]}.svg").write_text(DRAWINGS[section[1]](names))


def drawing(width: int, height: int, parts: list[str]) -> str:
    """A file with its own background in both themes; classes c0, c1, ... are the colors."""
    light, dark = (
        " ".join(f".c{i} {{ --c: {c} }}" for i, c in enumerate(each)) for each in (COLORS, DARK)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" \
width="{width}" height="{height}">
<style>
svg {{ --page: #ffffff; --text: #1f2328; --line: #8c959f }} {light} .small {{ --c: var(--line) }}
@media (prefers-color-scheme: dark) {{ svg {{ --page: #0d1117; --text: #f0f6fc; --line: #768390 }}
{dark} }}
text {{ font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--text);
paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round }}
line, .streets {{ stroke: var(--c, var(--line)); stroke-width: 2; fill: none }}
.weak {{ stroke-dasharray: 5 4 }} .score {{ font-size: 11px; text-anchor: middle }}
.end {{ text-anchor: end }} .fill {{ fill: var(--c) }} .page {{ fill: var(--page) }}
.frame {{ fill: none; stroke: var(--c); stroke-width: 3 }}
</style>
<rect class="page" width="100%" height="100%"/>
{chr(10).join(parts)}
</svg>
"""


def entities(names: dict[str, Any]) -> str:
    """Records in circles of what any pair joins; pairs below the threshold are dashed."""
    pairs, result = names["pairs"].to_pylist(), names["result"]
    everything = skerry.connected_components(names["pairs"])
    places: dict[str, tuple[float, float]] = {}
    for number, group in enumerate(everything.groups()):
        members = group.to_pylist()
        middle = 120 + 240 * number
        for i, record in enumerate(members):
            angle = 2 * math.pi * i / len(members)
            places[record] = (middle + 75 * math.sin(angle), 100 - 75 * math.cos(angle))
    color = {record: i for i, group in enumerate(result.groups()) for record in group.to_pylist()}
    parts = []
    for pair in pairs:
        (x1, y1), (x2, y2) = places[pair["id_l"]], places[pair["id_r"]]
        weak = "weak" if pair["score"] < 0.8 else f"c{color[pair['id_l']]}"
        parts.append(
            f'<line class="{weak}" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'
        )
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        parts.append(f'<text class="score" x="{x:.0f}" y="{y + 4:.0f}">{pair["score"]:.2f}</text>')
    for record, (x, y) in places.items():
        kind = f"c{color[record]}" if record in color else "small"
        parts.append(f'<circle class="fill {kind}" cx="{x:.0f}" cy="{y:.0f}" r="9"/>')
        parts.append(f'<text class="score" x="{x:.0f}" y="{y + 22:.0f}">{escape(record)}</text>')
    return drawing(720, 210, parts)


def documents(names: dict[str, Any]) -> str:
    """The matrix of shares in the order of the clusters, with a frame around each cluster."""
    groups = [[*map(int, group)] for group in names["copies"].groups()]
    order = [document for group in sorted(groups, key=len, reverse=True) for document in group]
    share = dict(
        zip(zip(names["first"], names["second"], strict=True), names["share"], strict=True)
    )
    size, left = 28, 300
    parts = []
    for row, a in enumerate(order):
        text = escape(names["texts"][a])
        parts.append(f'<text class="end" x="{left - 10}" y="{row * size + 30}">{text}</text>')
        for column, b in enumerate(order):
            dark = 1.0 if a == b else share[min(a, b), max(a, b)]
            at = f'x="{left + column * size}" y="{12 + row * size}"'
            area = f'width="{size - 2}" height="{size - 2}"'
            parts.append(f'<rect class="fill c0" {at} {area} fill-opacity="{dark:.2f}"/>')
    start = 0
    for group in sorted(groups, key=len, reverse=True):
        x, y, side = left + start * size - 2, 10 + start * size, len(group) * size + 2
        parts.append(f'<rect class="frame c1" x="{x}" y="{y}" width="{side}" height="{side}"/>')
        start += len(group)
    return drawing(left + len(order) * size + 12, len(order) * size + 24, parts)


def roads(names: dict[str, Any]) -> str:
    """A map: the four largest parts in color."""
    streets, parts = names["streets"], names["parts"]
    width, step = 40, 12
    colors = {part.label: f"c{i}" for i, part in enumerate(parts.largest(4))}
    paths: dict[str, list[str]] = defaultdict(list)
    for u, v in zip(streets.src.tolist(), streets.dst.tolist(), strict=True):
        if u != v:
            ends = ((p % width * step + 10, p // width * step + 10) for p in (u, v))
            paths[colors.get(int(parts.labels[u]), "small")].append(
                "M" + "L".join(f"{x} {y}" for x, y in ends)
            )
    drawn = [f'<path class="streets {c}" d="{"".join(d)}"/>' for c, d in paths.items()]
    return drawing(width * step + 8, width * step + 8, drawn)


def images(names: dict[str, Any]) -> str:
    """The pixels of objects."""
    return regions([names["labels"]], 9, 1)


def coins(names: dict[str, Any]) -> str:
    """Every second pixel of every second row."""
    return regions([names["coins"][::2, ::2]], 3, 1)


def grains(names: dict[str, Any]) -> str:
    """Planes of the volume side by side, as they were scanned."""
    return regions([names["grains"][plane].T[::-1] for plane in (8, 13, 18, 23)], 4, 4)


def masks(names: dict[str, Any]) -> str:
    """All masks, in rows of eight."""
    return regions(list(names["masks"]), 3, 8)


def regions(images: list[Any], step: int, columns: int) -> str:
    """Labeled images of one shape in rows: a path for each color, a line for each run of a row."""
    height, width = images[0].shape
    gap = 2 if len(images) > 1 else 0
    paths: dict[int, list[str]] = defaultdict(list)
    for number, labels in enumerate(images):
        top, left = number // columns * (height + gap), number % columns * (width + gap)
        for y, row in enumerate(labels.tolist()):
            x = 0
            for label, run in groupby(row):
                length = len(list(run))
                if label:
                    at = f"M{(left + x) * step} {(top + y) * step}"
                    paths[label % len(COLORS)].append(
                        f"{at}h{length * step}v{step}h-{length * step}z"
                    )
                x += length
    parts = [f'<path class="fill c{color}" d="{"".join(d)}"/>' for color, d in paths.items()]
    rows = -(-len(images) // columns)
    size = [count * (side + gap) - gap for count, side in ((columns, width), (rows, height))]
    return drawing(size[0] * step, size[1] * step, parts)


def jump_times(report: Report) -> Iterator[tuple[str, float]]:
    """Each jump with its time over that of halving, from our records of Fig. 8 on a GPU."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(csv_table(report))):
        measured = row["over_baseline"] and not row["published"]
        if measured and (row["figure"], row["platform"]) == ("eclcc-fig8", "NVIDIA H200"):
            ratios[row["implementation"]].append(float(row["over_baseline"]))
    for jump in ("multiple", "single", "none", "halving"):
        own = ratios["ecl" if jump == "halving" else f"ecl[jump={jump}]"]
        yield jump, math.exp(sum(map(math.log, own)) / len(own))


def figure(names: dict[str, Any]) -> str:
    """A bar for each jump, on a logarithmic axis."""
    parts = ['<text x="90" y="24">time over that of halving, geometric mean, log scale</text>']
    for row, (jump, ratio) in enumerate(jump_times(names["report"])):
        y, length = 40 + 30 * row, 12 + 400 * math.log10(ratio)
        parts.append(f'<text class="end" x="80" y="{y + 14}">{jump}</text>')
        bar = f'x="90" y="{y}" width="{length:.0f}" height="18"'
        parts.append(f'<rect class="fill c{int(jump != "halving")}" {bar}/>')
        parts.append(f'<text x="{length + 98:.0f}" y="{y + 14}">{ratio:.2f}</text>')
    return drawing(600, 168, parts)


DRAWINGS: dict[str, Callable[[dict[str, Any]], str]] = {
    "entities": entities,
    "documents": documents,
    "roads": roads,
    "images": images,
    "coins": coins,
    "grains": grains,
    "masks": masks,
    "figure": figure,
}
