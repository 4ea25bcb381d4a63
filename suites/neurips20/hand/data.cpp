#include "data.hpp"

#include "common/rng.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hand {

/// c = a b, 4 x 4, column-major; every entry is summed from the first product
/// on.
static void multiply(const double *a, const double *b, double *c) {
  for (int r = 0; r < 4; ++r)
    for (int k = 0; k < 4; ++k) {
      double sum = a[r] * b[4 * k];
      for (int j = 1; j < 4; ++j)
        sum += a[r + 4 * j] * b[j + 4 * k];
      c[r + 4 * k] = sum;
    }
}

Problem Problem::generate(int vertices, int count, std::uint64_t seed) {
  if (vertices < 1 || count < 1)
    throw std::invalid_argument("hand: nv and nc must be positive");
  retro::suite::Rng rng(seed);
  Problem p;
  p.parents = {-1, 0,  1, 2,  3,  0,  5, 6,  7,  0,  9,
               10, 11, 0, 13, 14, 15, 0, 17, 18, 19, 0};
  const std::size_t bones = p.parents.size();
  std::vector<double> absolutes(16 * bones);
  for (std::size_t b = 0; b < bones; ++b) {
    const double c = rng.uniform(0.8, 1.0);
    const double s = std::sqrt(1 - c * c);
    const double t0 = rng.uniform(-0.1, 0.1), t1 = rng.uniform(0.2, 0.4),
                 t2 = rng.uniform(-0.1, 0.1);
    const double relative[16] = {c, s, 0, 0, -s, c,  0,  0,
                                 0, 0, 1, 0, t0, t1, t2, 1};
    p.base_relatives.insert(p.base_relatives.end(), relative, relative + 16);
    double *a = &absolutes[16 * b];
    if (p.parents[b] < 0)
      std::copy(relative, relative + 16, a);
    else
      multiply(&absolutes[16 * static_cast<std::size_t>(p.parents[b])],
               relative, a);
    double inverse[16] = {};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        inverse[i + 4 * j] = a[j + 4 * i];
      inverse[i + 12] =
          -(a[4 * i] * a[12] + a[1 + 4 * i] * a[13] + a[2 + 4 * i] * a[14]);
    }
    inverse[15] = 1;
    p.inverse_base.insert(p.inverse_base.end(), inverse, inverse + 16);
  }
  for (int v = 0; v < vertices; ++v) {
    for (int i = 0; i < 3; ++i)
      p.base_positions.push_back(rng.uniform(-1, 1));
    p.base_positions.push_back(1);
  }
  p.weights.resize(bones * vertices);
  for (int v = 0; v < vertices; ++v) {
    const int b1 = rng.integer(22), b2 = rng.integer(22);
    const double w = rng.uniform();
    p.weights[b1 + bones * v] += w;
    p.weights[b2 + bones * v] += 1 - w;
  }
  for (int c = 0; c < count; ++c)
    p.correspondences.push_back(rng.integer(vertices));
  p.points = rng.uniforms(3 * static_cast<std::size_t>(count), -1, 1);
  p.theta = rng.uniforms(26, -0.5, 0.5);
  p.st = rng.uniforms(2 * static_cast<std::size_t>(count), 0, 0.5);
  for (int i = 0; i < vertices; ++i)
    for (int j = 0; j < 3; ++j)
      p.triangles.push_back((i + j) % vertices);
  return p;
}

static std::ifstream open(const std::filesystem::path &path) {
  std::ifstream in(path);
  if (!in)
    throw std::invalid_argument("cannot read " + path.string());
  return in;
}

/// The fields of a line, separated by colons.
static std::vector<std::string> fields(const std::string &line) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ':');)
    all.push_back(field);
  return all;
}

