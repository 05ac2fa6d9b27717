// All that a call of the kernels may do. It depends only on the values that its accesses return, so
// it is a tree: at each access it branches by these values. Paths builds that tree by calling the
// function again and again, each time with one value more, and keeps equal subtrees once.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "calls.h"

namespace model {

constexpr unsigned kVertices = 5;   // at most
constexpr unsigned kAccesses = 80;  // of a call, at most

enum class What : std::uint8_t { access, end, endless, outside, miscounted, unforeseen };
constexpr const char* kFaults[] = {"",
                                   "",
                                   "a call does not end",
                                   "an access outside the array",
                                   "a wrong count of hooks",
                                   "a value that Paths has left out"};

struct Node {
  What what = What::access;
  Access access = Access::load;
  std::uint8_t word = 0;
  std::uint8_t first = 0;   // the value stored or expected; at the end, what the call returns
  std::uint8_t second = 0;  // the value desired
  std::uint8_t zero = 0;
  std::uint16_t next[kVertices] = {};  // by the value that the access returns
};

// The trees of all calls, equal subtrees once.
class Paths {
 public:
  std::uint16_t root(Function function, unsigned vertex, unsigned carried) {
    const auto [place, added] = roots_.try_emplace({function, vertex, carried}, std::uint16_t{0});
    if (added) {
      function_ = function, vertex_ = vertex, carried_ = carried, endless_ = false;
      place->second = grow();
    }
    return place->second;
  }
  const Node& operator[](std::uint16_t node) const { return nodes_[node]; }

  // An access of the call that runs: returns what it has returned before. A new one ends the call.
  unsigned access(Access kind, const Vertex* address, unsigned first, unsigned second) {
    const std::ptrdiff_t word = address - words_;
    if (done_ < returned_.size()) {
      return seen(kind, static_cast<unsigned>(word), first, returned_[done_++]);
    }
    pending_ = {};
    pending_.access = kind;
    pending_.word = static_cast<std::uint8_t>(word);
    pending_.first = static_cast<std::uint8_t>(first);
    pending_.second = static_cast<std::uint8_t>(second);
    if (word < 0 || word >= kVertices) pending_ = {What::outside};
    std::longjmp(stopped_, 1);
  }

 private:
  // Notes what the call knows to be hooked, and how often it has hooked: by a swap of a root or,
  // perhaps, by a store where it does not know that.
  unsigned seen(Access kind, unsigned word, unsigned first, unsigned value) {
    const bool swap = kind == Access::compare_and_swap && value == first && first == word;
    const bool store = kind == Access::store && first != word && (hooked_ >> word & 1) == 0;
    least_hooks_ += swap;
    most_hooks_ += swap || store;
    if (swap || store || (kind != Access::store && value != word)) hooked_ |= 1u << word;
    return value;
  }

  std::uint16_t grow() {
    endless_ = endless_ || returned_.size() == kAccesses;
    Node node = endless_ ? Node{What::endless} : next_access();
    if (node.what == What::access) {
      // What the call knows to be hooked is no root to it again, but from an outdated cache.
      const bool below = node.access != Access::cached_load && (hooked_ >> node.word & 1) != 0;
      const unsigned end = node.access == Access::store ? 1 : node.word + (below ? 0u : 1u);
      for (unsigned value = 0; value < end; ++value) {  // parent[v] <= v
        returned_.push_back(value);
        node.next[value] = grow();
        returned_.pop_back();
      }
    }
    const std::string bytes(reinterpret_cast<const char*>(&node), sizeof node);
    const auto number = static_cast<std::uint16_t>(nodes_.size());
    const auto [place, added] = known_.try_emplace(bytes, number);
    if (added) nodes_.push_back(node);
    return place->second;
  }

  Node next_access() {
    unsigned counted = 0;
    done_ = hooked_ = least_hooks_ = most_hooks_ = 0;
    if (setjmp(stopped_) != 0) return pending_;
    const Vertex result = function_(words_, vertex_, carried_, counted);
    const bool right = counted == kUncounted || (least_hooks_ <= counted && counted <= most_hooks_);
    Node node{right ? What::end : What::miscounted};
    node.first = static_cast<std::uint8_t>(result);
    return node;
  }

  std::map<std::tuple<Function, unsigned, unsigned>, std::uint16_t> roots_;
  std::map<std::string, std::uint16_t> known_;
  std::vector<Node> nodes_{Node{What::unforeseen}};
  std::jmp_buf stopped_;
  Node pending_;
  Vertex words_[kVertices] = {};
  Function function_ = nullptr;
  unsigned vertex_ = 0, carried_ = 0;
  bool endless_ = false;  // then its tree is not grown further
  std::vector<unsigned> returned_;
  std::size_t done_ = 0;
  unsigned least_hooks_ = 0, most_hooks_ = 0;
  unsigned hooked_ = 0;  // a bit for each word that the call knows to be hooked
};

}  // namespace model
