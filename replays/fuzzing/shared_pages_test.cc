// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is counted of many copies of a state is each page once,
// however many share it, and what a copy takes beside them.

#include "replays/fuzzing/shared_pages.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sim/state/page.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/state/testing_rows.h"

namespace reprise::replays {
namespace {

// One page of a clock, and three of movers, of which 102 have a page.
constexpr uint64_t kPages = 4;

sim::State MakeState() { return sim::MakeMovers(300); }

void Write(sim::State& state, uint32_t row) {
  state.mutable_table(sim::kMoverTable).Mutable<sim::Mover>(row).lives = 9;
}

TEST(SharedPagesTest, CopyThatSharesAllCostsNoPage) {
  const sim::State state = MakeState();
  const std::vector<sim::State> copies = {state};
  SharedPages pages;
  pages.Add(state);
  EXPECT_EQ(pages.page_count(), kPages);
  pages.Add(copies.front());
  EXPECT_EQ(pages.page_count(), kPages);
  EXPECT_EQ(pages.bytes(), kPages * SharedPages::kBytesOfPage);
  EXPECT_GE(SharedPages::kBytesOfPage, sizeof(sim::Page));
}

TEST(SharedPagesTest, PageThatWasWrittenIsAnotherOne) {
  const sim::State state = MakeState();
  sim::State copy = state;
  Write(copy, 0);
  Write(copy, 1);    // of the same page
  Write(copy, 299);  // of the last
  SharedPages pages;
  pages.Add(state);
  pages.Add(copy);
  EXPECT_EQ(pages.page_count(), kPages + 2);
}

TEST(SharedPagesTest, PageStaysAsLongAsOneStateHasIt) {
  const sim::State state = MakeState();
  sim::State copy = state;
  Write(copy, 0);
  SharedPages pages;
  pages.Add(state);
  pages.Add(copy);
  pages.Remove(state);
  EXPECT_EQ(pages.page_count(), kPages);
  pages.Remove(copy);
  EXPECT_EQ(pages.page_count(), 0u);
}

TEST(SharedPagesTest, PagesOfOthersAreNotCountedTwice) {
  const sim::State state = MakeState();
  sim::State copy = state;
  Write(copy, 0);
  SharedPages known;
  known.Add(state);
  SharedPages fresh;
  fresh.Add(copy, &known);
  EXPECT_EQ(fresh.page_count(), 1u);
  fresh.Clear();
  EXPECT_EQ(fresh.bytes(), 0u);
}

TEST(SharedPagesTest, CopyTakesTablesAndReferences) {
  const uint64_t small = BytesBesidePages(sim::MakeMovers(1));
  const uint64_t large = BytesBesidePages(sim::MakeMovers(102 * 9 + 1));
  EXPECT_EQ(large - small, 9 * (sizeof(sim::PageRef) + sizeof(uint64_t)));
  EXPECT_GT(small, 2 * sizeof(sim::Table));
}

}  // namespace
}  // namespace reprise::replays
