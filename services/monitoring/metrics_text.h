// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Prometheus' text format, version 0.0.4: families of samples, each family
// with its help and its type in front.

#ifndef REPRISE_SERVICES_MONITORING_METRICS_TEXT_H_
#define REPRISE_SERVICES_MONITORING_METRICS_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/monitoring/metric.h"

namespace reprise::services {

// What to answer as the type of the text.
inline constexpr std::string_view kMetricsContentType =
    "text/plain; version=0.0.4; charset=utf-8";

class MetricsText {
 public:
  enum class Type { kCounter, kGauge, kHistogram };
  // Names and values. Values may be any text.
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  // Begins a family. The name has its unit, of Prometheus' base units, and of
  // counters "_total" at its end. REQUIRES: it is a name of Prometheus', is
  // "_total" just where it has to be, and wasn't begun before.
  void BeginFamily(std::string_view name, Type type, std::string_view help);

  // Add samples to it. REQUIRES: a family has begun, a histogram for times; the
  // labels' names are Prometheus'.
  void Add(const Labels& labels, uint64_t value);
  void Add(const Labels& labels, int64_t value);
  void AddSeconds(const Labels& labels, uint64_t nanoseconds);
  void AddTimes(const Labels& labels, const TimeCounts& times);

  const std::string& text() const { return text_; }

 private:
  void AddSample(std::string_view suffix, const Labels& labels,
                 std::string_view value);

  std::string text_;
  std::string family_;
  Type type_ = Type::kGauge;
  std::vector<std::string> families_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_MONITORING_METRICS_TEXT_H_
