// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/bench_baseline.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

// Reads keys, and keeps what is wrong with the first one that is.
class KeyReader {
 public:
  KeyReader(const Json& json, std::string_view file)
      : json_(json), file_(file) {}

  std::string Text(const char* key) {
    const Json* const value = Find(key);
    if (value == nullptr) return "";
    if (value->is_string()) return value->get<std::string>();
    Fail(key, "is no string");
    return "";
  }

  uint64_t Number(const char* key) {
    const Json* const value = Find(key);
    if (value == nullptr) return 0;
    if (value->is_number_unsigned()) return value->get<uint64_t>();
    Fail(key, "is no whole number from 0 on");
    return 0;
  }

  // 64 bits, as a string.
  uint64_t WideNumber(const char* key) {
    const std::string text = Text(key);
    uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      Fail(key, "is no whole number from 0 to 2^64-1 in quotes");
    }
    return number;
  }

  double Figure(const char* key) {
    const Json* const value = Find(key);
    if (value == nullptr) return 0;
    const double figure = value->is_number() ? value->get<double>() : 0;
    if (!(figure > 0) || !std::isfinite(figure)) {
      Fail(key, "is no number above 0");
    }
    return figure;
  }

  bool Has(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
  }

  void Fail(std::string_view key, std::string_view what) {
    if (!status_.ok()) return;
    status_ =
        absl::InvalidArgumentError(fmt::format("{}: {} {}", file_, key, what));
  }

  const absl::Status& status() const { return status_; }

 private:
  const Json* Find(const char* key) {
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    Fail(key, "is missing");
    return nullptr;
  }

  const Json& json_;
  const std::string_view file_;
  absl::Status status_;
};

template <typename Value>
absl::Status CheckSame(std::string_view file, std::string_view key,
                       const Value& baseline, const Value& now) {
  if (baseline == now) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: {}: the baseline is of {}, and this run of {}", file,
                  key, baseline, now));
}

absl::Status CheckSubject(const BenchSubject& baseline, const BenchSubject& now,
                          std::string_view file) {
  absl::Status status = CheckSame(file, "pack", baseline.pack, now.pack);
  if (status.ok()) {
    status = CheckSame(file, "simulation", baseline.simulation, now.simulation);
  }
  if (status.ok()) status = CheckSame(file, "seed", baseline.seed, now.seed);
  if (status.ok()) {
    status = CheckSame(file, "tick_count", baseline.tick_count, now.tick_count);
  }
  if (status.ok()) {
    status = CheckSame(file, "inputs", baseline.inputs, now.inputs);
  }
  return status;
}

constexpr std::string_view kWhyInstructions =
    "they don't depend on how fast or busy the machine is";
constexpr std::string_view kWhyRatio =
    "it is held to the reference load of the same run, as slow as the machine "
    "is";

}  // namespace

BenchBaseline ToBaseline(const BenchResult& result) {
  return {.subject = result.subject,
          .pack_digest = result.pack_digest,
          .digest = result.digest,
          .build = result.build,
          .ratio = result.ratio,
          .instructions = result.instructions};
}

