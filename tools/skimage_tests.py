"""Runs scikit-image's own tests of `label` with skerry's in its place.

Usage: python tools/skimage_tests.py FOLDER [arguments of pytest ...]

The tests are not in the wheel: the sdist of the installed version is brought from the package index
of pip, once, and its `test_ccomp.py` is run. `make test-images` does this.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import urllib.request
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urljoin

MODULE = "test_ccomp.py"
PLUGIN = """import skimage.measure, skimage.measure._label
import skerry.skimage
skimage.measure.label = skimage.measure._label.label = skerry.skimage.label
"""


def index() -> str:
    """The address of pip's package index."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
        check=False,
    )
    address = os.environ.get("PIP_INDEX_URL") or asked.stdout.strip()
    return (address or "https://pypi.org/simple").rstrip("/") + "/"


def bring(folder: Path) -> Path:
    """The module of tests of the installed version, brought if it is not there yet."""
    name = f"scikit_image-{version('scikit-image')}.tar.gz"
    target = folder / name.removesuffix(".tar.gz") / MODULE
    if not target.exists():
        page_address = urljoin(index(), "scikit-image/")
        with urllib.request.urlopen(page_address) as page:
            links = re.findall(r'href="([^"#]+)', page.read().decode())
        link = next(each for each in links if each.endswith(name))
        print(f"bringing {name}", flush=True)
        archive = folder / name
        folder.mkdir(parents=True, exist_ok=True)
        urllib.request.urlretrieve(urljoin(page_address, link), archive)
        with tarfile.open(archive) as files:
            member = next(each for each in files if each.name.endswith(f"measure/{MODULE}"))
            source = files.extractfile(member)
            assert source is not None
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(source.read())
        archive.unlink()
    return target


def main() -> None:
    """Run the command line."""
    module = bring(Path(sys.argv[1]).resolve())
    (module.parent / "with_skerry.py").write_text(PLUGIN)
    # Their folder has no configuration of ours, under which a warning is an error.
    options = ["-c", os.devnull, "--rootdir", module.parent, "-p", "no:cacheprovider"]
    options += ["-p", "with_skerry", *sys.argv[2:]]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", module, *options],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(module.parent), *sys.path])},
        check=False,
    )
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
