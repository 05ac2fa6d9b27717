"""Times `skerry.ndimage.label` and other libraries on the same images, alternating.

Usage: python tools/bench_images.py [--rounds N] [--side PIXELS] [--volume VOXELS]
           [--threads 1,2] [--against opencv,cc3d] [--cpu-time] [name ...]

Prints the least seconds of each, by wall clock, and the ratios to skerry's on the first number of
threads. OpenCV runs on one thread, as cc3d, scipy and scikit-image do; skerry on those of
`--threads`, and is compared with those of `--against`, by default all. A library that is not
installed is left out, with the images that it ships. With `--cpu-time`, for busy machines, the
seconds are those of the process. Names choose images or volumes by their beginning.
`make bench-images` runs it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry.ndimage

Array = npt.NDArray[Any]
Counter = Callable[[], Any]
LIBRARIES = ("opencv", "cc3d", "scipy", "scikit-image")
NEIGHBORS = {(2, 1): 4, (2, 2): 8, (3, 1): 6, (3, 2): 18, (3, 3): 26}


def images(side: int) -> dict[str, Callable[[], Array]]:
    """Makers of binary images with about side^2 pixels."""
    made: dict[str, Callable[[], Array]] = {
        f"random {density} %": lambda density=density: (
            np.random.default_rng(1).random((side, side)) < density / 100
        )
        for density in (10, 30, 50, 70, 90)
    }
    made["spiral"] = lambda: spiral(side)
    made["natural"] = lambda: repeated("coins", side, 107)
    made["text"] = lambda: ~repeated("page", side, 130)
    made["blobs"] = lambda: smooth((side, side)) > 0
    return made


def volumes(side: int) -> dict[str, Callable[[], Array]]:
    """Makers of volumes with side^3 voxels, binary or with values."""
    shape = (side, side, side)
    return {
        "volume random 20 %": lambda: np.random.default_rng(2).random(shape) < 0.2,
        "volume random 50 %": lambda: np.random.default_rng(3).random(shape) < 0.5,
        "volume blobs": lambda: smooth(shape) > 0,
        "volume values": lambda: np.round(4 * smooth(shape) + 20).astype(np.uint32),
    }


def spiral(side: int) -> Array:
    """Arms of 8 pixels, 8 pixels apart."""
    y, x = np.mgrid[:side, :side].astype(np.float32) - side / 2
    return np.asarray((np.hypot(x, y) + np.arctan2(y, x) * 8 / np.pi) % 16 < 8)


def smooth(shape: tuple[int, ...]) -> Array:
    """Random values, equally often below and above 0, with structures of a few pixels."""
    from scipy.ndimage import gaussian_filter

    noise = gaussian_filter(np.random.default_rng(4).standard_normal(shape, np.float32), 3)
    return np.asarray(noise / noise.std())


def repeated(name: str, side: int, threshold: int) -> Array:
    """One of scikit-image's own images above a threshold, repeated."""
    import skimage.data

    image = getattr(skimage.data, name)() > threshold
    times = [-(-side // size) for size in image.shape]
    return np.ascontiguousarray(np.tile(image, times)[:side, :side])


def calls(
    image: Array, connectivity: int, counts: list[int], against: list[str]
) -> dict[str, Counter]:
    """Our calls, and that of each of these libraries that can label this image."""
    equal = image.dtype != np.bool_
    options: dict[str, Any] = {"values": "equal"} if equal else {}
    made: dict[str, Counter] = {
        f"skerry {threads}": lambda threads=threads: skerry.ndimage.label(
            image, connectivity=connectivity, threads=threads, **options
        )[1]
        for threads in counts
    }
    pixels = image if equal else image.view(np.uint8)
    makers: dict[str, Callable[[], Counter]] = {
        "scikit-image": lambda: scikit_image(image, connectivity)
    }
    if image.ndim == 2:
        makers["opencv"] = lambda: opencv(pixels, connectivity)
    else:
        makers["cc3d"] = lambda: cc3d(pixels, connectivity, not equal)
    if not equal:
        makers["scipy"] = lambda: scipy(image, connectivity)
    for name in against:
        try:
            made |= {name: makers[name]()} if name in makers else {}
        except ImportError:
            print(f"{name} is not installed")
    return made


def opencv(image: Array, connectivity: int) -> Counter:
    """OpenCV's default for 8 neighbors is Spaghetti, for 4 too."""
    import cv2

    cv2.setNumThreads(1)
    return lambda: cv2.connectedComponents(image, connectivity=4 * connectivity)[0] - 1


def cc3d(image: Array, connectivity: int, binary: bool) -> Counter:
    """cc3d, which is given what it has a faster path for."""
    import cc3d

    options = {"connectivity": NEIGHBORS[3, connectivity], "binary_image": binary}
    return lambda: cc3d.connected_components(image, return_N=True, **options)[1]


def scipy(image: Array, connectivity: int) -> Counter:
    """scipy.ndimage.label."""
    from scipy.ndimage import generate_binary_structure, label

    structure = generate_binary_structure(image.ndim, connectivity)
    return lambda: label(image, structure)[1]


def scikit_image(image: Array, connectivity: int) -> Counter:
    """skimage.measure.label, which calls scipy for images of bool."""
    from skimage.measure import label

    return lambda: label(image, connectivity=connectivity, return_num=True)[1]


def measure(made: dict[str, Counter], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """The least seconds of each call; all of them must count the same."""
    seconds = dict.fromkeys(made, float("inf"))
    counts = {}
    for _ in range(rounds):
        for name, call in made.items():
            began = clock()
            counts[name] = call()
            seconds[name] = min(seconds[name], clock() - began)
    if len({int(count) for count in counts.values()}) != 1:
        raise SystemExit(f"the counts differ: {counts}")
    return seconds


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="beginnings of the names of images")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--side", type=int, default=4096, help="of images")
    parser.add_argument("--volume", type=int, default=512, help="side of volumes")
    parser.add_argument("--threads", default="1,2", help="of skerry, the first is compared with")
    parser.add_argument("--against", default=",".join(LIBRARIES))
    parser.add_argument("--cpu-time", action="store_true")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.threads.split(",")]
    against = arguments.against.split(",")
    if unknown := set(against) - set(LIBRARIES):
        parser.error(f"--against: unknown {sorted(unknown)}; choose from {LIBRARIES}")
    clock = process_time if arguments.cpu_time else perf_counter
    makers = {**images(arguments.side), **volumes(arguments.volume)}
    for name, make in makers.items():
        if arguments.names and not name.startswith(tuple(arguments.names)):
            continue
        try:
            image = make()
        except ImportError as error:
            print(f"{name}: left out, {error}")
            continue
        for connectivity in (2,) if image.ndim == 2 else (1, 2, 3):
            made = calls(image, connectivity, counts, against)
            seconds = measure(made, arguments.rounds, clock)
            own = seconds[f"skerry {counts[0]}"]
            texts = [f"{each} {taken:.3f} s ({taken / own:.2f})" for each, taken in seconds.items()]
            neighbors = NEIGHBORS[image.ndim, connectivity]
            print(f"{name}, {neighbors} neighbors: {', '.join(texts)}", flush=True)


if __name__ == "__main__":
    main()
