// Searches all schedules of the lock-free core on all graphs of up to four vertices: see model.h.
//
// check_core [quick | whole | unsynced | SECTION] [VERTICES]: `quick` leaves out what takes longer
// than some seconds; `unsynced` runs hooks beside the last pass, which must be found wrong.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "model.h"

namespace model {

static Paths paths;

unsigned access_word(Access access, const unsigned* address, unsigned first, unsigned second) {
  return paths.access(access, address, first, second);
}

namespace {

Function function_of(Kind kind) {
  if (const Function function = core_function(kind)) return function;
  if (const Function function = own_function(kind)) return function;
  return gpu_function(kind);
}

struct Graph {
  unsigned vertices;
  std::vector<std::pair<unsigned, unsigned>> edges;  // the larger end first
};

// All graphs of these vertices, whatever their names: a vertex' number decides what is hooked.
std::vector<Graph> all_graphs(unsigned vertices) {
  std::vector<Graph> graphs;
  for (unsigned bits = 0; bits < 1u << (vertices * (vertices - 1) / 2); ++bits) {
    Graph graph{vertices, {}};
    for (unsigned u = 1, bit = 0; u < vertices; ++u)
      for (unsigned v = 0; v < u; ++v, ++bit)
        if (bits >> bit & 1) graph.edges.push_back({u, v});
    graphs.push_back(graph);
  }
  return graphs;
}

using Forest = std::vector<std::uint8_t>;

// All parent arrays with parent[v] <= v; the first one has roots only.
std::vector<Forest> all_forests(unsigned vertices) {
  std::vector<Forest> forests{{}};
  for (unsigned v = 0; v < vertices; ++v) {
    std::vector<Forest> longer;
    for (unsigned down = 0; down <= v; ++down)
      for (Forest forest : forests) {
        forest.push_back(static_cast<std::uint8_t>(v - down));
        longer.push_back(forest);
      }
    forests.swap(longer);
  }
  return forests;
}

Problem problem_of(const Graph& graph, const Forest& forest) {
  Problem problem{};
  problem.vertices = graph.vertices;
  std::vector<std::pair<unsigned, unsigned>> edges = graph.edges;
  for (unsigned v = 0; v < graph.vertices; ++v) {
    problem.parent[v] = forest[v];
    problem.truth[v] = static_cast<std::uint8_t>(v);
    edges.push_back({v, forest[v]});
  }
  for (unsigned round = 0; round < graph.vertices; ++round)
    for (const auto& [u, v] : edges)
      problem.truth[u] = problem.truth[v] = std::min(problem.truth[u], problem.truth[v]);
  return problem;
}

// Adds tasks to a problem.
using Tasks = std::function<void(const Graph&, Problem&)>;

unsigned groups(const Problem& problem) {
  return problem.tasks.empty() ? 0 : problem.tasks.back().group + 1;
}

// Every edge once, either way round.
Tasks edges_by(Kind kind) {
  return [kind](const Graph& graph, Problem& problem) {
    for (const auto& [u, v] : graph.edges) {
      const unsigned group = groups(problem);
      problem.tasks.push_back({{{function_of(kind), u}}, v, group});
      problem.tasks.push_back({{{function_of(kind), v}}, u, group});
    }
  };
}

// The smaller neighbors of a vertex, one after the other, with the root that is known so far.
Tasks rows_by(Kind find, Kind hook) {
  return [=](const Graph& graph, Problem& problem) {
    for (unsigned v = 1; v < graph.vertices; ++v) {
      Task task{{{function_of(find), v}}, 0, groups(problem)};
      for (const auto& [u, w] : graph.edges)
        if (u == v) task.calls.push_back({function_of(hook), w});
      if (task.calls.size() > 1) problem.tasks.push_back(task);
    }
  };
}

Tasks vertices_by(Kind kind, unsigned from = 1, unsigned carried = 0) {
  return [=](const Graph& graph, Problem& problem) {
    for (unsigned v = from; v < graph.vertices; ++v)
      problem.tasks.push_back({{{function_of(kind), v}}, carried, groups(problem)});
  };
}

Tasks both(const Tasks& first, const Tasks& second) {
  return [=](const Graph& graph, Problem& problem) {
    first(graph, problem);
    second(graph, problem);
  };
}

class Sections {
 public:
  explicit Sections(std::string which) : which_(std::move(which)) {}

  bool right = true;

