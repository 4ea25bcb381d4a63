// Functions that rearrange arrays: each allocates its result, whose descriptor
// it fills, and moves elements there, numbers or not. Derivatives move the same
// way back, which the engine finds in the loops; without these bodies it would
// not know which element went where.
#include "fortran.h"

/// Stores element k of a new, contiguous array.
INLINE void put(const View *to, int64_t k, const char *from) {
  copy(to->base + k * (int64_t)to->size, from, to->type, to->size);
}

void retro_fortran_Transpose(Box *result, const Box *matrix, const char *file,
                             int line) {
  View m = view(matrix), r = begin(&m, 2);
  setExtent(&r, 0, m.dim[1].extent);
  setExtent(&r, 1, m.dim[0].extent);
  finish(result, &r);
  for (int64_t j = 0; j < r.dim[1].extent; ++j)
    for (int64_t i = 0; i < r.dim[0].extent; ++i)
      put(&r, i + j * r.dim[0].extent,
          m.base + j * m.dim[0].stride + i * m.dim[1].stride);
}

void retro_fortran_Reshape(Box *result, const Box *source, const Box *shape,
                           const Box *pad, const Box *order, const char *file,
                           int line) {
  View x = view(source), s = view(shape), p = viewMask(pad),
       o = viewMask(order);
  View r = begin(&x, (int)s.dim[0].extent);
  for (int j = 0; j < r.rank; ++j)
    setExtent(&r, j, integer(element(&s, j), s.size));
  finish(result, &r);
  int64_t has = elements(&x), more = p.base ? elements(&p) : 0;
  // The dimensions of the result, the fastest first.
  int by[MaxRank];
  for (int j = 0; j < r.rank; ++j)
    by[j] = o.base ? (int)integer(element(&o, j), o.size) - 1 : j;
  for (int64_t k = 0; k < elements(&r); ++k) {
    int64_t rest = k, offset = 0;
    for (int j = 0; j < r.rank; ++j) {
      offset += rest % r.dim[by[j]].extent * r.dim[by[j]].stride;
      rest /= r.dim[by[j]].extent;
    }
    const char *from =
        k < has ? element(&x, k) : element(&p, more ? (k - has) % more : 0);
    copy(r.base + offset, from, x.type, x.size);
  }
}

void retro_fortran_Spread(Box *result, const Box *source, int dim,
                          int64_t copies, const char *file, int line) {
  View x = view(source), r = begin(&x, x.rank + 1);
  int64_t inner = 1;
  for (int j = 0, k = 0; j <= x.rank; ++j) {
    if (j + 1 == dim) {
      setExtent(&r, j, copies);
      continue;
    }
    setExtent(&r, j, x.dim[k].extent);
    if (j + 1 < dim)
      inner *= x.dim[k].extent;
    ++k;
  }
  finish(result, &r);
  copies = copies > 0 ? copies : 0;
  for (int64_t k = 0; k < elements(&x); ++k)
    for (int64_t c = 0; c < copies; ++c)
      put(&r, k % inner + (k / inner * copies + c) * inner, element(&x, k));
}

void retro_fortran_Pack(Box *result, const Box *source, const Box *mask,
                        const Box *vector, const char *file, int line) {
  View x = view(source), m = viewMask(mask), v = viewMask(vector);
  int64_t n = elements(&x), count = 0;
  for (int64_t k = 0; k < n; ++k)
    count += selected(&m, k);
  int64_t length = v.base ? rows(&v) : count;
  View r = begin(&x, 1);
  setExtent(&r, 0, length);
  finish(result, &r);
  int64_t at = 0;
  for (int64_t k = 0; k < n; ++k)
    if (selected(&m, k))
      put(&r, at++, element(&x, k));
  for (; at < length; ++at)
    put(&r, at, element(&v, at));
}

void retro_fortran_Unpack(Box *result, const Box *vector, const Box *mask,
                          const Box *field, const char *file, int line) {
  View v = view(vector), m = view(mask), f = view(field), r = begin(&v, m.rank);
  for (int j = 0; j < m.rank; ++j)
    setExtent(&r, j, m.dim[j].extent);
  finish(result, &r);
  int64_t at = 0;
  for (int64_t k = 0; k < elements(&m); ++k)
    put(&r, k, selected(&m, k) ? element(&v, at++) : element(&f, k));
}

/// i modulo n, in 0 <= i < n.
INLINE int64_t around(int64_t i, int64_t n) {
  int64_t r = n ? i % n : 0;
  return r < 0 ? r + n : r;
}

/// Each element comes from one of the same line along dimension d. Where the
/// line ends it comes from the line's other end, or from the boundary, or is 0.
INLINE void shiftAlong(Box *result, const Box *source, const Box *shift,
                       int64_t by, int d, bool end, const Box *boundary) {
  View x = view(source), s = viewMask(shift), edge = viewMask(boundary);
  View r = begin(&x, x.rank);
  int64_t inner = 1, length = 1;
  for (int j = 0; j < x.rank; ++j) {
    setExtent(&r, j, x.dim[j].extent);
    if (j < d)
      inner *= x.dim[j].extent;
    if (j == d)
      length = x.dim[j].extent;
  }
  finish(result, &r);
  for (int64_t k = 0; k < elements(&x); ++k) {
    int64_t at = k / inner % length;
    int64_t line = k / inner / length * inner + k % inner;
    if (shift)
      by = integer(element(&s, line), s.size);
    int64_t from = end ? at + by : around(at + by, length);
    if (from >= 0 && from < length)
      put(&r, k, element(&x, k + (from - at) * inner));
    else if (edge.base)
      put(&r, k, element(&edge, line));
    else
      memset(r.base + k * (int64_t)r.size, 0, r.size);
  }
}

void retro_fortran_Cshift(Box *result, const Box *source, const Box *shift,
                          int dim, const char *file, int line) {
  shiftAlong(result, source, shift, 0, dim - 1, false, 0);
}

void retro_fortran_CshiftVector(Box *result, const Box *source, int64_t by,
                                const char *file, int line) {
  shiftAlong(result, source, 0, by, 0, false, 0);
}

void retro_fortran_Eoshift(Box *result, const Box *source, const Box *shift,
                           const Box *boundary, int dim, const char *file,
                           int line) {
  shiftAlong(result, source, shift, 0, dim - 1, true, boundary);
}

void retro_fortran_EoshiftVector(Box *result, const Box *source, int64_t by,
                                 const Box *boundary, const char *file,
                                 int line) {
  shiftAlong(result, source, 0, by, 0, true, boundary);
}
