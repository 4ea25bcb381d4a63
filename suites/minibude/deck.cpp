//===- deck.cpp - miniBUDE: ligand, protein, force field, poses -----------===//
#include "deck.h"

#include <cstdint>
#include <fstream>
#include <numbers>
#include <stdexcept>

namespace suites::minibude {

template <class Record>
static std::vector<Record> read_records(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in)
    throw std::runtime_error("cannot read " + path);
  const auto bytes = static_cast<std::size_t>(in.tellg());
  if (bytes == 0 || bytes % sizeof(Record) != 0)
    throw std::runtime_error(path + " does not hold whole records");
  std::vector<Record> records(bytes / sizeof(Record));
  in.seekg(0);
  in.read(reinterpret_cast<char *>(records.data()),
          static_cast<std::streamsize>(bytes));
  if (!in)
    throw std::runtime_error("cannot read " + path);
  return records;
}

static void check_types(const Deck &deck, const std::string &folder) {
  for (const auto *atoms : {&deck.protein, &deck.ligand})
    for (const Atom<float> &atom : *atoms)
      if (atom.type < 0 ||
          static_cast<std::size_t>(atom.type) >= deck.parameters.size())
        throw std::runtime_error(folder + ": an atom of unknown type");
}

Deck read_deck(const std::string &folder) {
  Deck deck;
  deck.protein = read_records<Atom<float>>(folder + "/protein.in");
  deck.ligand = read_records<Atom<float>>(folder + "/ligand.in");
  deck.parameters = read_records<Parameters<float>>(folder + "/forcefield.in");
  deck.poses = read_records<float>(folder + "/poses.in");
  if (deck.poses.size() % degrees_of_freedom != 0)
    throw std::runtime_error(folder + "/poses.in is not six arrays");
  check_types(deck, folder);
  std::ifstream energies(folder + "/ref_energies.out");
  for (double energy; energies >> energy;)
    deck.reference_energies.push_back(energy);
  return deck;
}

static const Parameters<float> bm1_parameters[] = {
    {45, 1.4200f, -0.4736f, 0.0000f},  {45, 1.4200f, -0.7887f, 0.0000f},
    {45, 1.4200f, -0.6826f, 0.0000f},  {45, 1.6400f, -0.4320f, 0.0000f},
    {70, 1.6400f, -0.6893f, 1.0000f},  {70, 1.7300f, 2.2987f, 1.0000f},
    {69, 1.5900f, 0.6193f, 0.1047f},   {69, 1.4200f, 1.8936f, 0.0904f},
    {69, 1.4200f, 0.5869f, 0.2253f},   {69, 1.5500f, 0.0880f, 0.4294f},
    {68, 1.4200f, 0.2117f, 0.5389f},   {68, 1.5500f, 0.2530f, 0.5184f},
    {68, 1.5100f, 0.7597f, -0.0458f},  {69, 1.5100f, 2.5956f, 0.6599f},
    {69, 1.5100f, 2.4634f, 0.4399f},   {69, 1.5100f, 1.1261f, 0.5286f},
    {68, 1.4200f, 0.2750f, -0.3562f},  {70, 1.5500f, 0.5027f, -0.7500f},
    {45, 1.7900f, 0.9608f, -0.0000f},  {45, 1.7900f, 0.1794f, -0.0000f},
    {45, 1.7900f, 0.7326f, -0.0000f},  {45, 1.7900f, 0.2521f, -0.0000f},
    {70, 1.7900f, 0.2521f, -1.0000f},  {45, 1.7900f, 0.6024f, -0.0000f},
    {45, 1.5600f, -0.1428f, -0.1265f}, {45, 1.7350f, -0.6854f, 0.1615f},
    {45, 1.9000f, -0.5940f, -0.0349f}, {45, 2.1000f, -0.3250f, -0.0041f},
    {45, 1.4200f, -0.3987f, 0.0000f},  {45, 1.4200f, 0.0000f, 0.0000f},
    {45, 1.4200f, 0.0000f, 0.0000f},   {45, 1.4200f, 0.0000f, 0.0000f},
    {70, 1.4200f, 0.0000f, 2.0000f},   {70, 1.4200f, 0.0000f, 2.0000f},
};

static const Atom<float> bm1_ligand[] = {
    {0.6321f, 6.2599f, 1.9018f, 0},    {0.4683f, 5.7798f, 0.4584f, 0},
    {0.0177f, 4.3176f, 0.4553f, 0},    {-0.1461f, 3.8375f, -0.9882f, 0},
    {-0.5776f, 2.4375f, -0.9911f, 11}, {-1.8846f, 1.9887f, -0.9811f, 1},
    {-1.8665f, 0.6590f, -0.9884f, 1},  {-0.5472f, 0.2415f, -1.0032f, 11},
    {0.2428f, 1.3405f, -1.0049f, 1},   {1.5137f, 0.9657f, -1.0190f, 7},
    {1.5949f, -0.3621f, -1.0269f, 1},  {0.2932f, -0.8615f, -1.0172f, 1},
    {0.0934f, -2.2517f, -1.0223f, 1},  {-1.0354f, -2.7113f, -1.0144f, 16},
    {1.1632f, -3.0732f, -1.0378f, 10}, {2.4146f, -2.5828f, -1.0467f, 1},
    {3.3540f, -3.3548f, -1.0598f, 16}, {2.6536f, -1.2577f, -1.0418f, 10},
    {4.0322f, -0.7621f, -1.0518f, 0},  {0.9578f, -4.5237f, -1.0436f, 0},
    {0.8995f, -5.0363f, 0.3968f, 0},   {-0.2506f, -4.4942f, 1.0491f, 12},
    {-0.3997f, -4.9127f, 2.4073f, 0},  {-1.6567f, -4.2750f, 3.0024f, 0},
    {-3.0762f, -0.2397f, -0.9812f, 0}, {-3.1169f, 2.8560f, -0.9702f, 0},
};

namespace {
/// Uniform numbers in [0, 1).
class Stream {
public:
  double next() {
    state = (2806196910506780709u * state + 1) & ((1ull << 63) - 1);
    return static_cast<double>(state) * 0x1p-63;
  }

private:
  std::uint64_t state = 777;
};
} // namespace

Deck synthetic_deck() {
  constexpr int n_protein = 256, n_poses = 512;
  constexpr int types[] = {0, 1, 3, 4, 6, 9, 10, 11, 12, 16, 17, 18, 32};
  Deck deck;
  deck.parameters.assign(std::begin(bm1_parameters), std::end(bm1_parameters));
  deck.ligand.assign(std::begin(bm1_ligand), std::end(bm1_ligand));
  Stream stream;
  for (int i = 0; i < n_protein; ++i) {
    Atom<float> atom;
    for (float Atom<float>::*axis :
         {&Atom<float>::x, &Atom<float>::y, &Atom<float>::z})
      atom.*axis = static_cast<float>(20 * stream.next() - 10);
    atom.type = types[static_cast<int>(13 * stream.next())];
    deck.protein.push_back(atom);
  }
  deck.poses.resize(degrees_of_freedom * n_poses);
  for (int i = 0; i < n_poses; ++i)
    for (int k = 0; k < degrees_of_freedom; ++k) {
      const double u = stream.next();
      const double value =
          k < 3 ? 2 * std::numbers::pi * u - std::numbers::pi : 14 * u - 7;
      deck.poses[k * n_poses + i] = static_cast<float>(value);
    }
  return deck;
}

} // namespace suites::minibude
