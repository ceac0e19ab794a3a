// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the C interface costs: a tick of balls in a box as a plug-in, against
// the same balls in tables of ours, each with the digest that a recording
// takes. "ratio" is the one by the other, of ticks made in turns, of which each
// goes first in every other one; both end in the same state of the balls, or
// the benchmark fails.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "include/reprise/simulation.h"
#include "sim/base/check.h"
#include "sim/base/field.h"
#include "sim/pack_archive.h"
#include "sim/plugins/plugin.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/simulation.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "tests/plugins/turns.h"

namespace {

// A row of both.
struct Ball {
  uint64_t number = 0;
  double x = 0;
  double y = 0;
  double speed_x = 0;
  double speed_y = 0;

  static constexpr std::string_view kTable = "balls";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(Ball, number, ""),
                      REPRISE_FIELD(Ball, x, "m"), REPRISE_FIELD(Ball, y, "m"),
                      REPRISE_FIELD(Ball, speed_x, "m/s"),
                      REPRISE_FIELD(Ball, speed_y, "m/s")};
  }
};

// Of the benchmark that runs: how many there are, and the substeps of a tick.
uint32_t g_count = 0;
uint32_t g_substeps = 0;

Ball FirstOf(uint32_t index) {
  return {.number = index + 1,
          .x = 0.01 * (index % 997),
          .y = 0.01 * (index % 991),
          .speed_x = 1.0 + 0.001 * (index % 101),
          .speed_y = -0.5};
}

void Move(Ball& ball) {
  const double dt = 1.0 / 60 / g_substeps;
  for (uint32_t i = 0; i < g_substeps; ++i) {
    ball.speed_y -= 9.81 * dt;
    ball.x += ball.speed_x * dt;
    ball.y += ball.speed_y * dt;
    if (ball.x < 0 || ball.x > 10) ball.speed_x = -ball.speed_x;
    if (ball.y < 0) ball.speed_y = -ball.speed_y;
  }
}

}  // namespace

struct reprise_simulation {
  std::vector<Ball> balls;
};

namespace {

int32_t Create(const reprise_create_arguments* /*arguments*/,
               reprise_simulation** simulation, reprise_error* /*error*/) {
  *simulation = new reprise_simulation;
  for (uint32_t i = 0; i < g_count; ++i) {
    (*simulation)->balls.push_back(FirstOf(i));
  }
  return REPRISE_OK;
}

void Destroy(reprise_simulation* simulation) { delete simulation; }

void Info(const reprise_simulation* /*simulation*/, reprise_info* info) {
  static const reprise_field fields[] = {
      REPRISE_MEMBER(Ball, number, "", REPRISE_UINT64),
      REPRISE_MEMBER(Ball, x, "m", REPRISE_DOUBLE),
      REPRISE_MEMBER(Ball, y, "m", REPRISE_DOUBLE),
      REPRISE_MEMBER(Ball, speed_x, "m/s", REPRISE_DOUBLE),
      REPRISE_MEMBER(Ball, speed_y, "m/s", REPRISE_DOUBLE)};
  static const reprise_table tables[] = {
      {"box", "balls", 1, sizeof(Ball), REPRISE_LIST(fields), {}}};
  info->ticks_per_second = 60;
  info->rules_revision = 1;
  info->player_count = 1;
  info->tables = REPRISE_LIST(tables);
}

int32_t Step(reprise_simulation* simulation,
             const reprise_step_arguments* /*arguments*/,
             reprise_error* /*error*/) {
  for (Ball& ball : simulation->balls) Move(ball);
  return REPRISE_OK;
}

void Rows(reprise_simulation* simulation, uint32_t /*table*/,
          reprise_rows* rows) {
  rows->rows = simulation->balls.data();
  rows->row_count = simulation->balls.size();
}

int32_t Restore(reprise_simulation* simulation, const reprise_list* tables,
                reprise_error* /*error*/) {
  const auto& rows = *REPRISE_ITEM(*tables, reprise_rows, 0);
  const auto* const balls = static_cast<const Ball*>(rows.rows);
  simulation->balls.assign(balls, balls + rows.row_count);
  return REPRISE_OK;
}

}  // namespace

namespace reprise::tests {
namespace {

using sim::PackArchive;
using sim::Plugin;
using sim::PluginSimulation;
using sim::Simulation;
using sim::State;
using sim::Table;

std::unique_ptr<Simulation> MakePlugin() {
  const reprise_plugin calls = {.struct_size = sizeof(reprise_plugin),
                                .interface_version = REPRISE_INTERFACE_VERSION,
                                .name = "balls",
                                .create = &Create,
                                .destroy = &Destroy,
                                .info = &Info,
                                .step = &Step,
                                .rows = &Rows,
                                .restore = &Restore,
                                .outcome = nullptr,
                                .frame = nullptr,
                                .object_name = nullptr};
  PackArchive pack;
  CHECK(pack.Add(std::string(sim::kPackManifestPath),
                 "name: \"box\"\nsimulation: \"balls\"\n")
            .ok());
  auto made = PluginSimulation::Create(
      std::make_shared<const Plugin>(
          Plugin{.path = "balls.so", .name = "balls", .calls = calls}),
      pack, /*seed=*/0);
  CHECK(made.ok(), "{}", std::string(made.status().message()));
  return *std::move(made);
}

// The same in tables, as a simulation in C++ keeps them.
class Balls {
 public:
  Balls() : table_(state_.AddTable("box", sim::RowSchema::Of<Ball>())) {
    Table& balls = state_.mutable_table(table_);
    balls.Resize(g_count);
    for (uint32_t i = 0; i < g_count; ++i) balls.Mutable<Ball>(i) = FirstOf(i);
  }

  void Step() {
    Table& balls = state_.mutable_table(table_);
    for (uint32_t page = 0; page < balls.page_count(); ++page) {
      for (Ball& ball : balls.MutablePageRows<Ball>(page)) Move(ball);
    }
  }

  const State& state() const { return state_; }
  const Table& balls() const { return state_.table(table_); }

 private:
  State state_;
  sim::TableIndex table_;
};

void BM_Tick(benchmark::State& state) {
  g_count = static_cast<uint32_t>(state.range(0));
  g_substeps = static_cast<uint32_t>(state.range(1));
  const std::unique_ptr<Simulation> plugin = MakePlugin();
  Balls ours;
  Turns turns;
  for (auto _ : state) {
    turns.Take(
        [&] {
          plugin->Step({}, nullptr);
          benchmark::DoNotOptimize(plugin->state().ComputeRootDigest());
        },
        [&] {
          ours.Step();
          benchmark::DoNotOptimize(ours.state().ComputeRootDigest());
        });
  }
  CHECK(plugin->status().ok());
  const Table& balls =
      plugin->state().table(*plugin->state().Find("box", "balls"));
  if (balls.ComputeDigest() != ours.balls().ComputeDigest()) {
    state.SkipWithError("they don't come to the same state");
  }
  state.counters["ratio"] = RatioOf(turns.of_one(), turns.of_other());
}
BENCHMARK(BM_Tick)
    // Balls, and the substeps of a tick.
    ->Args({10, 1})
    ->Args({10, 1000})
    ->Args({1000, 1})
    ->Args({1000, 100})
    ->Args({100000, 10})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::tests
