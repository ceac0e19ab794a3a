// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is counted comes out as Prometheus' format has it: known
// samples as known text, all that a server has by a strict reader of the
// grammar. A text that must be refused shows that the reader does.

#include "services/monitoring/metrics_text.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/status.h"
#include "services/monitoring/metric.h"
#include "services/monitoring/server_metrics.h"
#include "services/testing/metrics_reader.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(MetricsTextTest, SamplesComeBehindTheirHelpAndType) {
  MetricsText text;
  text.BeginFamily("a_bytes_total", MetricsText::Type::kCounter, "All of it.");
  text.Add({}, uint64_t{18446744073709551615u});
  text.BeginFamily("b", MetricsText::Type::kGauge, "Back\\slash\nand line.");
  text.Add({{"x", "1"}, {"y", "2"}}, int64_t{-3});
  text.BeginFamily("c_seconds_total", MetricsText::Type::kCounter, "Time.");
  text.AddSeconds({}, 1'050'000'000);

  EXPECT_EQ(text.text(),
            "# HELP a_bytes_total All of it.\n"
            "# TYPE a_bytes_total counter\n"
            "a_bytes_total 18446744073709551615\n"
            "# HELP b Back\\\\slash\\nand line.\n"
            "# TYPE b gauge\n"
            "b{x=\"1\",y=\"2\"} -3\n"
            "# HELP c_seconds_total Time.\n"
            "# TYPE c_seconds_total counter\n"
            "c_seconds_total 1.05\n");
}

TEST(MetricsTextTest, AnyTextIsALabelsValue) {
  const std::string hostile = "\"} 1\nb{x=\"\\";
  MetricsText text;
  text.BeginFamily("b", MetricsText::Type::kGauge, "B.");
  text.Add({{"x", hostile}}, int64_t{1});

  const ReadMetrics read = ReadMetricsText(text.text());
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(read.Value("b", {{"x", hostile}}), 1);
  EXPECT_EQ(read.samples.size(), 1u);
}

TEST(TimeHistogramTest, ATimeIsInTheBucketOfItsBoundAndInThoseAbove) {
  using std::chrono::nanoseconds;
  TimeHistogram histogram;
  histogram.Add(nanoseconds(1'000));
  histogram.Add(nanoseconds(1'001));
  histogram.Add(std::chrono::seconds(11));
  TimeCounts gathered;
  gathered.Add(nanoseconds(999));
  histogram.Add(gathered);
  MetricsText text;
  text.BeginFamily("t_seconds", MetricsText::Type::kHistogram, "T.");
  text.AddTimes({{"k", "v"}}, histogram.Read());

  const ReadMetrics read = ReadMetricsText(text.text());
  EXPECT_THAT(read.problems, IsEmpty());
  const auto bucket = [&](const char* bound) {
    return read.Value("t_seconds_bucket", {{"k", "v"}, {"le", bound}});
  };
  EXPECT_EQ(bucket("0.000001"), 2);
  EXPECT_EQ(bucket("0.0000025"), 3);
  EXPECT_EQ(bucket("10"), 3);
  EXPECT_EQ(bucket("+Inf"), 4);
  EXPECT_EQ(read.Value("t_seconds_count", {{"k", "v"}}), 4);
  EXPECT_DOUBLE_EQ(read.Value("t_seconds_sum", {{"k", "v"}}), 11.000003);
}

TEST(TimeHistogramTest, QuantilesAreBounds) {
  TimeCounts times;
  EXPECT_EQ(times.Quantile(0.5), std::chrono::nanoseconds(0));
  for (int i = 0; i < 99; ++i) times.Add(std::chrono::nanoseconds(900));
  times.Add(std::chrono::milliseconds(3));

  EXPECT_EQ(times.Quantile(0.5), std::chrono::microseconds(1));
  EXPECT_EQ(times.Quantile(0.99), std::chrono::microseconds(1));
  EXPECT_EQ(times.Quantile(1.0), std::chrono::milliseconds(5));
}

TEST(CounterTest, NothingOfManyThreadsIsLost) {
  Counter counter;
  TimeHistogram histogram;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 10'000; ++k) {
          counter.Add();
          histogram.Add(std::chrono::nanoseconds(k));
        }
      });
    }
  }
  EXPECT_EQ(counter.value(), 40'000u);
  EXPECT_EQ(histogram.Read().total(), 40'000u);
  EXPECT_EQ(histogram.Read().sum_ns, 4u * 9'999 * 10'000 / 2);
}

TEST(ServerMetricsTest, AllOfItIsInTheGrammar) {
  ServerMetrics metrics;
  metrics.ticks.Add(7);
  metrics.tick_time.Add(std::chrono::microseconds(3));
  CallMetrics& call = metrics.call(0);
  call.ended[0].Add(2);
  call.ended[5].Add();
  call.time.Add(std::chrono::milliseconds(2));
  call.under_way.Add(1);
  metrics.CountRefusal(WithReason(absl::NotFoundError(""), "PACK_NOT_FOUND"));
  metrics.CountRefusal(absl::InternalError("no reason"));
  MetricsText text;
  metrics.AppendTo(text);

  const ReadMetrics read = ReadMetricsText(text.text());
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(read.Value("reprise_ticks_total"), 7);
  const std::string name(kCallScopes[0].call);
  EXPECT_EQ(read.Value("reprise_calls_total", {{"call", name}, {"code", "OK"}}),
            2);
  EXPECT_EQ(read.Value("reprise_calls_total",
                       {{"call", name}, {"code", "NOT_FOUND"}}),
            1);
  EXPECT_EQ(
      read.Value("reprise_refusals_total", {{"reason", "PACK_NOT_FOUND"}}), 1);
  EXPECT_EQ(read.Value("reprise_refusals_total", {{"reason", "INTERNAL"}}), 1);
  EXPECT_EQ(metrics.ended_calls(), 3u);
  EXPECT_EQ(metrics.failed_calls(), 1u);
}

TEST(MetricsReaderTest, WhatIsWrongIsFound) {
  EXPECT_THAT(ReadMetricsText("a 1\n").problems,
              ElementsAre(EndsWith("without a type in front"),
                          EndsWith("of another family")));
  EXPECT_THAT(ReadMetricsText("# HELP a A.\n# TYPE a counter\na 1\n").problems,
              ElementsAre(HasSubstr("_total")));
  EXPECT_THAT(
      ReadMetricsText("# HELP a A.\n# TYPE a gauge\na{x=\"\\d\"} 1\n").problems,
      ElementsAre("3: no label"));
  EXPECT_THAT(
      ReadMetricsText("# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 1\n"
                      "a_bucket{le=\"+Inf\"} 0\na_sum 1\na_count 0\n")
          .problems,
      ElementsAre("4: buckets go up"));
}

}  // namespace
}  // namespace reprise::services
