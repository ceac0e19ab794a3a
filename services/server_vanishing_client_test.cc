// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a client that vanishes without a word, as one whose cable is
// pulled out, is noticed: the server asks those that are silent whether they
// are there, keeps who answers, and closes who doesn't.

#include <cstddef>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "services/base/clock.h"
#include "services/base/server_options.h"
#include "services/testing/cable.h"
#include "services/testing/test_client.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

// A busy machine takes its time; what is waited for has none of its own.
constexpr absl::Duration kPatience = absl::Seconds(60);

template <typename Condition>
bool Await(Condition condition) {
  const absl::Time deadline = MonotonicNow() + kPatience;
  while (!condition()) {
    if (MonotonicNow() > deadline) return false;
    absl::SleepFor(absl::Milliseconds(10));
  }
  return true;
}

// Asked often, so that a test needn't wait for a minute. A stream that is
// silent isn't closed for that.
void WithShortKeepalive(ServerOptions& options) {
  options.keepalive_time = absl::Milliseconds(100);
  options.keepalive_timeout = absl::Seconds(5);
  options.silent_timeout = absl::Hours(1);
}

TEST(ServerVanishingClientTest, OneThatAnswersStaysAndOneThatDoesNotIsClosed) {
  TestServer server(WithShortKeepalive);
  const v1::Session session = server.CreateSession();
  Cable cable(server.server().address());
  TestClient remote(cable.address());
  StepClient client(remote.simulations(), session.name());
  ASSERT_EQ(client.Exchange(StepRequest(0, 10)).tick(), 10u);

  // More often than gRPC asks by default who says nothing.
  const size_t before = cable.server_message_count();
  ASSERT_TRUE(
      Await([&] { return cable.server_message_count() >= before + 5; }));
  EXPECT_FALSE(cable.is_closed_by_server());
  EXPECT_EQ(client.Exchange(StepRequest(10, 10)).tick(), 20u);

  cable.PullOut();
  EXPECT_TRUE(Await([&] { return cable.is_closed_by_server(); }));
  // What it had is there for others.
  EXPECT_EQ(server.Step(session.name(), 20, 10).tick(), 30u);
  client.Cancel();
  client.AwaitEnd();
}

TEST(ServerVanishingClientTest, AMinuteAndTwentySecondsAreTheDefault) {
  const ServerOptions options;
  EXPECT_EQ(options.keepalive_time, absl::Minutes(1));
  EXPECT_EQ(options.keepalive_timeout, absl::Seconds(20));
}

}  // namespace
}  // namespace reprise::services
