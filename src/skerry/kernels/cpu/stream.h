// "stream": our algorithm for a plain edge list, in one pass over it; the parent array is all the
// memory it takes. Edges go through small batches in three steps, each without an unpredictable
// branch: look up both parents and drop the edges whose ends have the same; look up the parents of
// those, halve the two paths, drop again; unite what is left. While one batch is worked on, the
// parents of the next are being fetched.
#pragma once

#include "context.h"
#include "views.h"

namespace skerry {

// Hooks all edges; the parent array must hold a valid forest (parent[v] <= v), for instance
// parent[v] = v. Ids have been checked to be below the number of vertices.
template <class Id, class Vertex>
void stream_edges(Context& context, const EdgeView<Id>& edges, Vertex* parent);

}  // namespace skerry
