// Minimum vertex cut between values that must be kept and values that are
// needed: what lies on the cut is cached, what lies behind it is computed
// again.
#ifndef RETRO_PLAN_MIN_CUT_H
#define RETRO_PLAN_MIN_CUT_H

#include <cstdint>
#include <vector>

namespace retro {

/// Dinic's maximum flow on the graph in which every vertex is split into an
/// in and an out node joined by its capacity.
class VertexCut {
public:
  explicit VertexCut(unsigned Vertices);
  void setCapacity(unsigned V, uint64_t C);
  void addEdge(unsigned From, unsigned To);
  void markSource(unsigned V);
  /// What V costs where it lies behind the cut; none if this is not called.
  void setCost(unsigned V, uint64_t C);
  void markSink(unsigned V);
  /// The vertices of a minimum cut, of all such cuts the one nearest to the
  /// sinks, so that least is computed again.
  std::vector<unsigned> solve();

private:
  struct Edge {
    unsigned To;
    uint64_t Capacity;
  };
  void connect(unsigned From, unsigned To, uint64_t C);
  bool layer();
  uint64_t augment(unsigned Node, uint64_t Flow);

  unsigned Source, Sink, Vertices;
  std::vector<Edge> Edges; ///< edge 2k and its reverse 2k+1
  std::vector<std::vector<unsigned>> Out;
  std::vector<unsigned> Capacity; ///< edge of each vertex
  std::vector<int> Level;
  std::vector<unsigned> Next;
};

} // namespace retro

#endif
