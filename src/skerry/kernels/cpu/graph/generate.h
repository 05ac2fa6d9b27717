// Writes the edges of the families of generators.h, grown.h and profile.h into arrays, all or a
// range of them. What is written depends on the parameters and the seed only, never on the number
// of threads or on how the edges are cut into ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "common/generators.h"
#include "common/grown.h"
#include "common/profile.h"
#include "common/road.h"
#include "cpu/context.h"

namespace skerry {

using Family = std::variant<Grid, Torus, Path, Star, Complete, Uniform, RandomPicks, Rmat, Mawi,
                            Tiny, Planted, PreferentialAttachment, Web, Ring, RmatOf, Profile>;

// A family by name, its parameters in the order of the struct's fields; nothing if there is no such
// family or it has another number of parameters. Planted has a table and is made by the caller.
std::optional<Family> make_family(std::string_view name, std::span<const std::uint64_t> parameters);

std::uint64_t count_vertices(const Family& family);
std::uint64_t count_edges(const Family& family);

// The edges number first .. first + count.
template <class Vertex>
void fill_edges(Context& context, const Family& family, std::uint64_t first, std::uint64_t count,
                Vertex* src, Vertex* dst);

// Fills the table kept_before (crossings + 1 elements) and returns the number of streets kept.
std::uint64_t count_streets(Context& context, const Road& road, std::uint64_t* kept_before);

// The edges of the crossings first .. last.
template <class Vertex>
void fill_road(Context& context, const Road& road, const std::uint64_t* kept_before,
               std::uint64_t first, std::uint64_t last, Vertex* src, Vertex* dst);

// Replaces every id by where the keyed bijection of 0..vertices-1 puts it.
template <class Vertex>
void shuffle_ids(Context& context, std::uint64_t seed, std::uint64_t vertices, Vertex* ids,
                 std::uint64_t count);

// Fills `values` with 64 random bits each.
void fill_draws(Context& context, std::uint64_t seed, std::uint64_t stream, std::uint64_t* values,
                std::uint64_t count);

}  // namespace skerry
