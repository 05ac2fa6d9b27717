// See text_table.h. Ordering is in text_order.cpp.
#include "cpu/ids/text_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <thread>

#include "cpu/memory.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kFirstBuckets = 4096 / kShrink;  // 256 KiB, where there are rows to fill it
constexpr std::uint64_t kDoubleUntil = 1 << 18;  // buckets, 16 MiB; larger tables grow by a half
constexpr std::uint64_t kRehashGrain = 1 << 15;  // buckets at a time
constexpr std::uint64_t kAhead = 4;              // buckets whose texts are fetched early
constexpr Word kTagMask = 0xffffff;

// A slot is read and claimed in an order that makes what it refers to visible.
Word load_slot(const Word* slot) {
  return std::atomic_ref(*const_cast<Word*>(slot)).load(std::memory_order_acquire);
}

Word claim_slot(Word* slot, Word desired) {
  Word seen = 0;
  std::atomic_ref(*slot).compare_exchange_strong(seen, desired, std::memory_order_acq_rel,
                                                 std::memory_order_acquire);
  return seen;
}

Word tag(Word hash) {
  return (hash & kTagMask) << Arena::kRefBits;
}

bool has_tag(Word slot, Word hash) {
  return slot >> Arena::kRefBits == (hash & kTagMask);
}

}  // namespace

// Some texts on their way through the table.
class TextTable::Group {
 public:
  bool take(const TextTable& table, const TextView& texts, std::uint64_t begin, std::uint64_t end) {
    size_ = static_cast<unsigned>(end - begin);
    for (unsigned i = 0; i < size_; ++i) {
      if (!texts.read(begin + i, texts_[i])) return false;
      if (texts_[i].size > 0xffffffffu) return false;
      hashes_[i] = table.hash(texts_[i]);
      prefetch(table.buckets() + below(hashes_[i], table.count_));
    }
    return true;
  }

  // A text that is known stands most likely where the first equal tag of its bucket points.
  void fetch_matches(const TextTable& table) {
    for (unsigned i = 0; i < size_; ++i) {
      const Bucket& bucket = table.buckets()[below(hashes_[i], table.count_)];
      unsigned hits = 0;
      for (unsigned s = 0; s < kSlots; ++s)
        hits |= static_cast<unsigned>(has_tag(load_slot(&bucket.slots[s]), hashes_[i])) << s;
      likely_[i] = nullptr;
      const Word slot = hits == 0 ? 0 : load_slot(&bucket.slots[std::countr_zero(hits)]);
      if (slot == 0) continue;  // a free one: its tag is 0
      likely_[i] = table.entry(slot);
      const auto* begin = reinterpret_cast<const std::uint8_t*>(likely_[i]);
      prefetch(begin);
      prefetch(begin + sizeof(Entry) + texts_[i].size - 1);  // it may reach into the next line
    }
  }

  // False when memory ran out; what was claimed until then is numbered all the same, for others
  // may wait for it.
  bool number(TextTable& table, Arena::Lane& lane, std::uint32_t* numbers) {
    Entry* fresh[kGroup];
    Entry* entries[kGroup];
    unsigned wins = 0, done_count = 0;
    for (; done_count < size_; ++done_count) {
      entries[done_count] = likely_[done_count];
      if (likely_[done_count] != nullptr && likely_[done_count]->is(texts_[done_count])) continue;
      bool won = false;
      entries[done_count] = table.claim(texts_[done_count], hashes_[done_count], lane, won);
      if (entries[done_count] == nullptr) break;
      fresh[wins] = entries[done_count];
      wins += won;
    }
    if (wins > 0) {
      const std::uint64_t first = Shared::fetch_add(&table.size_, std::uint64_t{wins});
      for (unsigned i = 0; i < wins; ++i) Shared::store(&fresh[i]->number, published(first + i));
    }
    for (unsigned i = 0; i < done_count; ++i) {
      std::uint32_t number = Shared::load(&entries[i]->number);
      while (number == 0) {  // another thread has claimed it and is about to write
        std::this_thread::yield();
        number = Shared::load(&entries[i]->number);
      }
      numbers[i] = number - 1;
    }
    return done_count == size_;
  }

 private:
  unsigned size_ = 0;
  Text texts_[kGroup];
  Word hashes_[kGroup];
  Entry* likely_[kGroup];
};

TextTable::Entry* TextTable::claim(const Text& text, Word hash, Arena::Lane& lane, bool& won) {
  Arena::Ref own = 0;  // where the text was written, once a free slot was seen
  const std::uint64_t bytes = sizeof(Entry) + text.size;
  for (std::uint64_t b = below(hash, count_);; b = b + 1 == count_ ? 0 : b + 1) {
    for (Word& cell : buckets()[b].slots) {
      Word slot = load_slot(&cell);
      if (slot == 0) {
        if (own == 0) {
          own = arena_.take(lane, bytes);
          if (own == 0) return nullptr;
          Entry* fresh = entry(own);
          fresh->number = 0;  // the memory may have been used before
          fresh->size = static_cast<std::uint32_t>(text.size);
          std::copy_n(text.data, text.size, reinterpret_cast<std::uint8_t*>(fresh + 1));
        }
        slot = claim_slot(&cell, tag(hash) | own);
        won = slot == 0;
        if (won) return entry(own);
      }
      if (!has_tag(slot, hash)) continue;
      Entry* known = entry(slot);
      if (!known->is(text)) continue;
      if (own != 0) Arena::give_back(lane, own, bytes);
      return known;
    }
  }
}

