// flags: -std=c++17
#include "../user.h"
#include <cctype>
#include <string>
#include <unordered_map>
#include <vector>
// a pocket calculator: tokenizer and recursive descent evaluator
enum class Tok { Num, Id, Op, End };
struct Token {
  Tok kind;
  std::string text;
  double value;
  int pos;
};
class Lexer {
  std::string s_;
  size_t p_ = 0;

public:
  explicit Lexer(std::string s) : s_(std::move(s)) {}
  std::vector<Token> run() {
    std::vector<Token> out;
    while (p_ < s_.size()) {
      char c = s_[p_];
      if (isspace((unsigned char)c)) {
        ++p_;
        continue;
      }
      int start = (int)p_;
      if (isdigit((unsigned char)c)) {
        while (p_ < s_.size() &&
               (isdigit((unsigned char)s_[p_]) || s_[p_] == '.'))
          ++p_;
        std::string t = s_.substr(start, p_ - start);
        out.push_back({Tok::Num, t, std::stod(t), start});
      } else if (isalpha((unsigned char)c)) {
        while (p_ < s_.size() &&
               (isalnum((unsigned char)s_[p_]) || s_[p_] == '_'))
          ++p_;
        out.push_back({Tok::Id, s_.substr(start, p_ - start), 0, start});
      } else {
        out.push_back({Tok::Op, std::string(1, c), 0, start});
        ++p_;
      }
    }
    out.push_back({Tok::End, "", 0, (int)p_});
    return out;
  }
};
class Parser {
  std::vector<Token> t_;
  size_t i_ = 0;
  std::unordered_map<std::string, double> &env_;
  bool accept(const char *op) {
    if (t_[i_].kind == Tok::Op && t_[i_].text == op) {
      ++i_;
      return true;
    }
    return false;
  }
  double factor() {
    if (accept("-"))
      return -factor();
    if (accept("(")) {
      double v = expr();
      accept(")");
      return v;
    }
    Token k = t_[i_++];
    if (k.kind == Tok::Num)
      return k.value;
    if (accept("(")) {
      double a = expr();
      accept(")");
      if (k.text == "sin")
        return sin(a);
      if (k.text == "exp")
        return exp(a);
      if (k.text == "sqrt")
        return sqrt(a);
      return a;
    }
    return env_[k.text];
  }
  double power() {
    double b = factor();
    if (accept("^"))
      return pow(b, power());
    return b;
  }
  double term() {
    double v = power();
    for (;;) {
      if (accept("*"))
        v *= power();
      else if (accept("/"))
        v /= power();
      else
        return v;
    }
  }
  double expr() {
    double v = term();
    for (;;) {
      if (accept("+"))
        v += term();
      else if (accept("-"))
        v -= term();
      else
        return v;
    }
  }

public:
  Parser(std::vector<Token> t, std::unordered_map<std::string, double> &e)
      : t_(std::move(t)), env_(e) {}
  double statement() {
    if (t_.size() > 2 && t_[0].kind == Tok::Id && t_[1].text == "=") {
      std::string name = t_[0].text;
      i_ = 2;
      double v = expr();
      env_[name] = v;
      return v;
    }
    return expr();
  }
};
static double f(const double *x, int n) {
  std::unordered_map<std::string, double> env;
  for (int i = 0; i < n; ++i)
    env["x" + std::to_string(i)] = x[i];
  env["total"] = 0;
  double last = 0;
  for (int i = 0; i < n; ++i) {
    std::string a = "x" + std::to_string(i),
                b = "x" + std::to_string((i + 1) % n);
    for (std::string line : {"t = " + a + " * sin(" + b + ") + 2.5",
                             "total = total + sqrt(t) / (1 + " + a + "^2)",
                             "total - exp(-" + b + ") * 0.5"})
      last = Parser(Lexer(line).run(), env).statement();
  }
  return last + env["total"] * 0.1;
}
DERIVED(f)
