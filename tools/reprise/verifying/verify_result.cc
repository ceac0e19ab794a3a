// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_result.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

struct VerdictKind {
  Verdict verdict;
  std::string_view name;
  ExitCode exit_code;
};

constexpr std::array<VerdictKind, 10> kVerdicts = {{
    {Verdict::kVerified, "verified", ExitCode::kOk},
    {Verdict::kDiverged, "diverged", ExitCode::kDifferent},
    {Verdict::kUnexpected, "unexpected", ExitCode::kDifferent},
    {Verdict::kPartial, "partial", ExitCode::kDifferent},
    {Verdict::kUnproven, "unproven", ExitCode::kDifferent},
    {Verdict::kRefused, "refused", ExitCode::kBadInput},
    {Verdict::kMissing, "missing", ExitCode::kMissing},
    {Verdict::kCrashed, "crashed", ExitCode::kCrashed},
    {Verdict::kHung, "hung", ExitCode::kCrashed},
    {Verdict::kFailed, "failed", ExitCode::kInfrastructure},
}};

const VerdictKind& KindOf(Verdict verdict) {
  return *std::ranges::find(kVerdicts, verdict, &VerdictKind::verdict);
}

// What a run adds to the object of its file.
constexpr std::array<const char*, 14> kRunKeys = {
    "digests_compared", "digests_different",  "chain",
    "outcome",          "divergence",         "later_divergences",
    "capsule",          "schema_differences", "not_covered",
    "pack_path",        "pack_changes",       "recorded_outcome",
    "stepping_seconds", "is_capsule",
};

// Reads members of an object; the first that is missing or of another type
// stays.
class MemberReader {
 public:
  explicit MemberReader(const Json& object) : object_(object) {}

  const Json* Find(const char* key) {
    const auto found = object_.is_object() ? object_.find(key) : object_.end();
    if (found != object_.end()) return &*found;
    Fail(key);
    return nullptr;
  }

  std::string Text(const char* key) {
    const Json* const value = Find(key);
    if (value != nullptr && value->is_string()) return *value;
    Fail(key);
    return "";
  }

  uint64_t Count(const char* key) {
    const Json* const value = Find(key);
    if (value != nullptr && value->is_number_unsigned()) return *value;
    Fail(key);
    return 0;
  }

  std::vector<std::string> Texts(const char* key) {
    const Json* const value = Find(key);
    std::vector<std::string> texts;
    if (value == nullptr || !value->is_array()) {
      Fail(key);
      return texts;
    }
    for (const Json& text : *value) {
      if (!text.is_string()) Fail(key);
      if (text.is_string()) texts.push_back(text);
    }
    return texts;
  }

  void Fail(const char* key) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        fmt::format("\"{}\" of a verification's result is not right", key));
  }

  const absl::Status& status() const { return status_; }

 private:
  const Json& object_;
  absl::Status status_;
};

bool IsCapsule(const VerifyResult& result) {
  const auto found = result.run.find("is_capsule");
  return found != result.run.end() && *found == true;
}

std::string Indent(const std::string& text) {
  std::istringstream stream(text);
  std::string indented;
  for (std::string line; std::getline(stream, line);) {
    indented += fmt::format("  {}\n", line);
  }
  return indented;
}

// "3 replays: 1 verified, 2 not (1 diverged, 1 crashed)".
std::string FormatTotals(std::span<const VerifyResult> results) {
  const auto count = [&results](Verdict verdict) {
    return std::ranges::count(results, verdict, &VerifyResult::verdict);
  };
  std::vector<std::string> failures;
  for (const VerdictKind& kind : kVerdicts) {
    if (kind.verdict == Verdict::kVerified || count(kind.verdict) == 0) {
      continue;
    }
    failures.push_back(fmt::format("{} {}", count(kind.verdict), kind.name));
  }
  const auto verified = count(Verdict::kVerified);
  const auto cached =
      std::ranges::count(results, true, &VerifyResult::is_cached);
  return fmt::format(
      "{} replays: {} verified{}, {} not{}\n", results.size(), verified,
      cached == 0 ? "" : fmt::format(" ({} cached)", cached),
      std::ssize(results) - verified,
      failures.empty() ? "" : fmt::format(" ({})", fmt::join(failures, ", ")));
}

}  // namespace

