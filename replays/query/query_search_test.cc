// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a search keeps of a run, on 120 ticks of the tiny simulation with
// a player who never rests, against values read from the state directly.

#include "replays/query/query_search.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::replays {
namespace {

constexpr sim::Tick kTickCount = 120;
constexpr uint64_t kLimit = 10;

// The x of the drifter, which stands in the second row.
double DrifterX(const sim::Simulation& simulation) {
  const sim::State& state = simulation.state();
  const sim::TableIndex table = *state.Find("board", "pieces");
  const sim::ScalarPath x = *state.table(table).schema().Find("x");
  return sim::ReadScalar(state, {table, 1, x}).AsDouble();
}

class QuerySearchTest : public testing::Test {
 protected:
  QueryFindings Search(std::string_view text, QueryAim aim) {
    const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
    const absl::StatusOr<Query> query = Query::Parse(text, *simulation);
    EXPECT_TRUE(query.ok()) << query.status();
    EXPECT_TRUE(QuerySearch::CheckAim(*query, aim).ok());
    QuerySearch search(&*query, aim, kLimit);
    RestlessInputs inputs;
    drifter_.clear();
    while (search.Look(*simulation, simulation->DrainEvents())) {
      drifter_.push_back(DrifterX(*simulation));
      if (simulation->tick() == kTickCount) break;
      simulation->Step(*inputs.FramesAt(simulation->tick()), nullptr);
    }
    return search.findings();
  }

  std::vector<double> drifter_;  // its x at every tick asked
};

TEST_F(QuerySearchTest, TicksAreAllCountedAndTheFirstKept) {
  const QueryFindings findings = Search("tick >= 20", QueryAim::kTicks);
  EXPECT_EQ(findings.ticks_asked, kTickCount + 1);
  EXPECT_EQ(findings.match_count, kTickCount + 1 - 20);
  ASSERT_EQ(findings.matches.size(), kLimit);
  EXPECT_EQ(findings.matches.front().tick, 20u);
  EXPECT_TRUE(findings.matches.front().objects.empty());
}

TEST_F(QuerySearchTest, FirstStopsThere) {
  const QueryFindings findings = Search("tick == 7", QueryAim::kFirst);
  EXPECT_EQ(findings.ticks_asked, 8u);
  ASSERT_EQ(findings.matches.size(), 1u);
  EXPECT_EQ(findings.matches[0].tick, 7u);
}

TEST_F(QuerySearchTest, MatchesNameTheirObjects) {
  const QueryFindings findings = Search("pieces.x >= 1", QueryAim::kFirst);
  ASSERT_EQ(findings.matches.size(), 1u);
  EXPECT_EQ(findings.matches[0].objects, std::vector<std::string>{"drifter"});
  EXPECT_EQ(findings.matches[0].subject_count, 1u);
}

TEST_F(QuerySearchTest, CountKeepsNothing) {
  const QueryFindings findings = Search("tick < 3", QueryAim::kCount);
  EXPECT_EQ(findings.match_count, 3u);
  EXPECT_TRUE(findings.matches.empty());
}

TEST_F(QuerySearchTest, ExtremesAreThoseOfTheState) {
  const QueryFindings least = Search("drifter.pieces.x", QueryAim::kMinimum);
  const auto expected_least = std::ranges::min_element(drifter_);
  ASSERT_TRUE(least.extreme.has_value());
  EXPECT_EQ(least.extreme->value, sim::ExpressionValue(*expected_least));
  EXPECT_EQ(least.extreme->tick,
            static_cast<sim::Tick>(expected_least - drifter_.begin()));
  const QueryFindings greatest = Search("drifter.pieces.x", QueryAim::kMaximum);
  EXPECT_EQ(greatest.extreme->value,
            sim::ExpressionValue(*std::ranges::max_element(drifter_)));
}

TEST_F(QuerySearchTest, ExtremeNamesItsObject) {
  const QueryFindings findings = Search("-pieces.y", QueryAim::kMinimum);
  EXPECT_EQ(findings.extreme->object, "drifter");
}

TEST_F(QuerySearchTest, ChangesAreThoseOfTheState) {
  const QueryFindings findings = Search("drifter.pieces.x", QueryAim::kChanges);
  uint64_t change_count = 0;
  for (size_t tick = 1; tick < drifter_.size(); ++tick) {
    if (drifter_[tick] == drifter_[tick - 1]) continue;
    if (change_count < kLimit) {
      const QueryChange& change = findings.changes[change_count];
      EXPECT_EQ(change.tick, tick);
      EXPECT_EQ(change.from, sim::ExpressionValue(drifter_[tick - 1]));
      EXPECT_EQ(change.to, sim::ExpressionValue(drifter_[tick]));
    }
    ++change_count;
  }
  EXPECT_GT(change_count, kLimit);
  EXPECT_EQ(findings.change_count, change_count);
  EXPECT_EQ(findings.changes.size(), kLimit);
}

TEST_F(QuerySearchTest, ChangesAreToldForEachObject) {
  const QueryFindings findings = Search("pieces.x > 0.5", QueryAim::kChanges);
  ASSERT_FALSE(findings.changes.empty());
  EXPECT_EQ(findings.changes[0].object, "runner");
  EXPECT_EQ(findings.changes[0].to, sim::ExpressionValue(true));
}

TEST_F(QuerySearchTest, ErrorsAreCountedAndTheFirstTold) {
  const QueryFindings findings = Search("1 / (tick - 5) > 0", QueryAim::kTicks);
  EXPECT_EQ(findings.error_count, 1u);
  EXPECT_EQ(findings.first_error->tick, 5u);
  EXPECT_EQ(findings.first_error->problem, "a division by zero");
  EXPECT_EQ(findings.match_count, kTickCount - 5);
}

TEST_F(QuerySearchTest, NothingThereIsNoAnswer) {
  const QueryFindings findings =
      Search("runner#9.pieces.x > 0", QueryAim::kTicks);
  EXPECT_EQ(findings.answer_count, 0u);
  EXPECT_TRUE(findings.is_empty());
}

TEST_F(QuerySearchTest, AimTakesAQueryOfItsType) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const Query number = *Query::Parse("tick", *simulation);
  const Query truth = *Query::Parse("tick > 3", *simulation);
  using Code = absl::StatusCode;
  EXPECT_EQ(QuerySearch::CheckAim(number, QueryAim::kTicks).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(QuerySearch::CheckAim(truth, QueryAim::kMinimum).code(),
            Code::kInvalidArgument);
  EXPECT_TRUE(QuerySearch::CheckAim(number, QueryAim::kMaximum).ok());
  EXPECT_TRUE(QuerySearch::CheckAim(truth, QueryAim::kFirst).ok());
}

}  // namespace
}  // namespace reprise::replays
