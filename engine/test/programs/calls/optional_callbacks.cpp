// Callbacks that a program may be given, and is not here: no function of their
// types has its address taken. Each call stands behind a question for one.
#include "../check.h"

#include <functional>
#include <memory>
#include <vector>

struct Sink {
  virtual ~Sink() = default;
  virtual void take(double *v, int n) = 0;
};

struct Solver {
  double (*hook)(double, const double *) = nullptr;
  const double *data = nullptr;
  std::function<double(double, double)> corrected;
  std::function<void(int, double)> observed;
  std::unique_ptr<Sink> sink;
  int every = 2;
  double damping = 0.5;

  double step(double v, int i) {
    if (i % every == 0 && hook)
      v = hook(v, data);
    if (corrected && v > 0)
      v = corrected(v, damping);
    if (observed)
      observed(i, v);
    if (sink)
      sink->take(&v, 1);
    return v * damping;
  }
};

static double solved(const double *x, int n) {
  std::vector<Solver> solvers(2);
  for (auto &each : solvers)
    each.damping = x[0];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += solvers[i % 2].step(x[i], i) * x[i];
  return sum;
}

/// Some are given, and moved and copied with those that are not.
struct Model {
  std::function<double(double)> force, limit;
  double scale = 1;
};

static double moved(const double *x, int n) {
  std::vector<Model> models;
  for (int i = 0; i < 3; ++i) {
    Model m;
    if (i != 1)
      m.force = [k = x[i]](double q) { return k * q * q; };
    m.scale = x[i + 1];
    models.push_back(m);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Model m = models[i % 3];
    double v = m.force ? m.force(x[i]) : x[i] * m.scale;
    if (m.limit)
      v = m.limit(v);
    sum += v * v * m.scale;
    models[(i + 1) % 3] = std::move(m);
  }
  return sum;
}

/// One that is empty is called, and the program catches what that throws.
static double caught(const double *x, int n) {
  std::function<double(float)> none;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    try {
      sum += none(static_cast<float>(x[i]));
    } catch (const std::bad_function_call &) {
      sum += x[i] * x[i];
    }
  }
  return sum;
}

/// The question is asked in a function that calls itself.
struct Chain {
  std::function<double(int, double)> at[3];
  double weight;
};

static double walk(Chain *c, double v, int k) {
  if (k == 0)
    return v;
  if (c->at[k % 3])
    return c->at[k % 3](k, v) + walk(c, v, k - 1);
  return c->weight * walk(c, v * v, k - 1);
}

static double walked(const double *x, int n) {
  auto c = std::make_unique<Chain>();
  c->weight = x[1];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += walk(c.get(), x[i], i % 4);
  return sum;
}

int main() {
  check_modes<solved>();
  check_modes<moved>();
  check_modes<caught>();
  check_modes<walked>();
  check_modes<solved>();
  return finish();
}
