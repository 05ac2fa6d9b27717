// The fibers that cuda_on_cpu.h is about: threads of a block, their barriers and their exchanges.
//
// A fiber is made once and runs kernel after kernel, always on the same thread of the operating
// system. It is entered the first time through its context; from then on by longjmp, which unlike
// swapcontext asks nothing of the operating system.
#include <setjmp.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "cuda_on_cpu.h"

namespace emulated {

constinit thread_local Here here{};
constinit thread_local CachedWord cached_words[kCachedWords]{};

namespace {

constexpr unsigned kLanes = 32;
constexpr std::size_t kStack = 64 << 10;

enum class Waiting { no, for_block, for_warp, done };

// Lanes that exchange values: one for every mask in use.
struct Exchange {
  unsigned arrived = 0;
  Word round = 0;
  std::array<Word, kLanes> offered{};
  std::array<Word, kLanes> result{};
};

// Lanes that come to one place of the program. Those that come before one of them goes on have come
// together; each receives the set when it goes on itself.
struct Gathering {
  unsigned arrived = 0;
  std::array<unsigned, kLanes> reported{};
};

struct Fiber {
  ucontext_t start;
  jmp_buf context;
  bool started = false;
  std::unique_ptr<char[]> stack{new char[kStack]};
  Waiting waiting = Waiting::no;
  Word ticket = 0;  // the barrier's or the exchange's round that it waits for the end of
  Exchange* exchange = nullptr;
};

// One thread of the operating system, running one block at a time.
struct Worker {
  jmp_buf scheduler;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<std::map<unsigned, Exchange>> exchanges;  // of every warp
  std::vector<std::map<const void*, Gathering>> gatherings;
  Fiber* running = nullptr;
  unsigned arrived = 0;  // at the block's barrier
  unsigned live = 0;
  Word round = 0;
  Kernel kernel = nullptr;
  const Word* arguments = nullptr;
};

Worker& worker() {
  static thread_local Worker own;
  return own;
}

void release_barrier_if_complete() {
  Worker& own = worker();
  if (own.arrived != 0 && own.arrived == own.live) {
    own.arrived = 0;
    ++own.round;
  }
}

void run_fiber() {
  for (;;) {
    Worker& own = worker();
    own.kernel(own.arguments);
    own.running->waiting = Waiting::done;
    --own.live;
    release_barrier_if_complete();
    give_way();
  }
}

void prepare_block(unsigned count) {
  Worker& own = worker();
  while (own.fibers.size() < count) {
    Fiber& fiber = *own.fibers.emplace_back(new Fiber);
    getcontext(&fiber.start);
    fiber.start.uc_stack.ss_sp = fiber.stack.get();
    fiber.start.uc_stack.ss_size = kStack;
    fiber.start.uc_link = nullptr;
    makecontext(&fiber.start, run_fiber, 0);
  }
  for (unsigned t = 0; t < count; ++t) own.fibers[t]->waiting = Waiting::no;
  own.exchanges.assign((count + kLanes - 1) / kLanes, {});
  own.gatherings.assign((count + kLanes - 1) / kLanes, {});
  own.arrived = 0;
  own.live = count;
}

bool ready(const Worker& own, Fiber& fiber) {
  if (fiber.waiting == Waiting::for_block && fiber.ticket != own.round) {
    fiber.waiting = Waiting::no;
  }
  if (fiber.waiting == Waiting::for_warp && fiber.ticket != fiber.exchange->round) {
    fiber.waiting = Waiting::no;
  }
  return fiber.waiting == Waiting::no;
}

void resume(Worker& own, Fiber& fiber) {
  own.running = &fiber;
  if (_setjmp(own.scheduler) != 0) return;
  if (fiber.started) _longjmp(fiber.context, 1);
  fiber.started = true;
  setcontext(&fiber.start);
}

void run_block() {
  Worker& own = worker();
  const unsigned count = here.block_size.x;
  prepare_block(count);
  while (own.live != 0) {
    bool moved = false;
    const unsigned first = static_cast<unsigned>(draw() % count);
    for (unsigned i = 0; i < count; ++i) {
      here.thread.x = (first + i) % count;
      Fiber& fiber = *own.fibers[here.thread.x];
      if (!ready(own, fiber)) continue;
      moved = true;
      resume(own, fiber);
    }
    if (!moved && own.live != 0) {
      std::fputs("all threads of a block wait for each other\n", stderr);
      std::abort();
    }
  }
}

struct Grid {
  Kernel kernel;
  const Word* arguments;
  unsigned blocks;
  unsigned block_size;
  Word seed;
  std::atomic<unsigned> next{0};
};

void run_blocks(Grid& grid, unsigned number) {
  worker().kernel = grid.kernel;
  worker().arguments = grid.arguments;
  for (CachedWord& word : cached_words) word = {};
  here.grid.x = grid.blocks;
  here.block_size.x = grid.block_size;
  here.random = (grid.seed + 1) * 0x9e3779b97f4a7c15u + number * 2 + 1;
  for (unsigned b; (b = grid.next.fetch_add(1)) < grid.blocks;) {
    here.block.x = b;
    run_block();
  }
}

// A thread that waits for grids for as long as the process lives.
struct Helper {
  std::binary_semaphore asked{0};
  std::binary_semaphore done{0};
  Grid* grid = nullptr;

