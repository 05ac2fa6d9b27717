"""What type checkers make of answers: `make lint` checks this file with mypy and pyright.

It is not run. ``assert_type`` is an error where the type is another one.
"""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt
import polars

import skerry
import skerry.csgraph
import skerry.polars

pairs = polars.DataFrame({"a": ["kim"], "b": ["lee"]})

result = skerry.connected_components(([0], [1]))
count, labels = result
assert_type(count, int)
assert_type(labels, npt.NDArray[Any])
assert_type(result.count, int)
assert_type(result.connected(0, 1), bool)
assert_type(result.connected("kim", "lee"), bool)
assert_type(result.connected([0, 1], 1), npt.NDArray[np.bool_])
assert_type(result.connected(0, [0, 1]), npt.NDArray[np.bool_])
assert_type([group.to_pylist() for group in result.groups()], list[Any])
assert_type(skerry.threshold_sweep(pairs, "score", [0.5])[0.5].count, int)

components, numbers = skerry.csgraph.connected_components(np.eye(3))
assert_type(components, int)
assert_type(numbers, npt.NDArray[np.int32])
assert_type(skerry.csgraph.connected_components(np.eye(3), return_labels=False), int)

assert_type(skerry.assign_components(pairs, "a", "b"), polars.DataFrame)
assert_type(pairs.pipe(skerry.assign_components, "a", "b"), polars.DataFrame)
assert_type(skerry.polars.SkerryNamespace(pairs).components("a", "b"), polars.DataFrame)

first, second, third = result  # type: ignore[misc]  # pyright: ignore[reportAssignmentType]
