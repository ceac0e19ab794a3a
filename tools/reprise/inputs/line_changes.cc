// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/line_changes.h"

#include <algorithm>
#include <cstdint>

namespace reprise::tools {
namespace {

using Lines = std::span<const std::string_view>;

// Of each pair of beginnings the length of the longest common subsequence from
// there on.
class CommonLengths {
 public:
  CommonLengths(Lines before, Lines after)
      : width_(after.size() + 1), lengths_((before.size() + 1) * width_) {
    for (size_t i = before.size(); i-- > 0;) {
      for (size_t k = after.size(); k-- > 0;) {
        lengths_[i * width_ + k] = before[i] == after[k]
                                       ? At(i + 1, k + 1) + 1
                                       : std::max(At(i + 1, k), At(i, k + 1));
      }
    }
  }

  uint32_t At(size_t i, size_t k) const { return lengths_[i * width_ + k]; }

 private:
  const size_t width_;
  std::vector<uint32_t> lengths_;
};

// The lines before[i] or after[k] are the next that differ: they join the
// change before them where little is between.
void AddLine(size_t i, size_t k, bool is_before,
             std::vector<LineChange>& changes) {
  if (changes.empty() ||
      i - changes.back().before_begin - changes.back().before_count >=
          kEqualLinesBetweenMin) {
    changes.push_back({.before_begin = i, .after_begin = k});
  }
  LineChange& change = changes.back();
  change.before_count = i - change.before_begin + (is_before ? 1 : 0);
  change.after_count = k - change.after_begin + (is_before ? 0 : 1);
}

std::vector<LineChange> CompareMiddles(Lines before, Lines after) {
  const CommonLengths lengths(before, after);
  std::vector<LineChange> changes;
  size_t i = 0;
  size_t k = 0;
  while (i < before.size() || k < after.size()) {
    if (i < before.size() && k < after.size() && before[i] == after[k]) {
      ++i;
      ++k;
    } else if (k == after.size() ||
               (i < before.size() &&
                lengths.At(i + 1, k) >= lengths.At(i, k + 1))) {
      AddLine(i++, k, /*is_before=*/true, changes);
    } else {
      AddLine(i, k++, /*is_before=*/false, changes);
    }
  }
  return changes;
}

}  // namespace

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t end = 0; end != std::string_view::npos;) {
    end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
  }
  return lines;
}

std::vector<LineChange> CompareLines(Lines before, Lines after) {
  const size_t both = std::min(before.size(), after.size());
  size_t head = 0;
  while (head < both && before[head] == after[head]) ++head;
  size_t tail = 0;
  while (tail < both - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  const size_t before_count = before.size() - head - tail;
  const size_t after_count = after.size() - head - tail;
  if (before_count == 0 && after_count == 0) return {};
  const LineChange whole = {.before_begin = head,
                            .before_count = before_count,
                            .after_begin = head,
                            .after_count = after_count};
  if (before_count == 0 || after_count == 0 ||
      before_count > kLinePairsMax / after_count) {
    return {whole};
  }
  std::vector<LineChange> changes = CompareMiddles(
      before.subspan(head, before_count), after.subspan(head, after_count));
  if (changes.size() > kLineChangesMax) return {whole};
  for (LineChange& change : changes) {
    change.before_begin += head;
    change.after_begin += head;
  }
  return changes;
}

std::string ApplyLineChange(Lines before, Lines after,
                            const LineChange& change) {
  std::string text;
  const auto add = [&text](Lines lines) {
    for (const std::string_view line : lines) {
      text += line;
      text += '\n';
    }
  };
  add(before.first(change.before_begin));
  add(after.subspan(change.after_begin, change.after_count));
  add(before.subspan(change.before_begin + change.before_count));
  // Lines are what lies between ends.
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace reprise::tools
