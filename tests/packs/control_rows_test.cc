// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that rows of controls that no run of a pack can have are refused, each
// with its table and without a change: rows of each table that a run has made,
// with one thing forged. The pack has a binding and a pattern of each kind.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/input_frame.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/systems/controls/control_rows.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;

constexpr Tick kTicks = 12;
constexpr uint64_t kNever = uint64_t{1} << 40;

// Player 1 stamps and draws with two fingers, which swipes, pinches and strokes
// follow.
class ControlRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto world = CreateWorld(BatteryPack("parlour"), /*seed=*/1);
    ASSERT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
    for (Tick tick = 0; tick < kTicks; ++tick) {
      InputFrame frame = {.player = 1};
      if (tick % 4 < 2) frame.device.keys.Add(44);  // the space bar
      const auto along = static_cast<uint16_t>(1000 * tick);
      frame.device.touches = {{.id = 1, .x = along, .y = 40000},
                              {.id = 2, .x = 60000, .y = along}};
      ASSERT_TRUE(world_->Validate(std::span(&frame, 1)).ok());
      world_->Step(std::span(&frame, 1), nullptr);
    }
    ASSERT_TRUE(world_->Restore(State(world_->state())).ok());
  }

  const Table& Rows(std::string_view table) const {
    return world_->state().table(*world_->state().Find("controls", table));
  }

  // The row of a player by its name, a control, context or binding.
  template <typename Row, Id Row::*kName>
  uint32_t RowOf(uint64_t player, std::string_view name) const {
    const Table& table = Rows(Row::kTable);
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      const auto& each = table.Get<Row>(row);
      if (each.player == player && each.*kName == IdOf(name)) return row;
    }
    ADD_FAILURE() << "no row of " << name;
    return 0;
  }

  // The state with that row changed is refused, and the table is named.
  template <typename Row, typename Forge>
  void ExpectRefused(uint32_t row, const Forge& forge,
                     std::string_view what) const {
    State forged = world_->state();
    const TableIndex table = *forged.Find("controls", Row::kTable);
    ASSERT_LT(row, forged.table(table).row_count()) << what;
    forge(forged.mutable_table(table).Mutable<Row>(row));
    ExpectRefused(forged, Row::kTable, what);
  }

  void ExpectRefused(const State& forged, std::string_view table,
                     std::string_view what) const {
    const Digest before = world_->state().ComputeRootDigest();
    const absl::Status status = world_->Restore(forged);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << what;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(table)))
        << what;
    EXPECT_EQ(world_->state().ComputeRootDigest(), before) << what;
  }

  // A table with a row less, and with one more at its end.
  template <typename Row>
  void ExpectCounted() const {
    for (const int change : {-1, 1}) {
      State forged = world_->state();
      Table& table =
          forged.mutable_table(*forged.Find("controls", Row::kTable));
      table.Resize(table.row_count() + change);
      ExpectRefused(forged, Row::kTable, "another number of rows");
    }
  }

  std::unique_ptr<Simulation> world_;
};

TEST_F(ControlRowsTest, EachPlayerHasARowOfEach) {
  ExpectCounted<ControlRow>();
  ExpectCounted<ContextRow>();
  ExpectCounted<BindingRow>();
  ExpectCounted<PatternRow>();
}

TEST_F(ControlRowsTest, Controls) {
  const uint32_t stamp = RowOf<ControlRow, &ControlRow::control>(1, "stamp");
  const auto expect = [&](const auto& forge, std::string_view what) {
    ExpectRefused<ControlRow>(stamp, forge, what);
  };
  expect([](ControlRow& row) { row.player = 0; }, "of another player");
  expect([](ControlRow& row) { row.control = IdOf("clap"); }, "another one");
  expect([](ControlRow& row) { row.x = 1.5; }, "beyond 1");
  expect([](ControlRow& row) { row.y = -1.5; }, "below -1");
  expect([](ControlRow& row) { row.is_down = 2; }, "down twice");
  expect([](ControlRow& row) { row.was_down = 2; }, "down twice before");
  expect([](ControlRow& row) { row.changed_at = kTicks; }, "in the next step");
  expect([](ControlRow& row) { row.changed_at = kNever; }, "in the future");
}

TEST_F(ControlRowsTest, Contexts) {
  const uint32_t menu = RowOf<ContextRow, &ContextRow::context>(1, "menu");
  ExpectRefused<ContextRow>(
      menu, [](ContextRow& row) { row.is_enabled = 2; }, "enabled twice");
  ExpectRefused<ContextRow>(
      menu, [](ContextRow& row) { row.context = IdOf("dance"); }, "another");
}

