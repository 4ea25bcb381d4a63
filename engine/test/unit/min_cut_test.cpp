// The minimum vertex cut, against all sets of vertices of small graphs.
#include "plan/min_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using retro::VertexCut;

namespace {

struct Graph {
  unsigned Vertices;
  std::vector<uint64_t> Capacity;
  std::vector<std::pair<unsigned, unsigned>> Edges;
  std::vector<unsigned> Sources, Sinks;

  /// Is there a way from a source to a sink on which no vertex is in Cut?
  bool leads(unsigned Cut) const {
    unsigned Reached = 0;
    for (unsigned S : Sources)
      Reached |= 1u << S;
    Reached &= ~Cut;
    for (unsigned Before = 0; Before != Reached;) {
      Before = Reached;
      for (auto [From, To] : Edges)
        if ((Reached >> From & 1) && !(Cut >> To & 1))
          Reached |= 1u << To;
    }
    return std::any_of(Sinks.begin(), Sinks.end(),
                       [&](unsigned V) { return Reached >> V & 1; });
  }
  uint64_t weight(unsigned Cut) const {
    uint64_t Sum = 0;
    for (unsigned V = 0; V < Vertices; ++V)
      if (Cut >> V & 1)
        Sum += Capacity[V];
    return Sum;
  }
  uint64_t least() const {
    uint64_t Best = ~uint64_t(0);
    for (unsigned Cut = 0; Cut < 1u << Vertices; ++Cut)
      if (!leads(Cut))
        Best = std::min(Best, weight(Cut));
    return Best;
  }
  unsigned solved() const {
    VertexCut C(Vertices);
    for (unsigned V = 0; V < Vertices; ++V)
      C.setCapacity(V, Capacity[V]);
    for (auto [From, To] : Edges)
      C.addEdge(From, To);
    for (unsigned S : Sources)
      C.markSource(S);
    for (unsigned S : Sinks)
      C.markSink(S);
    unsigned Cut = 0;
    for (unsigned V : C.solve())
      Cut |= 1u << V;
    return Cut;
  }
};

TEST(MinCut, OneCheapValueInsteadOfTwo) {
  // x and y make z, from which a and b are computed again.
  Graph G{5, {8, 8, 8, 8, 8}, {{0, 2}, {1, 2}, {2, 3}, {2, 4}}, {0, 1}, {3, 4}};
  EXPECT_EQ(G.solved(), 1u << 2);
}

TEST(MinCut, NearestToTheNeeds) {
  // A chain of equal prices: the last is kept, and nothing computed again.
  Graph G{3, {8, 8, 8}, {{0, 1}, {1, 2}}, {0}, {2}};
  EXPECT_EQ(G.solved(), 1u << 2);
}

TEST(MinCut, WhatIsASourceAndNeededIsKept) {
  Graph G{1, {8}, {}, {0}, {0}};
  EXPECT_EQ(G.solved(), 1u);
}

TEST(MinCut, RandomGraphs) {
  std::mt19937 Random(7);
  auto Below = [&](unsigned N) { return static_cast<unsigned>(Random() % N); };
  for (unsigned Round = 0; Round < 200; ++Round) {
    Graph G{3 + Below(6), {}, {}, {}, {}};
    for (unsigned V = 0; V < G.Vertices; ++V)
      G.Capacity.push_back(1 + Below(9));
    for (unsigned N = Below(3 * G.Vertices); N > 0; --N) {
      unsigned From = Below(G.Vertices), To = Below(G.Vertices);
      if (From != To)
        G.Edges.push_back({From, To});
    }
    for (unsigned V = 0; V < G.Vertices; ++V) {
      if (Below(3) == 0)
        G.Sources.push_back(V);
      if (Below(3) == 0)
        G.Sinks.push_back(V);
    }
    unsigned Cut = G.solved();
    EXPECT_FALSE(G.leads(Cut)) << "round " << Round;
    EXPECT_EQ(G.weight(Cut), G.least()) << "round " << Round;
  }
}

} // namespace
