// The order of the texts of a table: sorted eight bytes at a time, as numbers, by sort_keys. What
// ties is sorted by the next eight, large groups of ties again by the team and small ones by a
// thread each. The bytes that all texts begin with are skipped.
//
// Two different texts tie when eight bytes are the same, or when one ends and the other goes on
// with zeros. Of those, the shorter comes first; there are nine in a tie at most, one of each
// length, so setting them apart costs nothing.
#include <algorithm>
#include <atomic>
#include <vector>

#include "cpu/ids/sort_keys.h"
#include "cpu/ids/sort_piece.h"
#include "cpu/ids/text_table.h"
#include "cpu/memory.h"
#include "cpu/scan.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kCompareUntil = 32;  // texts; fewer are compared directly
constexpr std::uint64_t kTeamFrom =
    (1 << 16) / kShrink;                   // tied texts from which the team sorts them
constexpr std::uint64_t kFetchAhead = 16;  // texts
constexpr unsigned kDeepest = 64;  // times a thread looks eight bytes further; then it compares

struct Tie {
  std::uint64_t begin, end, depth;
};

// Sorts numbers of texts by the texts. TextOf returns the text of a number.
template <class TextOf>
class Sorter {
 public:
  Sorter(Context& context, const TextOf& text_of, std::uint64_t count, std::uint32_t* order)
      : context_(context),
        text_of_(text_of),
        order_(order),
        keys_(count * sizeof(Word)),
        rooms_(static_cast<std::size_t>(std::max(context.threads, 1))) {}

  bool sort(std::uint64_t count, std::uint64_t depth) {
    if (count > 0 && !keys_) return false;
    std::vector<Tie> large{{0, count, depth}};
    while (!large.empty() && !context_.stopped()) {
      const Tie tie = large.back();
      large.pop_back();
      if (!sort_by_team(tie)) return false;
      std::vector<Tie> small;
      for_ties(tie, [&](const Tie& next) {
        (next.end - next.begin >= kTeamFrom ? large : small).push_back(next);
      });
      std::atomic<bool> enough{true};
      for_ranges(context_, small.size(), 64, [&](std::uint64_t from, std::uint64_t to, int thread) {
        for (std::uint64_t i = from; i < to; ++i)
          if (!sort_alone(small[i], rooms_[static_cast<std::size_t>(thread)], kDeepest))
            enough.store(false, std::memory_order_relaxed);
      });
      if (!enough.load()) return false;
    }
    return true;
  }

 private:
  Word* keys() const { return keys_.as<Word>(); }

  bool sort_by_team(const Tie& tie) {
    const std::uint64_t count = tie.end - tie.begin;
    if (count < 2) return true;
    const Pages prefixes(count * sizeof(Word));
    const Pages order(2 * count * sizeof(std::uint32_t));
    if (!prefixes || !order) return false;
    auto* places = order.as<std::uint32_t>();
    auto* before = places + count;
    for_ranges(context_, count, [&](std::uint64_t from, std::uint64_t to, int) {
      for (std::uint64_t i = from; i < to; ++i) {
        before[i] = order_[tie.begin + i];
        prefixes.as<Word>()[i] = prefix_at(text_of_(before[i]), tie.depth);
      }
    });
    if (!sort_keys(context_, prefixes.as<Word>(), count, 0, keys() + tie.begin, places))
      return false;
    for_each(context_, count, [&](std::uint64_t i) { order_[tie.begin + i] = before[places[i]]; });
    return true;
  }

  // Goes only so deep, for long texts that differ late would else use up a thread's stack.
  bool sort_alone(const Tie& tie, SortRoom& room, unsigned levels) {
    const std::uint64_t count = tie.end - tie.begin;
    std::uint32_t* order = order_ + tie.begin;
    if (count <= kCompareUntil || levels == 0) {
      std::sort(order, order + count, [&](std::uint32_t a, std::uint32_t b) {
        return text_before(text_of_(a), text_of_(b), tie.depth);
      });
      return true;
    }
    for (std::uint64_t i = 0; i < count; ++i)
      keys()[tie.begin + i] = prefix_at(text_of_(order[i]), tie.depth);
    if (!sort_piece(keys() + tie.begin, order, count, room)) return false;
    bool enough = true;
    for_ties(tie, [&](const Tie& next) { enough = enough && sort_alone(next, room, levels - 1); });
    return enough;
  }

