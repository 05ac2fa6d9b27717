// The state of disjoint sets whose parent array Python owns. A call that changes them does so as
// a whole: what Ctrl-C leaves of a batch is copied, and `finish` joins it.
#include <nanobind/stl/optional.h>

#include <optional>
#include <variant>
#include <vector>

#include "common/union_find.h"
#include "cpu/bind/bind.h"
#include "cpu/bind/forks.h"
#include "cpu/own/ordered_forest.h"
#include "cpu/own/root_reader.h"
#include "cpu/own/stream.h"
#include "cpu/team.h"

namespace skerry {

namespace {

template <class Id>
struct Remaining {
  std::vector<Id> src, dst;
  std::uint64_t begin = 0;

  EdgeView<Id> edges() const {
    return {src.data() + begin, dst.data() + begin, 1, 1, src.size() - begin};
  }
};

template <class Id>
EdgeView<Id> after(const EdgeView<Id>& edges, std::uint64_t done) {
  const auto rows = static_cast<std::ptrdiff_t>(done);
  return {edges.src + rows * edges.src_step, edges.dst + rows * edges.dst_step, edges.src_step,
          edges.dst_step, edges.count - done};
}

// The interpreter's lock is held in every call, but for the work of `join` and `finish`. It is
// closed before the array moves, and then answers nothing.
class OpenForest {
 public:
  // The vertices that are started: those from `size` on are their own parents.
  void open(const Output& parent) {
    if (parent.itemsize() != 4 && parent.itemsize() != 8)
      throw std::invalid_argument("parents must be 32 or 64 bits wide");
    if (parent.shape(0) < size_) throw std::invalid_argument("fewer parents than vertices");
    parent_ = parent.data();
    started_ = parent.shape(0);
    wide_ = parent.itemsize() == 8;
    forks_ = fork_count();
  }

  void close() {
    parent_ = nullptr;
    started_ = 0;
  }

  // Sets of another array, which `open` is called with next; so many merges made them, if known.
  void reset(std::uint64_t size, std::optional<std::uint64_t> merges) {
    close();
    size_ = size;
    merges_known_ = merges.has_value();
    merges_ = merges.value_or(0);
    remaining_ = std::monostate();
    joiner_.forget();
    ++version_;
  }

