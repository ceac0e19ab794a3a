// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads Prometheus' text format 0.0.4 by its grammar, as strictly as a server
// of it may, and by what its `promtool check metrics` asks of names.

#ifndef REPRISE_SERVICES_TESTING_METRICS_READER_H_
#define REPRISE_SERVICES_TESTING_METRICS_READER_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise::services {

// A sample's name, and its labels by name.
using SampleKey = std::pair<std::string, std::map<std::string, std::string>>;

struct ReadMetrics {
  std::map<SampleKey, double> samples;
  // "LINE: what is wrong with it", of all that is.
  std::vector<std::string> problems;

  // Of a sample, or NaN where there is none.
  double Value(const std::string& name,
               const std::map<std::string, std::string>& labels = {}) const;
};

ReadMetrics ReadMetricsText(std::string_view text);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_METRICS_READER_H_