  // Calls body with every tie among texts that were sorted by the eight bytes from tie.depth on;
  // those that end there are already in order.
  template <class Body>
  void for_ties(const Tie& tie, Body&& body) {
    if (context_.stopped()) return;
    for (std::uint64_t begin = tie.begin, end; begin < tie.end; begin = end) {
      for (end = begin + 1; end < tie.end && keys()[end] == keys()[begin];) ++end;
      if (end - begin == 1) continue;
      const std::uint64_t deeper = tie.depth + 8;
      std::uint32_t* open = std::partition(order_ + begin, order_ + end, [&](std::uint32_t number) {
        return text_of_(number).size <= deeper;
      });
      std::sort(order_ + begin, open, [&](std::uint32_t a, std::uint32_t b) {
        return text_of_(a).size < text_of_(b).size;
      });
      const auto rest = static_cast<std::uint64_t>(open - order_);
      if (end - rest > 1) body(Tie{rest, end, deeper});
    }
  }

  Context& context_;
  const TextOf& text_of_;
  std::uint32_t* order_;
  Pages keys_;
  std::vector<SortRoom> rooms_;
};

}  // namespace

bool TextTable::find_order(Context& context, bool consume, std::uint32_t* order,
                           std::uint64_t* total) {
  if (!collect_refs(context)) return false;
  if (consume) {
    pages_ = Pages();
    count_ = 0;
  }
  *total = 0;
  if (size_ == 0 || context.stopped()) return true;
  const Word* refs = refs_.as<Word>();
  const auto text = [this, refs](std::uint32_t number) { return entry(refs[number])->text(); };
  const Text first = text(0);
  std::uint64_t common = first.size;
  for_ranges(context, size_, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t bytes = 0, shared = Shared::load(&common);
    for (std::uint64_t i = begin; i < end; ++i) {
      const Text here = text(static_cast<std::uint32_t>(i));
      order[i] = static_cast<std::uint32_t>(i);
      bytes += here.size;
      shared = std::min(shared, here.size);
      if (!same_bytes(here.data, first.data, shared))
        shared = static_cast<std::uint64_t>(
            std::mismatch(here.data, here.data + shared, first.data).first - here.data);
    }
    Shared::fetch_add(total, bytes);
    Shared::lower(&common, shared);
  });
  return Sorter(context, text, size_, order).sort(size_, common);
}

void TextTable::fill(Context& context, const std::uint32_t* order, std::uint64_t* offsets,
                     std::uint8_t* data, std::uint64_t bytes) {
  const Word* refs = refs_.as<Word>();
  const auto for_texts = [&](auto&& body) {
    for_ranges(context, size_, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t i = begin; i < end; ++i) {
        if (i + kFetchAhead < end) prefetch(entry(refs[order[i + kFetchAhead]]));
        body(i, entry(refs[order[i]])->text());
      }
    });
  };
  if (size_ > 0 && refs == nullptr) return context.add_fault();
  for (std::uint64_t i = 0; i < size_; ++i)
    if (order[i] >= size_) return context.add_fault();
  for_texts([&](std::uint64_t i, const Text& text) { offsets[i] = text.size; });
  offsets[size_] = exclusive_scan(context, offsets, size_);
  if (offsets[size_] > bytes) return context.add_fault();
  if (!context.stopped())
    for_texts([&](std::uint64_t i, const Text& text) {
      std::copy_n(text.data, text.size, data + offsets[i]);
    });
  refs_ = Pages();
}

}  // namespace skerry
