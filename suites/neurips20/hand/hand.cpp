// Adjoint of linear blend skinning. The vertices' adjoints are contracted to
// one 3 x 4 matrix per bone; from there on everything is small.
#include "model.h"

#include <cstring>
#include <vector>

namespace RETRO_MODEL {

/// 4 x 4, column-major.
struct Mat4 {
  double m[16] = {};
  double &operator()(int r, int c) { return m[r + 4 * c]; }
  double operator()(int r, int c) const { return m[r + 4 * c]; }
};

static Mat4 load(const Matrix &a) {
  Mat4 out;
  std::memcpy(out.m, a.data, sizeof out.m);
  return out;
}

/// out += a^T b
static void add_transposed_left(const Mat4 &a, const Mat4 &b, Mat4 &out) {
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 4; ++k)
        out(r, c) += a(k, r) * b(k, c);
}

/// out += a b^T
static void add_transposed_right(const Mat4 &a, const Mat4 &b, Mat4 &out) {
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 4; ++k)
        out(r, c) += a(r, k) * b(c, k);
}

/// The forward sweep up to the vertices in front of the global transform.
struct Forward {
  const HandModel &model;
  Matrix pose = empty_matrix(), rotation = empty_matrix();
  Matrix *relatives, *absolutes;
  std::vector<double> local; ///< 3 x vertices

  Forward(const HandModel &model, const double *theta)
      : model(model), relatives(new_matrices(model.bones)),
        absolutes(new_matrices(model.bones)),
        local(3 * std::size_t(model.base_positions.cols)) {
    pose_of_theta(model.bones, theta, &pose);
    posed_relatives(&model, &pose, relatives);
    absolutes_of_relatives(model.bones, model.parents, relatives, absolutes);
    rotation_of_axis_angle(theta, &rotation);
    Matrix transform = empty_matrix();
    for (int b = 0; b < model.bones; ++b) {
      multiply(&absolutes[b], &model.inverse_base[b], &transform);
      add_bone(b, transform.data);
    }
    delete_matrix(&transform);
    if (model.mirrored)
      for (std::size_t i = 0; i < local.size(); i += 3)
        local[i] *= -1;
  }
  ~Forward() {
    delete_matrix(&pose);
    delete_matrix(&rotation);
    delete_matrices(relatives, model.bones);
    delete_matrices(absolutes, model.bones);
  }
  Forward(const Forward &) = delete;

  void add_bone(int b, const double *RETRO_RESTRICT t) {
    double *RETRO_RESTRICT out = local.data();
    for (int v = 0; v < model.base_positions.cols; ++v) {
      const double w = model.weights.data[b + model.bones * v];
      const double *p = &model.base_positions.data[4 * v];
      for (int i = 0; i < 3; ++i)
        out[3 * v + i] += w * (t[i] * p[0] + t[i + 4] * p[1] + t[i + 8] * p[2] +
                               t[i + 12] * p[3]);
    }
  }
};

/// Adds the adjoint of rotation_of_axis_angle, rb 3 x 3 column-major, to gb
/// (3).
static void reverse_axis_angle(const double *g, const double *rb, double *gb) {
  const double angle = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (angle < 1e-4)
    return;
  const double s = std::sin(angle), c = std::cos(angle);
  const double n[3] = {g[0] / angle, g[1] / angle, g[2] / angle};
  // R = cos I + (1 - cos) n n^T + sin [n]x; skew_k = rb : d[n]x / dn_k
  const double skew[3] = {rb[5] - rb[7], rb[6] - rb[2], rb[1] - rb[3]};
  double angleb = 0, nb[3], along = 0;
  for (int k = 0; k < 3; ++k) {
    nb[k] = s * skew[k];
    angleb += c * skew[k] * n[k] - s * rb[4 * k];
    for (int j = 0; j < 3; ++j) {
      angleb += s * rb[k + 3 * j] * n[k] * n[j];
      nb[k] += (1 - c) * (rb[k + 3 * j] + rb[j + 3 * k]) * n[j];
    }
    along += nb[k] * n[k];
  }
  for (int k = 0; k < 3; ++k)
    gb[k] += (nb[k] - along * n[k]) / angle + angleb * n[k];
}

/// rb: adjoint of Rz(tz) Rx(tx), upper left 3 x 3; twist is zero.
static void reverse_bone(const double *angles, const Mat4 &rb, double &flexionb,
                         double &abductionb) {
  const double cx = std::cos(angles[0]), sx = std::sin(angles[0]);
  const double cz = std::cos(angles[1]), sz = std::sin(angles[1]);
  // Rows of Rz Rx: (cz, -sz cx, sz sx), (sz, cz cx, -cz sx), (0, sx, cx).
  flexionb = rb(0, 1) * sz * sx + rb(0, 2) * sz * cx - rb(1, 1) * cz * sx -
             rb(1, 2) * cz * cx + rb(2, 1) * cx - rb(2, 2) * sx;
  abductionb = -rb(0, 0) * sz - rb(0, 1) * cz * cx + rb(0, 2) * cz * sx +
               rb(1, 0) * cz - rb(1, 1) * sz * cx + rb(1, 2) * sz * sx;
}

