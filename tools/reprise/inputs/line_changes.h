// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where two texts differ line by line, as stretches that can be changed one by
// one: each is known by its line in the later text, which stays the same while
// others are changed.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_LINE_CHANGES_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_LINE_CHANGES_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::tools {

// Lines of the earlier text that others of the later one take the place of; one
// of both counts may be 0.
struct LineChange {
  size_t before_begin = 0;
  size_t before_count = 0;
  size_t after_begin = 0;
  size_t after_count = 0;

  friend bool operator==(const LineChange&, const LineChange&) = default;
};

// Stretches with fewer equal lines between them are one: parts of a statement
// mean nothing alone.
inline constexpr size_t kEqualLinesBetweenMin = 3;

// Texts that differ in more places, or in more lines of one times lines of the
// other, are said to differ in one.
inline constexpr size_t kLineChangesMax = 16;
inline constexpr size_t kLinePairsMax = 4'000'000;

// Without their ends; what is behind the last one is one, too.
std::vector<std::string_view> SplitLines(std::string_view text);

// Ascending; empty where both are the same. By the longest common subsequence.
std::vector<LineChange> CompareLines(std::span<const std::string_view> before,
                                     std::span<const std::string_view> after);

// The text `before` with that change alone.
std::string ApplyLineChange(std::span<const std::string_view> before,
                            std::span<const std::string_view> after,
                            const LineChange& change);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_LINE_CHANGES_H_
