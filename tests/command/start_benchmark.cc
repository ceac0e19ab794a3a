// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What it takes to start the command, for each of its verbs, before it does
// anything: `reprise VERB --help`. In processor time of the process, and
// against that of a process which does nothing.

#include <sys/resource.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "tools/reprise/terminal/child_program.h"

namespace reprise::tests {
namespace {

constexpr char kReprise[] = "tools/reprise/reprise";

// Of the processes that this one started and that have ended.
double SecondsOfChildren() {
  rusage usage = {};
  CHECK(getrusage(RUSAGE_CHILDREN, &usage) == 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double SecondsOf(const std::string& program,
                 const std::vector<std::string>& arguments) {
  const double before = SecondsOfChildren();
  const absl::StatusOr<tools::ProgramResult> result =
      tools::RunProgram(program, arguments);
  CHECK(result.ok(), "{}", result.status().ToString());
  CHECK(result->exit_code == 0, "{}", result->err);
  return SecondsOfChildren() - before;
}

// Without a verb: `reprise --help`.
void BM_Start(benchmark::State& state, const char* verb) {
  std::vector<std::string> arguments = {"--help"};
  if (verb != nullptr) arguments.insert(arguments.begin(), verb);
  double seconds = 0;
  double idle_seconds = 0;
  for ([[maybe_unused]] const auto iteration : state) {
    const double one = SecondsOf(kReprise, arguments);
    state.SetIterationTime(one);
    seconds += one;
    idle_seconds += SecondsOf("/bin/true", {});
  }
  state.counters["per_idle_process"] = seconds / idle_seconds;
}

const bool kIsRegistered = [] {
  for (const char* verb :
       {static_cast<const char*>(nullptr), "run", "verify", "info", "diff",
        "inspect", "describe", "query", "cat", "export", "view", "render",
        "plot", "test", "bench", "fuzz", "minimize", "bisect", "serve"}) {
    benchmark::RegisterBenchmark(
        fmt::format("BM_Start/{}", verb == nullptr ? "no_verb" : verb).c_str(),
        BM_Start, verb)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace reprise::tests
