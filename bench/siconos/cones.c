/* Times solvers of Siconos on contacts with friction in space; problems from standard input, results as lines of JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "FrictionContactProblem.h"
#include "Friction_cst.h"
#include "NonSmoothDrivers.h"
#include "NumericsMatrix.h"
#include "SolverOptions.h"

enum { LARGEST = 3 * 64 };

static const double TOLERANCE = 1e-12; /* asked of every solver */
static const double PATIENCE = 0.3;    /* s: how long one problem is repeated */

static const struct {
  const char *name;
  int id, iterations;
} SOLVERS[] = {
    {"PROX", SICONOS_FRICTION_3D_PROX, 2000},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 1000},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, 100000},
    {"NSGS", SICONOS_FRICTION_3D_NSGS, 100000},
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Projection on the cone |x_t| <= mu x_n. */
static void project(const double *x, double mu, double *onto) {
  const double t = hypot(x[1], x[2]);
  if (t <= mu * x[0]) {
    memcpy(onto, x, 3 * sizeof *x);
  } else if (mu * t <= -x[0]) {
    onto[0] = onto[1] = onto[2] = 0.0;
  } else {
    const double n = (x[0] + mu * t) / (1.0 + mu * mu);
    onto[0] = n;
    onto[1] = mu * n * x[1] / t;
    onto[2] = mu * n * x[2] / t;
  }
}

/* |r - P_K(r - (u + mu |u_t| n))| beside |q|, of the problem with W beside its mean diagonal and q beside its length. */
static double residual(int contacts, const double *w, const double *q, const double *mu, const double *r) {
  const int n = 3 * contacts;
  double mean = 0.0, length = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
    mean += w[i * n + i] / n;
    length += q[i] * q[i];
  }
  length = sqrt(length);
  for (int c = 0; c < contacts; c++) {
    double scaled[3], u[3], moved[3], onto[3];
    for (int a = 0; a < 3; a++) {
      const int i = 3 * c + a;
      scaled[a] = r[i] * mean / length;
      u[a] = q[i] / length;
      for (int k = 0; k < n; k++) u[a] += w[k * n + i] * r[k] / length;
    }
    u[0] += mu[c] * hypot(u[1], u[2]);
    for (int a = 0; a < 3; a++) moved[a] = scaled[a] - u[a];
    project(moved, mu[c], onto);
    for (int a = 0; a < 3; a++) sum += (scaled[a] - onto[a]) * (scaled[a] - onto[a]);
  }
  return sqrt(sum);
}

static void run(const char *name, int contacts, FrictionContactProblem *problem, const double *w, int solver) {
  static double r[LARGEST], u[LARGEST];
  SolverOptions *options = solver_options_create(SOLVERS[solver].id);
  double least = INFINITY;
  const double start = now();
  do {
    for (int i = 0; i < 3 * contacts; i++) r[i] = u[i] = 0.0;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = SOLVERS[solver].iterations;
    options->dparam[SICONOS_DPARAM_TOL] = TOLERANCE;
    const double call = now();
    fc3d_driver(problem, r, u, options);
    const double taken = now() - call;
    if (taken < least) least = taken;
  } while (now() - start < PATIENCE);
  printf("{\"solver\":\"%s\",\"problem\":\"%s\",\"contacts\":%d,\"seconds\":%.6e,\"residual\":%.3e,\"iterations\":%d}\n",
         SOLVERS[solver].name, name, contacts, least, residual(contacts, w, problem->q, problem->mu, r),
         options->iparam[SICONOS_IPARAM_ITER_DONE]);
  fflush(stdout);
  solver_options_delete(options);
}

int main(void) {
  char name[64];
  int contacts;
  static double mu[LARGEST], q[LARGEST], w[LARGEST * LARGEST];
  while (scanf("%63s %d", name, &contacts) == 2) {
    const int n = 3 * contacts;
    if (contacts < 1 || n > LARGEST) return 2;
    for (int i = 0; i < contacts; i++)
      if (scanf("%lf", &mu[i]) != 1) return 2;
    for (int i = 0; i < n; i++)
      if (scanf("%lf", &q[i]) != 1) return 2;
    for (int i = 0; i < n * n; i++)
      if (scanf("%lf", &w[i]) != 1) return 2;
    NumericsMatrix *m = NM_create_from_data(NM_DENSE, n, n, w);
    FrictionContactProblem *problem = frictionContactProblem_new_with_data(3, contacts, m, q, mu);
    for (size_t s = 0; s < sizeof SOLVERS / sizeof *SOLVERS; s++) run(name, contacts, problem, w, (int)s);
    m->matrix0 = NULL; /* it is the array w */
    NM_free(m);
  }
  return 0;
}
