// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Prints docs/physics.md's table: every experiment by us and by stock Bullet;
// what is out of its tolerance stands between asterisks.
//
//   experiment_table [PART_OF_A_NAME]

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/physics/stock/stock_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kRates[] = {30, 60, 120, 240};

class StockEngine final : public Engine {
 public:
  explicit StockEngine(const PhysicsDefinition& definition)
      : world_(definition) {}

  void Step() override { world_.Step(); }
  BodyMotion motion(uint32_t body) const override {
    const StockMotion motion = world_.motion(body);
    return {.position = motion.position,
            .basis = motion.basis,
            .linear_velocity = motion.linear_velocity,
            .angular_velocity = motion.angular_velocity};
  }

 private:
  StockWorld world_;
};

std::unique_ptr<Engine> MakeStockEngine(const PhysicsDefinition& definition) {
  return std::make_unique<StockEngine>(definition);
}

// Figures of one engine, rate by rate.
std::string FiguresOf(const Experiment& experiment, const MakeEngine& make) {
  std::string figures;
  for (const uint32_t rate : kRates) {
    const double figure = experiment.run({.tick_s = 1.0 / rate, .make = make});
    const bool is_right =
        Abs(figure - experiment.expected) <= experiment.tolerance;
    figures += fmt::format(fmt::runtime(is_right ? "{}{:.3g}" : "{}*{:.3g}*"),
                           figures.empty() ? "" : ", ", figure);
  }
  return figures;
}

void PrintTable(std::string_view part_of_name) {
  fmt::print(
      "| experiment | measured | should be | within | ours | Bullet |\n"
      "|---|---|---|---|---|---|\n");
  for (const Experiment& experiment : AllExperiments()) {
    const std::string line =
        fmt::format("{} | {}", experiment.name, experiment.measured);
    if (line.find(part_of_name) == std::string::npos) continue;
    fmt::print("| {} | {:.4g} | {:.2g}: {} | {} | {} |\n", line,
               experiment.expected, experiment.tolerance, experiment.reason,
               FiguresOf(experiment, MakeOurEngine),
               FiguresOf(experiment, MakeStockEngine));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace reprise::sim

int main(int argc, char** argv) {
  reprise::sim::PrintTable(argc > 1 ? argv[1] : "");
  return 0;
}
