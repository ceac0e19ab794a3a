// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which texts are ages, sizes and times, and that all others are
// refused with what would have been right.

#include "tools/reprise/terminal/quantity.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::HasSubstr;

TEST(QuantityTest, AgesHaveAUnit) {
  EXPECT_EQ(*ParseAge("90s"), absl::Seconds(90));
  EXPECT_EQ(*ParseAge("5m"), absl::Minutes(5));
  EXPECT_EQ(*ParseAge("12h"), absl::Hours(12));
  EXPECT_EQ(*ParseAge("30d"), absl::Hours(24 * 30));
  EXPECT_EQ(*ParseAge("2w"), absl::Hours(24 * 14));
  EXPECT_EQ(*ParseAge("0d"), absl::ZeroDuration());
  for (const char* const text : {"", "30", "d", "-1d", "1.5d", "30 d", "30days",
                                 "1e3s", "9999999w", "99999999999999999999s"}) {
    const absl::Status status = ParseAge(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr("is not an age"));
  }
}

TEST(QuantityTest, SizesHaveAUnitOrAreBytes) {
  EXPECT_EQ(*ParseByteCount("0"), 0u);
  EXPECT_EQ(*ParseByteCount("17"), 17u);
  EXPECT_EQ(*ParseByteCount("17B"), 17u);
  EXPECT_EQ(*ParseByteCount("10GB"), 10'000'000'000u);
  EXPECT_EQ(*ParseByteCount("3KiB"), 3072u);
  EXPECT_EQ(*ParseByteCount("18446744073709551615"),
            std::numeric_limits<uint64_t>::max());
  for (const char* const text : {"", "GB", "10gb", "1.5GB", "-1", "10 GB",
                                 "18446744073709551616", "99999999999TB"}) {
    EXPECT_EQ(ParseByteCount(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(QuantityTest, TicksMayBeThousands) {
  EXPECT_EQ(*ParseTickCount("ticks", "0"), 0u);
  EXPECT_EQ(*ParseTickCount("ticks", "500000"), 500'000u);
  EXPECT_EQ(*ParseTickCount("ticks", "200K"), 200'000u);
  EXPECT_EQ(*ParseTickCount("ticks", "200k"), 200'000u);
  EXPECT_EQ(*ParseTickCount("ticks", "10M"), 10'000'000u);
  EXPECT_EQ(*ParseTickCount("ticks", "2G"), 2'000'000'000u);
  for (const char* const text :
       {"", "K", "1m", "-1", "1.5M", "10 K", "99999999999G", "1KB"}) {
    const absl::Status status = ParseTickCount("ticks", text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()),
                testing::StartsWith("--ticks '" + std::string(text) + "'"));
  }
}

TEST(QuantityTest, TimesAreDaysOrMoments) {
  const absl::Time day = absl::FromUnixSeconds(1'795'305'600);
  EXPECT_EQ(*ParseTime("2026-11-22"), day);
  EXPECT_EQ(*ParseTime("2026-11-22T00:00:00Z"), day);
  EXPECT_EQ(*ParseTime("2026-11-22T01:00:00.5+01:00"),
            day + absl::Milliseconds(500));
  for (const char* const text :
       {"", "yesterday", "2026-13-01", "22.11.2026", "infinite-future"}) {
    EXPECT_EQ(ParseTime(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(QuantityTest, TimesComeBack) {
  const absl::Time time =
      absl::FromUnixSeconds(1'795'305'600) + absl::Microseconds(120);
  EXPECT_EQ(FormatTimestamp(time), "2026-11-22T00:00:00.00012Z");
  EXPECT_EQ(*ParseTime(FormatTimestamp(time)), time);
}

TEST(QuantityTest, SizesAreShownInTheLargestUnitThatFits) {
  EXPECT_EQ(FormatByteCount(999), "999 B");
  EXPECT_EQ(FormatByteCount(1'500), "1.5 KB");
  EXPECT_EQ(FormatByteCount(999'960), "1.0 MB");
  EXPECT_EQ(FormatByteCount(12'000'000'000), "12.0 GB");
  EXPECT_EQ(FormatByteCount(5'000'000'000'000'000), "5000.0 TB");
}

TEST(QuantityTest, TimeoutsAreAtMostAYear) {
  EXPECT_TRUE(CheckTimeout("wait", 1, false).ok());
  EXPECT_TRUE(CheckTimeout("wait", 31'536'000, false).ok());
  EXPECT_TRUE(CheckTimeout("wait", 0, true).ok());
  EXPECT_EQ(CheckTimeout("wait", 0, false).message(),
            "--wait 0 is not 1 to 31536000");
  EXPECT_EQ(CheckTimeout("wait", 31'536'001, true).message(),
            "--wait 31536001 is not 1 to 31536000, or 0 for no limit");
  EXPECT_FALSE(CheckTimeout("wait", ~uint64_t{0}, true).ok());
}

TEST(QuantityTest, MebibytesNeverOverflowAsBytes) {
  EXPECT_TRUE(CheckMebibytes("memory", 0).ok());
  EXPECT_TRUE(CheckMebibytes("memory", kMebibytesMax).ok());
  EXPECT_EQ(CheckMebibytes("memory", kMebibytesMax + 1).message(),
            "--memory 1073741825 is not 1 to 1073741824, or 0 for no limit");
  // As bytes these are 0.
  EXPECT_FALSE(CheckMebibytes("memory", uint64_t{1} << 44).ok());
  EXPECT_FALSE(CheckMebibytes("memory", uint64_t{1} << 63).ok());
}

}  // namespace
}  // namespace reprise::tools
