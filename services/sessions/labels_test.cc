// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what labels may be, and which sessions have them.

#include "services/sessions/labels.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

google::protobuf::Map<std::string, std::string> Messages(const Labels& labels) {
  return {labels.begin(), labels.end()};
}

TEST(LabelsTest, SoundOnesAreTaken) {
  const Labels labels = {{"job", "a-1_B.2"}, {"empty", ""}};

  EXPECT_EQ(*ParseLabels(Messages(labels)), labels);
}

TEST(LabelsTest, OthersAreRefused) {
  Labels many;
  for (size_t i = 0; i <= kLabelsMax; ++i) many[std::to_string(i)] = "";
  for (const Labels& labels :
       {many, Labels{{"", "x"}}, Labels{{"a b", "x"}}, Labels{{"a", "x\n"}},
        Labels{{std::string(64, 'a'), "x"}},
        Labels{{"a", std::string(64, 'x')}}, Labels{{"a", "\xff"}}}) {
    const absl::Status status = ParseLabels(Messages(labels)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(status), "LABEL_REFUSED");
  }
}

TEST(LabelsTest, AllThatAreWantedHaveToBeThere) {
  const Labels labels = {{"a", "1"}, {"b", "2"}};

  EXPECT_TRUE(HasLabels(labels, {}));
  EXPECT_TRUE(HasLabels(labels, {{"b", "2"}}));
  EXPECT_FALSE(HasLabels(labels, {{"b", "3"}}));
  EXPECT_FALSE(HasLabels(labels, {{"a", "1"}, {"c", ""}}));
}

}  // namespace
}  // namespace reprise::services
