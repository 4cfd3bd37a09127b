"""Times the same problems through Siconos' Python interface: what a user of python3-siconos calls."""

import sys
import time

import numpy as np
import siconos.numerics as sn

CALLS = 2000


def main():
    rounds = int(sys.argv[1])
    for line in sys.stdin:
        name, n, *numbers = line.split()
        n = int(n)
        w = np.array(numbers[: n * n], dtype=float).reshape(n, n)
        q = np.array(numbers[n * n :], dtype=float)
        problem = sn.LCP(w, q)
        options = sn.SolverOptions(sn.SICONOS_LCP_LEMKE)
        z, slack = np.zeros(n), np.zeros(n)
        least = float("inf")
        for _ in range(rounds):
            start = time.perf_counter()
            for _ in range(CALLS):
                z[:] = 0.0
                slack[:] = 0.0
                sn.lcp_lexicolemke(problem, z, slack, options)
            least = min(least, (time.perf_counter() - start) * 1e9 / CALLS)
        squares = float(((w @ z) ** 2).sum())
        print(f"siconos-python {name} {n} {least:.1f} {squares:.17e}")


if __name__ == "__main__":
    main()
