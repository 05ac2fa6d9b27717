"""What the GPU's loads return, as litmus tests: the shapes that `gpu/memory.h` relies on.

Pairs of threads of different blocks do a few accesses to two words at the same time, and record
what they have read. The PTX memory model forbids some of the answers; our kernels rely on these
rules and no others. What it allows is counted and printed.

Between kernels, test_launch_order_on_gpu.py has the rule: nothing is older than the kernel.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from skerry.cuda.runtime import Widths
from skerry.cuda.source import compile_options, source_text
from support.on_gpu import require_gpu

cp = require_gpu()

ROUNDS = 32  # of a launch, each with words of its own
THREADS = 256
TIMES = int(os.environ.get("SKERRY_LITMUS_TIMES", "20_000_000"))  # pairs of a shape, at least

KERNEL = r"""
namespace skerry {

SKERRY_INLINE void pause_for_cycles(u64 cycles) {
  for (const long long begin = clock64(); clock64() - begin < static_cast<long long>(cycles);) {
  }
}

// All blocks run at the same time; each comes here once a round.
SKERRY_INLINE void meet(u64* arrived, u64 round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, u64{1});
    while (relaxed_load(arrived) < (round + 1) * gridDim.x) {
    }
  }
  __syncthreads();
}

struct Pair {
  u32* x;
  u32* y;
};
struct Read {
  u32 first, second, third;
};

// A hook as it must not be.
SKERRY_INLINE u32 torn_swap(u32* word, u32 desired) {
  const u32 seen = relaxed_load(word);
  if (seen == 0) relaxed_store(word, desired);
  return seen;
}

// What the first thread of a pair does. 3: nothing was read.
SKERRY_INLINE Read act_first(u32 shape, Pair at, u32 never) {
  u32 read = 3;
  switch (shape) {
    case 0: case 1: case 2:  // coherence
      relaxed_store(at.x, 1u);
      break;
    case 3: case 10:  // message passing
      relaxed_store(at.x, 1u);
      relaxed_store(at.y, 1u);
      break;
    case 4:  // hooks
      read = atomicCAS(at.x, 0u, 1u);
      break;
    case 5:  // load buffering
      read = relaxed_load(at.x);
      relaxed_store(at.y, 1u);
      break;
    case 6:  // load buffering with branches
      read = relaxed_load(at.x);
      if (read != never) relaxed_store(at.y, 1u);
      break;
    case 7:
      read = torn_swap(at.x, 1u);
      break;
  }
  return {read, 3, 3};
}

SKERRY_INLINE Read act_second(u32 shape, Pair at, u32 never) {
  u32 first = 3, second = 3, third = 3;
  switch (shape) {
    case 0:
      first = relaxed_load(at.x);
      second = relaxed_load(at.x);
      break;
    case 1:
      first = relaxed_load(at.x);
      second = block_load(at.x);
      break;
    case 2:
      first = block_load(at.x);
      second = block_load(at.x);
      break;
    case 3:
      first = relaxed_load(at.y);
      second = relaxed_load(at.x);
      break;
    case 10:
      first = relaxed_load(at.y);
      second = block_load(at.x);
      break;
    case 4:
      first = block_load(at.x);
      second = atomicCAS(at.x, 0u, 2u);
      third = block_load(at.x);
      break;
    case 5:
      first = relaxed_load(at.y);
      relaxed_store(at.x, 1u);
      break;
    case 6:
      first = relaxed_load(at.y);
      if (first != never) relaxed_store(at.x, 1u);
      break;
    case 7:
      second = torn_swap(at.x, 2u);
      break;
  }
  return {first, second, third};
}

// Within a block: a thread writes and another reads, before and after they have met. The words
// are in L1 before.
SKERRY_INLINE Read act_in_block(u32* block_words, u32 spread, bool swaps) {
  u32* const own = block_words + threadIdx.x * spread;
  const u32* const other = block_words + (threadIdx.x + 77) % blockDim.x * spread;
  if (swaps) {
    atomicCAS(own, 0u, 1u);
  } else {
    relaxed_store(own, 1u);
  }
  const u32 read = block_load(own);
  __syncthreads();
  return {read & block_load(other), 3, 3};
}

