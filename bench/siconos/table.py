"""Table of the complementarity problems: least times over the rounds, ratios, and whether the answers are the same."""

import sys
from collections import defaultdict

ENGINES = ("carom-lemke", "carom-impact", "siconos", "siconos-python")


def read(path):
    """{(problem, contacts): {engine: (least ns, sum of squares of W P)}}"""
    found = defaultdict(dict)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            engine, name, contacts, time, squares = line.split()
            before = found[name, int(contacts)].get(engine, (float("inf"), 0.0))[0]
            found[name, int(contacts)][engine] = (min(before, float(time)), float(squares))
    return found


def main():
    found = read(sys.argv[1])
    print("| problem | contacts | Carom, Lemke (ns) | Carom, impact (ns) | Siconos (ns) | Siconos from Python (ns) "
          "| Lemke over Siconos | impact over Siconos | same answer |")
    print("| --- " * 9 + "|")
    for (name, contacts), times in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        cells = [f"{times[e][0]:.0f}" if e in times else "-" for e in ENGINES]
        ratios, verdict = ["-", "-"], "-"
        if "siconos" in times:
            ratios = [f"{times[e][0] / times['siconos'][0]:.2f}" for e in ENGINES[:2]]
            squares = [squares for _, squares in times.values()]
            apart = max(squares) - min(squares)
            verdict = "yes" if apart <= 1e-9 * max(squares) else "NO"
        print(f"| {name} | {contacts} | " + " | ".join(cells + ratios + [verdict]) + " |")


if __name__ == "__main__":
    main()
