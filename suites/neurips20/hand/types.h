/* Data of the hand-tracking problem, shared by kernels and driver:
 * specification section 6. */
#ifndef RETROGRADE_SUITES_HAND_TYPES_H
#define RETROGRADE_SUITES_HAND_TYPES_H

/* Column-major, on the heap. */
struct Matrix {
  int rows, cols;
  double *data;
};

struct HandModel {
  int bones;
  const int *parents; /* -1 for the root; a parent precedes its children */
  const Matrix *base_relatives; /* bones matrices, 4 x 4 */
  const Matrix *inverse_base;   /* bones matrices, 4 x 4 */
  Matrix base_positions;        /* 4 x vertices, homogeneous */
  Matrix weights;               /* bones x vertices */
  const int *triangles;         /* three vertices each */
  int mirrored;
};

struct HandData {
  HandModel model;
  int count; /* correspondences */
  const int
      *correspondences; /* vertex (simple) or triangle (complicated) of each */
  Matrix points;        /* 3 x count */
};

#endif