std::string_view VerdictName(Verdict verdict) { return KindOf(verdict).name; }

ExitCode ExitCodeOf(Verdict verdict) { return KindOf(verdict).exit_code; }

Json ToJson(const VerifyResult& result) {
  Json json = {{"file", result.path},
               {"pack", result.pack},
               {"passed", result.passed()},
               {"verdict", VerdictName(result.verdict)},
               {"exit_code", static_cast<int>(ExitCodeOf(result.verdict))},
               {"summary", result.summary},
               {"report", result.report}};
  if (!result.has_run()) json["error"] = result.summary;
  json["ticks_verified"] = result.ticks_verified;
  json["tick_count"] = result.tick_count;
  json["digest"] = result.digest;
  json.update(result.run);
  json["remarks"] = ToJson(result.remarks);
  json["seconds"] = result.seconds;
  json["is_cached"] = result.is_cached;
  return json;
}

absl::StatusOr<replays::ReplayRemarks> ParseRemarks(const Json& json) {
  MemberReader reader(json);
  replays::ReplayRemarks remarks;
  remarks.notes = reader.Texts("notes");
  remarks.warnings = reader.Texts("warnings");
  if (!reader.status().ok()) return reader.status();
  return remarks;
}

absl::StatusOr<VerifyResult> ParseVerifyResult(const Json& json) {
  MemberReader reader(json);
  VerifyResult result;
  result.path = reader.Text("file");
  result.pack = reader.Text("pack");
  const std::string verdict = reader.Text("verdict");
  const auto kind = std::ranges::find(kVerdicts, verdict, &VerdictKind::name);
  if (kind == kVerdicts.end()) {
    reader.Fail("verdict");
  } else {
    result.verdict = kind->verdict;
  }
  result.summary = reader.Text("summary");
  result.report = reader.Text("report");
  result.ticks_verified = reader.Count("ticks_verified");
  result.tick_count = reader.Count("tick_count");
  result.digest = reader.Text("digest");
  const Json* const remarks = reader.Find("remarks");
  if (!reader.status().ok()) return reader.status();
  absl::StatusOr<replays::ReplayRemarks> parsed = ParseRemarks(*remarks);
  if (!parsed.ok()) return parsed.status();
  result.remarks = *std::move(parsed);
  for (const char* const key : kRunKeys) {
    if (json.contains(key)) result.run[key] = json[key];
  }
  return result;
}

std::string FormatVerifyResults(std::span<const VerifyResult> results) {
  size_t verdict_width = 0;
  size_t done_width = 0;
  size_t count_width = 0;
  for (const VerifyResult& result : results) {
    verdict_width = std::max(verdict_width, VerdictName(result.verdict).size());
    done_width =
        std::max(done_width, std::to_string(result.ticks_verified).size());
    count_width =
        std::max(count_width, std::to_string(result.tick_count).size());
  }
  std::string text;
  for (const VerifyResult& result : results) {
    text += fmt::format(
        "{:<{}} {:>{}} of {:>{}} ticks  {:<16}  {}{}\n",
        VerdictName(result.verdict), verdict_width, result.ticks_verified,
        done_width, result.tick_count, count_width,
        result.digest.empty() ? "-" : result.digest, EscapeLine(result.path),
        fmt::format("{}{}", IsCapsule(result) ? " (capsule)" : "",
                    result.is_cached ? " (cached)" : ""));
  }
  for (const VerifyResult& result : results) {
    if (result.passed()) continue;
    text += fmt::format("\n{}: {}\n{}", EscapeLine(result.path), result.summary,
                        Indent(result.report));
  }
  if (std::ranges::any_of(results, std::not_fn(&VerifyResult::passed))) {
    text += "\n";
  }
  return text + FormatTotals(results);
}

}  // namespace reprise::tools
