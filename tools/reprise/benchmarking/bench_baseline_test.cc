// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a baseline comes back as it was written, that whatever is wrong
// with one is named, and which figure is held to which.

#include "tools/reprise/benchmarking/bench_baseline.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::HasSubstr;

BenchResult Result() {
  BenchResult result;
  result.subject = {.pack = "pong",
                    .simulation = "world",
                    .seed = 18446744073709551615u,
                    .tick_count = 600,
                    .inputs = "bots 0:keen"};
  result.pack_digest = "0011";
  result.digest = "2233";
  result.build = "gcc 12.2.0 optimised";
  result.ratio = 1.5;
  result.instructions = 40000;
  return result;
}

// Of Result(), with one key of its text changed.
absl::Status ErrorOf(const std::string& find, const std::string& replacement) {
  std::string text = FormatBaseline(ToBaseline(Result()));
  const size_t place = text.find(find);
  EXPECT_NE(place, std::string::npos) << text;
  text.replace(place, find.size(), replacement);
  return ParseBaseline(text, "b.json").status();
}

TEST(BenchBaselineTest, ComesBackAsItWasWritten) {
  BenchResult result = Result();
  for (const auto& instructions :
       {std::optional<double>(40000), std::optional<double>()}) {
    result.instructions = instructions;
    const BenchBaseline baseline = ToBaseline(result);
    const auto read = ParseBaseline(FormatBaseline(baseline), "b.json");
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, baseline);
  }
}

TEST(BenchBaselineTest, OutputOfTheCommandIsABaseline) {
  Json document = MakeJsonDocument("bench");
  AddTo(Result(), document);
  const auto read = ParseBaseline(document.dump(), "b.json");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, ToBaseline(Result()));
}

TEST(BenchBaselineTest, WhatIsWrongIsNamed) {
  EXPECT_THAT(ErrorOf("1.5", "-1.5").message(),
              HasSubstr("b.json: ratio is no number above 0"));
  EXPECT_THAT(ErrorOf("40000.0", "\"many\"").message(),
              HasSubstr("b.json: instructions is no number above 0"));
  EXPECT_THAT(ErrorOf("\"tick_count\": 600", "\"tick_count\": 6.5").message(),
              HasSubstr("b.json: tick_count is no whole number"));
  EXPECT_THAT(ErrorOf("18446744073709551615", "18446744073709551616").message(),
              HasSubstr("b.json: seed is no whole number"));
  EXPECT_THAT(ErrorOf("\"inputs\"", "\"input\"").message(),
              HasSubstr("b.json: inputs is missing"));
  EXPECT_THAT(
      ErrorOf("\"schema_version\": 1", "\"schema_version\": 2").message(),
      HasSubstr("b.json: schema_version is not 1"));
  EXPECT_THAT(ErrorOf("\"bench\"", "\"run\"").message(),
              HasSubstr("b.json: command is not \"bench\""));
  EXPECT_THAT(ParseBaseline("[]", "b.json").status().message(),
              HasSubstr("b.json: it is no baseline"));
  EXPECT_THAT(ParseBaseline("{", "b.json").status().message(),
              HasSubstr("b.json: it is no baseline"));
}

TEST(BenchBaselineTest, AnotherRunIsNotCompared) {
  BenchResult result = Result();
  result.subject.tick_count = 300;
  const absl::Status status =
      CompareWithBaseline(ToBaseline(Result()), result, std::nullopt,
                          std::nullopt, "b.json")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      status.message(),
      HasSubstr("b.json: tick_count: the baseline is of 600, and this run of "
                "300"));
}

TEST(BenchBaselineTest, InstructionsGoBeforeTheRatio) {
  BenchResult result = Result();
  result.instructions = 40800;  // exactly 2 % more
  result.ratio = 100;
  const auto compared = CompareWithBaseline(
      ToBaseline(Result()), result, std::nullopt, std::nullopt, "b.json");
  ASSERT_TRUE(compared.ok()) << compared.status();
  EXPECT_EQ(compared->measure, BenchMeasure::kInstructions);
  EXPECT_NEAR(compared->change_percent(), 2, 1e-9);
  EXPECT_EQ(compared->threshold_percent, kInstructionsThreshold);
  result.instructions = 40801;
  EXPECT_FALSE(CompareWithBaseline(ToBaseline(Result()), result, std::nullopt,
                                   std::nullopt, "b.json")
                   ->passed());
}

TEST(BenchBaselineTest, WithoutInstructionsTheRatioIsHeldAndSaysWhy) {
  BenchResult result = Result();
  result.instructions.reset();
  result.instructions_missing = "valgrind is not in $PATH";
  result.ratio = 2;  // a third more
  const auto compared = CompareWithBaseline(
      ToBaseline(Result()), result, std::nullopt, std::nullopt, "b.json");
  ASSERT_TRUE(compared.ok()) << compared.status();
  EXPECT_EQ(compared->measure, BenchMeasure::kRatio);
  EXPECT_FALSE(compared->passed());
  EXPECT_THAT(FormatComparison(*compared),
              testing::AllOf(HasSubstr("ratio of a tick 1.5 -> 2, +33.3 %, at "
                                       "most +25 %: too slow"),
                             HasSubstr("valgrind is not in $PATH")));
  EXPECT_TRUE(CompareWithBaseline(ToBaseline(Result()), result, std::nullopt,
                                  50.0, "b.json")
                  ->passed());
}

TEST(BenchBaselineTest, AMeasureThatIsNotThereIsAnError) {
  BenchResult result = Result();
  BenchBaseline baseline = ToBaseline(result);
  result.instructions.reset();
  EXPECT_EQ(CompareWithBaseline(baseline, result, BenchMeasure::kInstructions,
                                std::nullopt, "b.json")
                .status()
                .code(),
            absl::StatusCode::kUnavailable);
  baseline.instructions.reset();
  EXPECT_EQ(CompareWithBaseline(baseline, Result(), BenchMeasure::kInstructions,
                                std::nullopt, "b.json")
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(BenchBaselineTest, CountsHaveThreeDigits) {
  EXPECT_EQ(FormatCount(1.234), "1.23");
  EXPECT_EQ(FormatCount(12.34), "12.3");
  EXPECT_EQ(FormatCount(999.4), "999");
  EXPECT_EQ(FormatCount(999.6), "1.00k");
  EXPECT_EQ(FormatCount(61234), "61.2k");
  EXPECT_EQ(FormatCount(2.5e9), "2500M");
}

}  // namespace
}  // namespace reprise::tools
