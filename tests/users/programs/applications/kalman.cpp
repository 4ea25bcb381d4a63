// flags: -std=c++17
#include "../user.h"
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>
template <int R, int C> struct Mat {
  std::array<std::array<double, C>, R> a{};
  double &operator()(int i, int j) { return a[i][j]; }
  double operator()(int i, int j) const { return a[i][j]; }
  static Mat eye(double s = 1) {
    Mat m;
    for (int i = 0; i < R && i < C; ++i)
      m.a[i][i] = s;
    return m;
  }
  Mat<C, R> t() const {
    Mat<C, R> m;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j)
        m(j, i) = a[i][j];
    return m;
  }
};
template <int R, int K, int C>
Mat<R, C> operator*(const Mat<R, K> &x, const Mat<K, C> &y) {
  Mat<R, C> m;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      for (int k = 0; k < K; ++k)
        m(i, j) += x(i, k) * y(k, j);
  return m;
}
template <int R, int C> Mat<R, C> operator+(Mat<R, C> x, const Mat<R, C> &y) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      x(i, j) += y(i, j);
  return x;
}
template <int R, int C> Mat<R, C> operator-(Mat<R, C> x, const Mat<R, C> &y) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      x(i, j) -= y(i, j);
  return x;
}
static Mat<2, 2> inverse(const Mat<2, 2> &m) {
  double d = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
  Mat<2, 2> r;
  r(0, 0) = m(1, 1) / d;
  r(1, 1) = m(0, 0) / d;
  r(0, 1) = -m(0, 1) / d;
  r(1, 0) = -m(1, 0) / d;
  return r;
}
struct Sensor {
  std::string name;
  double noise;
  bool range_only;
  float rate;
};
class Tracker {
  Mat<4, 1> s_;
  Mat<4, 4> P_ = Mat<4, 4>::eye(0.8);
  double loglik_ = 0;
  std::string id_;
  int updates_ = 0;

public:
  Tracker(std::string id, double px, double py) : id_(std::move(id)) {
    s_(0, 0) = px;
    s_(1, 0) = py;
    s_(2, 0) = 0.3;
  }
  void predict(double dt, double q) {
    auto F = Mat<4, 4>::eye();
    F(0, 2) = F(1, 3) = dt;
    s_ = F * s_;
    P_ = F * P_ * F.t() + Mat<4, 4>::eye(q);
  }
  std::tuple<double, double> update(const Sensor &sen, double zx, double zy) {
    Mat<2, 4> H;
    H(0, 0) = 1;
    H(1, 1) = sen.range_only ? 0.5 : 1.0;
    Mat<2, 1> z;
    z(0, 0) = zx;
    z(1, 0) = zy;
    auto S = H * P_ * H.t() + Mat<2, 2>::eye(sen.noise * sen.rate);
    auto Si = inverse(S);
    auto K = P_ * H.t() * Si;
    auto y = z - H * s_;
    s_ = s_ + K * y;
    P_ = (Mat<4, 4>::eye() - K * H) * P_;
    double m = (y.t() * Si * y)(0, 0),
           ld = log(S(0, 0) * S(1, 1) - S(0, 1) * S(1, 0));
    loglik_ -= 0.5 * (m + ld);
    ++updates_;
    return {m, ld};
  }
  double loglik() const { return loglik_; }
  double trace() const {
    double t = 0;
    for (int i = 0; i < 4; ++i)
      t += P_(i, i);
    return t;
  }
  const std::string &id() const { return id_; }
};
static double f(const double *x, int n) {
  std::map<std::string, Sensor> sensors;
  sensors["radar"] = {"radar station on the northern hill", 0.2 + 0.1 * x[0],
                      false, 1.0f};
  sensors["sonar"] = {"sonar", 0.5 * x[n - 1], true, 0.75f};
  std::vector<Tracker> tracks;
  for (int k = 0; k < 2; ++k)
    tracks.emplace_back("track-" + std::to_string(k), x[k % n], 0.5);
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (auto &t : tracks) {
      t.predict(0.1 + 0.05 * x[i], 0.02);
      for (auto &[name, sen] : sensors) {
        auto [m, ld] = t.update(sen, x[i] + 0.1 * i, x[(i + 2) % n]);
        s += 0.1 * m + 0.01 * ld * name.size();
      }
    }
  for (auto &t : tracks)
    s += t.trace() - 0.2 * t.loglik() + 0.001 * t.id().size();
  return s;
}
DERIVED(f)