  void count(std::uint64_t merges) {
    merges_ = merges;
    merges_known_ = true;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t version() const { return version_; }
  std::optional<std::uint64_t> merges() const {
    return merges_known_ && !unfinished() && !recording_ ? std::optional(merges_) : std::nullopt;
  }
  bool unfinished() const { return !std::holds_alternative<std::monostate>(remaining_); }
  std::uint64_t bytes() const { return joiner_.bytes(); }

  void grow(std::uint64_t size) {
    if (size <= size_) return;
    if (size > started_) throw std::invalid_argument("vertices that were not started");
    size_ = size;
    ++version_;
  }

  // 1 if it joined two sets. The new size counts from here on.
  unsigned unite(std::uint64_t u, std::uint64_t v, std::uint64_t size) {
    grow(size);
    if (parent_ == nullptr || u >= size_ || v >= size_) throw std::invalid_argument("no vertex");
    const bool joined = wide_ ? unite_as<std::uint64_t>(u, v) : unite_as<std::uint32_t>(u, v);
    merges_ += joined;
    version_ += joined;
    return joined;
  }

  // The root, with a halved path; of what is no vertex yet, itself.
  std::uint64_t root(std::uint64_t v) {
    if (v >= size_ || parent_ == nullptr) return v;
    return wide_ ? root_as<std::uint64_t>(v) : root_as<std::uint32_t>(v);
  }

  // How many edges joined two trees; whether an end was no vertex; with `checking`, which looks
  // at all ends, whether one of the edges that the giant component does not hold is a loop.
  // With `atomic`, all edges are joined, now or by `finish`, once this has begun.
  nb::tuple join(const Input& src, const Input& dst, std::uint64_t size, int threads, bool atomic,
                 bool checking) {
    bool faulty = false;
    std::atomic<bool> looped{false};
    std::uint64_t merges = 0;
    by_width(src, [&]<class Id>() {
      const auto edges = edge_view<Id>(src, dst);
      grow(size);
      merges =
          run<Id>(edges, threads, faulty, checking ? &looped : nullptr,
                  [&](std::uint64_t done) { atomic ? keep(after(edges, done), threads) : void(); });
    });
    return nb::make_tuple(merges, faulty, looped.load());
  }

  // Joins edges in the order given, by one thread, and notes those that joined two trees: see
  // keep_joining. After Ctrl-C nothing is answered until the same edges are joined again.
  std::uint64_t record(const Input& src, const Input& dst, const Output& order, const Output& kept,
                       std::uint64_t size) {
    const std::size_t width = wide_ ? 8 : 4, edges = src.shape(0), count = order.shape(0);
    for (const Input& end : {src, dst})
      if (end.shape(0) != edges || end.itemsize() != width || (edges > 0 && end.stride(0) != 1))
        throw std::invalid_argument("src and dst must match, contiguous and as wide as parents");
    grow(size);
    if (order.itemsize() != 8 || kept.itemsize() != 8 || (parent_ == nullptr && count > 0) ||
        kept.shape(0) < std::min<std::uint64_t>(count, size_ == 0 ? 0 : size_ - 1))
      throw std::invalid_argument("positions are 64-bit, one for each edge that may be kept");
    std::uint64_t joins = 0;
    bool faulty = false;
    recording_ = true;
    ++version_;
    const auto work = [&]<class Vertex>(Context& context) {
      joins = keep_joining(context, read_pointer<Vertex>(src), read_pointer<Vertex>(dst), edges,
                           write_pointer<std::int64_t>(order), count, size_,
                           static_cast<Vertex*>(parent_), write_pointer<std::int64_t>(kept));
      faulty = context.faulty();
    };
    try {
      run_native(1, false, [&](Context& context) {
        wide_ ? work.template operator()<std::uint64_t>(context)
              : work.template operator()<std::uint32_t>(context);
      });
    } catch (...) {
      merges_ += joins;
      throw;
    }
    merges_ += joins;
    recording_ = false;
    if (faulty) throw std::invalid_argument("an edge or a vertex that does not exist");
    return joins;
  }

  void finish(int threads) {
    std::visit(
        [&]<class Kind>(Kind& remaining) {
          if constexpr (!std::is_same_v<Kind, std::monostate>) {
            bool faulty = false;
            run<typename std::remove_cvref_t<decltype(remaining.src)>::value_type>(
                remaining.edges(), threads, faulty, nullptr,
                [&](std::uint64_t done) { remaining.begin += done; });
          }
        },
        remaining_);
    remaining_ = std::monostate();
  }

  nb::object find(nb::handle v) const {
    std::uint64_t root_of_v = 0;
    const std::uint64_t vertex = number(v);
    const bool known = wide_ ? reader<std::uint64_t>().find(vertex, root_of_v)
                             : reader<std::uint32_t>().find(vertex, root_of_v);
    return known ? nb::object(nb::int_(root_of_v)) : nb::none();
  }

  nb::object connected(nb::handle u, nb::handle v) const {
    const std::uint64_t left = number(u), right = number(v);
    const Answer answer = wide_ ? reader<std::uint64_t>().connected(left, right)
                                : reader<std::uint32_t>().connected(left, right);
    return answer == Answer::unknown ? nb::none() : nb::object(nb::bool_(answer == Answer::yes));
  }

 private:
  // What is not exactly an int of Python is no vertex here: the caller looks closer.
  static std::uint64_t number(nb::handle value) {
    if (!PyLong_CheckExact(value.ptr())) return ~std::uint64_t{0};
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow != 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(number);
  }

  // Nothing is answered from half of a batch, or from what another thread wrote before a fork.
  template <class Vertex>
  RootReader<Vertex> reader() const {
    const bool complete =
        parent_ != nullptr && !unfinished() && !recording_ && forks_ == fork_count();
    return {static_cast<const Vertex*>(parent_), complete ? size_ : 0};
  }

  template <class Vertex>
  std::uint64_t root_as(std::uint64_t v) {
    Context context(1, false, nullptr);
    Silent tally(context);
    return JumpHalving::find<Shared>(static_cast<Vertex*>(parent_), static_cast<Vertex>(v), tally);
  }

  template <class Vertex>
  bool unite_as(std::uint64_t u, std::uint64_t v) {
    const std::uint64_t a = root_as<Vertex>(u), b = root_as<Vertex>(v);
    if (a == b) return false;
    Shared::store(static_cast<Vertex*>(parent_) + std::max(a, b),
                  static_cast<Vertex>(std::min(a, b)));
    return true;
  }

  template <class Id>
  std::uint64_t join_edges(Context& context, const EdgeView<Id>& edges, std::atomic<bool>* looped) {
    if (wide_)
      return joiner_.join(context, edges, size_, static_cast<std::uint64_t*>(parent_), looped);
    return joiner_.join(context, edges, size_, static_cast<std::uint32_t*>(parent_), looped);
  }

  // Joins edges; calls stopped(edges that are joined) if it was interrupted, and raises then.
  template <class Id, class Stopped>
  std::uint64_t run(const EdgeView<Id>& edges, int threads, bool& faulty, std::atomic<bool>* looped,
                    Stopped&& stopped) {
    if (parent_ == nullptr && edges.count > 0) throw std::invalid_argument("no parents");
    std::uint64_t merges = 0;
    const std::uint64_t before = version_++;  // caches of other threads are old from here on
    const auto note = [&] {
      merges_ += merges;
      if (merges == 0) version_ = before;
    };
    try {
      run_native(
          threads, false,
          [&](Context& context) {
            const std::uint64_t done = join_edges(context, edges, looped);
            merges = context.statistics.hooks;
            faulty = context.faulty();
            if (context.stopped()) stopped(done);
          },
          looped != nullptr);
    } catch (...) {
      note();
      throw;
    }
    note();
    return merges;
  }

  // Copies edges that are still to be joined; where there is no memory for them, joins them.
  template <class Id>
  void keep(const EdgeView<Id>& edges, int threads) {
    Context context(threads, false, nullptr);  // nothing stops it
    try {
      Remaining<Id> remaining;
      remaining.src.resize(edges.count);
      remaining.dst.resize(edges.count);
      for_each(context, edges.count, [&](std::uint64_t i) {
        remaining.src[i] = edges.source(i);
        remaining.dst[i] = edges.target(i);
      });
      remaining_ = std::move(remaining);
    } catch (const std::bad_alloc&) {
      join_edges(context, edges, nullptr);
      merges_ += context.statistics.hooks;
      ++version_;
    }
  }

  void* parent_ = nullptr;
  std::uint64_t started_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t version_ = 0;
  std::uint64_t merges_ = 0;
  unsigned forks_ = fork_count();
  bool merges_known_ = true;
  bool wide_ = false;
  bool recording_ = false;  // or it was stopped
  BatchJoiner joiner_;
  std::variant<std::monostate, Remaining<std::uint32_t>, Remaining<std::uint64_t>> remaining_;
};

}  // namespace

void bind_open_forest(nb::module_& module) {
  nb::class_<OpenForest>(module, "OpenForest",
                         "Sets in a parent array; `find` and `connected` need no lock.")
      .def(nb::init<>(), nb::sig("def __init__(self) -> None"))
      .def("open", &OpenForest::open, nb::sig("def open(self, parent: Array, /) -> None"))
      .def("close", &OpenForest::close, nb::sig("def close(self) -> None"))
      .def("reset", &OpenForest::reset, nb::arg("size"), nb::arg("merges").none(),
           nb::sig("def reset(self, size: int, merges: int | None, /) -> None"))
      .def("count", &OpenForest::count, nb::sig("def count(self, merges: int, /) -> None"))
      .def_prop_ro("size", &OpenForest::size)
      .def_prop_ro("version", &OpenForest::version)
      .def_prop_ro("merges", &OpenForest::merges)
      .def_prop_ro("unfinished", &OpenForest::unfinished)
      .def_prop_ro("nbytes", &OpenForest::bytes)
      .def("grow", &OpenForest::grow, nb::sig("def grow(self, size: int, /) -> None"))
      .def("unite", &OpenForest::unite,
           nb::sig("def unite(self, u: int, v: int, size: int, /) -> int"))
      .def("root", &OpenForest::root, nb::sig("def root(self, v: int, /) -> int"))
      .def("join", &OpenForest::join,
           nb::sig("def join(self, src: Array, dst: Array, size: int, threads: int, atomic: bool, "
                   "checking: bool, /) -> tuple[int, bool, bool]"))
      .def("record", &OpenForest::record,
           nb::sig("def record(self, src: Array, dst: Array, order: Array, kept: Array, size: int, "
                   "/) -> int"))
      .def("finish", &OpenForest::finish, nb::sig("def finish(self, threads: int, /) -> None"))
      .def("find", &OpenForest::find, nb::arg("v").none(),
           nb::sig("def find(self, v: object, /) -> int | None"))
      .def("connected", &OpenForest::connected, nb::arg("u").none(), nb::arg("v").none(),
           nb::sig("def connected(self, u: object, v: object, /) -> bool | None"));
}

}  // namespace skerry
