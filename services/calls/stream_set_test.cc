// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the set keeps its limit, and whom it closes how, with streams
// that only remember what was asked of them.

#include "services/calls/stream_set.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr absl::Time kNow = absl::FromUnixSeconds(1000);

class FakeStream final : public OpenStream {
 public:
  explicit FakeStream(absl::Time last_activity = absl::UnixEpoch(),
                      bool has_begun = true)
      : last_activity_(last_activity), has_begun_(has_begun) {}

  const Tenant& tenant() const override { return owner; }
  absl::Time last_activity() const override { return last_activity_; }
  bool has_begun() const override { return has_begun_; }
  void Close(const absl::Status& status) override { closed = status; }
  void Abandon(const absl::Status& status) override { abandoned = status; }

  Tenant owner;
  absl::Status closed;
  absl::Status abandoned;

 private:
  const absl::Time last_activity_;
  const bool has_begun_;
};

TEST(StreamSetTest, StreamsPastTheLimitAreRefusedUntilOneLeaves) {
  StreamSet streams(/*streams_max=*/1);
  const auto first = std::make_shared<FakeStream>();
  const auto second = std::make_shared<FakeStream>();
  ASSERT_TRUE(streams.Add(first, kNow).ok());

  const absl::Status refused = streams.Add(second, kNow);
  streams.Remove(first);

  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(refused), "TOO_MANY_STREAMS");
  EXPECT_TRUE(streams.Add(second, kNow).ok());
}

TEST(StreamSetTest, ATenantHasAsManyAsItMay) {
  StreamSet streams(/*streams_max=*/3, /*tenant_streams_max=*/1);
  const auto first = std::make_shared<FakeStream>(kNow);
  const auto second = std::make_shared<FakeStream>(kNow);
  const auto others = std::make_shared<FakeStream>(kNow);
  others->owner.name = "red";
  ASSERT_TRUE(streams.Add(first, kNow).ok());

  EXPECT_EQ(ReasonOf(streams.Add(second, kNow)), "QUOTA_REACHED");
  EXPECT_TRUE(streams.Add(others, kNow).ok());
  streams.Remove(first);
  EXPECT_TRUE(streams.Add(second, kNow).ok());
}

TEST(StreamSetTest, OnlyIdleStreamsAreAbandoned) {
  StreamSet streams(/*streams_max=*/2);
  const auto idle = std::make_shared<FakeStream>(kNow - absl::Seconds(10));
  const auto busy = std::make_shared<FakeStream>(kNow - absl::Seconds(9));
  ASSERT_TRUE(streams.Add(idle, kNow).ok());
  ASSERT_TRUE(streams.Add(busy, kNow).ok());

  streams.CloseIdleSince(kNow - absl::Seconds(10), kNow);

  EXPECT_EQ(idle->abandoned.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(ReasonOf(idle->abandoned), "STREAM_IDLE");
  EXPECT_EQ(busy->abandoned, absl::OkStatus());
}

TEST(StreamSetTest, WhoIsSilentTheLongestMakesRoom) {
  StreamSet streams(/*streams_max=*/3);
  const auto begun =
      std::make_shared<FakeStream>(kNow - absl::Minutes(5), true);
  const auto older = std::make_shared<FakeStream>(kNow - kOpeningTime, false);
  const auto newer = std::make_shared<FakeStream>(
      kNow - kOpeningTime + absl::Milliseconds(1), false);
  for (const auto& stream : {newer, older, begun}) {
    ASSERT_TRUE(streams.Add(stream, kNow).ok());
  }

  EXPECT_TRUE(streams.Add(std::make_shared<FakeStream>(kNow), kNow).ok());
  EXPECT_EQ(ReasonOf(streams.Add(std::make_shared<FakeStream>(kNow), kNow)),
            "TOO_MANY_STREAMS");

  EXPECT_EQ(ReasonOf(older->abandoned), "STREAM_SILENT");
  EXPECT_EQ(newer->abandoned, absl::OkStatus());
  EXPECT_EQ(begun->abandoned, absl::OkStatus());
}

TEST(StreamSetTest, ASilentStreamEndsBeforeAnIdleOne) {
  StreamSet streams(/*streams_max=*/2);
  const auto silent =
      std::make_shared<FakeStream>(kNow - absl::Seconds(10), false);
  const auto idle =
      std::make_shared<FakeStream>(kNow - absl::Seconds(10), true);
  ASSERT_TRUE(streams.Add(silent, kNow).ok());
  ASSERT_TRUE(streams.Add(idle, kNow).ok());

  streams.CloseIdleSince(kNow - absl::Minutes(10), kNow - absl::Seconds(10));

  EXPECT_EQ(ReasonOf(silent->abandoned), "STREAM_SILENT");
  EXPECT_EQ(idle->abandoned, absl::OkStatus());
}

TEST(StreamSetTest, ClosingAllTellsEachAndRefusesNewOnes) {
  StreamSet streams(/*streams_max=*/2);
  const auto open = std::make_shared<FakeStream>();
  ASSERT_TRUE(streams.Add(open, kNow).ok());

  streams.DrainAll(absl::InfiniteFuture());

  EXPECT_EQ(open->closed.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ReasonOf(open->closed), "SERVER_STOPPING");
  EXPECT_EQ(streams.Add(std::make_shared<FakeStream>(), kNow).code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace reprise::services
