// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a game which eats all memory, or crashes where it is looked at,
// ends neither the search nor this process: it is a failure that the search
// goes on behind.

#include "tools/reprise/fuzzing/fuzz_supervision.h"

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/fuzz_session.h"
#include "tools/reprise/fuzzing/isolated_process.h"
#include "tools/reprise/fuzzing/testing_greedy_simulation.h"
#include "tools/reprise/fuzzing/testing_shy_simulation.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

struct Told {
  absl::StatusOr<ExitCode> exit_code = ExitCode::kInfrastructure;
  std::string out;
  std::string err;
};

Told Supervise(const sim::Simulation& start, uint64_t ticks = 2000) {
  const sim::PackArchive pack = replays::MakeTinyPack();
  const auto rules =
      replays::FuzzRules::Create(start.description().fuzzing, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  FuzzSessionOptions options;
  options.ticks = ticks;
  options.memory_bytes_max = uint64_t{64} << 20;
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, /*is_err_terminal=*/false);
  // What this prints is the other process's.
  const FuzzSearch search =
      [&](const FuzzSessionOptions& one) -> absl::StatusOr<ExitCode> {
    const auto result = RunFuzzSession(pack, start, *rules, one, console);
    if (!result.ok()) return result.status();
    return result->news_failure_count() == 0 ? ExitCode::kOk
                                             : ExitCode::kDifferent;
  };
  Told told;
  told.exit_code = SuperviseFuzzing(pack, start, options,
                                    {.memory_max_mib = 1024}, search, console);
  console.out().flush();
  console.err().flush();
  told.out = out.str();
  told.err = err.str();
  return told;
}

TEST(FuzzSupervisionTest, GameThatEatsAllMemoryIsAFailure) {
  if (kHasSanitizer) GTEST_SKIP() << "sanitizers take more than any limit";
  const GreedySimulation start(
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1));
  const Told told = Supervise(start);
  ASSERT_TRUE(told.exit_code.ok()) << told.exit_code.status();
  EXPECT_EQ(*told.exit_code, ExitCode::kDifferent);
  EXPECT_THAT(told.out, HasSubstr("failure: out of memory, at tick "));
  EXPECT_THAT(told.out, HasSubstr("the tick wants more than 1024 MiB"));
  EXPECT_THAT(told.out, Not(HasSubstr("crash")));
}

// Of 64 pieces one is looked at; then none is any more, and the ticks are made.
TEST(FuzzSupervisionTest, GameThatCrashesWhereItIsDrawnIsAFailure) {
  if (kHasSanitizer) GTEST_SKIP() << "sanitizers take more than any limit";
  const ShySimulation start(
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1));
  const Told told = Supervise(start, /*ticks=*/40'000);
  ASSERT_TRUE(told.exit_code.ok()) << told.exit_code.status();
  EXPECT_EQ(*told.exit_code, ExitCode::kDifferent);
  EXPECT_THAT(
      told.out,
      HasSubstr("failure: perturbation watched crash SIGKILL, at tick"));
  EXPECT_THAT(told.err, HasSubstr("runs aren't perturbed from here on"));
  EXPECT_THAT(told.err, Not(HasSubstr("it isn't begun once more")));
}

TEST(FuzzSupervisionTest, GameThatIsContentHasNoFailure) {
  if (kHasSanitizer) GTEST_SKIP() << "sanitizers take more than any limit";
  const auto start = *replays::TinySimulation::Create(replays::MakeTinyPack(),
                                                      /*seed=*/1);
  const Told told = Supervise(*start);
  ASSERT_TRUE(told.exit_code.ok()) << told.exit_code.status();
  EXPECT_EQ(*told.exit_code, ExitCode::kOk);
  EXPECT_EQ(told.out, "");
}

}  // namespace
}  // namespace reprise::tools
