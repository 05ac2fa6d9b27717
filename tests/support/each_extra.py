"""What each extra is for, as a program: prints a JSON object, extra -> "" or the error's text.

tests/project/test_extras.py runs this in environments that have one extra or none.
"""

from __future__ import annotations

import json

import numpy as np

import skerry
import skerry.ray
import skerry.spark
from skerry import csgraph

PAIRS = (np.array([0, 1]), np.array([1, 2]))

USES = {
    "arrow": lambda: skerry.connected_components([("kim", "lee")]).table(),
    "scipy": lambda: csgraph.connected_components(np.eye(3), connection="strong"),
    "ray": lambda: skerry.ray.connected_components(None),
    "spark": lambda: skerry.spark.connected_components(None),
    "cuda": lambda: skerry.connected_components(PAIRS, device="cuda").labels,
}


def main() -> None:
    said = {}
    for extra, use in USES.items():
        try:
            use()
            said[extra] = ""
        except Exception as error:
            said[extra] = str(error)
    print(json.dumps(said))


main()
