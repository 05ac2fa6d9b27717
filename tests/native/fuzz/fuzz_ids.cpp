// The tables that number ids, on any keys and any texts with any offsets, with good hashes and with
// ones that collide, against std::map; and the order of what they hold.
#include <map>
#include <string>

#include "cpu/ids/key_table.h"
#include "cpu/ids/sort_keys.h"
#include "cpu/ids/text_table.h"
#include "input.h"

namespace {

using skerry::Context;
using skerry::KeyTable;
using skerry::Status;
using skerry::TableOptions;
using skerry::TextTable;
using skerry::TextView;
using skerry::Word;

template <class Id>
void check_numbers(const std::vector<Id>& ids, const std::vector<std::uint32_t>& numbers,
                   std::uint64_t size) {
  std::map<Id, std::uint32_t> known;
  std::vector<char> used(size, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    fuzz::require(numbers[i] < size, "numbers are below the size");
    const auto [place, fresh] = known.try_emplace(ids[i], numbers[i]);
    fuzz::require(place->second == numbers[i] && !(fresh && used[numbers[i]] != 0),
                  "an id has a number of its own");
    used[numbers[i]] = 1;
  }
  fuzz::require(known.size() == size, "as many numbers as ids");
}

template <class T>
void number_keys(fuzz::Input& input, const TableOptions& options, int threads) {
  const std::vector<T> ids = input.take<T>(input.left() / sizeof(T));
  if (ids.empty()) return;
  Context context(threads, false, nullptr);
  KeyTable table(options);
  std::vector<std::uint32_t> numbers(ids.size());
  const std::size_t half = ids.size() / 2;  // two batches, the second backwards
  std::vector<std::uint32_t> last(ids.size() - half);
  Status status = table.number(context, ids.data(), 1, half, numbers.data());
  if (status == Status::done)
    status = table.number(context, ids.data() + ids.size() - 1, -1, last.size(), last.data());
  if (status == Status::too_many) {
    fuzz::require(std::map<T, int>([&] {
                    std::map<T, int> all;
                    for (const T id : ids) all[id] = 1;
                    return all;
                  }())
                          .size() > options.limit,
                  "too many only where they are");
    return;
  }
  fuzz::require(status == Status::done, "keys are numbered");
  std::copy(last.rbegin(), last.rend(), numbers.begin() + static_cast<std::ptrdiff_t>(half));
  check_numbers(ids, numbers, table.size());
  std::vector<std::uint32_t> again(ids.size());
  table.find(context, ids.data(), 1, ids.size(), again.data());
  fuzz::require(again == numbers, "keys are found");
  std::vector<Word> keys(table.size()), sorted(table.size());
  std::vector<std::uint32_t> order(table.size());
  table.keys_by_number(context, keys.data());
  for (std::size_t i = 0; i < ids.size(); ++i)
    fuzz::require(keys[numbers[i]] == static_cast<Word>(ids[i]), "keys by number");
  const Word flip = Word{1} << 63;
  fuzz::require(
      skerry::sort_keys(context, keys.data(), keys.size(), flip, sorted.data(), order.data()),
      "keys are sorted");
  for (std::size_t i = 0; i < sorted.size(); ++i)
    fuzz::require(
        keys[order[i]] == sorted[i] && (i == 0 || (sorted[i - 1] ^ flip) < (sorted[i] ^ flip)),
        "keys ascend");
}

// Offsets are the lengths of texts, or with `raw` whatever is there.
template <class Offset>
void number_texts(fuzz::Input& input, const TableOptions& options, int threads, bool raw) {
  const std::size_t count = input.take<std::uint8_t>();
  std::vector<Offset> offsets{raw ? input.take<Offset>() : Offset{0}};
  for (std::size_t i = 0; i < count; ++i)
    offsets.push_back(raw ? input.take<Offset>()
                          : static_cast<Offset>(offsets.back() + input.take<std::uint8_t>() % 16));
  const std::vector<std::uint8_t> data = input.take<std::uint8_t>(input.left());
  TextView texts{data.data(), data.size(), nullptr, nullptr, 0, count};
  if constexpr (sizeof(Offset) == 4) {
    texts.short_offsets = offsets.data();
  } else {
    texts.long_offsets = offsets.data();
  }
  std::vector<std::string> ids;
  bool right = true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::int64_t>(offsets[i]);
    const auto end = static_cast<std::int64_t>(offsets[i + 1]);
    right &= 0 <= begin && begin <= end && end <= static_cast<std::int64_t>(data.size());
    if (right) ids.emplace_back(data.begin() + begin, data.begin() + end);
  }
  Context context(threads, false, nullptr);
  TextTable table(options);
  std::vector<std::uint32_t> numbers(count), again(count);
  const Status status = table.number(context, texts, numbers.data());
  if (status == Status::too_many) return;
  fuzz::require((status == Status::done) == right, "wrong offsets, and only these, are noticed");
  if (!right) return;
  check_numbers(ids, numbers, table.size());
  fuzz::require(table.find(context, texts, again.data()) == Status::done && again == numbers,
                "texts are found");
  std::map<std::string, std::uint32_t> truth;
  for (std::size_t i = 0; i < count; ++i) truth[ids[i]] = numbers[i];
  std::vector<std::uint32_t> order(table.size());
  std::uint64_t total = 0, rank = 0;
  fuzz::require(table.find_order(context, true, order.data(), &total), "order is found");
  std::vector<std::uint64_t> starts(table.size() + 1);
  std::vector<std::uint8_t> bytes(total);
  table.fill(context, order.data(), starts.data(), bytes.data(), bytes.size());
  for (const auto& [text, number] : truth) {
    const std::string got(bytes.begin() + static_cast<std::ptrdiff_t>(starts[rank]),
                          bytes.begin() + static_cast<std::ptrdiff_t>(starts[rank + 1]));
    fuzz::require(order[rank] == number && got == text, "texts ascend");
    ++rank;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto form = input.take<std::uint8_t>();
  const auto limit = input.take<std::uint8_t>();
  const Word bits = (form & 16) != 0 ? Word{15} << 60 : ~Word{0};
  const TableOptions options{7, bits, limit == 0 ? 0xffffffffu : limit};
  const int threads = (form & 32) != 0 ? 2 : 1;
  const bool raw = (form & 64) != 0;
  switch (form % 8) {
    case 0:
      number_keys<std::int8_t>(input, options, threads);
      break;
    case 1:
      number_keys<std::uint16_t>(input, options, threads);
      break;
    case 2:
      number_keys<std::int32_t>(input, options, threads);
      break;
    case 3:
      number_keys<std::uint64_t>(input, options, threads);
      break;
    case 4:
      number_keys<std::int64_t>(input, options, threads);
      break;
    case 5:
      number_texts<std::int64_t>(input, options, threads, raw);
      break;
    default:
      number_texts<std::int32_t>(input, options, threads, raw);
  }
  return 0;
}
