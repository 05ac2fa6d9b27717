// See sort_keys.h.
#include "cpu/ids/sort_keys.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "cpu/ids/sort_piece.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kPieceSize =
    (1 << 13) / kShrink;  // keys: 100 kB, well inside a core's own cache
constexpr std::uint64_t kMaxPieces = 1 << 12;
constexpr std::uint64_t kSamplesPerPiece = 16;
constexpr std::uint64_t kRunSize = (1 << 17) / kShrink;  // keys dealt out by one thread at a time

// Cuts all keys into pieces between which the order is already right.
class Splitters {
 public:
  Splitters(const Word* keys, std::uint64_t count, Word flip) : flip_(flip) {
    const std::uint64_t wanted = std::clamp<std::uint64_t>(count / kPieceSize, 1, kMaxPieces);
    pieces_ = std::bit_floor(wanted);
    std::vector<Word> sample(pieces_ * kSamplesPerPiece);
    for (std::uint64_t i = 0; i < sample.size(); ++i)
      sample[i] = keys[below(draw(kSampleKey, i), count)] ^ flip;
    std::sort(sample.begin(), sample.end());
    for (std::uint64_t p = 1; p < pieces_; ++p) first_.push_back(sample[p * kSamplesPerPiece]);
  }

  std::uint64_t pieces() const { return pieces_; }

  // How many splitters are not above the key: a binary search without a branch.
  std::uint64_t piece(Word key) const {
    const Word value = key ^ flip_;
    const Word* base = first_.data();
    for (std::uint64_t half = pieces_ / 2; half > 0; half /= 2)
      base += base[half - 1] <= value ? half : 0;
    return static_cast<std::uint64_t>(base - first_.data());
  }

 private:
  static constexpr Word kSampleKey = 0x6a09e667f3bcc908u;

  Word flip_;
  std::uint64_t pieces_;
  std::vector<Word> first_;  // the least key of each piece but the first: pieces_ - 1 of them
};

// Writes the keys piece by piece, their order within a piece left as it was.
std::vector<std::uint64_t> deal_out(Context& context, const Splitters& splitters, const Word* keys,
                                    std::uint64_t count, Word flip, std::uint16_t* piece_of,
                                    Word* sorted, std::uint32_t* order) {
  const std::uint64_t pieces = splitters.pieces();
  const std::uint64_t runs = (count + kRunSize - 1) / kRunSize;
  std::vector<std::uint64_t> positions(runs * pieces, 0);
  deal_ranges(context, runs, 1, [&](std::uint64_t run, std::uint64_t, int) {
    std::uint64_t* counts = positions.data() + run * pieces;
    const std::uint64_t end = std::min((run + 1) * kRunSize, count);
    for (std::uint64_t i = run * kRunSize; i < end; ++i) {
      const std::uint64_t piece = splitters.piece(keys[i]);
      piece_of[i] = static_cast<std::uint16_t>(piece);
      ++counts[piece];
    }
  });
  std::vector<std::uint64_t> starts(pieces + 1, 0);
  std::uint64_t position = 0;
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    starts[piece] = position;
    for (std::uint64_t run = 0; run < runs; ++run)
      position += std::exchange(positions[run * pieces + piece], position);
  }
  starts[pieces] = position;
  deal_ranges(context, runs, 1, [&](std::uint64_t run, std::uint64_t, int) {
    std::uint64_t* next = positions.data() + run * pieces;
    const std::uint64_t end = std::min((run + 1) * kRunSize, count);
    for (std::uint64_t i = run * kRunSize; i < end; ++i) {
      const std::uint64_t at = next[piece_of[i]]++;
      sorted[at] = keys[i] ^ flip;
      order[at] = static_cast<std::uint32_t>(i);
    }
  });
  return starts;
}

}  // namespace

bool sort_keys(Context& context, const Word* keys, std::uint64_t count, Word flip, Word* sorted,
               std::uint32_t* order) {
  if (count == 0) return true;
  const Splitters splitters(keys, count, flip);
  std::vector<std::uint64_t> starts;
  {
    const Pages piece_of(count * sizeof(std::uint16_t));
    if (!piece_of) return false;
    starts = deal_out(context, splitters, keys, count, flip, piece_of.as<std::uint16_t>(), sorted,
                      order);
  }
  std::vector<SortRoom> rooms(static_cast<std::size_t>(std::max(context.threads, 1)));
  std::atomic<bool> enough{true};
  deal_ranges(context, splitters.pieces(), 1, [&](std::uint64_t p, std::uint64_t, int thread) {
    const std::uint64_t begin = starts[p], size = starts[p + 1] - begin;
    if (!sort_piece(sorted + begin, order + begin, size, rooms[static_cast<std::size_t>(thread)]))
      enough.store(false, std::memory_order_relaxed);
    if (flip == 0) return;
    for (std::uint64_t i = begin; i < begin + size; ++i) sorted[i] ^= flip;
  });
  return enough.load();
}

}  // namespace skerry
