// Doubles in fields that are declared to be of integers or floats, where a
// field beside them says what they are: as a tagged value keeps what it is
// given. Objects of 12 bytes are copied one by one, several at once, and over
// themselves.
#include "../check.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace {

using Word = uint32_t;
struct Cell {
  std::array<Word, 2> words;
  char is_number;
  static Cell number(double d) {
    Cell c{{}, 1};
    std::memcpy(c.words.data(), &d, sizeof d);
    return c;
  }
  static Cell pair(Word a, Word b) { return {{a, b}, 0}; }
  double value() const {
    if (!is_number)
      return double(words[0]) + 0.5 * double(words[1]);
    double d;
    std::memcpy(&d, words.data(), sizeof d);
    return d;
  }
};

double sum(const std::vector<Cell> &cells) {
  double s = 0;
  for (size_t i = 0; i < cells.size(); ++i)
    s += cells[i].value() * cells[(i + 1) % cells.size()].value();
  return s;
}

double listed(const double *x, int n) {
  std::vector<Cell> cells;
  for (int i = 0; i < n; ++i)
    cells.push_back(i % 2 ? Cell::pair(Word(i), 3) : Cell::number(x[i]));
  std::swap(cells[0], cells[1]);
  cells.insert(cells.begin(), Cell::number(x[n - 1] * x[0]));
  return sum(cells);
}

#ifdef __OPTIMIZE__ // without, what is relocated is refused
/// So few elements that each is at a known place.
double few(const double *x, int n) {
  std::vector<Cell> cells;
  cells.push_back(Cell::number(x[0]));
  cells.push_back(Cell::pair(1, 3));
  cells.push_back(Cell::number(x[2]));
  cells.insert(cells.begin(), Cell::number(x[n - 1] * x[0]));
  return sum(cells);
}

#endif
double local(const double *x, int n) {
  Cell cells[2] = {Cell::number(x[0]), Cell::pair(2, 1)};
  cells[1] = cells[0];
  const Cell &c = cells[n % 2];
  return c.value() * c.value() + x[1] * cells[1].value();
}

} // namespace

int main() {
  check_modes<listed>();
#ifdef __OPTIMIZE__
  check_modes<few>();
#endif
  check_modes<local>();
  return finish();
}
