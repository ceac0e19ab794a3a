// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a search holds what it says it does: all that it gets of the
// allocator, beside the games that it plays, is below its bound at every round,
// and what it counts is most of that.

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "gtest/gtest.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/state/page.h"
#include "tests/fuzzing/finding.h"

namespace {

// Of all threads.
std::atomic<int64_t> live_bytes = 0;

void* Counted(void* memory) {
  if (memory == nullptr) std::abort();
  live_bytes += static_cast<int64_t>(malloc_usable_size(memory));
  return memory;
}

void Free(void* memory) noexcept {
  if (memory == nullptr) return;
  live_bytes -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// What these get is the allocator's, which is asked how much it is.
// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(size_t size) {
  return Counted(std::malloc(std::max<size_t>(size, 1)));
}
void* operator new(size_t size, std::align_val_t alignment) {
  const auto to = static_cast<size_t>(alignment);
  return Counted(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, size_t /*size*/) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  Free(memory);
}
void operator delete(void* memory, size_t /*size*/,
                     std::align_val_t /*alignment*/) noexcept {
  Free(memory);
}
// NOLINTEND(misc-new-delete-overloads)

namespace reprise::tests {
namespace {

using replays::FuzzCampaign;

constexpr int64_t kMiB = int64_t{1} << 20;

// Pages that a thread has freed and keeps.
constexpr int64_t kSpareBytes =
    int64_t{sim::kSparePagesMax} * static_cast<int64_t>(sizeof(sim::Page));

struct Measured {
  int64_t most = 0;  // of the allocator's, beyond what the games take
  replays::FuzzProgress progress;
};

Measured Search(const char* game_name, int64_t memory, uint32_t jobs,
                uint64_t ticks) {
  const HidingGame game = OpenGame(game_name);
  const auto campaign =
      *FuzzCampaign::Create(*game.start, game.rules,
                            {.seed = 1,
                             .jobs = jobs,
                             .memory_bytes_max = static_cast<uint64_t>(memory),
                             .keeps_runs = false});
  // The games and what looks at them are there.
  campaign->RunRound(jobs);
  Measured measured;
  const int64_t before =
      live_bytes - static_cast<int64_t>(campaign->progress().memory_bytes);
  while (campaign->progress().ticks < ticks) {
    campaign->RunRound(FuzzCampaign::kRoundTicks * jobs);
    measured.most = std::max(measured.most, live_bytes - before);
  }
  measured.progress = campaign->progress();
  return measured;
}

// What isn't counted: pages that the threads keep, at most 16 MiB of the one
// that merges; pieces, words that were learnt, what a scan knows of pages.
constexpr int64_t kSlack = kSpareBytes + 4 * kMiB;

TEST(FuzzMemoryTest, SearchTakesWhatItMayAndNotMore) {
  // Its states are large and many.
  for (const uint32_t jobs : {1u, 2u}) {
    const Measured measured = Search("parlour_wall", 24 * kMiB, jobs, 60'000);
    EXPECT_GT(measured.progress.states_dropped, 0u);
    EXPECT_LE(measured.progress.memory_bytes_most,
              static_cast<uint64_t>(24 * kMiB));
    EXPECT_LE(measured.most, 24 * kMiB + kSlack) << jobs;
  }
}

TEST(FuzzMemoryTest, WhatIsCountedIsWhatItTakes) {
  const Measured measured = Search("parlour_wall", 512 * kMiB, 1, 40'000);
  EXPECT_EQ(measured.progress.states_dropped, 0u);
  const auto counted = static_cast<int64_t>(measured.progress.memory_bytes);
  EXPECT_LE(measured.most, counted + kSlack);
  EXPECT_GE(measured.most, counted / 2);
}

TEST(FuzzMemoryTest, SearchWithHardlyAnyMemoryGoesOn) {
  const Measured measured = Search("maze", kMiB / 4, 2, 60'000);
  EXPECT_GE(measured.progress.ticks, 60'000u);
  EXPECT_GE(measured.progress.states, 1u);  // the start stays
  EXPECT_LE(measured.most, kMiB / 4 + kSlack);
}

}  // namespace
}  // namespace reprise::tests
