// Fills the tables that number ids with several threads at once, from keys and texts that repeat,
// with good hashes and with ones that collide, against a map; and sorts what they hold against
// std::sort. Built plain and under the sanitizers.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "cpu/ids/key_table.h"
#include "cpu/ids/merge_sorted.h"
#include "cpu/ids/sort_keys.h"
#include "cpu/ids/text_table.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::KeyTable;
using skerry::Status;
using skerry::TableOptions;
using skerry::TextTable;
using skerry::TextView;
using skerry::Word;

constexpr Word kFew = Word{15} << 60;  // of every hash only four bits count

// The same ids have the same number, others another, and all are below the size.
template <class Id>
bool is_numbering(const std::vector<Id>& ids, const std::vector<std::uint32_t>& numbers,
                  std::uint64_t size) {
  std::map<Id, std::uint32_t> number_of;
  std::vector<bool> used(size, false);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (numbers[i] >= size) return false;
    const auto [known, fresh] = number_of.try_emplace(ids[i], numbers[i]);
    if (known->second != numbers[i] || (fresh && used[numbers[i]])) return false;
    used[numbers[i]] = true;
  }
  return number_of.size() == size;
}

void check_keys(CheckResults& results, std::uint64_t count, int threads, Word hash_bits) {
  const std::string where = " of keys, " + std::to_string(threads) + " threads";
  Context context(threads, false, nullptr);
  KeyTable table(TableOptions{7, hash_bits, 0xffffffffu});
  std::vector<std::int64_t> ids(2 * count);
  for (std::uint64_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<std::int64_t>(skerry::mix(skerry::below(skerry::draw(3, i), count)));
  ids[0] = 0x5bd1e9955bd1e995;  // what the table keeps apart
  ids[count] = ids[0];
  std::vector<std::uint32_t> numbers(ids.size());
  // Two batches of every other id, the first of them backwards.
  const auto half = static_cast<std::ptrdiff_t>(count);
  std::vector<std::uint32_t> even(count), odd(count);
  bool done =
      table.number(context, ids.data() + 2 * half - 2, -2, count, even.data()) == Status::done;
  done &= table.number(context, ids.data() + 1, 2, count, odd.data()) == Status::done;
  for (std::uint64_t i = 0; i < count; ++i) {
    numbers[2 * i] = even[count - 1 - i];
    numbers[2 * i + 1] = odd[i];
  }
  results.add(done && is_numbering(ids, numbers, table.size()), "numbers" + where);
  std::vector<Word> keys(table.size()), sorted(table.size()), truth;
  std::vector<std::uint32_t> order(table.size());
  table.keys_by_number(context, keys.data());
  bool right = table.any_high(context);
  for (std::uint64_t i = 0; i < ids.size(); ++i)
    right &= keys[numbers[i]] == static_cast<Word>(ids[i]);
  results.add(right, "ids by number" + where);
  std::vector<std::uint32_t> again(ids.size());
  table.find(context, ids.data(), 1, ids.size(), again.data());
  const std::vector<std::int64_t> unknown{-5, 5, 77};  // the ids are hashes, and large
  std::vector<std::uint32_t> none(unknown.size());
  table.find(context, unknown.data(), 1, unknown.size(), none.data());
  KeyTable empty(TableOptions{7, hash_bits, 0xffffffffu});
  std::vector<std::uint32_t> nothing(ids.size());
  empty.find(context, ids.data(), 1, ids.size(), nothing.data());
  results.add(again == numbers && none == std::vector<std::uint32_t>(3, skerry::kUnknown) &&
                  nothing == std::vector<std::uint32_t>(ids.size(), skerry::kUnknown),
              "search" + where);
  const Word flip = Word{1} << 63;
  right = sort_keys(context, keys.data(), keys.size(), flip, sorted.data(), order.data());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    right &= keys[order[i]] == sorted[i];
    right &= i == 0 || (sorted[i - 1] ^ flip) < (sorted[i] ^ flip);
  }
  results.add(right, "order" + where);
}

std::vector<std::string> made_texts(std::uint64_t count) {
  std::vector<std::string> texts(2 * count);
  for (std::uint64_t i = 0; i < texts.size(); ++i) {
    const Word which = skerry::below(skerry::draw(5, i), count);
    const Word kind = skerry::mix(which);
    texts[i] = kind % 3 ? "the same beginning, long enough " : "";
    texts[i] += std::string(kind % 11, '\0') + std::to_string(which);
    if (kind % 5 == 0) texts[i] += std::string(kind % 40, '\0');
    if (kind % 997 == 0) texts[i] += std::string(1 << 20, 'x');  // a chunk of its own
  }
  texts[0] = texts[count] = "";
  return texts;
}

template <class Offset>
TextView view(const std::string& data, const std::vector<Offset>& offsets) {
  TextView texts{reinterpret_cast<const std::uint8_t*>(data.data()),
                 data.size(),
                 nullptr,
                 nullptr,
                 0,
                 offsets.size() - 1};
  if constexpr (sizeof(Offset) == 4) {
    texts.short_offsets = offsets.data();
  } else {
    texts.long_offsets = offsets.data();
  }
  return texts;
}

