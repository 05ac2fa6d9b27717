// Runs the passes over packed pairs against plain maps and sets. Built plain and under the
// sanitizers.
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cpu/cluster/pairs.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::Pair;
using skerry::Word;

constexpr Word kKey = 12345;

std::vector<Pair> draw_pairs(std::uint64_t count, Word range, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Pair> pairs;
  for (std::uint64_t i = 0; i < count; ++i) pairs.push_back({random() % range, random() % range});
  return pairs;
}

std::vector<Pair> sorted(Context& context, std::vector<Pair> pairs) {
  std::vector<Pair> room(pairs.size());
  pairs.resize(skerry::sort_pairs(context, pairs.data(), pairs.size(), room.data()));
  return pairs;
}

void check_orders(CheckResults& results, std::uint64_t count, Word range, unsigned seed) {
  const std::string name = std::to_string(count) + " pairs below " + std::to_string(range);
  Context context(1, false, nullptr);
  const std::vector<Pair> drawn = draw_pairs(count, range, seed);
  const std::set<Pair> distinct(drawn.begin(), drawn.end());
  const std::vector<Pair> order = sorted(context, drawn);
  results.add(order == std::vector<Pair>(distinct.begin(), distinct.end()), "sort " + name);

  std::vector<Pair> grouped(drawn.size());
  std::vector<std::uint64_t> counts(7);
  skerry::split_pairs(context, drawn.data(), count, kKey, 7, grouped.data(), counts.data());
  std::map<Word, std::uint64_t> owner;
  bool apart = true;
  std::uint64_t at = 0;
  for (std::uint64_t part = 0; part < counts.size(); ++part)
    for (std::uint64_t i = 0; i < counts[part]; ++i, ++at)
      apart = apart && owner.emplace(grouped[at].first, part).first->second == part;
  results.add(apart && at == count && sorted(context, grouped) == order, "split " + name);

  std::vector<Pair> first = order;
  first.resize(skerry::keep_first_pairs(context, first.data(), first.size()));
  std::map<Word, Word> smallest;
  for (const Pair& pair : order) smallest.emplace(pair.first, pair.second);
  bool right = first.size() == smallest.size();
  for (const Pair& pair : first) right = right && smallest[pair.first] == pair.second;
  results.add(right, "first of " + name);

  std::vector<Pair> matched(order.size());
  const skerry::MatchCounts all = skerry::match_pairs(
      context, order.data(), order.size(), first.data(), first.size(), false, matched.data());
  right = all.written == order.size() && all.missing == 0;
  for (std::size_t i = 0; i < order.size() && right; ++i)
    right = matched[i] == Pair{order[i].second, smallest[order[i].first]};
  const skerry::MatchCounts none =
      skerry::match_pairs(context, order.data(), order.size(), nullptr, 0, false, matched.data());
  results.add(right && none.missing == order.size(), "match " + name);

  std::vector<Pair> top;
  for (std::size_t i = 0; i < first.size(); i += 2) top.push_back({first[i].first, 1});
  top.push_back({~Word{0}, 2});
  std::vector<Pair> table(first.size() + top.size());
  table.resize(skerry::overlay_pairs(context, first.data(), first.size(), top.data(), top.size(),
                                     table.data()));
  right = table.size() == first.size() + 1 && table.back() == top.back();
  for (std::size_t i = 0; i < first.size() && right; ++i)
    right = table[i] == (i % 2 == 0 ? Pair{first[i].first, 1} : first[i]);
  results.add(right, "overlay " + name);
}

void check_trees(CheckResults& results, std::uint64_t count, std::uint64_t trees) {
  const std::string name = std::to_string(count) + " vertices in " + std::to_string(trees);
  Context context(1, false, nullptr);
  std::vector<Word> ids(count), labels(count);
  std::vector<std::uint32_t> roots(count);
  for (std::uint64_t v = 0; v < count; ++v) {
    ids[v] = skerry::mix(v + 1);
    roots[v] = static_cast<std::uint32_t>(v % trees);
  }
  std::vector<Pair> heaps(count);
  bool right = skerry::heap_pairs(context, ids.data(), roots.data(), count, kKey, 8, heaps.data());
  std::map<Word, std::uint32_t> tree;
  for (std::uint64_t v = 0; v < count; ++v) tree[ids[v]] = roots[v];
  std::map<Word, int> children;
  std::uint64_t tops = 0;
  for (const Pair& pair : heaps) {
    right = right && tree.at(pair.first) == tree.at(pair.second);
    if (pair.first == pair.second) {
      ++tops;
    } else {
      right = right && skerry::rank_of(pair.second, kKey) < skerry::rank_of(pair.first, kKey);
      right = right && ++children[pair.second] <= 8;
    }
  }
  results.add(right && tops == std::min(trees, count), "heaps of " + name);

  skerry::smallest_in_trees(context, roots.data(), ids.data(), count, labels.data());
  std::map<std::uint32_t, Word> smallest;
  for (std::uint64_t v = 0; v < count; ++v) {
    const auto entry = smallest.emplace(roots[v], ids[v]).first;
    entry->second = std::min(entry->second, ids[v]);
  }
  right = true;
  for (std::uint64_t v = 0; v < count; ++v) right = right && labels[v] == smallest[roots[v]];
  results.add(right, "labels of " + name);

  const std::vector<Pair> candidates = sorted(context, heaps);
  std::vector<Pair> chosen(count), edges(count);
  const skerry::PickCounts counts =
      skerry::pick_pairs(context, candidates.data(), count, kKey, chosen.data(), edges.data());
  right = counts.vertices == count && counts.edges == count - std::min(trees, count);
  results.add(right && chosen == candidates, "representatives of " + name);
}

}  // namespace

// check_cluster [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  unsigned seed = 0;
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100}, size})
    for (const Word range : {Word{1}, Word{5}, Word{1} << 20, ~Word{0}})
      check_orders(results, count, range, ++seed);
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{9}, size})
    for (const std::uint64_t trees : {std::uint64_t{1}, std::uint64_t{3}, size})
      check_trees(results, count, trees);
  return results.close();
}
