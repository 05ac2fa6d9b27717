// A set of vertices to be worked on next: a list while it is small, a bitmap once it is large.
//
// Shun & Blelloch, "Ligra: A Lightweight Graph Processing Framework for Shared Memory" (PPoPP
// 2013): the vertexSubset, sparse and dense.
// Departures: bits instead of bytes; the sum of the members' degrees is kept up while members are
// added, so that choosing a direction costs no pass; both forms are allocated once and written
// only when used.
#pragma once

#include <bit>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/scratch.h"
#include "cpu/share.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
class Frontier {
 public:
  Frontier(Context& context, std::uint64_t vertices)
      : vertices_(vertices),
        list_(make_scratch<Vertex>(context.scratch, vertices)),
        words_(make_scratch<std::uint64_t>(context.scratch, words())) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t work() const { return size_ + edges_; }  // what a step from here looks at
  const Vertex* list() const { return list_.get(); }
  bool has(Vertex v) const { return (words_[v >> 6] >> (v & 63) & 1) != 0; }  // bitmap only

  void start_list() { reset(false); }
  // Every word is to be written, by write_word, before the bitmap is read.
  void start_bits() { reset(true); }

  // For one thread working alone, on a list.
  void push(Vertex v, std::uint64_t degree) {
    list_[size_++] = v;
    edges_ += degree;
  }

  // For the thread of a team that alone writes this word; count_in adds the number of members.
  void write_word(std::uint64_t index, std::uint64_t word) { words_[index] = word; }
  void count_in(std::uint64_t members, std::uint64_t edges) {
    Shared::fetch_add(&size_, members);
    Shared::fetch_add(&edges_, edges);
  }

  // What one thread of a team adds to either form; counted in when it goes out of scope. A vertex
  // is added at most once.
  template <class Memory>
  class Additions {
   public:
    explicit Additions(Frontier& frontier)
        : frontier_(frontier), share_(frontier.list_.get(), &frontier.size_) {}
    ~Additions() { frontier_.count_in(bits_set_, edges_); }

    void add(Vertex v, std::uint64_t degree) {
      edges_ += degree;
      if (frontier_.as_bits_) {
        frontier_.template set_bit<Memory>(v);
        ++bits_set_;
      } else {
        share_.push(v);
      }
    }

   private:
    Frontier& frontier_;
    Share<Vertex> share_;
    std::uint64_t bits_set_ = 0;
    std::uint64_t edges_ = 0;
  };

  // Every vertex of a graph that has this many entries.
  void fill(Context& context, std::uint64_t entries) {
    start_bits();
    for_each(context, words(), [this](std::uint64_t i) { words_[i] = ~std::uint64_t{0}; });
    if (vertices_ % 64 != 0) words_[words() - 1] >>= 64 - vertices_ % 64;
    size_ = vertices_;
    edges_ = entries;
  }

  // Calls body(v) for every member, on a team.
  template <class Body>
  void for_members(Context& context, Body&& body) const {
    if (!as_bits_) {
      for_each(context, size_, [&](std::uint64_t i) { body(list_[i]); });
      return;
    }
    for_each(context, words(), [&](std::uint64_t i) { for_bits(i, body); });
  }

  void make_list(Context& context) {
    if (!as_bits_) return;
    as_bits_ = false;
    size_ = 0;
    for_ranges(context, words(), [this](std::uint64_t begin, std::uint64_t end, int) {
      Share<Vertex> share(list_.get(), &size_);
      for (std::uint64_t i = begin; i < end; ++i) for_bits(i, [&](Vertex v) { share.push(v); });
    });
  }

  template <class Memory>
  void make_bits(Context& context) {
    if (as_bits_) return;
    as_bits_ = true;
    for_each(context, words(), [this](std::uint64_t i) { words_[i] = 0; });
    for_each(context, size_, [this](std::uint64_t i) { set_bit<Memory>(list_[i]); });
  }

 private:
  std::uint64_t words() const { return (vertices_ + 63) / 64; }

  void reset(bool as_bits) {
    size_ = 0;
    edges_ = 0;
    as_bits_ = as_bits;
  }

  template <class Body>
  void for_bits(std::uint64_t index, Body&& body) const {
    for (std::uint64_t word = words_[index]; word != 0; word &= word - 1)
      body(static_cast<Vertex>(index * 64 + static_cast<std::uint64_t>(std::countr_zero(word))));
  }

  template <class Memory>
  void set_bit(Vertex v) {
    std::uint64_t* address = words_.get() + (v >> 6);
    const std::uint64_t bit = std::uint64_t{1} << (v & 63);
    std::uint64_t seen = Memory::load(address);
    while ((seen & bit) == 0) {
      const std::uint64_t before = Memory::compare_and_swap(address, seen, seen | bit);
      if (before == seen) return;
      seen = before;
    }
  }

  std::uint64_t vertices_;
  Scratch<Vertex> list_;
  Scratch<std::uint64_t> words_;
  std::uint64_t size_ = 0;
  std::uint64_t edges_ = 0;
  bool as_bits_ = false;
};

}  // namespace skerry
