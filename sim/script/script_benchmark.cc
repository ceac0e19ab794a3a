// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What calling into Lua and back costs, against a virtual call in C++ that does
// the same work.

#include <cstdint>
#include <memory>

#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

constexpr char kScript[] = R"(
local M = {}
function M.nothing() end
function M.damp(x) return x * 0.5 + 1 end
function M.read(n)
  local sum = 0
  for _ = 1, n do sum = sum + height() end
  return sum
end
function M.arithmetic(n)
  local sum = 0
  for i = 1, n do sum = sum + i * 0.5 end
  return sum
end
function M.vectors(n)
  local v = vector(1, 2, 3)
  for _ = 1, n do v = v + v * 0.5 end
  return v.x
end
return M
)";

std::unique_ptr<ScriptMachine> Machine() {
  auto machine = LoadFiles(
      {{"a.lua", kScript}},
      {.call_instructions = 1 << 30, .call_bytes = 1 << 30}, TestingApi());
  CHECK(machine.ok());
  return *std::move(machine);
}

ScriptValue CallOnce(ScriptMachine& machine, ScriptEntry entry,
                     const ScriptValue& argument, TestingWorld* world) {
  ScriptValue result;
  CHECK(!machine.Call(entry, {&argument, 1}, world, &result));
  return result;
}

// The same work behind a virtual call.
class Behaviour {
 public:
  virtual ~Behaviour() = default;
  virtual double Damp(double x) const = 0;
  virtual double Height() const = 0;
};

class Damper : public Behaviour {
 public:
  explicit Damper(const TestingWorld* world) : world_(world) {}
  double Damp(double x) const override { return x * 0.5 + 1; }
  double Height() const override { return world_->position.y; }

 private:
  const TestingWorld* world_;
};

void BM_CallVirtual(benchmark::State& state) {
  const TestingWorld world;
  const std::unique_ptr<const Behaviour> behaviour =
      std::make_unique<Damper>(&world);
  const Behaviour* pointer = behaviour.get();
  double x = 8.0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(pointer);
    x = pointer->Damp(x);
    benchmark::DoNotOptimize(x);
  }
}
BENCHMARK(BM_CallVirtual);

void BM_CallScript(benchmark::State& state) {
  const auto machine = Machine();
  const ScriptEntry entry = *machine->Find("a.lua", "damp");
  ScriptValue x = 8.0;
  const uint64_t allocations = machine->allocation_count();
  for (auto _ : state) x = CallOnce(*machine, entry, x, nullptr);
  state.counters["allocations"] =
      static_cast<double>(machine->allocation_count() - allocations);
}
BENCHMARK(BM_CallScript);

// A thousand of each, by one call of a script.
void BM_Loop(benchmark::State& state, const char* function) {
  const auto machine = Machine();
  const ScriptEntry entry = *machine->Find("a.lua", function);
  TestingWorld world = {.position = {.x = 0, .y = 1, .z = 0}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(CallOnce(*machine, entry, int64_t{1000}, &world));
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK_CAPTURE(BM_Loop, ReadThroughNative, "read");
BENCHMARK_CAPTURE(BM_Loop, Arithmetic, "arithmetic");
BENCHMARK_CAPTURE(BM_Loop, Vectors, "vectors");

void BM_ReadVirtual(benchmark::State& state) {
  const TestingWorld world = {.position = {.x = 0, .y = 1, .z = 0}};
  const std::unique_ptr<const Behaviour> behaviour =
      std::make_unique<Damper>(&world);
  const Behaviour* pointer = behaviour.get();
  for (auto _ : state) {
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i) {
      benchmark::DoNotOptimize(pointer);
      sum += pointer->Height();
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(BM_ReadVirtual);

void BM_ArithmeticProfiled(benchmark::State& state) {
  const auto machine = Machine();
  machine->SetProfiling(true);
  const ScriptEntry entry = *machine->Find("a.lua", "arithmetic");
  for (auto _ : state) {
    benchmark::DoNotOptimize(CallOnce(*machine, entry, int64_t{1000}, nullptr));
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(BM_ArithmeticProfiled);

void BM_MakeMachine(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Machine());
}
BENCHMARK(BM_MakeMachine);

}  // namespace
}  // namespace reprise::sim
