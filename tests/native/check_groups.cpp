// Runs the passes that make edges of rows of ids and numbered keys, in pieces, against a plain map.
// Built plain and under the sanitizers.
#include <cstdlib>
#include <map>
#include <random>

#include "cpu/ids/first_rows.h"
#include "cpu/ids/group_edges.h"
#include "harness.h"

namespace {

using skerry::Context;

template <class Id>
void check_rows(CheckResults& results, std::uint64_t count, std::uint32_t keys, unsigned seed) {
  const std::string name = std::to_string(count) + " rows, " + std::to_string(keys) + " keys, " +
                           std::to_string(sizeof(Id)) + "-byte ids";
  Context context(1, false, nullptr);
  std::mt19937 random(seed);
  std::map<std::uint32_t, Id> truth;
  std::map<std::uint32_t, std::uint32_t> numbers;  // keys are numbered as they come
  std::vector<Id> first;
  bool right = true, same_rows = true;
  for (int piece = 0; piece < 3; ++piece) {
    const std::uint64_t known = numbers.size();
    std::vector<std::uint32_t> column;
    std::vector<Id> ids;  // every other place is read
    for (std::uint64_t row = 0; row < count; ++row) {
      const std::uint32_t key = static_cast<std::uint32_t>(random()) % keys;
      column.push_back(numbers.emplace(key, numbers.size()).first->second);
      ids.push_back(static_cast<Id>(random()));
      ids.push_back(Id{0});
    }
    const std::uint64_t fresh = numbers.size() - known;
    first.resize(numbers.size());
    std::vector<std::uint8_t> seen(fresh, 0);
    std::vector<Id> src(count), dst(count);
    std::vector<std::int64_t> rows(count), new_rows(fresh), others(count);
    const std::uint64_t size =
        group_edges(context, column.data(), ids.data(), 2, count, known, fresh, first.data(),
                    seen.data(), skerry::GroupEdges<Id>{src.data(), dst.data(), rows.data()});
    const std::uint64_t rest =
        first_rows(context, column.data(), count, known, fresh, new_rows.data(), others.data());
    rows.resize(size);
    others.resize(rest);
    same_rows = same_rows && rows == others;
    std::size_t edge = 0;
    for (std::uint64_t row = 0; row < count; ++row) {
      const Id id = ids[2 * row];
      const bool is_new = truth.emplace(column[row], id).second;
      if (is_new) {
        right = right && new_rows[column[row] - known] == static_cast<std::int64_t>(row);
        continue;
      }
      right = right && edge < size && src[edge] == id && dst[edge] == truth[column[row]];
      ++edge;
    }
    right = right && edge == size;
  }
  results.add(right, "edges of " + name);
  results.add(same_rows, "rows of " + name);
}

}  // namespace

// check_groups [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  unsigned seed = 0;
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, size})
    for (const std::uint32_t keys : {1u, 7u, static_cast<std::uint32_t>(size) + 1}) {
      check_rows<std::uint32_t>(results, count, keys, ++seed);
      check_rows<std::uint64_t>(results, count, keys, ++seed);
    }
  return results.close();
}
