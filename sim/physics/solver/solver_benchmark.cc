// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the solver costs, against Bullet's own: both get each task of a pile
// from the fall to the settled pile, in turns first and second.

#include <cstdint>
#include <ctime>

#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "benchmark/benchmark.h"
#include "sim/physics/solver/impulse_solver.h"
#include "sim/physics/solver/solver_trial.h"
#include "sim/physics/testing/pile.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicks = 600;

class TimedSolvers final : public btConstraintSolver {
 public:
  btScalar solveGroup(btCollisionObject** bodies, int body_count,
                      btPersistentManifold** manifolds, int manifold_count,
                      btTypedConstraint** joints, int joint_count,
                      const btContactSolverInfo& info, btIDebugDraw*,
                      btDispatcher*) override {
    const SolverTask task = {{bodies, static_cast<size_t>(body_count)},
                             {manifolds, static_cast<size_t>(manifold_count)},
                             {joints, static_cast<size_t>(joint_count)},
                             info};
    before_.Save(task);
    our_turn_is_first_ = !our_turn_is_first_;
    if (our_turn_is_first_) our_s_ += TimeOf(task, ours_);
    if (our_turn_is_first_) before_.Restore(task);
    bullets_s_ += TimeOf(task, bullets_);
    if (our_turn_is_first_) return 0.0;
    before_.Restore(task);
    our_s_ += TimeOf(task, ours_);
    return 0.0;
  }

  void reset() override {}
  btConstraintSolverType getSolverType() const override {
    return BT_SEQUENTIAL_IMPULSE_SOLVER;
  }

  double our_s() const { return our_s_; }
  double bullets_s() const { return bullets_s_; }

 private:
  static double TimeOf(const SolverTask& task, btConstraintSolver& solver) {
    const std::clock_t begin = std::clock();
    task.Give(solver);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }

  ImpulseSolver ours_;
  btSequentialImpulseConstraintSolver bullets_;
  SolverState before_;
  bool our_turn_is_first_ = false;
  double our_s_ = 0.0;
  double bullets_s_ = 0.0;
};

// The time reported is ours, of a tick.
void BM_SolverAgainstBullets(benchmark::State& benchmark_state) {
  TimedSolvers solvers;
  for (auto _ : benchmark_state) {
    const double before_s = solvers.our_s();
    TrialWorld world(MakePile({.body_count = static_cast<uint32_t>(
                                   benchmark_state.range(0))}),
                     solvers);
    for (uint32_t tick = 0; tick < kTicks; ++tick) world.Step();
    benchmark_state.SetIterationTime((solvers.our_s() - before_s) / kTicks);
  }
  benchmark_state.counters["ratio"] = solvers.our_s() / solvers.bullets_s();
}
BENCHMARK(BM_SolverAgainstBullets)
    ->Arg(300)
    ->Arg(1000)
    ->Iterations(1)  // one is 600 ticks
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim
