// Python objects and their positions in a list: a hash table for the nodes of a graph.
//
// Only for objects whose hash and comparison run no Python code (see is_plain): a dict that is
// being iterated must not change.
#pragma once

#include <Python.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace skerry {

// Whether hashing and comparing this object runs no code but the interpreter's own.
inline bool is_plain(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBytes_Type ||
      type == &PyFloat_Type || type == &PyBool_Type || object == Py_None)
    return true;
  if (type != &PyTuple_Type) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(object); ++i) {
    if (!is_plain(PyTuple_GetItem(object, i))) return false;
  }
  return true;
}

class NodeTable {
 public:
  static constexpr std::uint32_t kMissing = 0xffffffffu;

  // Whether every node is plain, and so could be entered.
  bool build(PyObject* nodes) {
    nodes_ = nodes;
    size_ = static_cast<std::uint32_t>(PyList_Size(nodes));
    if (build_direct()) return true;
    const std::uint64_t slots = std::bit_ceil(std::uint64_t{2} * size_ + 2);
    slots_.assign(slots, Slot{0, kMissing});
    mask_ = slots - 1;
    for (std::uint32_t position = 0; position < size_; ++position) {
      if (!is_plain(object_at(position))) return false;
      const std::uint64_t hash = hash_of(object_at(position));
      std::uint64_t at = hash & mask_;
      while (slots_[at].position != kMissing) at = (at + 1) & mask_;
      slots_[at] = {static_cast<std::uint32_t>(hash >> 32), position};
    }
    return true;
  }

  // The position of a node; kMissing if it is not in the list, or is not plain.
  std::uint32_t find(PyObject* node) const {
    if (!direct_.empty() && Py_TYPE(node) == &PyLong_Type) {
      int overflow = 0;
      const std::uint64_t value =
          static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(node, &overflow)) - low_;
      return overflow == 0 && value < direct_.size() ? direct_[value] : kMissing;
    }
    if (!direct_.empty() || !is_plain(node)) return kMissing;
    const std::uint64_t hash = hash_of(node);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::uint64_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot slot = slots_[at];
      if (slot.position == kMissing) return kMissing;
      if (slot.tag == tag && PyObject_RichCompareBool(object_at(slot.position), node, Py_EQ) == 1)
        return slot.position;
    }
  }

 private:
  struct Slot {
    std::uint32_t tag;
    std::uint32_t position;
  };

  PyObject* object_at(std::uint32_t position) const { return PyList_GetItem(nodes_, position); }

  // Python's hashes of integers are the integers: mixed, so that the tag tells them apart.
  static std::uint64_t hash_of(PyObject* node) {
    auto hash = static_cast<std::uint64_t>(PyObject_Hash(node));
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
  }

  // Integers with few gaps, in ascending order: an array by value.
  bool build_direct() {
    if (size_ == 0) return false;
    std::int64_t previous = 0;
    for (std::uint32_t position = 0; position < size_; ++position) {
      if (Py_TYPE(object_at(position)) != &PyLong_Type) return false;
      int overflow = 0;
      const std::int64_t value = PyLong_AsLongLongAndOverflow(object_at(position), &overflow);
      if (overflow != 0 || (position > 0 && value <= previous)) return false;
      if (position == 0) low_ = static_cast<std::uint64_t>(value);
      previous = value;
    }
    const std::uint64_t range = static_cast<std::uint64_t>(previous) - low_;
    if (range > std::uint64_t{4} * size_ + 64) return false;
    direct_.assign(range + 1, kMissing);
    for (std::uint32_t position = 0; position < size_; ++position)
      direct_[static_cast<std::uint64_t>(PyLong_AsLongLong(object_at(position))) - low_] = position;
    return true;
  }

  PyObject* nodes_ = nullptr;
  std::uint32_t size_ = 0;
  std::vector<Slot> slots_;
  std::uint64_t mask_ = 0;
  std::vector<std::uint32_t> direct_;
  std::uint64_t low_ = 0;
};

}  // namespace skerry