// The words of a round follow each other: all x, then all y; a word is `spread` wide. The first
// half of the blocks are first threads, the others second ones, each round of another block.
extern "C" __global__ void litmus(u32 shape, u32* words, u32 spread, u64 rounds, u64 seed,
                                  u32 never, u64* arrived, unsigned char* reads) {
  const u32 half = gridDim.x / 2;
  const bool is_first = blockIdx.x < half;
  const u64 pairs = u64{half} * blockDim.x;
  for (u64 round = 0; round < rounds; ++round) {
    const u64 chance = mix(seed + round * gridDim.x * 8 + warp_number());
    const u64 partner = is_first ? blockIdx.x : (blockIdx.x - half + 1 + round) % half;
    const u64 pair = partner * blockDim.x + threadIdx.x;
    u32* const x = words + 2 * round * pairs * spread;
    const Pair at{x + pair * spread, x + (pairs + pair) * spread};
    const bool cached = !is_first && (chance & 3) != 0;  // mostly, so that L1 has outdated words
    const bool in_block = shape == 8 || shape == 9;
    if (cached || in_block) {
      block_load(at.x);
      block_load(at.y);
    }
    meet(arrived, round);
    pause_for_cycles(chance >> 8 & 511);
    Read read{3, 3, 3};
    if (!in_block) {
      read = is_first ? act_first(shape, at, never) : act_second(shape, at, never);
    } else {
      u32* const own = (is_first ? at.x : at.y) - threadIdx.x * spread;
      read = act_in_block(own, spread, shape == 9);
    }
    reads[2 * (round * pairs + pair) + (is_first ? 0 : 1)] =
        static_cast<unsigned char>(read.first | read.second << 2 | read.third << 4);
  }
}

}  // namespace skerry
"""


class Answer(NamedTuple):
    """What a pair has read; 3: nothing."""

    one: int  # of the first thread
    first: int  # of the second
    second: int
    third: int


def none(_):
    """No answer is forbidden, or none is weak."""
    return False


class Shape(NamedTuple):
    """A litmus test: which answers the model forbids, and which are weak: allowed, but odd."""

    number: int
    forbidden: Callable[[Answer], bool] = none
    weak: Callable[[Answer], bool] = none


def older_second(answer):
    """Whether the second thread has read a newer value, then an older one."""
    return (answer.first, answer.second) == (1, 0)


def from_later(answer):
    """Whether both have read what the other stored after its load."""
    return (answer.one, answer.first) == (1, 1)


def no_single_hook(answer):
    """Whether none or both have hooked, or the one that did does not see it."""
    if answer.one == 0:
        return answer.second != 1
    return (answer.one, answer.second, answer.third) != (2, 0, 2)


def unseen(answer):
    """Whether a thread has not seen its own write, or that of its block before a barrier."""
    return (answer.one, answer.first) != (1, 1)


SHAPES = {
    "coherence of two loads at device scope": Shape(0, older_second),
    "a load through L1 after one at device scope": Shape(1, weak=older_second),
    "two loads through L1": Shape(2, weak=older_second),
    "message passing": Shape(3, weak=older_second),
    "message passing through L1": Shape(10, weak=older_second),
    "two hooks of one root": Shape(4, no_single_hook, lambda a: a.one == a.third == 0),
    "load buffering": Shape(5, weak=from_later),
    "load buffering with branches": Shape(6, from_later),
    "a store within a block": Shape(8, unseen),
    "a hook within a block": Shape(9, unseen),
}
TORN = Shape(7, lambda answer: answer.one == answer.second == 0)


@pytest.fixture(scope="module")
def kernel():
    options = compile_options(Widths(32, 32, 32).defines)
    source = source_text("rows") + KERNEL
    return cp.RawModule(code=source, options=options, backend="nvrtc").get_function("litmus")


def answers(kernel, number):
    """How often each answer came."""
    half = cp.cuda.Device().attributes["MultiProcessorCount"]
    pairs = half * THREADS
    counts = np.zeros(1 << 16, np.int64)
    for launch in range(-(-TIMES // (ROUNDS * pairs))):
        spread = (1, 8)[launch % 2]  # words side by side, or a sector each
        words = cp.zeros(2 * ROUNDS * pairs * spread, np.uint32)
        arrived = cp.zeros(1, np.uint64)
        reads = cp.zeros((ROUNDS * pairs, 2), np.uint8)
        arguments = (
            *(np.uint32(number), words, np.uint32(spread), np.uint64(ROUNDS)),
            *(np.uint64(launch << 32), np.uint32(77), arrived, reads),
        )
        kernel((2 * half,), (THREADS,), arguments)
        both = reads.astype(np.int64)
        counts += cp.bincount(both[:, 0] << 8 | both[:, 1], minlength=1 << 16).get()
    found = {}
    for key in np.flatnonzero(counts).tolist():
        one, other = key >> 8, key & 255
        answer = Answer(one & 3, other & 3, other >> 2 & 3, other >> 4 & 3)
        found[answer] = found.get(answer, 0) + int(counts[key])
    return found


def report(name, found, shape):
    """Prints the answers; returns how many of them are forbidden."""
    weak = sum(count for answer, count in found.items() if shape.weak(answer))
    forbidden = sum(count for answer, count in found.items() if shape.forbidden(answer))
    print(f"\n{name}: {sum(found.values()):,} pairs, {forbidden:,} forbidden, {weak:,} weak")
    for answer, count in sorted(found.items()):
        print(f"  {tuple(answer)}: {count:,}")
    return forbidden


@pytest.mark.parametrize("name", SHAPES)
def test_no_answer_is_forbidden(kernel, name):
    found = answers(kernel, SHAPES[name].number)
    assert report(name, found, SHAPES[name]) == 0
    assert sum(found.values()) >= TIMES
    if "within" not in name:
        assert len(found) > 1, "the threads of a pair never met: this test has shown nothing"


def test_a_hook_that_is_not_atomic_is_found(kernel):
    assert report("a hook by a load and a store", answers(kernel, TORN.number), TORN) > 0
