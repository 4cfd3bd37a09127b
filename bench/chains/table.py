"""Tables of the chains: least times over the rounds, ratios, and whether the answers are the same."""

import sys
from collections import defaultdict

QUESTIONS = {"mass": "mass matrix", "inverse": "inverse dynamics", "forward": "forward dynamics"}
PEERS = ("pinocchio", "pinocchio-world")


def read(path):
    """{(question, bodies): {name: (least ns, sum of squares)}}"""
    found = defaultdict(dict)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, question, bodies, time, squares = line.split()
            before = found[question, int(bodies)].get(name, (float("inf"), 0.0))[0]
            found[question, int(bodies)][name] = (min(before, float(time)), float(squares))
    return found


def same(a, b):
    return "yes" if abs(a - b) <= 1e-9 * max(abs(a), abs(b)) else "NO"


def main():
    found = read(sys.argv[1])
    if any(peer in times for times in found.values() for peer in PEERS):
        print("| question | bodies | Carom (ns) | Pinocchio (ns) | Carom over Pinocchio | same answer |")
        print("| --- | --- | --- | --- | --- | --- |")
        for (question, bodies), times in found.items():
            peer = min((times[name] for name in PEERS if name in times), default=None)
            if peer is None:
                continue
            own, squares = times["carom"]
            verdict = same(squares, peer[1])
            print(
                f"| {QUESTIONS[question]} | {bodies} | {own:.0f} | {peer[0]:.0f} | {own / peer[0]:.2f} | {verdict} |"
            )
        print()
    print("| question | bodies | plane (ns) | the same in space (ns) | space over plane | same answer |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (question, bodies), times in found.items():
        (flat, flat_squares), (solid, squares) = times["carom-plane"], times["carom-plane-in-space"]
        verdict = same(flat_squares, squares)
        print(
            f"| {QUESTIONS[question]} | {bodies} | {flat:.0f} | {solid:.0f} | {solid / flat:.2f} | {verdict} |"
        )


if __name__ == "__main__":
    main()
