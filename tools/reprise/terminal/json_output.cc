// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/json_output.h"

#include <optional>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

constexpr int kIndent = 2;

Json ToJson(const std::optional<sim::Tick>& tick) {
  return tick.has_value() ? Json(*tick) : Json(nullptr);
}

Json WriterToJson(const std::string& writer) {
  return writer.empty() ? Json(nullptr) : Json(writer);
}

Json ToJson(const replays::FieldDivergence& field) {
  const std::optional<uint64_t> ulps = replays::TellableUlps(field);
  return {{"room", field.room},
          {"table", field.table},
          {"object", field.object},
          {"field", field.field},
          {"unit", field.unit},
          {"expected", field.expected},
          {"actual", field.actual},
          {"expected_name", field.expected_name},
          {"actual_name", field.actual_name},
          // Of two doubles any distance is possible, so no plain number.
          {"ulps", ulps ? Json(std::to_string(*ulps)) : Json(nullptr)},
          {"expected_writer", WriterToJson(field.expected_writer)},
          {"actual_writer", WriterToJson(field.actual_writer)}};
}

Json ToJson(const replays::GrowthSample& sample) {
  const replays::StateDistance& distance = sample.distance;
  return {{"tick", sample.tick},
          {"objects", distance.object_count},
          {"rows", distance.row_count},
          {"fields", distance.field_count},
          {"largest_difference", distance.largest_difference},
          {"largest_difference_at", distance.largest_difference_at},
          {"unit", distance.unit},
          {"most_ulps", distance.most_ulps_at.empty()
                            ? Json(nullptr)
                            : Json(std::to_string(distance.most_ulps))},
          {"most_ulps_at", distance.most_ulps_at}};
}

}  // namespace

Flag OutputFormat::flag() {
  return {"format", "human|json", "How to print. human if unset.",
          ChoiceTarget{&value_, {"human", "json"}}};
}

Json MakeJsonDocument(std::string_view command) {
  return {{"schema_version", kJsonSchemaVersion}, {"command", command}};
}

void PrintJson(const Json& document, Console& console) {
  console.out() << EscapeJson(document.dump(kIndent, ' ',
                                            /*ensure_ascii=*/false,
                                            Json::error_handler_t::replace))
                << "\n";
}

Json ToJson(const sim::Outcome& outcome) {
  return {{"status", OutcomeName(outcome.status)}, {"reason", outcome.reason}};
}

Json ToJson(const replays::Divergence& divergence) {
  Json fields = Json::array();
  for (const replays::FieldDivergence& field : divergence.fields) {
    fields.push_back(ToJson(field));
  }
  return {{"kind", replays::DivergenceKindName(divergence.kind)},
          {"is_exact", divergence.is_exact()},
          {"last_equal_tick", ToJson(divergence.last_equal_tick)},
          {"first_different_tick", divergence.first_different_tick},
          {"phase", divergence.phase},
          {"expected_digest", sim::FormatDigest(divergence.expected_root)},
          {"actual_digest", sim::FormatDigest(divergence.actual_root)},
          {"rooms", divergence.rooms},
          {"fields_tick", ToJson(divergence.fields_tick)},
          {"fields", std::move(fields)},
          {"has_more_fields", divergence.has_more_fields},
          {"remark", divergence.remark}};
}

Json ToJson(const replays::DivergenceGrowth& growth) {
  Json samples = Json::array();
  for (const replays::GrowthSample& sample : growth.samples) {
    samples.push_back(ToJson(sample));
  }
  return {{"samples", std::move(samples)},
          {"equal_from", ToJson(growth.equal_from)}};
}

Json ToJson(const replays::ReplayRemarks& remarks) {
  return {{"notes", remarks.notes}, {"warnings", remarks.warnings}};
}

std::string_view OutcomeName(sim::Outcome::Status status) {
  return sim::NameOfValue(sim::kOutcomeNames, status);
}

std::string FormatOutcome(const sim::Outcome& outcome) {
  const std::string_view name = OutcomeName(outcome.status);
  return outcome.reason.empty()
             ? std::string(name)
             : fmt::format("{}: {}", name, EscapeLine(outcome.reason));
}

}  // namespace reprise::tools
