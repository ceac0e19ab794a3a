// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The tables and fields that the states of two runs have in common, by name and
// type: where a pack or a build has given one of them more, the rest of both
// can be compared as two states of one shape.

#ifndef REPRISE_REPLAYS_FORMAT_COMMON_SHAPE_H_
#define REPRISE_REPLAYS_FORMAT_COMMON_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/state/state.h"

namespace reprise::replays {

class CommonShape {
 public:
  enum class Side { kExpected, kActual };

  // Of the states of two simulations; their rows don't matter. Tables and
  // fields come in the order of `expected`. A table whose rows are known by
  // other keys on the other side isn't common, nor is a field of a table of
  // other fields that DependsOnSchema.
  CommonShape(const sim::State& expected, const sim::State& actual);

  // Both states have the same shape: all of them is common, as it is.
  bool is_whole() const { return is_whole_; }

  // A state of the common tables without rows, to be updated.
  const sim::State& empty_state() const { return shape_; }

  // Makes `common` what both sides have, out of `state`, which is one of
  // `side`. Tables that are the same on both sides share their pages with it;
  // of others, pages are written only where something changed.
  // REQUIRES: `common` is empty_state(), or was updated last of that side.
  void Update(Side side, const sim::State& state, sim::State& common) const;

  // The same, made from nothing.
  sim::State Take(Side side, const sim::State& state) const;

  // The other way round: puts `common` into `state`, which is one of `side`
  // without rows. Of the rows that come, what isn't common is zeros.
  void Put(Side side, const sim::State& common, sim::State& state) const;

 private:
  // Bytes of a row that go together.
  struct Part {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t size = 0;
  };
  // Where a common table comes from on one side.
  struct Source {
    sim::TableIndex table;
    std::vector<Part> parts;  // of each row; empty: all of the table
  };
  struct CommonTable {
    Source expected;
    Source actual;
  };

  void AddTable(const sim::State& expected, sim::TableIndex expected_table,
                const sim::State& actual, sim::TableIndex actual_table);

  bool is_whole_;
  sim::State shape_;
  std::vector<CommonTable> tables_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_COMMON_SHAPE_H_
