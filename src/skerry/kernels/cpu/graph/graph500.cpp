// The seeds and jumps of Graph500 graphs, and the loop over their edges.
#include "cpu/graph/graph500.h"

#include "cpu/team.h"

namespace skerry {

namespace {

Word remainder(Word x) {
  return x % kMrgModulus;
}

// The jump over both distances: the product of two polynomials, with t^5 = 107374182 t^4 + 104480
// put in for its highest power until the degree is 4.
MrgJump product(const MrgJump& a, const MrgJump& b) {
  constexpr int size = 2 * kMrgTerms - 1;
  Word terms[size] = {};
  for (int i = 0; i < kMrgTerms; ++i)
    for (int k = 0; k < kMrgTerms; ++k)
      terms[i + k] = remainder(terms[i + k] + Word{a.factors[i]} * b.factors[k]);
  for (int power = size - 1; power >= kMrgTerms; --power) {
    terms[power - 1] = remainder(terms[power - 1] + kMrgFirst * terms[power]);
    terms[power - kMrgTerms] = remainder(terms[power - kMrgTerms] + kMrgFifth * terms[power]);
  }
  MrgJump result;
  for (int i = 0; i < kMrgTerms; ++i) result.factors[i] = static_cast<Residue>(terms[i]);
  return result;
}

// The jump, so many times.
MrgJump repeated(MrgJump jump, std::uint64_t times) {
  MrgJump result{{1, 0, 0, 0, 0}};
  for (; times != 0; times >>= 1) {
    if ((times & 1) != 0) result = product(result, jump);
    jump = product(jump, jump);
  }
  return result;
}

MrgJump doubled(MrgJump jump, int times) {
  for (int i = 0; i < times; ++i) jump = product(jump, jump);
  return jump;
}

// The seeds in pieces of 30 bits, and of the last four; every piece plus one, so that none is zero.
MrgWindow seeded(std::uint64_t seed1, std::uint64_t seed2) {
  constexpr std::uint64_t piece = (std::uint64_t{1} << 30) - 1;
  const auto residue = [](std::uint64_t part) { return static_cast<Residue>(part + 1); };
  return {{residue((seed2 >> 60 << 4) + (seed1 >> 60)), residue(seed2 >> 30 & piece),
           residue(seed2 & piece), residue(seed1 >> 30 & piece), residue(seed1 & piece)}};
}

// Two numbers of the sequence as one key.
Word key(MrgWindow& window) {
  const Word high = Word{window.next()} * 0xffffffffu;
  return high + window.next();
}

}  // namespace

Graph500Plan plan_graph500(std::uint64_t seed1, std::uint64_t seed2, std::uint64_t stride) {
  Graph500Plan plan;
  plan.first = seeded(seed1, seed2);
  plan.edges[0] = doubled(MrgJump{{0, 1, 0, 0, 0}}, 64);  // 2^64 positions
  for (int bit = 1; bit < kEdgeBits; ++bit)
    plan.edges[bit] = product(plan.edges[bit - 1], plan.edges[bit - 1]);
  plan.stride = repeated(plan.edges[0], stride);
  // The keys stand at position 50 * 2^128 + 7 * 2^64.
  const MrgJump far = repeated(doubled(plan.edges[0], 64), 50);
  MrgWindow keys = plan.first.ahead(product(far, repeated(plan.edges[0], 7)));
  for (Word& part : plan.scramble) part = key(keys);
  return plan;
}

template <class Vertex>
void fill_graph500(Context& context, const Graph500& graph, std::uint64_t first,
                   std::uint64_t count, Vertex* src, Vertex* dst) {
  for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
    MrgWindow window = graph.window(first + begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      const DrawnEdge ends = graph.edge(window);
      src[i] = static_cast<Vertex>(ends.u);
      dst[i] = static_cast<Vertex>(ends.v);
      window = window.ahead(graph.plan->stride);
    }
  });
}

template void fill_graph500(Context&, const Graph500&, std::uint64_t, std::uint64_t, std::uint32_t*,
                            std::uint32_t*);
template void fill_graph500(Context&, const Graph500&, std::uint64_t, std::uint64_t, std::uint64_t*,
                            std::uint64_t*);

}  // namespace skerry