  explicit Helper(unsigned number) {
    std::thread([this, number] {
      for (;;) {
        asked.acquire();
        run_blocks(*grid, number);
        done.release();
      }
    }).detach();
  }
};

}  // namespace

void give_way() {
  Worker& own = worker();
  if (_setjmp(own.running->context) == 0) _longjmp(own.scheduler, 1);
}

void sync_block() {
  Worker& own = worker();
  Fiber& self = *own.running;
  ++own.arrived;
  self.ticket = own.round;
  self.waiting = Waiting::for_block;
  release_barrier_if_complete();
  give_way();
}

const Word* exchange(unsigned mask, Word offered) {
  Worker& own = worker();
  Fiber& self = *own.running;
  const unsigned warp = here.thread.x / kLanes;
  const unsigned lane = here.thread.x % kLanes;
  if ((mask >> lane & 1) == 0) {
    std::fputs("a lane outside of its mask\n", stderr);
    std::abort();
  }
  // Lanes that the block does not have are not waited for.
  const unsigned lanes = here.block_size.x - warp * kLanes;
  if (lanes < kLanes) mask &= (1u << lanes) - 1;
  Exchange& slot = own.exchanges[warp][mask];
  slot.offered[lane] = offered;
  slot.arrived |= 1u << lane;
  if (slot.arrived == mask) {
    slot.arrived = 0;
    slot.result = slot.offered;
    ++slot.round;
    maybe_give_way();
  } else {
    self.exchange = &slot;
    self.ticket = slot.round;
    self.waiting = Waiting::for_warp;
    give_way();
  }
  return slot.result.data();
}

// Kernels inline what calls this, so where it returns to is a place of the program.
__attribute__((noinline)) unsigned together() {
  const unsigned lane = here.thread.x % kLanes;
  Gathering& here_too = worker().gatherings[here.thread.x / kLanes][__builtin_return_address(0)];
  here_too.arrived |= 1u << lane;
  here_too.reported[lane] = 0;
  if (draw() % 4 != 0) give_way();
  if (here_too.reported[lane] == 0) {
    const unsigned all = here_too.arrived;
    here_too.arrived = 0;
    for (unsigned i = 0; i < kLanes; ++i) {
      if (all >> i & 1) here_too.reported[i] = all;
    }
  }
  return here_too.reported[lane];
}

// Runs all blocks of a grid, with as many threads of the operating system as there are workers.
extern "C" void emulated_launch(Kernel kernel, const Word* arguments, unsigned grid, unsigned block,
                                Word seed, unsigned workers) {
  static std::mutex one_at_a_time;
  static auto& helpers = *new std::vector<std::unique_ptr<Helper>>;  // they never end
  const std::lock_guard lock(one_at_a_time);
  Grid all{kernel, arguments, grid, block, seed};
  const unsigned used = (workers < grid ? workers : grid) - 1;
  while (helpers.size() < used) {
    helpers.emplace_back(new Helper(static_cast<unsigned>(helpers.size()) + 1));
  }
  for (unsigned i = 0; i < used; ++i) {
    helpers[i]->grid = &all;
    helpers[i]->asked.release();
  }
  run_blocks(all, 0);
  for (unsigned i = 0; i < used; ++i) helpers[i]->done.acquire();
}

}  // namespace emulated
