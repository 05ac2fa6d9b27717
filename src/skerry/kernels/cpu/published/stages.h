// Stages, the meta algorithm of Cong & Muzio, "Fast Parallel Connected Components Algorithms on
// GPUs" (2014), sect. 5, Algorithm 3, over four inner algorithms: CC, SV, SV-updt and Schd.
//
// The edges are taken in random order, in groups of q * n. A group's ends are replaced by the roots
// found so far, then the inner algorithm joins them. A random graph of more than n / 2 edges has a
// giant component, so after the first group most ends are one and the same root, and the accesses
// to its parent stay in the cache. The labels are the smallest members with CC and Schd. Departure:
// no list is permuted; a keyed bijection of 0 .. m-1 defines the order of the edges, and one group
// at a time is copied, so the input stays as it is and a group is all the memory.
//
// Options: q (1.0, the paper's choice), seed (0, any number), and those of the inner algorithm.
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
