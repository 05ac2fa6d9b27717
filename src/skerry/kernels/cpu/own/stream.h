// "stream": skerry's algorithm for a plain edge list, in one pass over it. The parent array and one
// megabyte are all the memory it takes.
//
// Edges go through small batches in three steps, each without an unpredictable branch: look up both
// parents and drop the edges whose ends have the same; look up the parents of those, halve the two
// paths, drop again; unite what is left. While one batch is worked on, the parents of the next are
// being fetched.
//
// Edges inside a giant component are dropped without an access to the parent array: see giant.h.
#pragma once

#include <atomic>
#include <optional>

#include "cpu/context.h"
#include "cpu/own/members.h"
#include "cpu/views.h"

namespace skerry {

// Hooks all edges; the parent array must hold a valid forest (parent[v] <= v), for instance
// parent[v] = v. An end that is not below the number of vertices is never used as one, and is a
// fault (Context::add_fault): always one that would be joined, any if the context is `checking`.
// The hooks of the context's statistics are counted even if nothing else is: each joined two trees.
template <class Id, class Vertex>
void stream_edges(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                  Vertex* parent);

// As stream_edges for one list after another: what is known of the giant component is kept, since
// its members stay members. Edges inside it are dropped from the first edge of a list on, which is
// what most edges of later lists are; stages double over all lists together. Meanwhile other
// threads may ask a RootReader.
class BatchJoiner {
 public:
  // As stream_edges. The parent array is that of the call before with other edges joined, or with
  // more vertices, which makes it begin anew; otherwise `forget` must be called. `looped` becomes
  // true if one of the edges is a loop of a vertex that is not known to be in the giant component.
  // Returns how many edges, from the first, are joined: all, unless the context was stopped.
  template <class Id, class Vertex>
  std::uint64_t join(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                     Vertex* parent, std::atomic<bool>* looped = nullptr);

  void forget() { vertices_ = 0; }

  std::uint64_t bytes() const { return home_.scratch.current(); }

 private:
  Context home_{1, false, nullptr};  // counts the memory of the bitmap, which outlives the calls
  std::optional<Members> giant_;
  std::uint64_t vertices_ = 0;
  std::uint64_t seen_ = 0;  // edges since the beginning
  std::uint64_t next_ = 0;  // edges after which to look for the giant
};

}  // namespace skerry
