"""Brings a headless Chromium from a package registry and prints its path, for `make test-page`.

    python benchmarks/tools/get_browser.py build/browser

On Linux on x86_64 it is the one in the npm package @sparticuz/chromium, checked against the digest
below and unpacked once; it needs the Python package brotli. No registry has a Chromium for other
machines that runs without further system libraries: there an installed one is used.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import platform
import shutil
import sys
import tarfile
import urllib.request
from pathlib import Path

PACKAGE = "@sparticuz/chromium"
VERSION = "153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
"""Of the package, as the registry gives it: dist.integrity."""
REGISTRY = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")
INSTALLED = ("chromium", "chromium-browser", "google-chrome", "chrome")
LIBRARIES = "bin/al2023.tar.br"
"""Shared libraries that a machine without a desktop may not have."""


def main() -> None:
    """Prints the path of a browser that can be run."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/browser").resolve()
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        print(packaged_browser(folder))
        return
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    if installed is None:
        sys.exit(
            f"get_browser: {PACKAGE} is for Linux on x86_64, this is {platform.system()} on "
            f"{platform.machine()}: install Chromium, then run `make test-page` again"
        )
    print(installed)


def packaged_browser(folder: Path) -> Path:
    """The browser of the package, brought and unpacked if it is not there yet."""
    target = folder / VERSION
    program = target / "chromium.sh"
    if not program.exists():
        unpack(download(), target)
    return program


def download() -> bytes:
    """The package as the registry has it."""
    address = f"{REGISTRY}/{PACKAGE}/-/{PACKAGE.partition('/')[2]}-{VERSION}.tgz"
    print(f"get_browser: bringing {address}, 70 MB", file=sys.stderr)
    with urllib.request.urlopen(address) as response:
        package: bytes = response.read()
    digest = base64.b64encode(hashlib.sha512(package).digest()).decode()
    if digest != SHA512:
        sys.exit(f"get_browser: {address} has the SHA-512 {digest}, not {SHA512}")
    return package


def unpack(package: bytes, target: Path) -> None:
    """Writes the program, its libraries, and a script that starts one with the other."""
    import brotli

    target.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:

        def content(name: str) -> bytes:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            data: bytes = brotli.decompress(member.read())
            return data

        with tarfile.open(fileobj=io.BytesIO(content(LIBRARIES))) as libraries:
            libraries.extractall(target / "libraries", filter="data")
        binary = target / "chromium"
        binary.write_bytes(content("bin/chromium.br"))
    binary.chmod(0o755)
    # Libraries of the system come first: those of the package are for machines without them.
    script = target / "chromium.sh"
    script.write_text(
        "#!/bin/sh\n"
        'here=$(dirname "$0")\n'
        'export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/libraries/lib"\n'
        'exec "$here/chromium" "$@"\n'
    )
    script.chmod(0o755)


if __name__ == "__main__":
    main()