/// Adjoint of one bone's transform: sum over vertices of weight times positionb
/// base^T.
static Mat4 contract(const HandModel &model, int b,
                     const double *RETRO_RESTRICT positionsb) {
  Mat4 out;
  for (int v = 0; v < model.base_positions.cols; ++v) {
    const double w = model.weights.data[b + model.bones * v];
    const double *p = &model.base_positions.data[4 * v];
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r)
        out.m[r + 4 * c] += w * positionsb[3 * v + r] * p[c];
  }
  return out;
}

static void reverse_bones(const Forward &forward, const double *positionsb,
                          double *thetab) {
  const HandModel &model = forward.model;
  std::vector<Mat4> absoluteb(model.bones), relativeb(model.bones);
  for (int b = 0; b < model.bones; ++b)
    add_transposed_right(contract(model, b, positionsb),
                         load(model.inverse_base[b]), absoluteb[b]);
  for (int b = model.bones; b-- > 0;) {
    const int parent = model.parents[b];
    if (parent == -1) {
      relativeb[b] = absoluteb[b];
      continue;
    }
    add_transposed_left(load(forward.absolutes[parent]), absoluteb[b],
                        relativeb[b]);
    add_transposed_right(absoluteb[b], load(forward.relatives[b]),
                         absoluteb[parent]);
  }
  int next = 6;
  for (int finger = 0; finger < 5; ++finger)
    for (int joint = 2; joint <= 4; ++joint) {
      const int b = 4 * finger + joint;
      Mat4 rotationb;
      add_transposed_left(load(model.base_relatives[b]), relativeb[b],
                          rotationb);
      double flexionb, abductionb;
      reverse_bone(&forward.pose.data[3 * (pose_bones + b)], rotationb,
                   flexionb, abductionb);
      thetab[next++] += flexionb;
      if (joint == 2)
        thetab[next++] += abductionb;
    }
}

/// positionsb: adjoint of the final positions on entry, scratch afterwards.
static void reverse_positions(const Forward &forward, const double *theta,
                              std::vector<double> &positionsb, double *thetab) {
  const double *r = forward.rotation.data;
  double rb[9] = {};
  for (std::size_t v = 0; v < positionsb.size(); v += 3) {
    const double out[3] = {positionsb[v], positionsb[v + 1], positionsb[v + 2]};
    for (int i = 0; i < 3; ++i) {
      thetab[3 + i] += out[i];
      for (int j = 0; j < 3; ++j)
        rb[i + 3 * j] += out[i] * forward.local[v + j];
      positionsb[v + i] =
          r[3 * i] * out[0] + r[3 * i + 1] * out[1] + r[3 * i + 2] * out[2];
    }
    if (forward.model.mirrored)
      positionsb[v] *= -1;
  }
  reverse_axis_angle(theta, rb, thetab);
  reverse_bones(forward, positionsb.data(), thetab);
}

extern "C" void RETRO_SYMBOL(hand_simple_vjp)(const double *theta,
                                              double *thetab,
                                              const HandData *data, double *,
                                              double *errb) {
  const Forward forward(data->model, theta);
  std::vector<double> positionsb(forward.local.size());
  for (int c = 0; c < data->count; ++c)
    for (int i = 0; i < 3; ++i)
      positionsb[3 * data->correspondences[c] + i] -= errb[3 * c + i];
  std::memset(errb, 0, sizeof(double) * 3 * data->count);
  reverse_positions(forward, theta, positionsb, thetab);
}

extern "C" void RETRO_SYMBOL(hand_complicated_vjp)(
    const double *theta, double *thetab, const double *st, double *stb,
    const HandData *data, double *, double *errb) {
  const Forward forward(data->model, theta);
  std::vector<double> positionsb(forward.local.size());
  const double *r = forward.rotation.data;
  for (int c = 0; c < data->count; ++c) {
    const int *triangle = &data->model.triangles[3 * data->correspondences[c]];
    const double *e = &errb[3 * c];
    const double weights[3] = {st[2 * c], st[2 * c + 1],
                               1 - st[2 * c] - st[2 * c + 1]};
    // The translation cancels in differences of vertices.
    const double local[3] = {r[0] * e[0] + r[1] * e[1] + r[2] * e[2],
                             r[3] * e[0] + r[4] * e[1] + r[5] * e[2],
                             r[6] * e[0] + r[7] * e[1] + r[8] * e[2]};
    for (int i = 0; i < 3; ++i) {
      const double last = forward.local[3 * triangle[2] + i];
      for (int corner = 0; corner < 3; ++corner)
        positionsb[3 * triangle[corner] + i] -= weights[corner] * e[i];
      for (int corner = 0; corner < 2; ++corner)
        stb[2 * c + corner] -=
            local[i] * (forward.local[3 * triangle[corner] + i] - last);
    }
  }
  std::memset(errb, 0, sizeof(double) * 3 * data->count);
  reverse_positions(forward, theta, positionsb, thetab);
}

} // namespace RETRO_MODEL
