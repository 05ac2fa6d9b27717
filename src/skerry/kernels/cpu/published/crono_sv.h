// CRONO's variant of Shiloach-Vishkin over CSR rows: Ahmad, Hijaz, Shi & Khan, "CRONO: A Benchmark
// Suite for Multithreaded Graph Algorithms Executing on Futuristic Multicores" (IISWC 2015), as
// described by Jaiganesh & Burtscher (HPDC 2018), sect. 2, and in Jaiganesh's thesis (2017).
//
// A round goes over the rows and hooks the parent of one end, if still a root, onto the smaller
// parent of the other end; then every vertex is made to point to its root. The last round hooks
// nothing. The labels are the smallest members.
// Departures: the CSR is read as it is, without matrices of n times the largest degree; all
// threads end a phase before the next begins, and end the algorithm together (CRONO's go on alone,
// with a lock a vertex that guards another vertex' entry); entries are looked at both ways, so a
// CSR that stores an edge only once is right too.
//
// Why races are harmless: as in graft.cpp. When a round begins, all parents are roots; only those
// are written, with smaller ones. Of two hooks of a root one is lost and found again in the next
// round. The first hook of a root wins, not the smallest, so there are graphs that need n / 3
// rounds; the kernels of graft.h take a few on them.
//
// Options: one_direction (0): 1 promises that every edge is stored in both directions.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void crono_sv(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
              const Options& options);

}  // namespace skerry