std::string FormatBaseline(const BenchBaseline& baseline) {
  Json json = MakeJsonDocument("bench");
  json["pack"] = baseline.subject.pack;
  json["pack_digest"] = baseline.pack_digest;
  json["simulation"] = baseline.subject.simulation;
  json["seed"] = std::to_string(baseline.subject.seed);
  json["tick_count"] = baseline.subject.tick_count;
  json["inputs"] = baseline.subject.inputs;
  json["digest"] = baseline.digest;
  json["build"] = baseline.build;
  json["ratio"] = baseline.ratio;
  if (baseline.instructions.has_value()) {
    json["instructions"] = *baseline.instructions;
  }
  return json.dump(2, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

absl::StatusOr<BenchBaseline> ParseBaseline(const std::string& text,
                                            std::string_view file) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: it is no baseline, which is an object of JSON", file));
  }
  KeyReader reader(json, file);
  if (reader.Text("command") != "bench") {
    reader.Fail("command", "is not \"bench\"");
  }
  if (reader.Number("schema_version") != kJsonSchemaVersion) {
    reader.Fail("schema_version", fmt::format("is not {}", kJsonSchemaVersion));
  }
  BenchBaseline baseline;
  baseline.subject = {.pack = reader.Text("pack"),
                      .simulation = reader.Text("simulation"),
                      .seed = reader.WideNumber("seed"),
                      .tick_count = reader.Number("tick_count"),
                      .inputs = reader.Text("inputs")};
  baseline.pack_digest = reader.Text("pack_digest");
  baseline.digest = reader.Text("digest");
  baseline.build = reader.Text("build");
  baseline.ratio = reader.Figure("ratio");
  if (reader.Has("instructions")) {
    baseline.instructions = reader.Figure("instructions");
  }
  if (!reader.status().ok()) return reader.status();
  return baseline;
}

absl::StatusOr<BenchComparison> CompareWithBaseline(
    const BenchBaseline& baseline, const BenchResult& result,
    std::optional<BenchMeasure> measure,
    std::optional<double> threshold_percent, std::string_view file) {
  const absl::Status status =
      CheckSubject(baseline.subject, result.subject, file);
  if (!status.ok()) return status;
  BenchComparison comparison;
  if (!measure.has_value()) {
    const bool has_both =
        baseline.instructions.has_value() && result.instructions.has_value();
    measure = has_both ? BenchMeasure::kInstructions : BenchMeasure::kRatio;
    comparison.reason = has_both ? kWhyInstructions : kWhyRatio;
    if (!has_both) {
      comparison.reason += fmt::format(
          "; there are no instructions to compare: {}",
          baseline.instructions.has_value() ? result.instructions_missing
                                            : "the baseline has none");
    }
  } else {
    comparison.reason =
        *measure == BenchMeasure::kInstructions ? kWhyInstructions : kWhyRatio;
  }
  comparison.measure = *measure;
  if (*measure == BenchMeasure::kInstructions) {
    if (!baseline.instructions.has_value()) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: instructions is missing: the baseline was made without", file));
    }
    if (!result.instructions.has_value()) {
      return absl::UnavailableError("no instructions were counted: " +
                                    result.instructions_missing);
    }
    comparison.expected = *baseline.instructions;
    comparison.actual = *result.instructions;
    comparison.threshold_percent =
        threshold_percent.value_or(kInstructionsThreshold);
  } else {
    comparison.expected = baseline.ratio;
    comparison.actual = result.ratio;
    comparison.threshold_percent = threshold_percent.value_or(kRatioThreshold);
  }
  return comparison;
}

std::string_view BenchMeasureName(BenchMeasure measure) {
  return measure == BenchMeasure::kInstructions ? "instructions" : "ratio";
}

std::string FormatComparison(const BenchComparison& comparison) {
  const auto figure = [&](double value) {
    return comparison.measure == BenchMeasure::kInstructions
               ? FormatCount(value)
               : fmt::format("{:.4g}", value);
  };
  return fmt::format(
      "{} of a tick {} -> {}, {:+.1f} %, at most +{:g} %: {} "
      "({})",
      BenchMeasureName(comparison.measure), figure(comparison.expected),
      figure(comparison.actual), comparison.change_percent(),
      comparison.threshold_percent, comparison.passed() ? "holds" : "too slow",
      comparison.reason);
}

Json ToJson(const BenchComparison& comparison) {
  return {{"measure", BenchMeasureName(comparison.measure)},
          {"reason", comparison.reason},
          {"expected", comparison.expected},
          {"actual", comparison.actual},
          {"change_percent", comparison.change_percent()},
          {"threshold_percent", comparison.threshold_percent},
          {"passed", comparison.passed()}};
}

}  // namespace reprise::tools
