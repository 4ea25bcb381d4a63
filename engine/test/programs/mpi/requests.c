// MPI: 3
// NOT-SANITIZED: the MPI library has leaks of its own
// Requests: waited for in every way, in orders of their own, from other
// functions, in structs, and started again.
#include "across.h"

static int right, left;

/// Two messages of one sender with one tag: the sender waits for them in one
/// order, the receiver in the other, and changes one between the waits.
static void crossed(const double *x, double *y) {
  double a[N], b[N], out[2 * N];
  MPI_Request s[2], r[2];
  for (int i = 0; i < N; ++i)
    out[i] = x[i] * x[i], out[N + i] = sin(x[i]);
  MPI_Irecv(a, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(b, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(out, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &s[0]);
  MPI_Issend(out + N, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &s[1]);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    b[i] *= x[i];
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Wait(&s[0], MPI_STATUS_IGNORE);
  MPI_Wait(&s[1], MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = a[i] * a[i] + 3 * b[i];
}

/// The same with a blocking message between.
static void between(const double *x, double *y) {
  double a[N], b[N], out[N];
  MPI_Request s, r;
  for (int i = 0; i < N; ++i)
    out[i] = exp(-x[i]);
  MPI_Irecv(a, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r);
  MPI_Isend(out, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &s);
  MPI_Send(x, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
  MPI_Recv(b, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&s, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = a[i] * a[i] + 3 * b[i] * x[i];
}

/// Each is used as it comes.
static void any(const double *x, double *y) {
  double in[4][N];
  MPI_Request r[4], s[4];
  for (int k = 0; k < size; ++k) {
    MPI_Irecv(in[k], N, MPI_DOUBLE, k, 2, MPI_COMM_WORLD, &r[k]);
    MPI_Isend(x, N, MPI_DOUBLE, k, 2, MPI_COMM_WORLD, &s[k]);
  }
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  for (int k = 0; k < size; ++k) {
    int which;
    MPI_Waitany(size, r, &which, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      y[i] += in[which][i] * in[which][i] * (which + 1);
  }
  MPI_Waitall(size, s, MPI_STATUSES_IGNORE);
}

static void some(const double *x, double *y) {
  double in[4][N];
  MPI_Request r[8];
  int done = 0, count, which[8];
  for (int k = 0; k < size; ++k) {
    MPI_Irecv(in[k], N, MPI_DOUBLE, k, 2, MPI_COMM_WORLD, &r[k]);
    MPI_Isend(x, N, MPI_DOUBLE, k, 2, MPI_COMM_WORLD, &r[size + k]);
  }
  while (done < 2 * size) {
    MPI_Waitsome(2 * size, r, &count, which, MPI_STATUSES_IGNORE);
    done += count;
  }
  for (int i = 0; i < N; ++i) {
    y[i] = 1;
    for (int k = 0; k < size; ++k)
      y[i] *= in[k][i];
  }
}

static void tested(const double *x, double *y) {
  double in[N], more[N];
  MPI_Request r, s[2];
  int flag = 0;
  MPI_Irecv(in, N, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &r);
  MPI_Isend(x, N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &s[0]);
  while (!flag)
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    in[i] *= x[i];
  MPI_Isend(in, N, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &s[1]);
  MPI_Recv(more, N, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (flag = 0; !flag;)
    MPI_Testall(2, s, &flag, MPI_STATUSES_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = more[i] * more[i] + in[i];
}

/// Requests and buffers in a struct that other functions are given.
struct halo {
  double low[2], high[2];
  MPI_Request all[4];
  int n;
};
NOINLINE static void post(struct halo *h, const double *u) {
  h->n = 0;
  MPI_Irecv(h->low, 2, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &h->all[h->n++]);
  MPI_Irecv(h->high, 2, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &h->all[h->n++]);
  MPI_Isend(u + N - 2, 2, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
            &h->all[h->n++]);
  MPI_Isend(u, 2, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &h->all[h->n++]);
}
NOINLINE static void settle(struct halo *h) {
  MPI_Waitall(h->n, h->all, MPI_STATUSES_IGNORE);
}
NOINLINE static void step(double *u) {
  struct halo h, copy;
  double w[N + 4];
  post(&h, u);
  copy = h;
  settle(&h);
  (void)copy;
  for (int i = 0; i < N; ++i)
    w[i + 2] = u[i];
  w[0] = h.low[0], w[1] = h.low[1], w[N + 2] = h.high[0], w[N + 3] = h.high[1];
  for (int i = 0; i < N; ++i)
    u[i] = 0.5 * w[i + 2] + 0.1 * w[i] * w[i + 4] - 0.05 * w[i + 1] * w[i + 3];
}
static void steps(const double *x, double *y) {
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  for (int k = 0; k < 4; ++k)
    step(y);
}

/// Two buffers in turn: there is always a receive under way.
static void pipelined(const double *x, double *y) {
  double in[2][N], out[2][N];
  MPI_Request r[2], s[2];
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  MPI_Irecv(in[0], N, MPI_DOUBLE, left, 9, MPI_COMM_WORLD, &r[0]);
  for (int k = 0; k < 5; ++k) {
    int now = k % 2, next = 1 - now;
    if (k < 4)
      MPI_Irecv(in[next], N, MPI_DOUBLE, left, 9, MPI_COMM_WORLD, &r[next]);
    for (int i = 0; i < N; ++i)
      out[now][i] = sin(y[i]);
    MPI_Isend(out[now], N, MPI_DOUBLE, right, 9, MPI_COMM_WORLD, &s[now]);
    MPI_Wait(&r[now], MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      y[i] = 0.5 * y[i] + in[now][i] * x[i];
    MPI_Wait(&s[now], MPI_STATUS_IGNORE);
  }
}

static void persistent(const double *x, double *y) {
  double out[2][N], in[2][N];
  MPI_Request r[4];
  MPI_Recv_init(in[0], N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(in[1], N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Send_init(out[0], N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Ssend_init(out[1], N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &r[3]);
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < N; ++i)
      out[0][i] = y[i] * y[i], out[1][i] = cos(y[i]);
    MPI_Startall(4, r);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; ++i)
      y[i] = 0.2 * in[0][i] + 0.3 * in[1][i] * x[i];
  }
  for (int k = 0; k < 4; ++k)
    MPI_Request_free(&r[k]);
}

/// Several receives that anything may match, waited for in another order.
static void anyone(const double *x, double *y) {
  double in[4][N], sum[N] = {0};
  MPI_Request r[4], s[4];
  for (int k = 0; k < size; ++k)
    MPI_Irecv(in[k], N, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[k]);
  for (int k = 0; k < size; ++k)
    MPI_Isend(x, N, MPI_DOUBLE, k, 2, MPI_COMM_WORLD, &s[k]);
  for (int k = size - 1; k >= 0; --k) {
    MPI_Status status;
    MPI_Wait(&r[k], &status);
    for (int i = 0; i < N; ++i)
      sum[i] += in[k][i] * (1 + status.MPI_SOURCE);
  }
  MPI_Waitall(size, s, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); // what comes later is not for these receives
  for (int i = 0; i < N; ++i)
    y[i] = sum[i] * x[i];
}

/// Nobody waits for the sends.
static void forgotten(const double *x, double *y) {
  MPI_Request s;
  MPI_Isend(x, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &s);
  MPI_Request_free(&s);
  MPI_Recv(y, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] *= y[i];
  MPI_Barrier(MPI_COMM_WORLD); // x has to stay until it is sent
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  TRY(crossed);
  TRY(between);
  TRY(any);
  TRY(some);
  TRY(tested);
  TRY(steps);
  TRY(pipelined);
  TRY(persistent);
  TRY(anyone);
  TRY(forgotten);
  return end();
}
