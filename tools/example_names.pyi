"""What examples of the pages use and do not define: the reader's own objects."""

from typing import Any

import numpy as np
import numpy.typing as npt

src: npt.NDArray[np.int64]
dst: npt.NDArray[np.int64]
host_graph: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
spark: Any