  void run(const char* name, bool quick, Order order, unsigned threads, bool labels,
           const std::vector<Graph>& graphs, const std::vector<Forest>& forests,
           const Tasks& tasks) {
    if (!right) return;
    if (which_ == "quick" ? !quick : which_ != "whole" && which_ != name) return;
    if (which_ == "whole" && is_long(name, order, threads)) return;
    const std::clock_t begin = std::clock();
    double schedules = 0, states = 0, largest = 0;
    Search search(paths);
    for (const Graph& graph : graphs)
      for (const Forest& forest : forests) {
        Problem problem = problem_of(graph, forest);
        problem.order = order, problem.threads = threads, problem.labels = labels;
        tasks(graph, problem);
        schedules += search.run(problem);
        states += static_cast<double>(search.states());
        largest = std::max(largest, static_cast<double>(search.states()));
        if (!search.wrong.empty()) return show(name, graph, problem, search);
      }
    static const char* const kOrders[] = {"one order", "relaxed", "cached"};
    std::printf("%-24s %-9s %u threads %5zu problems %11.0f states %8.2g schedules %6.1f s\n", name,
                kOrders[static_cast<int>(order)], threads, graphs.size() * forests.size(), states,
                schedules, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }

 private:
  void show(const char* name, const Graph& graph, const Problem& problem, const Search& search) {
    static const char* const kAccesses[] = {"load", "cached load", "store", "compare-and-swap"};
    right = false;
    std::printf("WRONG %s: %s. Edges", name, search.wrong.c_str());
    for (const auto& [u, v] : graph.edges) std::printf(" %u-%u", u, v);
    std::printf(", parents");
    for (unsigned v = 0; v < graph.vertices; ++v) std::printf(" %u", problem.parent[v]);
    std::printf("\n");
    for (const auto& [task, node, value] : search.trace)
      std::printf("  task %u (vertex %u): %s of %u (%u, %u) returns %u\n", task,
                  problem.tasks[task].calls[0].second, kAccesses[static_cast<int>(node.access)],
                  node.word, node.first, node.second, value);
  }

  // Searches that may need hours or tens of gigabytes run only by their name.
  static bool is_long(const std::string& name, Order order, unsigned threads) {
    if (name == "gpu-finds") return true;
    return threads == 3 && order != Order::kOneOrder &&
           (name == "unite-single" || name == "unite-in-forests" || name == "finds" ||
            name == "gpu-join-vertices");
  }

  std::string which_;
};

void search_hooks(Sections& sections, const std::vector<Graph>& graphs,
                  const std::vector<Forest>& roots, const std::vector<Forest>& forests) {
  const struct {
    const char* name;
    Tasks tasks;
  } kHooks[] = {
      {"unite-multiple", edges_by(kUniteMultiple)}, {"unite-single", edges_by(kUniteSingle)},
      {"unite-none", edges_by(kUniteNone)},         {"unite-halving", edges_by(kUniteHalving)},
      {"unite-if-apart", edges_by(kUniteIfApart)},  {"rows", rows_by(kFindHalving, kHookHalving)},
      {"join-entries", edges_by(kJoinEntry)},
  };
  for (const auto& [name, tasks] : kHooks)
    for (const Order order : {Order::kOneOrder, Order::kRelaxed})
      for (const unsigned threads : {2u, 3u})
        sections.run(name, order == Order::kRelaxed && threads == 2, order, threads, false, graphs,
                     roots, tasks);
  for (const unsigned threads : {2u, 3u})
    sections.run("unite-in-forests", false, Order::kRelaxed, threads, false, graphs, forests,
                 edges_by(kUniteHalving));
}

// Finds, as queries are, beside hooks.
void search_finds(Sections& sections, const std::vector<Graph>& graphs,
                  const std::vector<Forest>& roots) {
  for (const Kind find : {kFindMultiple, kFindSingle, kFindNone, kFindHalving})
    for (const unsigned threads : {2u, 3u})
      sections.run("finds", false, Order::kRelaxed, threads, false, graphs, roots,
                   both(edges_by(kUniteHalving), vertices_by(find, 2)));
}

// The last pass labels whatever forest the hooks have left.
void search_finishes(Sections& sections, const Graph& none, const std::vector<Forest>& forests) {
  for (const Kind finish : {kFinishHalving, kFinishMultiple, kFinishSingle, kFinishOrdered})
    for (const unsigned threads : {2u, 3u})
      sections.run("finishes", true, Order::kRelaxed, threads, true, {none}, forests,
                   vertices_by(finish));
}

void search_gpu(Sections& sections, const std::vector<Graph>& graphs,
                const std::vector<Forest>& roots) {
  const struct {
    const char* name;
    Kind kind;
  } kJoins[] = {
      {"gpu-join", kGpuJoin}, {"gpu-joined", kGpuJoined}, {"gpu-join-vertices", kGpuJoinVertices}};
  for (const auto& [name, kind] : kJoins)
    for (const unsigned threads : {2u, 3u})
      sections.run(name, threads == 2 && kind != kGpuJoinVertices, Order::kCached, threads, false,
                   graphs, roots, edges_by(kind));
  for (const Kind kind : {kGpuSettle, kGpuLinkToRoot})
    for (const unsigned threads : {2u, 3u})
      sections.run("gpu-finds", false, Order::kCached, threads, false, graphs, roots,
                   both(edges_by(kGpuJoined), vertices_by(kind, 2)));
}

// Whichever vertex the sample has found in the largest tree.
void search_gpu_labels(Sections& sections, const Graph& none, const std::vector<Forest>& forests) {
  for (unsigned largest = 0; largest < none.vertices; ++largest)
    for (const unsigned threads : {2u, 3u})
      sections.run("gpu-labels", true, Order::kCached, threads, true, {none}, forests,
                   vertices_by(kGpuLabel, 1, largest));
}

}  // namespace
}  // namespace model

int main(int argc, char** argv) {
  using namespace model;
  const unsigned vertices = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 4;
  Sections sections(argc > 1 ? argv[1] : "quick");
  const std::vector<Graph> graphs = all_graphs(vertices);
  const std::vector<Forest> forests = all_forests(vertices);
  const std::vector<Forest> roots{forests[0]};
  search_hooks(sections, graphs, roots, forests);
  search_finds(sections, graphs, roots);
  // Only on paths of four links does halving in the last pass meet a label.
  const std::vector<Forest> deeper = all_forests(vertices + 1);
  search_finishes(sections, {vertices + 1, {}}, deeper);
  search_gpu(sections, graphs, roots);
  search_gpu_labels(sections, {vertices + 1, {}}, deeper);
  if (argc > 1 && std::string(argv[1]) == "unsynced")
    sections.run("unsynced", true, Order::kOneOrder, 2, false, graphs, roots,
                 both(edges_by(kUniteHalving), vertices_by(kFinishSingle)));
  std::printf(sections.right ? "all schedules are right\n" : "");
  return sections.right ? 0 : 1;
}