template <class Offset>
void check_texts(CheckResults& results, std::uint64_t count, int threads, Word hash_bits) {
  const std::string where = " of texts, " + std::to_string(threads) + " threads";
  Context context(threads, false, nullptr);
  TextTable table(TableOptions{7, hash_bits, 0xffffffffu});
  const std::vector<std::string> ids = made_texts(count);
  std::string data;
  std::vector<Offset> offsets{0};
  for (const std::string& id : ids) {
    data += id;
    offsets.push_back(static_cast<Offset>(data.size()));
  }
  std::vector<std::uint32_t> numbers(ids.size());
  const bool done = table.number(context, view(data, offsets), numbers.data()) == Status::done;
  results.add(done && is_numbering(ids, numbers, table.size()), "numbers" + where);
  std::vector<std::uint32_t> again(ids.size()), none(1);
  const std::string other = "not there";
  const std::vector<Offset> ends{0, static_cast<Offset>(other.size())};
  const bool searched = table.find(context, view(data, offsets), again.data()) == Status::done &&
                        table.find(context, view(other, ends), none.data()) == Status::done;
  results.add(searched && again == numbers && none[0] == skerry::kUnknown, "search" + where);
  std::vector<std::uint32_t> order(table.size());
  std::uint64_t total = 0;
  bool right = table.find_order(context, true, order.data(), &total);
  std::vector<std::uint64_t> starts(table.size() + 1);
  std::vector<std::uint8_t> bytes(total);
  table.fill(context, order.data(), starts.data(), bytes.data(), bytes.size());
  std::map<std::string, std::uint32_t> truth;  // std::string compares bytes as unsigned
  for (std::size_t i = 0; i < ids.size(); ++i) truth[ids[i]] = numbers[i];
  std::size_t rank = 0;
  for (const auto& [text, number] : truth) {
    right &= order[rank] == number;
    right &= text == std::string(bytes.begin() + static_cast<std::ptrdiff_t>(starts[rank]),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(starts[rank + 1]));
    ++rank;
  }
  results.add(right && starts.back() == total, "order" + where);
}

void check_limits(CheckResults& results) {
  Context context(2, false, nullptr);
  const std::vector<std::int32_t> ids{1, 2, 3, 1, 2, 3};
  std::vector<std::uint32_t> numbers(ids.size());
  KeyTable full(TableOptions{7, ~Word{0}, 3}), small(TableOptions{7, ~Word{0}, 2});
  results.add(full.number(context, ids.data(), 1, 6, numbers.data()) == Status::done, "full");
  results.add(small.number(context, ids.data(), 1, 6, numbers.data()) == Status::too_many,
              "too many keys");
  const std::string data = "abc";
  TextTable table(TableOptions{7, ~Word{0}, 1});
  const auto number = [&](const std::vector<std::int32_t>& offsets) {
    return table.number(context, view(data, offsets), numbers.data());
  };
  results.add(number({0, 2, 1}) == Status::bad_text, "falling offsets");
  results.add(number({-1, 2}) == Status::bad_text, "negative offsets");
  results.add(number({0, 4}) == Status::bad_text, "offsets outside");
  results.add(number({0, 0, 1, 2}) == Status::too_many, "too many texts");
}

// The places of two ascending columns in their union, against std::set_union.
void check_merge(CheckResults& results, std::uint64_t count, std::uint64_t range, int threads) {
  Context context(threads, false, nullptr);
  std::vector<std::vector<Word>> columns(2);
  for (std::uint64_t side = 0; side < 2; ++side) {
    for (std::uint64_t i = 0; i < count; ++i)
      columns[side].push_back(skerry::below(skerry::draw(5 + side, i), range));
    std::sort(columns[side].begin(), columns[side].end());
    columns[side].erase(std::unique(columns[side].begin(), columns[side].end()),
                        columns[side].end());
  }
  const auto &first = columns[0], &second = columns[1];
  std::vector<Word> both;
  std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(both));
  std::vector<std::int64_t> at_first(first.size()), at_second(second.size());
  const std::uint64_t total = skerry::merge_sorted(
      context, first.size(), second.size(),
      [&](std::uint64_t i, std::uint64_t j) {
        return first[i] < second[j] ? -1 : static_cast<int>(first[i] > second[j]);
      },
      at_first.data(), at_second.data());
  bool right = total == both.size();
  for (std::size_t i = 0; right && i < first.size(); ++i)
    right = both.at(static_cast<std::size_t>(at_first[i])) == first[i];
  for (std::size_t j = 0; right && j < second.size(); ++j)
    right = both.at(static_cast<std::size_t>(at_second[j])) == second[j];
  results.add(right, "merge of " + std::to_string(count) + " of " + std::to_string(range) + ", " +
                         std::to_string(threads) + " threads");
}

}  // namespace

// check_ids [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const int threads : {1, 2, 5}) {
    check_keys(results, 20 * size, threads, ~Word{0});
    check_keys(results, size / 2, threads, kFew);
    check_texts<std::int32_t>(results, 5 * size, threads, ~Word{0});
    check_texts<std::int64_t>(results, size / 4, threads, kFew);
    check_merge(results, 0, 1, threads);
    check_merge(results, 20 * size, 30 * size, threads);
    check_merge(results, size, 20, threads);
  }
  check_limits(results);
  return results.close();
}
