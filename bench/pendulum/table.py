"""Table of the results of run.sh: times, ratios, and the error of every impact."""

import json
import sys

import pendulum as p

EPSILON = 1e-14
"""What double precision leaves of the start, by which the amplification is multiplied (rad)."""

rows = [json.loads(line) for line in open(sys.argv[1]) if line.strip()]
names = list(dict.fromkeys(row["engine"] for row in rows))
rounds = {name: [row for row in rows if row["engine"] == name] for name in names}
carom = [row["seconds"] for row in rounds["carom"]]

print("| engine | least time of a run, per round (us) | over Carom, same round | median (us) |")
print("| --- | --- | --- | --- |")
for name in names:
    least = [row["seconds"] for row in rounds[name]]
    ratios = [a / b for a, b in zip(least, carom)]
    median = [row["median"] for row in rounds[name]]
    span = lambda x, f: f"{min(x) * f:.3g} to {max(x) * f:.3g}"
    print(f"| {name} | {span(least, 1e6)} | {span(ratios, 1)} | {span(median, 1e6)} |")

print()
print("| engine | impacts | error of each impact time (s) | worst, in amplified 1e-14 rad |")
print("| --- | --- | --- | --- |")
for name in names:
    found = rounds[name][0]["impacts"]
    assert all(row["impacts"] == found for row in rounds[name]), f"{name}: rounds differ"
    misses = [t - exact for t, (exact, _) in zip(found, p.REFERENCE)]
    units = [abs(m) / (EPSILON * max(amp, 1)) for m, (_, amp) in zip(misses, p.REFERENCE)]
    listed = ", ".join(f"{miss:.1e}" for miss in misses)
    right = len(found) == len(p.REFERENCE)
    print(f"| {name} | {len(found)}{'' if right else ' (wrong)'} | {listed} | {max(units):.3g} |")

print()
for name in names:
    print(f"- {name}: {rounds[name][0]['note']}")
