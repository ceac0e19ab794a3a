// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A state with a table of each kind, for tests: with one key, an object or a
// name; with two; without; and one that two rooms have.

#ifndef REPRISE_SIM_EXPRESSION_TESTING_BOARD_H_
#define REPRISE_SIM_EXPRESSION_TESTING_BOARD_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {

struct GameRow {
  int64_t score = 0;

  static constexpr std::string_view kTable = "game";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(GameRow, score, "")};
  }
};

struct PieceRow {
  ObjectId object;
  double x = 0.0;
  double y = 0.0;

  static constexpr std::string_view kTable = "pieces";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PieceRow, object, ""),
                      REPRISE_FIELD(PieceRow, x, "m"),
                      REPRISE_FIELD(PieceRow, y, "m")};
  }
};

struct TagRow {
  ObjectId object;
  Id colour;
  std::array<bool, 8> flags = {};

  static constexpr std::string_view kTable = "tags";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(TagRow, object, ""),
                      REPRISE_FIELD(TagRow, colour, ""),
                      REPRISE_FIELD(TagRow, flags, "")};
  }
};

struct GoalRow {
  Id goal;
  uint64_t status = 0;

  static constexpr std::string_view kTable = "goals";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(GoalRow, goal, ""),
                      REPRISE_FIELD(GoalRow, status, "")};
  }
};

struct ContactRow {
  ObjectId a;
  ObjectId b;
  double depth = 0.0;

  static constexpr std::string_view kTable = "contacts";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ContactRow, a, ""),
                      REPRISE_FIELD(ContactRow, b, ""),
                      REPRISE_FIELD(ContactRow, depth, "m")};
  }
};

struct DeviceRow {
  uint64_t buttons = 0;
  std::array<int16_t, 8> axes = {};

  static constexpr std::string_view kTable = "device";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(DeviceRow, buttons, ""),
                      REPRISE_FIELD(DeviceRow, axes, "1/32767")};
  }
};

struct ClockRow {
  uint32_t minutes = 0;
  uint32_t seconds = 0;

  static constexpr std::string_view kTable = "clock";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ClockRow, minutes, ""),
                      REPRISE_FIELD(ClockRow, seconds, "")};
  }
};

// Where the tables of a board lie: the first five in the room "board", then one
// in "input", then a clock in each of "left" and "right".
inline constexpr TableIndex kGame{0};
inline constexpr TableIndex kPieces{1};
inline constexpr TableIndex kTags{2};
inline constexpr TableIndex kGoals{3};
inline constexpr TableIndex kContacts{4};
inline constexpr TableIndex kDevice{5};
inline constexpr TableIndex kLeftClock{6};
inline constexpr TableIndex kRightClock{7};

inline constexpr std::string_view kPieceNames[] = {"runner", "drifter",
                                                   "walker"};

// A row in each table without keys. Objects 1 to 3 are "runner", "drifter" and
// "walker"; the first two are pieces at (0, 0) and (1, 0), the last two have
// tags, red and blue, and touch. The goal "exit" has the status 2.
inline State MakeBoard() {
  State state;
  state.AddTable("board", RowSchema::Of<GameRow>());
  state.AddTable("board", RowSchema::Of<PieceRow>());
  state.AddTable("board", RowSchema::Of<TagRow>());
  state.AddTable("board", RowSchema::Of<GoalRow>());
  state.AddTable("board", RowSchema::Of<ContactRow>());
  state.AddTable("input", RowSchema::Of<DeviceRow>());
  state.AddTable("left", RowSchema::Of<ClockRow>());
  state.AddTable("right", RowSchema::Of<ClockRow>());
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    state.mutable_table({i}).Resize(1);
  }
  Table& pieces = state.mutable_table(kPieces);
  pieces.Resize(2);
  pieces.Mutable<PieceRow>(0) = {.object = {1}};
  pieces.Mutable<PieceRow>(1) = {.object = {2}, .x = 1.0};
  Table& tags = state.mutable_table(kTags);
  tags.Resize(2);
  tags.Mutable<TagRow>(0) = {.object = {2}, .colour = IdOf("red")};
  tags.Mutable<TagRow>(1) = {.object = {3}, .colour = IdOf("blue")};
  state.mutable_table(kGoals).Mutable<GoalRow>(0) = {.goal = IdOf("exit"),
                                                     .status = 2};
  state.mutable_table(kContacts).Mutable<ContactRow>(0) = {
      .a = {2}, .b = {3}, .depth = 0.5};
  return state;
}

// Knows the names above, and "later", which nothing has.
inline NameResolver BoardNames() {
  return {
      .object_name =
          [](ObjectId object) {
            return object.serial >= 1 && object.serial <= 3
                       ? std::string(kPieceNames[object.serial - 1])
                       : fmt::format("#{}", object.serial);
          },
      .id_name =
          [](Id id) {
            for (const std::string_view name :
                 {"red", "blue", "exit", "later"}) {
              if (id == IdOf(name)) return std::string(name);
            }
            return fmt::format("{:016x}", id.value);
          },
      .handle_name =
          [](Handle handle) {
            return fmt::format("{}.{}", handle.index, handle.generation);
          },
  };
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_TESTING_BOARD_H_
