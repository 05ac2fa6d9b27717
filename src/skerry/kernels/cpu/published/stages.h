// Stages, the meta algorithm of Cong & Muzio, "Fast Parallel Connected Components Algorithms on
// GPUs" (2014), sect. 5, Algorithm 3, over four inner algorithms: CC, SV, SV-updt and Schd.
//
// The edges are taken in random order, in groups of q * n. A group's ends are replaced by the roots
// found so far, then the inner algorithm joins them. A random graph of more than n / 2 edges has a
// giant component, so after the first group most ends are one and the same root, and the accesses
// to its parent stay in the cache. The labels are the smallest members with CC and Schd.
//
// Departures. The permutation (step 1) is one of chunks of consecutive edges, computed, not stored:
// a group is read in stretches, where edge by edge every read misses the cache. A list in random
// order, as the paper's inputs are, needs none: chunk = 0. An edge whose ends have met by the time
// of its group is left out of it. A group is all the memory; the input stays as it is. By the
// letter the list is permuted once in memory (permute=stored, chunk=1), and no edge is left out
// (drop=0).
//
// Speed over CC (Neoverse N1, one thread of a shared machine, processor time, 2026-11-16):
//                          chunk 1   1024   none   the paper, 128 threads of a P755: 2.4 to 4.5
// random   1M / 4M edges    0.24     1.13   1.18
// random   4M / 16M                  1.15   1.18
// random   4M / 8M                   0.91   0.93
// R-MAT    2M / 20M                  1.75   1.84
// CC has three rounds here, and four to six by the letter of the paper (see graft.h), so there is
// less to gain. Over SV, Stages gains 2.0 and 2.2, over Schd 1.6 and 2.8 (random and R-MAT, 1M
// vertices; the paper: 1.3 to 3.1).
//
// Options: q (1.0, the paper's choice), seed (0, any number), chunk (1024 edges; 1: the paper's
// permutation, 0: none), permute (0), drop (1), and those of the inner algorithm.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void stages_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options);

template <class Vertex>
void stages_sv(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options);

template <class Vertex>
void stages_sv_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                    Vertex* labels, const Options& options);

template <class Vertex>
void stages_schd(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                 Vertex* labels, const Options& options);

}  // namespace skerry