TEST_F(ControlRowsTest, Bindings) {
  const auto row_of = [&](std::string_view name) {
    return RowOf<BindingRow, &BindingRow::binding>(1, name);
  };
  ExpectRefused<BindingRow>(
      row_of("stamp_key"), [](BindingRow& row) { row.actions[0] = kNoId; },
      "no action");
  ExpectRefused<BindingRow>(
      row_of("stamp_key"),
      [](BindingRow& row) { row.actions[0] = IdOf("push_x"); },
      "an axis for a button");
  ExpectRefused<BindingRow>(
      row_of("lean_axis"),
      [](BindingRow& row) { row.actions[0] = IdOf("jump"); },
      "a button for an axis");
  ExpectRefused<BindingRow>(
      row_of("stamp_key"),
      [](BindingRow& row) { row.actions[1] = IdOf("jump"); },
      "a slot that it hasn't");
  ExpectRefused<BindingRow>(
      row_of("size_pinch"), [](BindingRow& row) { row.actions[0] = kNoId; },
      "one that nobody binds");
  ExpectRefused<BindingRow>(
      row_of("step_stick"), [](BindingRow& row) { row.x = 2.0; }, "beyond 1");
}

TEST_F(ControlRowsTest, Patterns) {
  const uint32_t hop = RowOf<PatternRow, &PatternRow::control>(1, "hop");
  const auto expect = [&](const auto& forge, std::string_view what) {
    ExpectRefused<PatternRow>(hop, forge, what);
  };
  EXPECT_EQ(Rows("patterns").Get<PatternRow>(hop).done[0], 9u)
      << "stamped a second time, at 4, it hops; and at 8 begins anew";
  expect([](PatternRow& row) { row.done[0] = kTicks + 1; }, "in the next step");
  expect([](PatternRow& row) { row.done[7] = kNever; }, "in the future");
  expect([](PatternRow& row) { row.direction = 99; }, "no direction");
  expect([](PatternRow& row) { row.direction_since = kTicks; },
         "from the next step on");
}

TEST_F(ControlRowsTest, Fingers) {
  const uint32_t pinch = RowOf<FingerRow, &FingerRow::binding>(1, "size_pinch");
  const uint32_t swipe = RowOf<FingerRow, &FingerRow::binding>(1, "swipe_up");
  const auto expect = [&](uint32_t row, const auto& forge,
                          std::string_view what) {
    ExpectRefused<FingerRow>(row, forge, what);
  };
  expect(
      pinch, [](FingerRow& row) { row.player = 2; }, "nobody's");
  expect(
      pinch, [](FingerRow& row) { row.distance = 0.0; }, "in one place");
  expect(
      pinch, [](FingerRow& row) { row.distance = 2.0; }, "off the view");
  expect(
      swipe, [](FingerRow& row) { row.distance = 0.5; }, "one finger");
  expect(
      swipe, [](FingerRow& row) { row.binding = IdOf("clap_button"); },
      "of a button");
  expect(
      swipe, [](FingerRow& row) { row.x = kViewEdge + 1; }, "off the view");
  expect(
      swipe, [](FingerRow& row) { row.y = kViewEdge + 1; }, "off the view");
  expect(
      swipe, [](FingerRow& row) { row.began = kTicks; }, "in the next step");
}

TEST_F(ControlRowsTest, Strokes) {
  ASSERT_EQ(Rows("strokes").row_count(), kTicks);
  const auto expect = [&](uint32_t row, const auto& forge,
                          std::string_view what) {
    ExpectRefused<StrokePointRow>(row, forge, what);
  };
  expect(
      0, [](StrokePointRow& row) { row.point = 1; }, "not from 0 on");
  expect(
      3, [](StrokePointRow& row) { row.point = 5; }, "with a gap");
  expect(
      11, [](StrokePointRow& row) { row.player = 2; }, "nobody's");
  expect(
      11, [](StrokePointRow& row) { row.binding = IdOf("swipe_up"); },
      "of a swipe");
  expect(
      4, [](StrokePointRow& row) { row.x = kViewEdge + 1; }, "off the view");
  expect(
      4, [](StrokePointRow& row) { row.y = kViewEdge + 1; }, "off the view");
}

TEST_F(ControlRowsTest, StrokesHaveAFinger) {
  State forged = world_->state();
  Table& fingers = forged.mutable_table(*forged.Find("controls", "fingers"));
  fingers.EraseRange(RowOf<FingerRow, &FingerRow::binding>(1, "circle"), 1);
  ExpectRefused(forged, "strokes", "a stroke that no finger draws");
}

}  // namespace
}  // namespace reprise::sim
