"""What a kernel reads through L1 is never older than the kernel: `gpu/memory.h` relies on it.

Recorded kernels are set up while the one before still runs, on multiprocessors whose L1 then holds
outdated lines. Each kernel here reads all words through L1, waits, and writes its share of them by
each of the ways that kernels write links: a plain store, a relaxed one, a hook. The next one must
see what all blocks have written. No load at device scope stands among the first ones: it would take
the word out of L1.
"""

from __future__ import annotations

import numpy as np

from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches
from skerry.cuda.runtime import Widths
from skerry.cuda.source import compile_options, source_text
from support.on_gpu import require_gpu

cp = require_gpu()

ROUNDS = 16  # kernels of a recorded sequence
WORDS = 2048
BLOCKS = 512  # more than all multiprocessors hold at once: some start late, some are set up early
THREADS = 128
REPEATS = 2000

KERNELS = r"""
namespace skerry {
SKERRY_INLINE u32 plain_load(const u32* address) {
  u32 value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}
SKERRY_INLINE void pause_for(u64 nanoseconds) {
  u64 begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - begin < nanoseconds);
}
// outdated[0]: words that a kernel read older than itself; outdated[1]: older than another block's
// store in the same kernel, which shows that L1 does keep them.
extern "C" __global__ void read_then_write(u32* words, u64 count, u64 base, u64 round,
                                           u64* outdated) {
  wait_for_previous();
  const u32 before = static_cast<u32>(base + round);
  for (u64 i = threadIdx.x; i < count; i += blockDim.x) {
    if (block_load(words + i) < before) atomicAdd(outdated, u64{1});
    if (plain_load(words + i) < before) atomicAdd(outdated, u64{1});
  }
  pause_for(2000);
  for_each_thread(count, [&](u64 i) {
    switch ((i + round) % 3) {
      case 0: relaxed_store(words + i, before + 1); break;
      case 1: atomicCAS(words + i, before, before + 1); break;
      case 2: words[i] = before + 1; break;
    }
  });
  pause_for(2000);
  for (u64 i = threadIdx.x; i < count; i += blockDim.x) {
    if (block_load(words + i) < relaxed_load(words + i)) atomicAdd(outdated + 1, u64{1});
  }
}
}
"""


def compiled():
    options = compile_options(Widths(32, 32, 32).defines)
    return cp.RawModule(code=source_text("stream") + KERNELS, options=options, backend="nvrtc")


def test_nothing_is_older_than_the_kernel():
    from skerry.cuda.launch import CompiledLaunches, launchable  # needs CuPy

    kernel = launchable(compiled().get_function("read_then_write").kernel)
    words = cp.zeros(WORDS, np.uint32)
    outdated = cp.zeros(2, np.uint64)
    fixed = [BLOCKS, words.data.ptr, WORDS, outdated.data.ptr]
    launches = tuple(
        RecordedLaunch("read_then_write", 0, THREADS, (1, 2, 4, 5 + round_, 3))
        for round_ in range(ROUNDS)
    )
    run = CompiledLaunches(RecordedLaunches("test", launches), [kernel] * ROUNDS, dependent=True)
    for repeat in range(REPEATS):
        run([*fixed, repeat * ROUNDS, *range(ROUNDS)])
    older, kept = outdated.get().tolist()
    print(f"{REPEATS * ROUNDS:,} kernels: {older} outdated, {kept:,} outdated within a kernel")
    assert older == 0
    if int(cp.cuda.Device().compute_capability) >= 90:
        assert kept > 0, "L1 kept nothing: this test has shown nothing"