void Problem::read_model(const std::string &folder) {
  const std::filesystem::path root(folder);
  std::string line;
  auto bones_file = open(root / "bones.txt");
  while (std::getline(bones_file, line)) {
    const auto f = fields(line);
    if (f.size() < 34)
      continue;
    parents.push_back(std::stoi(f[1]));
    for (auto [first, out] :
         {std::pair{2, &base_relatives}, std::pair{18, &inverse_base}})
      for (int c = 0; c < 4; ++c) // the file is row-major
        for (int r = 0; r < 4; ++r)
          out->push_back(std::stod(f[first + 4 * r + c]));
  }
  const std::size_t bones = parents.size();
  auto vertices_file = open(root / "vertices.txt");
  while (std::getline(vertices_file, line)) {
    const auto f = fields(line);
    if (f.size() < 9)
      continue;
    for (int i = 0; i < 3; ++i)
      base_positions.push_back(std::stod(f[i]));
    base_positions.push_back(1);
    std::vector<double> column(bones);
    const std::size_t influences = std::stoul(f[8]);
    for (std::size_t i = 0; i < influences; ++i)
      column.at(std::stoul(f.at(9 + 2 * i))) += std::stod(f.at(10 + 2 * i));
    weights.insert(weights.end(), column.begin(), column.end());
  }
  auto triangles_file = open(root / "triangles.txt");
  while (std::getline(triangles_file, line)) {
    const auto f = fields(line);
    for (std::size_t i = 0; f.size() >= 3 && i < 3; ++i)
      triangles.push_back(std::stoi(f[i]));
  }
  if (bones != 22 || base_positions.empty())
    throw std::invalid_argument(folder + ": not a hand of 22 bones");
  for (std::size_t b = 0; b < bones; ++b)
    if (parents[b] < -1 || parents[b] >= static_cast<int>(b))
      throw std::invalid_argument(folder + ": a parent follows its child");
  for (const int v : triangles)
    if (v < 0 || static_cast<std::size_t>(v) >= base_positions.size() / 4)
      throw std::invalid_argument(folder + ": a triangle of unknown vertices");
}

void Problem::read_instance(const std::string &path, bool complicated) {
  auto in = open(path);
  int count = 0, parameters = 0;
  in >> count >> parameters;
  if (!in || count < 1 || parameters != 26)
    throw std::invalid_argument(path + ": must begin with a count and 26");
  theta.resize(parameters);
  // Memory for what is there, whatever the file says.
  for (int c = 0; c < count && in; ++c) {
    int vertex = 0;
    double x = 0, y = 0, z = 0;
    in >> vertex >> x >> y >> z;
    correspondences.push_back(vertex);
    points.insert(points.end(), {x, y, z});
  }
  for (long long i = 0; complicated && i < 2ll * count && in; ++i) {
    double number = 0;
    in >> number;
    st.push_back(number);
  }
  for (double &angle : theta)
    in >> angle;
  if (!in)
    throw std::invalid_argument(path + ": too few numbers");
  const std::size_t limit =
      complicated ? triangles.size() / 3 : base_positions.size() / 4;
  for (const int c : correspondences)
    if (c < 0 || static_cast<std::size_t>(c) >= limit)
      throw std::invalid_argument(path + ": a correspondence is out of range");
}

Problem Problem::read(const std::string &instance, bool complicated) {
  Problem p;
  const auto folder = std::filesystem::path(instance).parent_path();
  const bool below = std::filesystem::exists(folder / "model" / "bones.txt");
  p.read_model((below ? folder / "model" : folder).string());
  p.read_instance(instance, complicated);
  return p;
}

HandData Problem::view() {
  const int bones = static_cast<int>(parents.size());
  const int vertices = static_cast<int>(base_positions.size() / 4);
  relative_views.clear();
  inverse_views.clear();
  for (int b = 0; b < bones; ++b) {
    relative_views.push_back({4, 4, &base_relatives[16 * b]});
    inverse_views.push_back({4, 4, &inverse_base[16 * b]});
  }
  return {{bones, parents.data(), relative_views.data(), inverse_views.data(),
           matrix(base_positions, 4, vertices),
           matrix(weights, bones, vertices), triangles.data(), 0},
          count(),
          correspondences.data(),
          matrix(points, 3, count())};
}

} // namespace hand
