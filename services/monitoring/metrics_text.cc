// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/monitoring/metrics_text.h"

#include <algorithm>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;

// [a-zA-Z_][a-zA-Z0-9_]*: colons, which metrics may have, too, are for rules.
bool IsName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(
             name, [&](char c) { return is_letter(c) || is_digit(c); });
}

// `text` with what can't stand in a line, or in quotes there, escaped.
std::string Escape(std::string_view text, bool is_quoted) {
  std::string escaped;
  for (const char character : text) {
    if (character == '\\') {
      escaped += "\\\\";
    } else if (character == '\n') {
      escaped += "\\n";
    } else if (character == '"' && is_quoted) {
      escaped += "\\\"";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

std::string_view NameOf(MetricsText::Type type) {
  switch (type) {
    case MetricsText::Type::kCounter:
      return "counter";
    case MetricsText::Type::kGauge:
      return "gauge";
    case MetricsText::Type::kHistogram:
      return "histogram";
  }
  CHECK(false);
  return "";
}

// Exact, without zeros behind the last digit that counts.
std::string FormatSeconds(uint64_t nanoseconds) {
  std::string text =
      fmt::format("{}.{:09}", nanoseconds / kNanosecondsPerSecond,
                  nanoseconds % kNanosecondsPerSecond);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

void MetricsText::BeginFamily(std::string_view name, Type type,
                              std::string_view help) {
  CHECK(IsName(name), "{}", name);
  CHECK(name.ends_with("_total") == (type == Type::kCounter), "{}", name);
  CHECK(std::ranges::find(families_, name) == families_.end(), "{}", name);
  family_ = name;
  type_ = type;
  families_.push_back(family_);
  text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name,
                       Escape(help, /*is_quoted=*/false), NameOf(type));
}

void MetricsText::Add(const Labels& labels, uint64_t value) {
  CHECK(type_ != Type::kHistogram);
  AddSample("", labels, fmt::to_string(value));
}

void MetricsText::Add(const Labels& labels, int64_t value) {
  CHECK(type_ == Type::kGauge);
  AddSample("", labels, fmt::to_string(value));
}

void MetricsText::AddSeconds(const Labels& labels, uint64_t nanoseconds) {
  CHECK(type_ != Type::kHistogram);
  AddSample("", labels, FormatSeconds(nanoseconds));
}

void MetricsText::AddTimes(const Labels& labels, const TimeCounts& times) {
  CHECK(type_ == Type::kHistogram);
  uint64_t up_to = 0;
  for (size_t i = 0; i < times.counts.size(); ++i) {
    up_to += times.counts[i];
    const std::string bound =
        i < kTimeBounds.size()
            ? FormatSeconds(static_cast<uint64_t>(kTimeBounds[i].count()))
            : "+Inf";
    Labels with_bound = labels;
    with_bound.emplace_back("le", bound);
    AddSample("_bucket", with_bound, fmt::to_string(up_to));
  }
  AddSample("_sum", labels, FormatSeconds(times.sum_ns));
  AddSample("_count", labels, fmt::to_string(up_to));
}

void MetricsText::AddSample(std::string_view suffix, const Labels& labels,
                            std::string_view value) {
  CHECK(!family_.empty());
  std::string pairs;
  for (const auto& [name, text] : labels) {
    CHECK(IsName(name), "{}", name);
    pairs += fmt::format("{}{}=\"{}\"", pairs.empty() ? "" : ",", name,
                         Escape(text, /*is_quoted=*/true));
  }
  if (!pairs.empty()) pairs = fmt::format("{{{}}}", pairs);
  text_ += fmt::format("{}{}{} {}\n", family_, suffix, pairs, value);
}

}  // namespace reprise::services
