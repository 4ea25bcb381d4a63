// The Jacobian of a 1-D flow map by forward mode, one column at a time and
// eight at a time: heat conduction through a gas whose conductivity depends on
// its temperature, with a reaction that heats it. With --time, the cost of a
// column in both ways.
#include "check.h"
#include "timing.h"

extern int enzyme_const, enzyme_dup, enzyme_dupv, enzyme_width;
template <typename R, typename... A> R __enzyme_fwddiff(A...);

constexpr int N = 256, Steps = 100, Width = 8;

/// Sutherland's law, temperatures in units of the inflow's.
static double conductivity(double t) { return t * std::sqrt(t) / (t + 0.37); }

/// One explicit step from t to next; both ends keep their temperature.
static void step(const double *t, double *next, double dx, double dt) {
  next[0] = t[0];
  double west = conductivity(0.5 * (t[0] + t[1])) * (t[1] - t[0]) / dx;
  for (int i = 1; i + 1 < N; ++i) {
    double face = 0.5 * (t[i] + t[i + 1]);
    double east = conductivity(face) * (t[i + 1] - t[i]) / dx;
    double heat = 40 * (2.5 - t[i]) * std::exp(-6 / t[i]);
    next[i] = t[i] + dt * ((east - west) / dx + heat);
    west = east;
  }
  next[N - 1] = t[N - 1];
}

/// t becomes the temperature after all steps; work is of the same size.
static void run(double *__restrict t, double *__restrict work) {
  const double dx = 1.0 / (N - 1), dt = 0.2 * dx * dx;
  for (int s = 0; s < Steps; s += 2) {
    step(t, work, dx, dt);
    step(work, t, dx, dt);
  }
}

static void initial(double *t) {
  for (int i = 0; i < N; ++i)
    t[i] = 1 + 0.5 * std::sin(3.1 * i / N) + 0.2 * std::cos(40.0 * i / N);
}

using Row = double[N];
static double t[N], work[N], scratch[Width][N];
static double scalar[N][N], vector[N][N];

/// J[k] is column k of the Jacobian.
static void columns_one_by_one(Row *J) {
  for (int k = 0; k < N; ++k) {
    initial(t);
    std::fill(J[k], J[k] + N, 0);
    J[k][k] = 1;
    __enzyme_fwddiff<void>((void *)run, enzyme_dup, t, J[k], enzyme_dup, work,
                           scratch[0]);
  }
}

static void eight_columns_a_call(Row *J) {
  for (int k = 0; k < N; k += Width) {
    initial(t);
    for (int lane = k; lane < k + Width; ++lane) {
      std::fill(J[lane], J[lane] + N, 0);
      J[lane][lane] = 1;
    }
    __enzyme_fwddiff<void>((void *)run, enzyme_width, Width, enzyme_dupv,
                           sizeof(Row), t, J[k], enzyme_dupv, sizeof(Row), work,
                           scratch);
  }
}

static void time_columns() {
  std::vector<double> primal, one, eight, ratio;
  for (int repetition = 0; repetition < 15; ++repetition) {
    primal.push_back(seconds([] {
                       for (int k = 0; k < N; ++k) {
                         initial(t);
                         run(t, work);
                       }
                     }) /
                     N);
    one.push_back(seconds([] { columns_one_by_one(scalar); }) / N);
    eight.push_back(seconds([] { eight_columns_a_call(vector); }) / N);
    ratio.push_back(eight.back() / one.back());
  }
  std::printf("{\"primal_seconds\": %.4g, \"column_seconds\": %.4g, "
              "\"column_seconds_width_8\": %.4g, \"ratio\": %.3f}\n",
              median(primal), median(one), median(eight), median(ratio));
}

int main(int argc, char **argv) {
  columns_one_by_one(scalar);
  eight_columns_a_call(vector);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < N; ++i)
      expect("entry", vector[k][i], scalar[k][i]);
  // Three columns against central differences.
  for (int k : {1, N / 3, N - 2}) {
    const double h = 1e-5;
    double up[N], down[N];
    initial(up);
    initial(down);
    up[k] += h;
    down[k] -= h;
    run(up, work);
    run(down, work);
    for (int i = 0; i < N; ++i)
      expect("entry", vector[k][i], (up[i] - down[i]) / (2 * h), 1e-8);
  }
  if (wants_time(argc, argv))
    time_columns();
  return finish();
}
