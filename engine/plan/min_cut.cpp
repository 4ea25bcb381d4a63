// Input: vertices with costs, and edges. Output: those of a least cut, by
// Dinic's algorithm. A set that is no cut would leave the reverse pass without
// a value that it reads.
#include "plan/min_cut.h"

#include <algorithm>
#include <limits>

namespace retro {

static constexpr uint64_t Infinite = std::numeric_limits<uint64_t>::max() / 4;

VertexCut::VertexCut(unsigned N)
    : Source(2 * N), Sink(2 * N + 1), Vertices(N), Out(2 * N + 2) {
  for (unsigned V = 0; V < N; ++V) {
    Capacity.push_back(static_cast<unsigned>(Edges.size()));
    connect(2 * V, 2 * V + 1, 0);
  }
}

void VertexCut::connect(unsigned From, unsigned To, uint64_t C) {
  Out[From].push_back(static_cast<unsigned>(Edges.size()));
  Edges.push_back({To, C});
  Out[To].push_back(static_cast<unsigned>(Edges.size()));
  Edges.push_back({From, 0});
}

void VertexCut::setCapacity(unsigned V, uint64_t C) {
  Edges[Capacity[V]].Capacity = C;
}

void VertexCut::addEdge(unsigned From, unsigned To) {
  connect(2 * From + 1, 2 * To, Infinite);
}

void VertexCut::markSource(unsigned V) { connect(Source, 2 * V, Infinite); }

void VertexCut::setCost(unsigned V, uint64_t C) { connect(Source, 2 * V, C); }

void VertexCut::markSink(unsigned V) { connect(2 * V + 1, Sink, Infinite); }

bool VertexCut::layer() {
  Level.assign(Out.size(), -1);
  Level[Source] = 0;
  std::vector<unsigned> Queue{Source};
  for (size_t I = 0; I < Queue.size(); ++I)
    for (unsigned E : Out[Queue[I]])
      if (Edges[E].Capacity && Level[Edges[E].To] < 0) {
        Level[Edges[E].To] = Level[Queue[I]] + 1;
        Queue.push_back(Edges[E].To);
      }
  return Level[Sink] >= 0;
}

uint64_t VertexCut::augment(unsigned Node, uint64_t Flow) {
  if (Node == Sink)
    return Flow;
  for (unsigned &I = Next[Node]; I < Out[Node].size(); ++I) {
    unsigned E = Out[Node][I];
    if (!Edges[E].Capacity || Level[Edges[E].To] != Level[Node] + 1)
      continue;
    if (uint64_t Got =
            augment(Edges[E].To, std::min(Flow, Edges[E].Capacity))) {
      Edges[E].Capacity -= Got;
      Edges[E ^ 1].Capacity += Got;
      return Got;
    }
  }
  return 0;
}

std::vector<unsigned> VertexCut::solve() {
  while (layer()) {
    Next.assign(Out.size(), 0);
    while (augment(Source, Infinite))
      ;
  }
  // What can still reach the sink in the residual graph lies behind the cut.
  std::vector<char> Reaches(Out.size(), 0);
  std::vector<unsigned> Work{Sink};
  Reaches[Sink] = 1;
  while (!Work.empty()) {
    unsigned N = Work.back();
    Work.pop_back();
    for (unsigned E : Out[N]) {
      unsigned From = Edges[E].To;
      if (Edges[E ^ 1].Capacity && !Reaches[From]) {
        Reaches[From] = 1;
        Work.push_back(From);
      }
    }
  }
  std::vector<unsigned> Cut;
  for (unsigned V = 0; V < Vertices; ++V)
    if (!Reaches[2 * V] && Reaches[2 * V + 1])
      Cut.push_back(V);
  return Cut;
}

} // namespace retro
