// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a tick in which texts come, come again and are forgotten
// allocates nothing once it has been done, by counting the calls of operator
// new.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_texts.h"

namespace {

uint64_t allocation_count = 0;

void* CountedAllocation(size_t size, size_t alignment) {
  ++allocation_count;
  return std::aligned_alloc(alignment,
                            (size + alignment) / alignment * alignment);
}

}  // namespace

void* operator new(size_t size) {
  return CountedAllocation(size, alignof(std::max_align_t));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return CountedAllocation(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace reprise::sim {
namespace {

struct LabelRow {
  uint64_t number = 0;
  Id text;

  static constexpr std::string_view kTable = "labels";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(LabelRow, number, ""),
                      REPRISE_FIELD(LabelRow, text, "")};
  }
};

TEST(SteadyTextsTest, TicksThatMakeTextsAllocateNothing) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "pages are not kept for reuse in this build";
#endif
  constexpr uint32_t kLabels = 2000;
  const NameTable names = {};
  State state;
  const TableIndex rows =
      state.AddTable("input", RowSchema::Of<InputTextRow>());
  const TableIndex labels = state.AddTable("game", RowSchema::Of<LabelRow>());
  state.mutable_table(labels).Resize(kLabels);
  InputTexts texts(names, state, rows);
  uint64_t before = 0;
  std::array<char, 32> text = {};
  for (uint32_t tick = 0; tick < 60; ++tick) {
    if (tick == 40) before = allocation_count;
    texts.Forget();
    for (uint32_t i = 0; i < kLabels; ++i) {
      // A third of the labels changes, the others are given again.
      const uint32_t number = i % 3 == 0 ? tick : 0;
      const auto end = fmt::format_to(text.data(), "{} of {}", i, number);
      state.mutable_table(labels).Mutable<LabelRow>(i).text =
          texts.Keep(std::string_view(text.data(),
                                      static_cast<size_t>(end - text.data())));
    }
  }
  EXPECT_EQ(allocation_count - before, 0u);
  EXPECT_GT(state.table(rows).row_count(), kLabels);
  EXPECT_LT(state.table(rows).row_count(), 3 * kLabels);
}

}  // namespace
}  // namespace reprise::sim
