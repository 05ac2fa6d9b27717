// Rows that a team joins together, as long_rows.h leaves them out of a pass: each row is either
// passed on once or joined in the end, whatever the offsets say.
#include <atomic>
#include <cstdlib>
#include <numeric>

#include "cpu/own/long_rows.h"
#include "harness.h"

namespace {

// Rows of the lengths given; the entries of each are all vertices in turn, from its own on.
template <class Vertex>
TestCsr<Vertex> rows_of(const std::vector<std::uint64_t>& lengths) {
  TestCsr<Vertex> rows(TestGraph{"rows", lengths.size(), {}}, true);
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    for (std::uint64_t i = 0; i < lengths[v]; ++i)
      rows.neighbors.push_back(static_cast<Vertex>((v + i) % lengths.size()));
    rows.offsets[v + 1] = rows.neighbors.size();
  }
  return rows;
}

// How often each row is passed on, in ranges of several lengths.
template <class Vertex>
std::vector<int> times_passed_on(skerry::Context& context, skerry::LongRows<Vertex>& long_rows,
                                 std::uint64_t vertices) {
  std::vector<std::atomic<int>> times(vertices);
  skerry::for_parts(context, vertices, 700, [&](std::uint64_t from, std::uint64_t to, int) {
    long_rows.leave_out(from, to, [&](std::uint64_t first, std::uint64_t past) {
      for (std::uint64_t v = first; v < past; ++v) ++times[v];
    });
  });
  return {times.begin(), times.end()};
}

// `crowded`: rows side by side that are long together; which of them are left out is not known.
template <class Vertex>
void check_lengths(CheckResults& results, const std::vector<std::uint64_t>& lengths,
                   const std::string& name, bool crowded = false) {
  const TestCsr<Vertex> rows = rows_of<Vertex>(lengths);
  const auto view = rows.view();
  for (const int threads : {1, 2, 4}) {
    skerry::Context context(threads, false, nullptr);
    skerry::LongRows<Vertex> long_rows(context, view);
    const std::vector<int> times = times_passed_on(context, long_rows, view.vertices);
    bool right = true, any_together = false;
    std::vector<std::size_t> above(lengths.size());  // trees of the rows that were left out
    std::iota(above.begin(), above.end(), std::size_t{0});
    const auto root_of = [&](std::size_t v) {
      while (above[v] != v) v = above[v] = above[above[v]];
      return v;
    };
    for (std::size_t v = 0; v < lengths.size(); ++v) {
      const bool is_long = threads > 1 && lengths[v] >= long_rows.limit();
      const bool left = long_rows.has(v);
      right &= times[v] == (left ? 0 : 1) && (left || !is_long);
      any_together |= left && !is_long;
      for (std::uint64_t i = 0; left && i < lengths[v]; ++i)
        above[root_of((v + i) % lengths.size())] = root_of(v);
    }
    results.add(right, name + ": rows left out");
    results.add(any_together == (crowded && threads > 1), name + ": rows left out together");
    std::vector<Vertex> parent(lengths.size());
    std::iota(parent.begin(), parent.end(), Vertex{0});
    long_rows.join(false, parent.data());
    std::uint64_t joined = 0, expected = 0;
    for (std::size_t v = 0; v < parent.size(); ++v)
      joined += parent[v] != v, expected += above[v] != v;
    results.add(joined == expected, name + ": what they join");
  }
}

// Offsets that rise and fall: every row seems to be as long as all, or ends before it begins.
template <class Vertex>
void check_faulty(CheckResults& results, std::uint64_t size) {
  TestCsr<Vertex> rows = rows_of<Vertex>(std::vector<std::uint64_t>(size, 40));
  const std::uint64_t entries = rows.neighbors.size();
  for (std::uint64_t v = 0; v < size; ++v) rows.offsets[v] = v % 2 == 0 ? 0 : entries + v;
  rows.offsets[size] = entries;
  const auto view = rows.view();
  skerry::Context context(4, false, nullptr);
  skerry::LongRows<Vertex> long_rows(context, view);
  const std::vector<int> times = times_passed_on(context, long_rows, view.vertices);
  std::uint64_t left_out = 0;
  bool once = true;
  for (const int count : times) left_out += count == 0, once &= count <= 1;
  results.add(once && left_out <= entries / long_rows.limit(), "falling offsets: rows left out");
  std::vector<Vertex> parent(size);
  std::iota(parent.begin(), parent.end(), Vertex{0});
  long_rows.join(true, parent.data());  // nothing out of bounds, which a sanitizer sees
  for (std::size_t v = 0; v < size; ++v) once &= parent[v] <= v;
  results.add(once, "falling offsets: joins");
}

}  // namespace

// check_long_rows [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  std::vector<std::uint64_t> none(size, 5), first(size, 1), last(size, 1), two(size, 2);
  const std::uint64_t hub = 1 << 17;
  first.front() = hub;
  last.back() = hub;
  two[size / 2] = two[size / 2 + 1] = hub;  // side by side
  std::vector<std::uint64_t> crowd(size, 1);
  const std::uint64_t each = skerry::kShrink > 1 ? 50 : hub / (size / 8);  // none is long by itself
  std::fill(crowd.end() - static_cast<std::ptrdiff_t>(size / 8), crowd.end(), each);
  const auto check_all = [&]<class Vertex>() {
    check_lengths<Vertex>(results, none, "no long row");
    check_lengths<Vertex>(results, first, "the first");
    check_lengths<Vertex>(results, last, "the last");
    check_lengths<Vertex>(results, two, "two");
    check_lengths<Vertex>(results, crowd, "many side by side", true);
    check_faulty<Vertex>(results, size);
  };
  check_all.operator()<std::uint32_t>();
  check_all.operator()<std::uint64_t>();
  return results.close();
}
