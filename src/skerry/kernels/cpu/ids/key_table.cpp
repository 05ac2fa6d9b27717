// See key_table.h.
#include "cpu/ids/key_table.h"

#include <algorithm>
#include <bit>
#include <thread>

#include "cpu/memory.h"
#include "cpu/team.h"

namespace skerry {

namespace {

// A free slot is 0, because that is what fresh memory is. Keys are stored shifted by a constant,
// so that the one that would be stored as 0 is an unlikely one: not 0, and not the id -1 that so
// often means "none".
constexpr Word kShift = 0x5bd1e9955bd1e995u;

Word stored(Word key) {
  return key ^ kShift;
}

constexpr std::uint64_t kFirstBuckets = 4096 / kShrink;  // 256 KiB, where there are rows to fill it
constexpr std::uint64_t kDoubleUntil = 1 << 18;  // buckets, 16 MiB; larger tables grow by a half
constexpr std::uint64_t kRehashGrain = 1 << 15;  // buckets at a time

}  // namespace

// Some keys on their way through the table.
class KeyTable::Group {
 public:
  explicit Group(KeyTable& table) : table_(table) {}

  template <class T>
  void take(const T* values, std::ptrdiff_t step, std::uint64_t begin, std::uint64_t end) {
    size_ = static_cast<unsigned>(end - begin);
    for (unsigned i = 0; i < size_; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(begin + i) * step;
      const Word key = stored(static_cast<Word>(values[at]));
      const std::uint64_t bucket = key == 0 ? table_.count_ : table_.home(key);
      keys_[i] = key == 0 ? 1 : key;
      homes_[i] = table_.buckets() + bucket;
      prefetch(homes_[i]);
    }
  }

  template <class Memory>
  void number(std::uint32_t* numbers) {
    std::uint32_t* fresh[kGroup];
    std::uint32_t* slots[kGroup];
    unsigned wins = 0;
    for (unsigned i = 0; i < size_; ++i) {
      // Most keys are known and stand at home: looking for them has no branch on where.
      unsigned hits = 0;
      for (unsigned s = 0; s < kSlots; ++s)
        hits |= static_cast<unsigned>(Memory::load(&homes_[i]->keys[s]) == keys_[i]) << s;
      if (hits != 0) {
        slots[i] = &homes_[i]->numbers[std::countr_zero(hits)];
        continue;
      }
      bool won = false;
      slots[i] = table_.claim<Memory>(keys_[i], homes_[i], won);
      fresh[wins] = slots[i];
      wins += won;
    }
    if (wins > 0) {
      const std::uint64_t first = Memory::fetch_add(&table_.size_, std::uint64_t{wins});
      for (unsigned i = 0; i < wins; ++i) Memory::store(fresh[i], published(first + i));
    }
    for (unsigned i = 0; i < size_; ++i) {
      std::uint32_t number = Memory::load(slots[i]);
      while (number == 0) {  // another thread has claimed it and is about to write
        std::this_thread::yield();
        number = Memory::load(slots[i]);
      }
      numbers[i] = number - 1;
    }
  }

 private:
  KeyTable& table_;
  unsigned size_ = 0;
  Word keys_[kGroup];
  Bucket* homes_[kGroup];
};

template <class Memory>
std::uint32_t* KeyTable::claim(Word stored, Bucket* bucket, bool& won) {
  for (;;) {
    for (unsigned i = 0; i < kSlots; ++i) {
      Word seen = Memory::load(&bucket->keys[i]);
      if (seen == 0) {
        seen = Memory::compare_and_swap(&bucket->keys[i], Word{0}, stored);
        won = seen == 0;
        if (won) return &bucket->numbers[i];
      }
      if (seen == stored) return &bucket->numbers[i];
    }
    if (++bucket == buckets() + count_) bucket = buckets();
  }
}

template <class Memory>
void KeyTable::move_from(const KeyTable& old, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t b = begin; b < end; ++b) {
    const Bucket& bucket = old.buckets()[b];
    for (unsigned i = 0; i < kSlots && bucket.keys[i] != 0; ++i) {
      bool won = false;
      *claim<Memory>(bucket.keys[i], buckets() + home(bucket.keys[i]), won) = bucket.numbers[i];
    }
  }
}

