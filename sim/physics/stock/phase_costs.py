# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What a tick of a scene costs, phase by phase, in instructions.

Counted by valgrind's callgrind, so that what else the machine does changes
nothing:

    bazel build //sim/physics/stock:stock_benchmark
    python3 sim/physics/stock/phase_costs.py Ragdolls/20

The phases of one indent make up the one above them, but for what is its own.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

BENCHMARK = pathlib.Path("bazel-bin/sim/physics/stock/stock_benchmark")
SCENES = ("Pile/100", "Pile/300", "Pile/1000", "Pile/3000", "Ragdolls/20",
          "VehiclesAmongCrates/10", "Terrain/300")
TICKS = 600  # of BM_Alone in stock_benchmark

# Phases by the function that makes them; what is further in is part of it.
# What a tick is the sum of: physics, and what moves before it.
TICK = ("PhysicsWorld::Step(", "PhysicsQueries::Look(", "MoveVehicle(")
PHASES = (
    ("bodies looked at for rays", "PhysicsQueries::Look("),
    ("vehicles moved", "MoveVehicle("),
    ("  rays", "PhysicsQueries::CastRay("),
    ("physics", "PhysicsWorld::Step("),
    ("  bodies' rows in", "PhysicsWorld::TakeOverBodies("),
    ("  rows out", "PhysicsWorld::StoreBodies("),
    ("  contact rows out", "StoreContactRows("),
    ("  broad phase", "SortedBroadphase::calculateOverlappingPairs("),
    ("  narrow phase", "OrderedDispatcher::dispatchAllCollisionPairs("),
    ("    pairs with compounds or surfaces",
     "PairAlgorithm::ProcessPrimitives("),
    ("    search for contact points", "FindContactPoints("),
    ("      nearest points of cores", "FindProximity("),
    ("      faces on faces", "FindFaceContact("),
    ("      cores that meet", "btGjkPairDetector::getClosestPoints("),
    ("  solver", "ImpulseSolver::solveGroup("),
    ("    bodies taken", "SolverBodies::Reset("),
    ("    contacts taken", "ContactConstraints::Reset("),
    ("    contacts warm-started", "ContactConstraints::WarmStart("),
    ("    contacts with springs", "ContactConstraints::Solve("),
    ("    contacts without", "ContactConstraints::Relax("),
    ("    bounces", "ContactConstraints::Bounce("),
    ("    contacts written back", "ContactConstraints::WriteBack("),
    ("    joints taken", "JointConstraints::Reset("),
    ("    joints turned", "JointConstraints::Turn("),
    ("    joints advanced", "JointConstraints::Advance("),
    ("    joints warm-started", "JointConstraints::WarmStart("),
    ("    joints with springs", "JointConstraints::Solve("),
    ("    joints without", "JointConstraints::Relax("),
    ("    forces added", "SolverBodies::AddGains("),
    ("    bodies moved", "SolverBodies::Move("),
    ("    bodies written back", "SolverBodies::WriteBack("),
    ("  poses", "DynamicsWorld::integrateTransforms("),
)


def count(benchmark: pathlib.Path, scene: str) -> str:
    """Runs the benchmark and returns what callgrind_annotate says of it."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        subprocess.run(
            ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             *(f"--toggle-collect=reprise::sim::{function}*"
               for function in TICK),
             str(benchmark), f"--benchmark_filter=BM_Alone/{scene}/"),
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        annotated = subprocess.run(
            ("callgrind_annotate", "--inclusive=yes", "--threshold=100",
             str(out)),
            check=True, capture_output=True, text=True)
        return annotated.stdout


def costs_of(annotated: str) -> dict[str, int]:
    """Inclusive instructions by function."""
    costs: dict[str, int] = {}
    for line in annotated.splitlines():
        found = re.match(r"\s*([\d,]+) \([^)]*\)\s+(.*)", line)
        if found is None:
            continue
        name = re.sub(r"\s+\[[^\]]*\]$", "", found[2]).split(":", 1)[-1]
        costs[name] = max(costs.get(name, 0), int(found[1].replace(",", "")))
    return costs


def cost_of(costs: dict[str, int], function: str) -> int:
    """Of the function whose name, without namespaces, begins so."""
    return max((cost for name, cost in costs.items()
                if re.search(r"(^|[: ])" + re.escape(function), name)),
               default=0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene", nargs="?", default="Pile/300",
                        choices=SCENES)
    parser.add_argument("--benchmark", type=pathlib.Path,
                        default=BENCHMARK)
    arguments = parser.parse_args()
    costs = costs_of(count(arguments.benchmark, arguments.scene))
    whole = sum(cost_of(costs, function) for function in TICK)
    if whole == 0:
        print("phase_costs: callgrind counted nothing", file=sys.stderr)
        return 1
    print(f"{'phase':<40}{'1,000 a tick':>14}{'share':>8}")
    for phase, function in (("tick", None), *PHASES):
        cost = whole if function is None else cost_of(costs, function)
        print(f"{phase:<40}{cost / TICKS / 1000:>14,.0f}"
              f"{100 * cost / whole:>7.1f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
