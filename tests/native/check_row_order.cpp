// Whether the rows of a CSR are sorted, as the check of check_rows.h finds it: beside a plain loop,
// on rows with one entry that is out of order, empty rows, and rows that several threads share.
#include <cstdlib>

#include "cpu/own/check_rows.h"
#include "harness.h"

namespace {

template <class Vertex>
bool ascend(const TestCsr<Vertex>& rows) {
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v)
    for (std::uint64_t e = rows.offsets[v] + 1; e < rows.offsets[v + 1]; ++e)
      if (rows.neighbors[e] < rows.neighbors[e - 1]) return false;
  return true;
}

// As the first pass of a kernel does it, in ranges of several lengths.
template <class Vertex>
bool found_sorted(const TestCsr<Vertex>& rows, int threads, bool& faulty) {
  const auto view = rows.view();
  skerry::Context context(threads, false, nullptr);
  context.checking = true;
  skerry::RowCheck<Vertex> check(context, view, skerry::FindOrder{true});
  skerry::for_ranges(context, view.vertices, 700, [&](std::uint64_t from, std::uint64_t to, int) {
    check.in_pieces(from, to, [](std::uint64_t, std::uint64_t) {});
  });
  check.end();
  faulty = context.faulty();
  return context.sorted_rows;
}

// Rows of the lengths given, with ascending entries.
template <class Vertex>
TestCsr<Vertex> rows_of(const std::vector<std::uint64_t>& lengths) {
  TestCsr<Vertex> rows(TestGraph{"rows", lengths.size(), {}}, true);
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    const std::uint64_t length = lengths[v];
    for (std::uint64_t i = 0; i < length; ++i)
      rows.neighbors.push_back(
          static_cast<Vertex>((v * 7 + i * lengths.size() / length) % lengths.size()));
    rows.offsets[v + 1] = rows.neighbors.size();
  }
  rows.sort_rows();
  return rows;
}

template <class Vertex>
void check_rows(CheckResults& results, const std::vector<std::uint64_t>& lengths,
                const char* name) {
  TestCsr<Vertex> rows = rows_of<Vertex>(lengths);
  const auto compare = [&](const std::string& what) {
    for (const int threads : {1, 2, 4}) {
      bool faulty = true;
      const bool found = found_sorted(rows, threads, faulty);
      results.add(found == ascend(rows) && !faulty, std::string(name) + what);
    }
  };
  compare(", sorted");
  const std::uint64_t entries = rows.neighbors.size();
  for (std::uint64_t e = 1; e < entries; e += 1 + entries / 61) {
    std::swap(rows.neighbors[e - 1], rows.neighbors[e]);
    compare(", two entries exchanged");
    std::swap(rows.neighbors[e - 1], rows.neighbors[e]);
  }
}

}  // namespace

// check_row_order [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  std::vector<std::uint64_t> equal(size, 5), some(size, 0), hub(size, 1), long_rows(size / 16, 70);
  for (std::uint64_t v = 0; v < size; v += 3) some[v] = 3 + v % 11;
  hub[size / 2] = 1 << 17;  // more than one call checks
  const auto check_all = [&]<class Vertex>() {
    check_rows<Vertex>(results, equal, "rows of five");
    check_rows<Vertex>(results, some, "empty rows between others");
    check_rows<Vertex>(results, hub, "a hub");
    check_rows<Vertex>(results, long_rows, "long rows");
  };
  check_all.operator()<std::uint32_t>();
  check_all.operator()<std::uint64_t>();
  return results.close();
}
