// Joins the rows of a Python mapping, {node: its neighbors}, without making arrays of them first.
//
// Reading Python objects costs far more than joining them, so this runs on one thread and stops as
// soon as all nodes are in one component: the rows that remain cannot change the answer.
#include <algorithm>
#include <numeric>

#include "cpu/bind/bind.h"
#include "cpu/bind/node_table.h"

namespace skerry {
namespace {

constexpr std::uint64_t kRowsBetweenSignals = 1 << 13;

class Joiner {
 public:
  Joiner(const NodeTable& table, std::uint32_t* parents, std::uint32_t count)
      : table_(table), parents_(parents), apart_(count) {
    std::iota(parents, parents + count, 0u);
  }

  // Whether everything is in one component.
  bool done() const { return apart_ <= 1; }

  // Joins a node with its neighbors; false if one of these is not a plain object of the table.
  bool add_row(PyObject* node, PyObject* neighbors) {
    const std::uint32_t start = table_.find(node);
    if (start == NodeTable::kMissing) return false;
    std::uint32_t root = find_root(start);
    if (PyDict_Check(neighbors)) {
      Py_ssize_t at = 0;
      PyObject* neighbor = nullptr;
      while (!done() && PyDict_Next(neighbors, &at, &neighbor, nullptr)) {
        if (!join(root, neighbor)) return false;
      }
      return true;
    }
    if (PyList_Check(neighbors)) {
      for (Py_ssize_t i = 0; !done() && i < PyList_Size(neighbors); ++i) {
        if (!join(root, PyList_GetItem(neighbors, i))) return false;
      }
      return true;
    }
    if (PyTuple_Check(neighbors)) {
      for (Py_ssize_t i = 0; !done() && i < PyTuple_Size(neighbors); ++i) {
        if (!join(root, PyTuple_GetItem(neighbors, i))) return false;
      }
      return true;
    }
    if (!PyAnySet_Check(neighbors)) return false;
    for (nb::handle neighbor : nb::borrow(neighbors)) {
      if (!join(root, neighbor.ptr())) return false;
    }
    return true;
  }

 private:
  bool join(std::uint32_t& root, PyObject* neighbor) {
    const std::uint32_t position = table_.find(neighbor);
    if (position == NodeTable::kMissing) return false;
    const std::uint32_t other = find_root(position);
    if (other == root) return true;
    --apart_;
    parents_[std::max(root, other)] = std::min(root, other);
    root = std::min(root, other);
    return true;
  }

  std::uint32_t find_root(std::uint32_t vertex) {
    while (parents_[vertex] != vertex) {
      parents_[vertex] = parents_[parents_[vertex]];
      vertex = parents_[vertex];
    }
    return vertex;
  }

  const NodeTable& table_;
  std::uint32_t* parents_;
  std::uint32_t apart_;
};

bool join_adjacency(const nb::dict& rows, const nb::list& nodes, const Output& labels) {
  if (labels.itemsize() != 4 || labels.shape(0) != nodes.size())
    throw std::invalid_argument("labels must be 32 bits wide, one for each node");
#ifdef Py_GIL_DISABLED
  return false;  // another thread may change the rows, whose references are borrowed here
#endif
  NodeTable table;
  if (!table.build(nodes.ptr())) return false;
  const auto count = static_cast<std::uint32_t>(nodes.size());
  auto* parents = write_pointer<std::uint32_t>(labels);
  Joiner joiner(table, parents, count);
  Py_ssize_t at = 0;
  PyObject* node = nullptr;
  PyObject* neighbors = nullptr;
  for (std::uint64_t row = 1; !joiner.done() && PyDict_Next(rows.ptr(), &at, &node, &neighbors);
       ++row) {
    if (!joiner.add_row(node, neighbors)) return false;
    if (row % kRowsBetweenSignals == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  // A parent is never larger than its child, so ascending order meets roots first.
  for (std::uint32_t vertex = 0; vertex < count; ++vertex)
    parents[vertex] = parents[parents[vertex]];
  return true;
}

}  // namespace

void bind_adjacency(nb::module_& module) {
  // Fills `labels` with the position in `nodes` of the first node of each component. False if a
  // node is not a plain object, or a row not a dict, list, tuple or set: then `labels` means
  // nothing.
  module.def("join_adjacency", &join_adjacency,
             nb::sig("def join_adjacency(rows: dict[Any, Any], nodes: list[Any], labels: Array, /) "
                     "-> bool"));
}

}  // namespace skerry
