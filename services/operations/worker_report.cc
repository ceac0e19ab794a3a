// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/worker_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "nlohmann/json.hpp"
#include "sim/base/utf8.h"

namespace reprise::services {
namespace {

using Json = nlohmann::json;

constexpr size_t kTextBytesMax = 64 << 10;
constexpr size_t kItemsMax = 256;
constexpr size_t kNotesMax = 16;
constexpr size_t kNoteBytesMax = 500;

constexpr std::array<std::pair<std::string_view, v1::Verification::Verdict>, 10>
    kVerdicts = {{{"verified", v1::Verification::VERDICT_VERIFIED},
                  {"diverged", v1::Verification::VERDICT_DIVERGED},
                  {"unexpected", v1::Verification::VERDICT_UNEXPECTED},
                  {"partial", v1::Verification::VERDICT_PARTIAL},
                  {"unproven", v1::Verification::VERDICT_UNPROVEN},
                  {"refused", v1::Verification::VERDICT_REFUSED},
                  {"missing", v1::Verification::VERDICT_MISSING},
                  {"crashed", v1::Verification::VERDICT_CRASHED},
                  {"hung", v1::Verification::VERDICT_HUNG},
                  {"failed", v1::Verification::VERDICT_FAILED}}};

absl::Status NoReportError() {
  return absl::InternalError("the process printed no report");
}

// The member `key` of an object; null where there is none.
const Json& MemberOf(const Json& json, const char* key) {
  static const Json& none = *new Json;
  if (!json.is_object()) return none;
  const auto member = json.find(key);
  return member == json.end() ? none : *member;
}

// A text that a message can hold.
std::string Cut(std::string_view text, size_t bytes_max) {
  if (!sim::IsUtf8(text)) return "";
  return std::string(sim::Utf8Prefix(text, bytes_max));
}

std::string TextOf(const Json& json, const char* key) {
  const Json& member = MemberOf(json, key);
  if (!member.is_string()) return "";
  return Cut(member.get_ref<const std::string&>(), kTextBytesMax);
}

uint64_t NumberOf(const Json& json, const char* key) {
  const Json& member = MemberOf(json, key);
  return member.is_number_unsigned() ? member.get<uint64_t>() : 0;
}

bool FlagOf(const Json& json, const char* key) {
  const Json& member = MemberOf(json, key);
  return member.is_boolean() && member.get<bool>();
}

void FillDifference(const Json& json, v1::RunDifference& difference) {
  difference.set_tick(NumberOf(json, "first_different_tick"));
  difference.set_is_exact(FlagOf(json, "is_exact"));
  difference.set_phase(TextOf(json, "phase"));
  const Json& rooms = MemberOf(json, "rooms");
  for (size_t i = 0; rooms.is_array() && i < rooms.size() && i < kItemsMax;
       ++i) {
    if (!rooms[i].is_string()) continue;
    difference.add_rooms(
        Cut(rooms[i].get_ref<const std::string&>(), kTextBytesMax));
  }
  const Json& fields = MemberOf(json, "fields");
  for (size_t i = 0; fields.is_array() && i < fields.size() && i < kItemsMax;
       ++i) {
    v1::FieldDifference& field = *difference.add_fields();
    field.set_room(TextOf(fields[i], "room"));
    field.set_table(TextOf(fields[i], "table"));
    field.set_object(TextOf(fields[i], "object"));
    field.set_field(TextOf(fields[i], "field"));
    field.set_unit(TextOf(fields[i], "unit"));
    field.set_expected(TextOf(fields[i], "expected"));
    field.set_actual(TextOf(fields[i], "actual"));
  }
  difference.set_has_more_fields(FlagOf(json, "has_more_fields"));
}

Json Parse(std::string_view text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// Calls `visit` with each line, without its end.
template <typename Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

constexpr std::string_view kError = "error: ";
constexpr std::string_view kNote = "note: ";
constexpr std::string_view kWarning = "warning: ";
constexpr std::string_view kReproduce = "reproduce: ";

bool HasLabel(std::string_view line) {
  return line.starts_with(kError) || line.starts_with(kNote) ||
         line.starts_with(kWarning) || line.starts_with(kReproduce);
}

}  // namespace

absl::StatusOr<v1::Verification> ParseVerification(std::string_view text) {
  const Json json = Parse(text);
  const Json& files = MemberOf(json, "files");
  if (!files.is_array() || files.size() != 1) return NoReportError();
  const Json& file = files.front();
  v1::Verification verification;
  const std::string name = TextOf(file, "verdict");
  for (const auto& [known, verdict] : kVerdicts) {
    if (known == name) verification.set_verdict(verdict);
  }
  if (verification.verdict() == v1::Verification::VERDICT_UNSPECIFIED) {
    return NoReportError();
  }
  verification.set_summary(TextOf(file, "summary"));
  verification.set_ticks_verified(NumberOf(file, "ticks_verified"));
  verification.set_tick_count(NumberOf(file, "tick_count"));
  verification.set_digest(TextOf(file, "digest"));
  verification.set_report(TextOf(file, "report"));
  const Json& divergence = MemberOf(file, "divergence");
  if (divergence.is_object()) {
    FillDifference(divergence, *verification.mutable_difference());
  }
  return verification;
}

absl::StatusOr<v1::Comparison> ParseComparison(std::string_view text) {
  const Json json = Parse(text);
  if (!MemberOf(json, "is_equal").is_boolean()) return NoReportError();
  v1::Comparison comparison;
  comparison.set_is_equal(FlagOf(json, "is_equal"));
  comparison.set_ticks_compared(NumberOf(json, "ticks_compared"));
  const Json& input = MemberOf(json, "first_input_difference");
  if (input.is_object()) {
    comparison.set_first_input_tick(NumberOf(input, "tick"));
  }
  const Json& divergence = MemberOf(json, "divergence");
  if (divergence.is_object()) {
    FillDifference(divergence, *comparison.mutable_difference());
  }
  return comparison;
}

std::string ErrorIn(std::string_view text) {
  std::string error;
  bool is_in_error = false;
  ForEachLine(text, [&](std::string_view line) {
    if (line.starts_with(kError)) {
      error = std::string(line.substr(kError.size()));
      is_in_error = true;
    } else if (HasLabel(line)) {
      is_in_error = false;
    } else if (is_in_error && !line.empty()) {
      error += '\n';
      error += line;
    }
  });
  return Cut(error, kNoteBytesMax * 2);
}

std::vector<std::string> NotesIn(std::string_view text) {
  std::vector<std::string> notes;
  ForEachLine(text, [&notes](std::string_view line) {
    for (const std::string_view label : {kNote, kWarning}) {
      if (line.starts_with(label) && notes.size() < kNotesMax) {
        notes.push_back(Cut(line.substr(label.size()), kNoteBytesMax));
      }
    }
  });
  return notes;
}

}  // namespace reprise::services
