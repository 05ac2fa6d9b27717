"""Builds the site into build/site, for `make docs`. It needs no network.

Pages are copied and made into build/site-source. Sphinx reads them there, with docs/conf.py, and a
warning is an error. Then all links within the site are followed.
"""

from __future__ import annotations

import shutil
import sys
from time import perf_counter

import animation
import drawings
import reference
from links import broken_links
from pages import ROOT, copy_pages
from sphinx.cmd.build import build_main

from skerry_bench.report.write import write_report

SOURCE, SITE = ROOT / "build/site-source", ROOT / "build/site"
RESULTS = ROOT / "benchmarks/results"


def main() -> int:
    """Builds it; 1 if there was a warning or a broken link."""
    began = perf_counter()
    for folder in (SOURCE, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    copy_pages(SOURCE)
    reference.write(SOURCE)
    animation.write(SOURCE / "generated/animation.html")
    report = write_report(sorted(RESULTS.glob("*.jsonl")), SOURCE / "extra/report.html")
    drawings.write(SOURCE / "images", report)
    arguments = ["-c", ROOT / "docs", "-b", "html", "-W", "--keep-going", "-q", SOURCE, SITE]
    if build_main([*map(str, arguments)]):
        return 1
    broken = broken_links(SITE)
    print(*broken, sep="\n", end="\n" if broken else "")
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{pages} pages in {perf_counter() - began:.0f} s: {SITE.relative_to(ROOT)}/index.html")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
