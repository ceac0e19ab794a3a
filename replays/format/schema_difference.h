// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one of two states consists of and the other one doesn't: tables and
// fields that were added, removed, retyped or reordered between two packs or
// two builds, by name. Of values it says nothing.

#ifndef REPRISE_REPLAYS_FORMAT_SCHEMA_DIFFERENCE_H_
#define REPRISE_REPLAYS_FORMAT_SCHEMA_DIFFERENCE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/state/state.h"

namespace reprise::replays {

// One table, or one field of a table that both sides have. A pack's component
// is a table of the room "components".
struct SchemaDifference {
  enum class Kind {
    kRemoved,    // only in `expected`
    kAdded,      // only in `actual`
    kRetyped,    // of the same name, but nothing that could be compared
    kReordered,  // the same fields, or tables, in another order
  };

  Kind kind = Kind::kRemoved;
  std::string room;
  std::string table;  // empty: the order of all tables
  std::string field;  // empty: the table itself
  // What the field is on either side, with its unit ("int64", "vector3 [m]"),
  // or the key of the table; empty where there is none or it isn't known.
  std::string expected;
  std::string actual;

  friend bool operator==(const SchemaDifference&,
                         const SchemaDifference&) = default;
};

// "removed", "added", "retyped", "reordered".
std::string SchemaDifferenceKindName(SchemaDifference::Kind kind);

// In order of the tables and fields of `expected`, then those that only
// `actual` has. Empty: both have the same shape (State::CheckSameShape).
std::vector<SchemaDifference> CompareSchemas(const sim::State& expected,
                                             const sim::State& actual);

// Whether a field means something else in a table of other fields, so that it
// can't be compared then: a component's `overridden` has a bit a property, by
// its position.
bool DependsOnSchema(std::string_view room, std::string_view field);

// "components.tag health: added, int64".
std::string FormatSchemaDifference(const SchemaDifference& difference);

// The first few of them in one line; the rest is counted.
std::string FormatSchemaDifferenceList(
    std::span<const SchemaDifference> differences);

// A heading and a line each, for a person; empty without differences.
std::string FormatSchemaDifferences(
    std::span<const SchemaDifference> differences);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_SCHEMA_DIFFERENCE_H_
