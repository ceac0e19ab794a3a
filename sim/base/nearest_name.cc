// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

// Names of packs have 64, texts that people type hardly more. Comparing takes
// time by the product of both lengths.
constexpr size_t kComparedBytesMax = 256;

// A list that is read in a glance.
constexpr size_t kListedNamesMax = 24;
constexpr size_t kListedBytesMax = 600;

// Levenshtein's distance, one row of its matrix at a time; any number above
// `bound` for a distance above it.
size_t EditDistance(std::string_view a, std::string_view b, size_t bound) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > bound) {
    return bound + 1;
  }
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
    // No later row has a lower number.
    if (*std::min_element(row.begin(), row.end()) > bound) return bound + 1;
  }
  return row.back();
}

// "a, b and c"; empty where it would be long.
std::string List(std::span<const std::string_view> names) {
  if (names.size() > kListedNamesMax) return "";
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " and " : ", ";
    list += names[i];
    if (list.size() > kListedBytesMax) return "";
  }
  return list;
}

}  // namespace

std::string_view NearestName(std::string_view typed,
                             std::span<const std::string_view> names) {
  std::string_view nearest;
  size_t nearest_distance = 0;
  if (typed.size() > kComparedBytesMax) return nearest;
  for (const std::string_view name : names) {
    if (name.size() > kComparedBytesMax) continue;
    const size_t bound = name.size() / 3 + 1;
    const size_t distance = EditDistance(typed, name, bound);
    if (distance > bound || distance >= std::max(typed.size(), name.size())) {
      continue;
    }
    if (nearest.empty() || distance < nearest_distance) {
      nearest = name;
      nearest_distance = distance;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view typed,
                       std::span<const std::string_view> names) {
  const std::string_view nearest = NearestName(typed, names);
  if (nearest.empty()) return "";
  return fmt::format("; did you mean '{}'?", nearest);
}

std::string ThereIsNo(std::string_view kind, std::string_view typed,
                      std::span<const std::string_view> names) {
  return fmt::format("there is no {} '{}'{}", kind, typed,
                     Suggestion(typed, names));
}

std::string Suggestion(std::string_view typed,
                       std::span<const std::string_view> names) {
  const std::string guess = DidYouMean(typed, names);
  const std::string list = List(names);
  if (list.empty()) return guess;
  if (names.size() == 1) {
    return guess.empty() ? fmt::format("; there is only {}", list) : guess;
  }
  return fmt::format("{}{} {}", guess,
                     guess.empty() ? "; there are" : " There are", list);
}

}  // namespace reprise::sim
