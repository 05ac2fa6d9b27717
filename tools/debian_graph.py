r"""Make a graph with names from a Debian ``Packages`` index.

The vertices are the package names: every name that has a stanza of its own, and every
name that a stanza refers to (virtual packages, packages of other archive areas).
An edge joins a package to each name in its Depends, Pre-Depends, Recommends, Suggests
and Enhances fields.  All alternatives of ``a | b`` count; version, architecture and
profile restrictions are dropped (``python3:any (>= 3.9)`` is ``python3``).  Edges are
undirected, without loops and repeats.

The output is a compressed NumPy archive of three arrays:

``names``
    uint8: the names as UTF-8, in bytewise order, joined by a newline.  Vertex ``i`` is
    the ``i``-th name; ``n`` is their number.
``gap``
    uint8, shape (k, m): the edges ``src < dst``, in the order of the numbers
    ``key = src * n + dst``.  Column ``j`` holds ``key[j] - key[j - 1]`` (``key[-1]``
    being 0) as ``k`` bytes, lowest first; storing the bytes as separate rows lets them
    compress better.
``meta``
    a string: what the graph is and where it comes from, one ``Field: value`` a line.

To load it::

    with np.load(path) as z:
        names = z["names"].tobytes().decode().split("\n")
        gap = sum(row.astype(np.int64) << 8 * i for i, row in enumerate(z["gap"]))
    src, dst = np.divmod(np.cumsum(gap), len(names))

On a Debian system, ``apt-get update`` leaves the index in ``/var/lib/apt/lists`` as
``*_dists_*_main_binary-*_Packages*``, beside the ``*_InRelease`` file that vouches for
it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gzip
import hashlib
import lzma
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterator

RELATIONS = ("Depends", "Pre-Depends", "Recommends", "Suggests", "Enhances")

_NAME = re.compile(r"[^\s:(\[<]+")


def read_index(path: Path) -> bytes:
    """Return the text of a ``Packages`` file, plain or compressed (gz, xz, lz4)."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".xz":
        return lzma.decompress(data)
    if path.suffix == ".lz4":
        command = ["lz4", "-dc"]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        return done.stdout
    return data


def fields(stanza: str) -> dict[str, str]:
    """Return the fields of one stanza, folded lines joined."""
    values: dict[str, str] = {}
    name = ""
    for line in stanza.splitlines():
        if line[:1] in (" ", "\t"):
            values[name] += line
        else:
            name, _, value = line.partition(":")
            values[name] = value.strip()
    return values


def related(value: str) -> Iterator[str]:
    """Yield the package names of a relation field, all alternatives."""
    for item in re.split(r"[,|]", value):
        match = _NAME.match(item.strip())
        if match:
            yield match[0]


def build(text: str) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the sorted names and the sorted keys ``src * n + dst`` of the edges."""
    vertices: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    for stanza in re.split(r"\n{2,}", text.strip("\n")):
        values = fields(stanza)
        package = values["Package"]
        vertices.add(package)
        for relation in RELATIONS:
            for other in related(values.get(relation, "")):
                vertices.add(other)
                if other != package:
                    pairs.add((min(package, other), max(package, other)))
    names = sorted(vertices)
    index = {name: i for i, name in enumerate(names)}
    keys = [index[a] * len(names) + index[b] for a, b in pairs]
    return names, np.sort(np.array(keys, dtype=np.int64))


def to_planes(values: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return non-negative integers as rows of bytes, lowest first."""
    size = max(1, (int(values.max(initial=0)).bit_length() + 7) // 8)
    return np.stack([(values >> 8 * i & 0xFF).astype(np.uint8) for i in range(size)])


def describe(path: Path, index: bytes, release: Path | None) -> dict[str, str]:
    """Return source, date and checksum of an index, checked against its Release."""
    digest = hashlib.sha256(index).hexdigest()
    if release is None:
        date = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC)
        return {"Source": path.name, "Date": f"{date:%Y-%m-%d}", "SHA256": digest}
    text = release.read_text(encoding="utf-8")
    entry = re.search(rf"^ {digest} +\d+ (\S+)$", text, re.MULTILINE)
    if entry is None:
        message = f"{release} does not list this index (SHA256 {digest})"
        raise SystemExit(message)
    head = dict(re.findall(r"^([A-Z]\w*): (.+)$", text, re.MULTILINE))
    return {
        "Source": "{Origin} {Version}, dists/{Codename}/".format(**head) + entry[1],
        "Date": head["Date"],
        "SHA256": digest,
    }


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description="Make a graph with names (.npz) from a Debian Packages index."
    )
    parser.add_argument("packages", type=Path, help="plain, .gz, .xz or .lz4 file")
    parser.add_argument("output", type=Path, help=".npz file to write")
    parser.add_argument(
        "--release",
        type=Path,
        help="Release or InRelease file of the suite: checks the index against it and "
        "takes source and date from it (otherwise the file's name and its time)",
    )
    args = parser.parse_args()

    index = read_index(args.packages)
    meta = describe(args.packages, index, args.release)
    names, keys = build(index.decode())
    meta |= {
        "Relations": ", ".join(RELATIONS),
        "Vertices": str(len(names)),
        "Edges": str(len(keys)),
    }
    with args.output.open("wb") as file:
        np.savez_compressed(
            file,
            names=np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
            gap=to_planes(np.diff(keys, prepend=0)),
            meta=np.array("\n".join(f"{key}: {value}" for key, value in meta.items())),
        )
    size = args.output.stat().st_size
    print(f"{len(names):,} vertices, {len(keys):,} edges, {size:,} bytes")


if __name__ == "__main__":
    main()
