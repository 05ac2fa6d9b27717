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
void rows(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

template <class Vertex>
void flood(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options);

}  // namespace skerry
