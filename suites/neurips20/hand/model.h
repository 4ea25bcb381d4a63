// Hand tracking by linear blend skinning: specification section 6. Small
// matrices are heap objects, resized on demand.
#pragma once

#include "common/kernel.h"
#include "types.h"

#include <cmath>
#include <cstdlib>

namespace RETRO_MODEL {

// ---- matrices

inline Matrix empty_matrix() { return {0, 0, nullptr}; }

inline void resize(Matrix *m, int rows, int cols) {
  if (m->rows * m->cols != rows * cols) {
    std::free(m->data);
    m->data =
        rows * cols > 0
            ? static_cast<double *>(std::malloc(sizeof(double) * rows * cols))
            : nullptr;
  }
  m->rows = rows;
  m->cols = cols;
}

inline Matrix new_matrix(int rows, int cols) {
  Matrix m = empty_matrix();
  resize(&m, rows, cols);
  return m;
}

inline void delete_matrix(Matrix *m) {
  std::free(m->data);
  *m = empty_matrix();
}

inline Matrix *new_matrices(int count) {
  Matrix *all = static_cast<Matrix *>(std::malloc(sizeof(Matrix) * count));
  for (int i = 0; i < count; ++i)
    all[i] = empty_matrix();
  return all;
}

inline void delete_matrices(Matrix *all, int count) {
  for (int i = 0; i < count; ++i)
    delete_matrix(&all[i]);
  std::free(all);
}

inline void fill(Matrix *m, double value) {
  for (int i = 0; i < m->rows * m->cols; ++i)
    m->data[i] = value;
}

inline void set_identity(Matrix *m) {
  for (int c = 0; c < m->cols; ++c)
    for (int r = 0; r < m->rows; ++r)
      m->data[r + c * m->rows] = r == c ? 1 : 0;
}

inline void copy(Matrix *RETRO_RESTRICT to, const Matrix *RETRO_RESTRICT from) {
  resize(to, from->rows, from->cols);
  for (int i = 0; i < to->rows * to->cols; ++i)
    to->data[i] = from->data[i];
}

inline void multiply(const Matrix *RETRO_RESTRICT a,
                     const Matrix *RETRO_RESTRICT b,
                     Matrix *RETRO_RESTRICT out) {
  resize(out, a->rows, b->cols);
  for (int r = 0; r < a->rows; ++r)
    for (int c = 0; c < b->cols; ++c) {
      double sum = a->data[r] * b->data[c * b->rows];
      for (int k = 1; k < a->cols; ++k)
        sum += a->data[r + k * a->rows] * b->data[k + c * b->rows];
      out->data[r + c * out->rows] = sum;
    }
}

// ---- pose

/// Columns of the pose matrix (3 rows): global rotation, scale, global
/// translation, then one per bone with flexion, abduction and twist.
constexpr int pose_rotation = 0, pose_scale = 1, pose_translation = 2,
              pose_bones = 3;

inline void pose_of_theta(int bones, const double *RETRO_RESTRICT theta,
                          Matrix *RETRO_RESTRICT pose) {
  resize(pose, 3, bones + 3);
  fill(pose, 0);
  for (int i = 0; i < 3; ++i) {
    pose->data[3 * pose_rotation + i] = theta[i];
    pose->data[3 * pose_scale + i] = 1;
    pose->data[3 * pose_translation + i] = theta[3 + i];
  }
  int next = 6;
  for (int finger = 0; finger < 5; ++finger)
    for (int joint = 2; joint <= 4; ++joint) {
      double *bone = &pose->data[3 * (pose_bones + 4 * finger + joint)];
      bone[0] = theta[next++];
      if (joint == 2)
        bone[1] = theta[next++];
    }
}

/// 3 x 3 rotation about an axis, right-handed; the identity below the
/// threshold.
inline void rotation_of_axis_angle(const double *RETRO_RESTRICT g,
                                   Matrix *RETRO_RESTRICT out) {
  resize(out, 3, 3);
  const double angle = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (angle < 1e-4) {
    set_identity(out);
    return;
  }
  const double x = g[0] / angle, y = g[1] / angle, z = g[2] / angle;
  const double s = std::sin(angle), c = std::cos(angle);
  double *m = out->data;
  m[0] = x * x + (1 - x * x) * c;
  m[3] = x * y * (1 - c) - z * s;
  m[6] = x * z * (1 - c) + y * s;
  m[1] = x * y * (1 - c) + z * s;
  m[4] = y * y + (1 - y * y) * c;
  m[7] = y * z * (1 - c) - x * s;
  m[2] = x * z * (1 - c) - y * s;
  m[5] = z * y * (1 - c) + x * s;
  m[8] = z * z + (1 - z * z) * c;
}

/// Rz Ry Rx (3 x 3) of flexion (x), abduction (z), twist (y).
inline void rotation_of_bone(const double *RETRO_RESTRICT angles,
                             Matrix *RETRO_RESTRICT out) {
  const double tx = angles[0], ty = angles[2], tz = angles[1];
  Matrix rx = new_matrix(3, 3), ry = new_matrix(3, 3), rz = new_matrix(3, 3);
  set_identity(&rx);
  rx.data[4] = rx.data[8] = std::cos(tx);
  rx.data[5] = std::sin(tx);
  rx.data[7] = -rx.data[5];
  set_identity(&ry);
  ry.data[0] = ry.data[8] = std::cos(ty);
  ry.data[6] = std::sin(ty);
  ry.data[2] = -ry.data[6];
  set_identity(&rz);
  rz.data[0] = rz.data[4] = std::cos(tz);
  rz.data[1] = std::sin(tz);
  rz.data[3] = -rz.data[1];
  Matrix zy = empty_matrix();
  multiply(&rz, &ry, &zy);
  multiply(&zy, &rx, out);
  delete_matrix(&rx);
  delete_matrix(&ry);
  delete_matrix(&rz);
  delete_matrix(&zy);
}

/// relatives: one 4 x 4 matrix per bone, base relative times the bone's
/// rotation.
inline void posed_relatives(const HandModel *RETRO_RESTRICT model,
                            const Matrix *RETRO_RESTRICT pose,
                            Matrix *RETRO_RESTRICT relatives) {
  Matrix transform = new_matrix(4, 4), rotation = empty_matrix();
  for (int b = 0; b < model->bones; ++b) {
    set_identity(&transform);
    rotation_of_bone(&pose->data[3 * (pose_bones + b)], &rotation);
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        transform.data[r + 4 * c] = rotation.data[r + 3 * c];
    multiply(&model->base_relatives[b], &transform, &relatives[b]);
  }
  delete_matrix(&transform);
  delete_matrix(&rotation);
}

inline void absolutes_of_relatives(int bones, const int *RETRO_RESTRICT parents,
                                   const Matrix *RETRO_RESTRICT relatives,
                                   Matrix *RETRO_RESTRICT absolutes) {
  for (int b = 0; b < bones; ++b)
    if (parents[b] == -1)
      copy(&absolutes[b], &relatives[b]);
    else
      multiply(&absolutes[parents[b]], &relatives[b], &absolutes[b]);
}

/// positions <- R diag(scale) positions + translation.
inline void apply_global_transform(const Matrix *RETRO_RESTRICT pose,
                                   Matrix *RETRO_RESTRICT positions) {
  Matrix rotation = empty_matrix(), rotated = empty_matrix();
  rotation_of_axis_angle(&pose->data[3 * pose_rotation], &rotation);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      rotation.data[r + 3 * c] *= pose->data[3 * pose_scale + c];
  multiply(&rotation, positions, &rotated);
  for (int v = 0; v < positions->cols; ++v)
    for (int i = 0; i < 3; ++i)
      positions->data[3 * v + i] =
          rotated.data[3 * v + i] + pose->data[3 * pose_translation + i];
  delete_matrix(&rotation);
  delete_matrix(&rotated);
}

/// positions (3 x vertices) of the posed hand.
inline void skinned_positions(const HandModel *RETRO_RESTRICT model,
                              const Matrix *RETRO_RESTRICT pose,
                              Matrix *RETRO_RESTRICT positions) {
  const int bones = model->bones, vertices = model->base_positions.cols;
  Matrix *relatives = new_matrices(bones);
  Matrix *absolutes = new_matrices(bones);
  Matrix *transforms = new_matrices(bones);
  posed_relatives(model, pose, relatives);
  absolutes_of_relatives(bones, model->parents, relatives, absolutes);
  for (int b = 0; b < bones; ++b)
    multiply(&absolutes[b], &model->inverse_base[b], &transforms[b]);

  resize(positions, 3, vertices);
  fill(positions, 0);
  Matrix moved = new_matrix(4, vertices);
  for (int b = 0; b < bones; ++b) {
    multiply(&transforms[b], &model->base_positions, &moved);
    for (int v = 0; v < vertices; ++v)
      for (int i = 0; i < 3; ++i)
        positions->data[3 * v + i] +=
            moved.data[4 * v + i] * model->weights.data[b + bones * v];
  }
  if (model->mirrored)
    for (int v = 0; v < vertices; ++v)
      positions->data[3 * v] *= -1;
  apply_global_transform(pose, positions);

  delete_matrix(&moved);
  delete_matrices(relatives, bones);
  delete_matrices(absolutes, bones);
  delete_matrices(transforms, bones);
}

// ---- objectives

/// theta: 26; err: 3 x count.
void hand_simple(const double *RETRO_RESTRICT theta,
                 const HandData *RETRO_RESTRICT data,
                 double *RETRO_RESTRICT err) {
  Matrix pose = empty_matrix(), positions = empty_matrix();
  pose_of_theta(data->model.bones, theta, &pose);
  skinned_positions(&data->model, &pose, &positions);
  for (int c = 0; c < data->count; ++c) {
    const double *vertex = &positions.data[3 * data->correspondences[c]];
    for (int i = 0; i < 3; ++i)
      err[3 * c + i] = data->points.data[3 * c + i] - vertex[i];
  }
  delete_matrix(&pose);
  delete_matrix(&positions);
}

/// st: 2 x count, barycentric coordinates.
void hand_complicated(const double *RETRO_RESTRICT theta,
                      const double *RETRO_RESTRICT st,
                      const HandData *RETRO_RESTRICT data,
                      double *RETRO_RESTRICT err) {
  Matrix pose = empty_matrix(), positions = empty_matrix();
  pose_of_theta(data->model.bones, theta, &pose);
  skinned_positions(&data->model, &pose, &positions);
  for (int c = 0; c < data->count; ++c) {
    const int *triangle = &data->model.triangles[3 * data->correspondences[c]];
    const double s = st[2 * c], t = st[2 * c + 1];
    for (int i = 0; i < 3; ++i) {
      const double point = s * positions.data[3 * triangle[0] + i] +
                           t * positions.data[3 * triangle[1] + i] +
                           (1 - s - t) * positions.data[3 * triangle[2] + i];
      err[3 * c + i] = data->points.data[3 * c + i] - point;
    }
  }
  delete_matrix(&pose);
  delete_matrix(&positions);
}

} // namespace RETRO_MODEL
