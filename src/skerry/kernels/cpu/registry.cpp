// The table: one line for each kernel.
#include "cpu/registry.h"

#include "cpu/own/kernels.h"
#include "cpu/published/crono_sv.h"
#include "cpu/published/eclaf.h"
#include "cpu/published/fastsv.h"
#include "cpu/published/galois.h"
#include "cpu/published/graft.h"
#include "cpu/published/jayanti_tarjan.h"
#include "cpu/published/ndhybrid.h"
#include "cpu/published/propagations.h"
#include "cpu/published/rem.h"
#include "cpu/published/scheduled_cc.h"
#include "cpu/published/search.h"
#include "cpu/published/shiloach_vishkin.h"
#include "cpu/published/stages.h"
#include "cpu/published/thrifty.h"

namespace skerry {

#define SKERRY_KERNEL(name, function) {name, function<std::uint32_t>, function<std::uint64_t>}

std::span<const CsrEntry> csr_kernels() {
  static constexpr CsrEntry kernels[] = {
      SKERRY_KERNEL("dfs", dfs),
      SKERRY_KERNEL("bfs", bfs),
      SKERRY_KERNEL("bfscc", bfscc),
      SKERRY_KERNEL("label-propagation", label_propagation),
      SKERRY_KERNEL("multistep", multistep),
      SKERRY_KERNEL("ndhybrid", ndhybrid),
      SKERRY_KERNEL("galois-async", galois_async),
      SKERRY_KERNEL("galois-blocked", galois_blocked),
      SKERRY_KERNEL("galois-sync", galois_sync),
      SKERRY_KERNEL("eclaf", eclaf),
      SKERRY_KERNEL("crono-sv", crono_sv),
      SKERRY_KERNEL("thrifty", thrifty),
      SKERRY_KERNEL("fastsv", fastsv),
      SKERRY_KERNEL("jayanti-tarjan", jayanti_tarjan),
      SKERRY_KERNEL("rows", rows),
  };
  return kernels;
}

std::span<const EdgeEntry> edge_kernels() {
  static constexpr EdgeEntry kernels[] = {
      SKERRY_KERNEL("cc", graft_cc),
      SKERRY_KERNEL("cc-updt", graft_cc_updt),
      SKERRY_KERNEL("sv", shiloach_vishkin),
      SKERRY_KERNEL("sv-updt", shiloach_vishkin_updt),
      SKERRY_KERNEL("stages-cc", stages_cc),
      SKERRY_KERNEL("stages-sv", stages_sv),
      SKERRY_KERNEL("stages-sv-updt", stages_sv_updt),
      SKERRY_KERNEL("stages-schd", stages_schd),
      SKERRY_KERNEL("schd", scheduled_cc),
      SKERRY_KERNEL("rem", parallel_rem),
      SKERRY_KERNEL("fastsv", fastsv),
      SKERRY_KERNEL("jayanti-tarjan", jayanti_tarjan),
  };
  return kernels;
}

#undef SKERRY_KERNEL

}  // namespace skerry
