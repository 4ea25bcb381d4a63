// The readers of data files: any bytes give data that can be used, or an
// exception that says what is wrong.
#include "hand/data.hpp"
#include "minibude/deck.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

static const fs::path &folder() {
  static const fs::path made = [] {
    std::string name = (fs::temp_directory_path() / "retro-readers-XXXXXX");
    if (!mkdtemp(name.data()))
      std::abort();
    std::atexit([] { fs::remove_all(folder()); });
    return fs::path(name);
  }();
  return made;
}

/// Files after each other, divided by lines of one '%'.
static void write(const std::string &all,
                  const std::vector<const char *> &names) {
  std::size_t begin = 0;
  for (const char *name : names) {
    const std::size_t end = all.find("\n%\n", begin);
    std::ofstream(folder() / name, std::ios::binary)
        << all.substr(begin, end == all.npos ? end : end - begin);
    begin = end == all.npos ? all.size() : end + 3;
  }
}

static void read_deck() {
  const auto deck = suites::minibude::read_deck(folder().string());
  double sum = 0;
  for (const auto &atom : deck.protein)
    sum += deck.parameters.at(static_cast<std::size_t>(atom.type)).radius;
  if (deck.poses.size() % suites::minibude::degrees_of_freedom != 0 ||
      deck.protein.empty() || sum == 1e300)
    std::abort();
}

static void read_hand(bool complicated) {
  hand::Problem p =
      hand::Problem::read((folder() / "instance.txt").string(), complicated);
  const auto view = p.view();
  for (int b = 0; b < view.model.bones; ++b)
    if (view.model.parents[b] >= b || view.model.parents[b] < -1)
      std::abort(); // the model would read beyond its bones
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  if (size == 0)
    return 0;
  const std::string text(reinterpret_cast<const char *>(data + 1), size - 1);
  try {
    if (data[0] == 'd') {
      write(text, {"protein.in", "ligand.in", "forcefield.in", "poses.in",
                   "ref_energies.out"});
      read_deck();
    } else {
      write(text,
            {"instance.txt", "bones.txt", "vertices.txt", "triangles.txt"});
      read_hand(data[0] == 'c');
    }
  } catch (const std::bad_alloc &) {
    std::abort(); // a number in a file is no reason to ask for all memory
  } catch (const std::length_error &) {
    std::abort();
  } catch (const std::exception &) {
  }
  return 0;
}
