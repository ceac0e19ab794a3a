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

class FakeStream final : public OpenStream {
 public:
  explicit FakeStream(absl::Time last_activity = absl::UnixEpoch())
      : last_activity_(last_activity) {}

  absl::Time last_activity() const override { return last_activity_; }
  void Close(const absl::Status& status) override { closed = status; }
  void Abandon(const absl::Status& status) override { abandoned = status; }

  absl::Status closed;
  absl::Status abandoned;

 private:
  const absl::Time last_activity_;
};

TEST(StreamSetTest, StreamsPastTheLimitAreRefusedUntilOneLeaves) {
  StreamSet streams(/*streams_max=*/1);
  const auto first = std::make_shared<FakeStream>();
  const auto second = std::make_shared<FakeStream>();
  ASSERT_TRUE(streams.Add(first).ok());

  const absl::Status refused = streams.Add(second);
  streams.Remove(first);

  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(refused), "TOO_MANY_STREAMS");
  EXPECT_TRUE(streams.Add(second).ok());
}

TEST(StreamSetTest, OnlyIdleStreamsAreAbandoned) {
  StreamSet streams(/*streams_max=*/2);
  const absl::Time now = absl::FromUnixSeconds(1000);
  const auto idle = std::make_shared<FakeStream>(now - absl::Seconds(10));
  const auto busy = std::make_shared<FakeStream>(now - absl::Seconds(9));
  ASSERT_TRUE(streams.Add(idle).ok());
  ASSERT_TRUE(streams.Add(busy).ok());

  streams.CloseIdleSince(now - absl::Seconds(10));

  EXPECT_EQ(idle->abandoned.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(ReasonOf(idle->abandoned), "STREAM_IDLE");
  EXPECT_EQ(busy->abandoned, absl::OkStatus());
}

TEST(StreamSetTest, ClosingAllTellsEachAndRefusesNewOnes) {
  StreamSet streams(/*streams_max=*/2);
  const auto open = std::make_shared<FakeStream>();
  ASSERT_TRUE(streams.Add(open).ok());

  streams.CloseAll();

  EXPECT_EQ(open->closed.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ReasonOf(open->closed), "SERVER_STOPPING");
  EXPECT_EQ(streams.Add(std::make_shared<FakeStream>()).code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace reprise::services
