// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/divergence_growth.h"

#include <limits>
#include <set>

#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/state/row_schema.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

std::string PlaceOf(const sim::FieldDifference& difference,
                    const sim::State& state, const sim::NameResolver& names) {
  const sim::RowSchema& schema = state.table(difference.table).schema();
  std::string place =
      fmt::format("{}.{}", state.room_of(difference.table).name, schema.name());
  for (const sim::FieldValue key : difference.key) {
    place += ' ' + sim::FormatFieldValue(key, names);
  }
  const sim::ScalarPath path = *difference.scalar;
  return fmt::format("{} {}", place,
                     schema.fields()[path.field].ScalarName(path.index));
}

// |expected - actual|; between infinities, the largest number there is.
double SizeOf(const sim::FieldDifference& difference) {
  const double size =
      sim::Abs(difference.expected->AsDouble() - difference.actual->AsDouble());
  return sim::IsFinite(size) ? size : std::numeric_limits<double>::max();
}

std::string Counted(uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string FormatSample(const GrowthSample& sample) {
  const StateDistance& distance = sample.distance;
  if (distance.field_count == 0 && distance.row_count == 0) {
    return fmt::format("  tick {}: equal\n", sample.tick);
  }
  std::string text = fmt::format("  tick {}: {}, {}", sample.tick,
                                 Counted(distance.object_count, "object"),
                                 Counted(distance.field_count, "field"));
  if (distance.row_count > 0) {
    text += fmt::format(", {} on one side only",
                        Counted(distance.row_count, "row"));
  }
  if (!distance.largest_difference_at.empty()) {
    text +=
        fmt::format("; at most {:.3g}{}{} ({})", distance.largest_difference,
                    distance.unit.empty() ? "" : " ", distance.unit,
                    distance.largest_difference_at);
  }
  if (!distance.most_ulps_at.empty()) {
    text +=
        fmt::format(", {} ulp ({})", distance.most_ulps, distance.most_ulps_at);
  }
  return text + '\n';
}

}  // namespace

StateDistance MeasureDistance(const sim::State& expected,
                              const sim::State& actual,
                              const sim::NameResolver& names) {
  const std::vector<sim::FieldDifference> differences =
      sim::CompareStates(expected, actual, std::numeric_limits<size_t>::max());
  StateDistance distance;
  std::set<uint64_t> objects;
  const sim::FieldDifference* largest = nullptr;
  const sim::FieldDifference* longest = nullptr;
  for (const sim::FieldDifference& difference : differences) {
    for (const sim::FieldValue key : difference.key) {
      if (key.type == sim::ScalarType::kObject) objects.insert(key.bits);
    }
    if (!difference.scalar.has_value()) {
      ++distance.row_count;
      continue;
    }
    ++distance.field_count;
    if (difference.expected->type != sim::ScalarType::kDouble) continue;
    const double size = SizeOf(difference);
    if (largest == nullptr || size > distance.largest_difference) {
      largest = &difference;
      distance.largest_difference = size;
    }
    if (!sim::CountsInUlps(difference.expected->AsDouble(),
                           difference.actual->AsDouble())) {
      continue;
    }
    const uint64_t ulps =
        sim::UlpDistance(*difference.expected, *difference.actual);
    if (longest == nullptr || ulps > distance.most_ulps) {
      longest = &difference;
      distance.most_ulps = ulps;
    }
  }
  distance.object_count = objects.size();
  if (largest != nullptr) {
    distance.largest_difference_at = PlaceOf(*largest, expected, names);
    distance.unit = expected.table(largest->table)
                        .schema()
                        .fields()[largest->scalar->field]
                        .unit;
  }
  if (longest != nullptr) {
    distance.most_ulps_at = PlaceOf(*longest, expected, names);
  }
  return distance;
}

std::string FormatGrowth(const DivergenceGrowth& growth) {
  if (growth.samples.empty()) return "";
  std::string text;
  for (const GrowthSample& sample : growth.samples) {
    text += FormatSample(sample);
  }
  const sim::Tick last = growth.samples.back().tick;
  return text +
         (growth.equal_from.has_value()
              ? fmt::format("  it dies out: equal from tick {} to {}\n",
                            *growth.equal_from, last)
              : fmt::format("  it lasts: still there at tick {}\n", last));
}

}  // namespace reprise::replays