void TextTable::move_slots(const Bucket* from, std::uint64_t begin, std::uint64_t end, Bucket* to,
                           std::uint64_t to_count) const {
  for (std::uint64_t b = begin; b < end; ++b) {
    if (b + kAhead < end)
      for (const Word slot : from[b + kAhead].slots)
        if (slot != 0) prefetch(entry(slot));
    for (const Word slot : from[b].slots) {
      if (slot == 0) break;
      std::uint64_t at = below(hash(entry(slot)->text()), to_count);
      const auto fits = [&](Word& cell) {
        return load_slot(&cell) == 0 && claim_slot(&cell, slot) == 0;
      };
      while (std::none_of(to[at].slots, to[at].slots + kSlots, fits))
        at = at + 1 == to_count ? 0 : at + 1;
    }
  }
}

bool TextTable::grow(Context& context, std::uint64_t rows) {
  std::uint64_t larger = std::clamp<std::uint64_t>(rows / kMaxPerBucket, 8, kFirstBuckets);
  if (count_ > 0) larger = count_ < kDoubleUntil ? 2 * count_ : count_ + count_ / 2;
  Pages pages(larger * sizeof(Bucket));
  if (!pages) return false;
  // Moved memory is released at once, so this cannot be stopped half way.
  Context uninterrupted(context.threads, false, nullptr);
  for_ranges(uninterrupted, count_, kRehashGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    move_slots(buckets(), begin, end, pages.as<Bucket>(), larger);
    pages_.release(begin * sizeof(Bucket), end * sizeof(Bucket));
  });
  pages_ = std::move(pages);
  count_ = larger;
  return true;
}

Status TextTable::number(Context& context, const TextView& texts, std::uint32_t* numbers) {
  std::uint64_t done = 0;
  std::atomic<Status> status{Status::done};
  lanes_.resize(std::max(lanes_.size(), static_cast<std::size_t>(std::max(context.threads, 1))));
  while (done < texts.count && !context.stopped()) {
    // A piece of as many rows as there is room for: no thread need check whether the table is full.
    if (room() < std::min(texts.count - done, count_ / 4 + 1)) {
      if (!grow(context, texts.count - done)) return Status::no_memory;
      continue;
    }
    const std::uint64_t piece = std::min(texts.count - done, room());
    for_ranges(context, piece, [&](std::uint64_t first, std::uint64_t last, int thread) {
      if (status.load(std::memory_order_relaxed) != Status::done) return;
      Arena::Lane& lane = lanes_[static_cast<std::size_t>(thread)];
      const std::uint64_t begin = done + first, end = done + last;
      const auto after = [&](std::uint64_t at) { return std::min(at + kGroup, end); };
      Group groups[3];
      bool read = groups[0].take(*this, texts, begin, after(begin));
      read = read && groups[1].take(*this, texts, after(begin), after(after(begin)));
      if (read) groups[0].fetch_matches(*this);
      unsigned turn = 0;
      for (std::uint64_t at = begin; at < end && read; at = after(at), turn = (turn + 1) % 3) {
        const std::uint64_t next = after(after(at));
        read = groups[(turn + 2) % 3].take(*this, texts, next, after(next));
        groups[(turn + 1) % 3].fetch_matches(*this);
        if (groups[turn].number(*this, lane, numbers + at)) continue;
        status.store(Status::no_memory, std::memory_order_relaxed);
        return;
      }
      if (!read) status.store(Status::bad_text, std::memory_order_relaxed);
    });
    if (status.load() != Status::done) return status.load();
    if (size_ > options_.limit) return Status::too_many;
    done += piece;
  }
  return context.stopped() ? Status::stopped : Status::done;
}

std::uint32_t TextTable::find_number(const Text& text) const {
  if (count_ == 0) return kUnknown;
  const Word wanted = hash(text);
  for (std::uint64_t b = below(wanted, count_);; b = b + 1 == count_ ? 0 : b + 1) {
    for (const Word slot : buckets()[b].slots) {
      if (slot == 0) return kUnknown;
      if (has_tag(slot, wanted) && entry(slot)->is(text)) return entry(slot)->number - 1;
    }
  }
}

Status TextTable::find(Context& context, const TextView& texts, std::uint32_t* numbers) const {
  std::atomic<bool> right{true};
  for_each(context, texts.count, [&](std::uint64_t i) {
    Text text;
    if (texts.read(i, text)) {
      numbers[i] = find_number(text);
    } else {
      right.store(false, std::memory_order_relaxed);
    }
  });
  return right.load() ? Status::done : Status::bad_text;
}

bool TextTable::collect_refs(Context& context) {
  refs_ = Pages();
  refs_ = Pages(size_ * sizeof(Word));
  if (!refs_) return size_ == 0;
  Word* refs = refs_.as<Word>();
  for_ranges(context, count_, kRehashGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t b = begin; b < end; ++b) {
      if (b + kAhead < end)
        for (const Word slot : buckets()[b + kAhead].slots)
          if (slot != 0) prefetch(entry(slot));
      for (const Word slot : buckets()[b].slots)
        if (slot != 0) refs[entry(slot)->number - 1] = slot;
    }
  });
  return true;
}

}  // namespace skerry