bool KeyTable::grow(Context& context, std::uint64_t rows) {
  KeyTable larger(options_);
  if (count_ == 0) {
    larger.count_ = std::clamp<std::uint64_t>(rows / kMaxPerBucket, 8, kFirstBuckets);
  } else {
    larger.count_ = count_ < kDoubleUntil ? 2 * count_ : count_ + count_ / 2;
  }
  larger.pages_ = Pages((larger.count_ + 1) * sizeof(Bucket));
  if (!larger.pages_) return false;
  larger.size_ = size_;
  if (count_ > 0) {
    larger.buckets()[larger.count_] = buckets()[count_];
    // Moved memory is released at once, so this cannot be stopped half way.
    Context uninterrupted(context.threads, false, nullptr);
    with_memory(uninterrupted, [&]<class Memory>() {
      for_ranges(uninterrupted, count_, kRehashGrain,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                   larger.move_from<Memory>(*this, begin, end);
                   pages_.release(begin * sizeof(Bucket), end * sizeof(Bucket));
                 });
    });
  }
  std::swap(*this, larger);
  return true;
}

template <class T>
Status KeyTable::number(Context& context, const T* values, std::ptrdiff_t step, std::uint64_t count,
                        std::uint32_t* numbers) {
  std::uint64_t done = 0;
  while (done < count && !context.stopped()) {
    // A piece of as many rows as there is room for: no thread need check whether the table is full.
    if (room() < std::min(count - done, count_ / 8 + 1)) {
      if (!grow(context, count - done)) return Status::no_memory;
      continue;
    }
    const std::uint64_t piece = std::min(count - done, room());
    with_memory(context, [&]<class Memory>() {
      for_ranges(context, piece, [&](std::uint64_t begin, std::uint64_t end, int) {
        Group groups[2] = {Group(*this), Group(*this)};
        const T* from = values + static_cast<std::ptrdiff_t>(done) * step;
        groups[0].take(from, step, begin, std::min(begin + kGroup, end));
        unsigned turn = 0;
        for (std::uint64_t at = begin; at < end; at += kGroup, turn ^= 1) {
          const std::uint64_t next = std::min(at + kGroup, end);
          groups[turn ^ 1].take(from, step, next, std::min(next + kGroup, end));
          groups[turn].template number<Memory>(numbers + done + at);
        }
      });
    });
    if (size_ > options_.limit) return Status::too_many;
    done += piece;
  }
  return context.stopped() ? Status::stopped : Status::done;
}

std::uint32_t KeyTable::find_number(Word key) const {
  if (count_ == 0) return kUnknown;
  const Word wanted = stored(key);
  if (wanted == 0) {
    const Bucket& apart = buckets()[count_];
    return apart.keys[0] == 0 ? kUnknown : apart.numbers[0] - 1;
  }
  for (const Bucket* bucket = buckets() + home(wanted);;) {
    for (unsigned i = 0; i < kSlots; ++i) {
      if (bucket->keys[i] == wanted) return bucket->numbers[i] - 1;
      if (bucket->keys[i] == 0) return kUnknown;
    }
    if (++bucket == buckets() + count_) bucket = buckets();
  }
}

template <class T>
void KeyTable::find(Context& context, const T* values, std::ptrdiff_t step, std::uint64_t count,
                    std::uint32_t* numbers) const {
  for_each(context, count, [&](std::uint64_t i) {
    numbers[i] = find_number(static_cast<Word>(values[static_cast<std::ptrdiff_t>(i) * step]));
  });
}

template <class Body>
void KeyTable::for_each_key(Context& context, Body&& body) const {
  for_ranges(context, count_, kRehashGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t b = begin; b < end; ++b) {
      const Bucket& bucket = buckets()[b];
      for (unsigned i = 0; i < kSlots && bucket.keys[i] != 0; ++i)
        body(bucket.keys[i] ^ kShift, bucket.numbers[i] - 1);
    }
  });
  if (count_ == 0) return;
  const Bucket& apart = buckets()[count_];
  if (apart.keys[0] != 0) body(kShift, apart.numbers[0] - 1);
}

void KeyTable::keys_by_number(Context& context, Word* keys) const {
  for_each_key(context, [&](Word key, std::uint32_t number) { keys[number] = key; });
}

bool KeyTable::any_high(Context& context) const {
  std::uint32_t any = 0;
  for_each_key(context, [&](Word key, std::uint32_t) {
    if (key >> 63) Shared::store(&any, std::uint32_t{1});
  });
  return any != 0;
}

#define SKERRY_INSTANTIATE(T)                                                                     \
  template Status KeyTable::number(Context&, const T*, std::ptrdiff_t, std::uint64_t,             \
                                   std::uint32_t*);                                               \
  template void KeyTable::find(Context&, const T*, std::ptrdiff_t, std::uint64_t, std::uint32_t*) \
      const;
SKERRY_INSTANTIATE(std::int8_t)
SKERRY_INSTANTIATE(std::int16_t)
SKERRY_INSTANTIATE(std::int32_t)
SKERRY_INSTANTIATE(std::int64_t)
SKERRY_INSTANTIATE(std::uint8_t)
SKERRY_INSTANTIATE(std::uint16_t)
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
