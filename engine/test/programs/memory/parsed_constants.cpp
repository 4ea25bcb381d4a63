// Records of a parser, whose words are numbers, pairs of integers or
// characters: no number in them depends on an input, and what is made of the
// integers and characters is right. So are the halves of active numbers that
// other records hold.
#include "../check.h"

#include <vector>

namespace {

struct Pair {
  int kind, character;
};
union Word {
  double number;
  Pair pair;
  char text[8];
};
/// Nothing says at the load that it is an integer.
int character(const Word &w) {
  int c;
  memcpy(&c, &w.pair.character, sizeof c);
  return c;
}

/// The words are constant, and the derivative depends on them.
double parsed(const double *x, int n) {
  const int end = n > 100 ? 0 : -1;
  std::vector<Word> words;
  for (int i = 0; i < n; ++i) {
    Word w;
    if (i % 3 == 0)
      w.number = 1.5 + i;
    else
      w.pair = {i % 3, 'a' + i};
    words.push_back(w);
  }
  std::vector<Word> copies(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    if (i % 3 == 0)
      copies[i].number = words[i].number / 2;
    else if (const int c = character(words[i]); c != end)
      copies[i].text[i % 8] = static_cast<char>(c);
    else
      break;
  }
  double s = 0;
  for (size_t i = 0; i < words.size(); ++i)
    s += i % 3 == 0 ? x[i] * words[i].number * copies[i].number
                    : sin(x[i]) * copies[i].text[i % 8] / 100;
  return s;
}

/// What a byte of each word says, found by an index.
double looked_up(const double *x, int n) {
  Word *words = new Word[size_t(n)];
  for (int i = 0; i < n; ++i)
    words[i].number = 0.5 * i;
  words[n - 1].pair = {1, '7'};
  char *bytes = words[n - 2].text;
  for (int i = 0; i < 8; ++i) {
    const int c = character(words[n - 1]);
    if (c == 1000 * n)
      break;
    bytes[i] = static_cast<char>(c - i);
  }
  double s = 0;
  for (int i = 0; i < n - 2; ++i)
    s += x[i] * x[i + 1] * words[i].number * (bytes[i % 8] - '0');
  delete[] words;
  return s;
}

/// Words that are moved in halves hold active numbers.
double moved(const double *x, int n) {
  std::vector<Word> from, to;
  from.resize(size_t(n));
  to.resize(size_t(n));
  for (int i = 0; i < n; ++i)
    from[size_t(i)].number = x[i] * x[i];
  for (int i = 0; i < n; ++i) {
    const Pair p = from[size_t(i)].pair;
    to[size_t(n - 1 - i)].pair = p;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += to[size_t(i)].number * (i + 1);
  return s;
}

} // namespace

int main() {
  check_modes<parsed>();
  check_modes<looked_up>();
  check_modes<moved>();
  return finish();
}
