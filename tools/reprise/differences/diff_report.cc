// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/diff_report.h"

#include <utility>

#include "fmt/format.h"
#include "replays/comparing/divergence_growth.h"
#include "replays/format/schema_difference.h"
#include "replays/verifying/divergence.h"
#include "tools/reprise/differences/pack_change_output.h"
#include "tools/reprise/differences/schema_difference_output.h"

namespace reprise::tools {
namespace {

std::string FormatSide(char letter, const DiffSide& side) {
  return fmt::format("{}: {}, {} {}, seed {}, {} ticks\n", letter, side.name,
                     side.pack, sim::FormatDigest(side.pack_digest), side.seed,
                     side.tick_count);
}

Json SideJson(const DiffSide& side) {
  return {{"run", side.name},
          {"pack", side.pack},
          {"pack_digest", sim::FormatDigest(side.pack_digest)},
          {"seed", std::to_string(side.seed)},
          {"tick_count", side.tick_count}};
}

// The headline, where there is another one.
std::string FormatOutcomes(const DiffReport& report) {
  if (report.expected_outcome() == report.actual_outcome()) return "";
  return fmt::format("outcome: {} -> {}\n",
                     FormatOutcome(report.expected_outcome()),
                     FormatOutcome(report.actual_outcome()));
}

std::string FormatInputs(const DiffReport& report) {
  if (!report.comparison.first_input_difference) return "";
  std::string text = fmt::format("first different input: tick {}\n",
                                 *report.comparison.first_input_difference);
  for (const InputDifference& input : report.inputs) {
    text += fmt::format("  player {} {}: {} | {}\n", input.player, input.action,
                        input.expected, input.actual);
  }
  return text;
}

std::string FormatConsequence(const replays::Divergence& consequence) {
  std::string text = fmt::format("by tick {}:\n", *consequence.fields_tick);
  for (const replays::FieldDivergence& field : consequence.fields) {
    text += fmt::format("  {}\n", field.text);
  }
  if (consequence.has_more_fields) text += "  and more\n";
  return text;
}

Json InputsJson(const DiffReport& report) {
  if (!report.comparison.first_input_difference) return nullptr;
  Json inputs = Json::array();
  for (const InputDifference& input : report.inputs) {
    inputs.push_back({{"player", input.player},
                      {"action", input.action},
                      {"expected", input.expected},
                      {"actual", input.actual}});
  }
  return {{"tick", *report.comparison.first_input_difference},
          {"inputs", std::move(inputs)}};
}

}  // namespace

const sim::Outcome& DiffReport::expected_outcome() const {
  return ends ? ends->expected : comparison.expected_outcome;
}

const sim::Outcome& DiffReport::actual_outcome() const {
  return ends ? ends->actual : comparison.actual_outcome;
}

bool DiffReport::is_none() const {
  return comparison.is_equal() && !comparison.first_input_difference &&
         expected_outcome() == actual_outcome();
}

DiffSide DescribeSide(std::string name, const sim::Simulation& simulation,
                      const replays::ReplayReader& replay) {
  const sim::SimulationInfo& info = simulation.info();
  return {.name = std::move(name),
          .pack = info.pack,
          .pack_digest = info.pack_digest,
          .seed = info.seed,
          .tick_count = replay.tick_count()};
}

std::string FormatDiff(const DiffReport& report) {
  const replays::RunComparison& comparison = report.comparison;
  std::string text = FormatOutcomes(report) + FormatSide('A', report.expected) +
                     FormatSide('B', report.actual);
  if (report.is_none()) {
    return text + fmt::format("equal: {} ticks, {}\n",
                              comparison.ticks_compared,
                              FormatOutcome(report.expected_outcome()));
  }
  text += FormatPackChanges(report.pack_changes) + report.cause_lines +
          replays::FormatSchemaDifferences(comparison.schema_differences) +
          FormatInputs(report);
  if (comparison.divergence) {
    text += (comparison.schema_differences.empty()
                 ? "first different state: "
                 : "first difference of what both have: ") +
            replays::FormatDivergence(*comparison.divergence);
  } else if (!comparison.schema_differences.empty()) {
    text += fmt::format(
        "no other difference: what both have is equal for {} ticks\n",
        comparison.ticks_compared);
  } else {
    text += fmt::format("states are equal for {} ticks\n",
                        comparison.ticks_compared);
  }
  if (comparison.consequence)
    text += FormatConsequence(*comparison.consequence);
  if (comparison.growth) {
    text += "from there on:\n" + replays::FormatGrowth(*comparison.growth);
  }
  if (comparison.expected_tick_count != comparison.actual_tick_count) {
    text += fmt::format("lengths differ: {} | {} ticks\n",
                        report.expected.tick_count, report.actual.tick_count);
  }
  return text;
}

Json ToJson(const DiffReport& report) {
  const replays::RunComparison& comparison = report.comparison;
  Json document = MakeJsonDocument("diff");
  document["is_equal"] = report.is_none();
  document["expected"] = SideJson(report.expected);
  document["actual"] = SideJson(report.actual);
  document["ticks_compared"] = comparison.ticks_compared;
  document["ticks_stepped"] = comparison.ticks_stepped;
  document["expected_outcome"] = ToJson(report.expected_outcome());
  document["actual_outcome"] = ToJson(report.actual_outcome());
  document["pack_changes"] = ToJson(report.pack_changes);
  if (!report.cause_lines.empty()) document["cause"] = report.cause_lines;
  document["schema_differences"] = ToJson(comparison.schema_differences);
  document["first_input_difference"] = InputsJson(report);
  document["divergence"] =
      comparison.divergence ? ToJson(*comparison.divergence) : Json(nullptr);
  document["consequence"] =
      comparison.consequence ? ToJson(*comparison.consequence) : Json(nullptr);
  document["growth"] =
      comparison.growth ? ToJson(*comparison.growth) : Json(nullptr);
  return document;
}

}  // namespace reprise::tools
