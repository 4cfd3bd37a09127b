/* Times Lemke's method of Siconos on problems read from standard input; prints lines as bench/examples/siconos does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "LCP_Solvers.h"
#include "LinearComplementarityProblem.h"
#include "NonSmoothDrivers.h"
#include "NumericsMatrix.h"
#include "SolverOptions.h"
#include "lcp_cst.h"

enum { CALLS = 4000, LARGEST = 200 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sum of squares of W z; W is stored by columns, and symmetric. */
static double squares(int n, const double *w, const double *z) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double row = 0.0;
    for (int k = 0; k < n; k++) row += w[i * n + k] * z[k];
    sum += row * row;
  }
  return sum;
}

static int solve(LinearComplementarityProblem *problem, SolverOptions *options, int n, double *z, double *slack) {
  int info = 0;
  for (int i = 0; i < n; i++) z[i] = slack[i] = 0.0;
  lcp_lexicolemke(problem, z, slack, &info, options);
  return info;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 5;
  char name[64];
  int n;
  static double w[LARGEST * LARGEST], q[LARGEST], z[LARGEST], slack[LARGEST];
  while (scanf("%63s %d", name, &n) == 2) {
    if (n < 1 || n > LARGEST) return 2;
    for (int i = 0; i < n * n; i++)
      if (scanf("%lf", &w[i]) != 1) return 2;
    for (int i = 0; i < n; i++)
      if (scanf("%lf", &q[i]) != 1) return 2;
    NumericsMatrix *m = NM_create_from_data(NM_DENSE, n, n, w);
    LinearComplementarityProblem problem = {n, m, q};
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    double least = INFINITY;
    int info = 0;
    for (int r = 0; r < rounds; r++) {
      const double start = now();
      for (int c = 0; c < CALLS; c++) info |= solve(&problem, options, n, z, slack);
      const double taken = (now() - start) * 1e9 / CALLS;
      if (taken < least) least = taken;
    }
    if (info != 0) fprintf(stderr, "siconos: %s %d ended with %d\n", name, n, info);
    printf("siconos %s %d %.1f %.17e\n", name, n, least, squares(n, w, z));
    solver_options_delete(options);
    m->matrix0 = NULL; /* it is the array w */
    NM_free(m);
  }
  return 0;
}
