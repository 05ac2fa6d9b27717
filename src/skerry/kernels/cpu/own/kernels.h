// Skerry's own algorithms over a CSR; each is described in its .cpp file.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void window(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

template <class Vertex>
void carry(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

template <class Vertex>
void local(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

template <class Vertex>
void trace(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

template <class Vertex>
void rounds(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

inline constexpr std::uint64_t kRounds = 2;

// What "rounds" does after its init. `all_linked`: every vertex that has a smaller first neighbor
// is linked with it; else only those outside of a tree, whose members' rows may lead out of it.
template <class Vertex>
void rounds_after_links(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
                        std::uint64_t max_rounds, bool all_linked);

template <class Vertex>
void flood(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

}  // namespace skerry
