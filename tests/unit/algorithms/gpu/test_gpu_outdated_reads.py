"""The emulated L1 serves outdated words, also ones that nobody has read yet, and none after."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.cuda.runtime import Widths
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

FINISH = 'extern "C" __global__ void finish('
PROBE = """
extern "C" __global__ void finish(u32* words, u64 count, u64* outdated, u64 again) {
  const auto count_outdated = [&](u64 i, u32 newest) {
    if (block_load(words + i) != newest) atomicAdd(outdated, u64{1});
  };
  if (again != 0) return for_each_thread(count, [&](u64 i) { count_outdated(i, 1); });
  u64* const loaded = outdated + 1;  // by the first block; then the second one writes
  u64* const written = outdated + 2;
  const auto wait_for = [](u64* flag) {
    for (u32 i = 0; i < 100000 && relaxed_load(flag) == 0; ++i) {
    }
  };
  if (blockIdx.x != 0) {
    if (threadIdx.x == 0) wait_for(loaded);
    __syncthreads();
    for (u64 i = threadIdx.x; i < count; i += blockDim.x) relaxed_store(words + i, 1u);
    __syncthreads();
    if (threadIdx.x == 0) relaxed_store(written, u64{1});
    return;
  }
  for (u64 i = threadIdx.x * 8; i < count; i += blockDim.x * 8) block_load(words + i);
  __syncthreads();
  if (threadIdx.x == 0) {
    relaxed_store(loaded, u64{1});
    wait_for(written);
  }
  __syncthreads();
  for (u64 i = threadIdx.x; i < count; i += blockDim.x) {
    if (i % 8 != 0) count_outdated(i, relaxed_load(words + i));
  }
}
"""


def probe(text):
    """The source of the last pass with another kernel in its place."""
    begin = text.index(FINISH)
    return text[:begin] + PROBE + text[text.index("\n}\n", begin) + 3 :]


def outdated_words(runtime, words, again):
    found = runtime.zeros(3, np.uint64)
    defines = (*Widths(32, 32, 32).defines, "SKERRY_FINISH=JumpSingle", "SKERRY_LOADS=Device")
    runtime.kernel("finish", "finish", defines)((2,), (32,), (words, len(words), found, again))
    return int(found[0])


def test_words_beside_those_that_were_read_are_outdated():
    # The blocks run at the same time sooner or later, whatever else the machine does.
    for seed in range(200):
        runtime = EmulatedRuntime(seed << 32, edit=probe)
        words = runtime.zeros(512, np.uint32)
        within = outdated_words(runtime, words, 0)
        assert outdated_words(runtime, words, 1) == 0
        if within:
            return
    pytest.fail("no word was outdated")
