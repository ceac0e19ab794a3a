// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a play with much to do lets others have their turn: on a queue of
// one thread, with a member whose client never runs out of requests. What a
// play does otherwise is proven over connections (server_play_test.cc).

#include "services/calls/shared_play.h"

#include <atomic>
#include <cstdint>
#include <latch>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/support/byte_buffer.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/tenant.h"
#include "services/calls/wake_timer.h"
#include "services/calls/work_queue.h"
#include "services/monitoring/server_metrics.h"
#include "services/sessions/session.h"
#include "services/sessions/session_lease.h"
#include "services/stepping/lockstep_options.h"
#include "services/storage/recording.h"

namespace reprise::services {
namespace {

// Many times as many as are worked off in a slice.
constexpr uint64_t kRequests = 1'000'000;

// Watches, and has the next request as soon as one is answered.
class RestlessMember final
    : public PlayMember,
      public std::enable_shared_from_this<RestlessMember> {
 public:
  void OnJoin(std::shared_ptr<SharedPlay> play) override {
    play_ = std::move(play);
  }
  absl::StatusOr<v1::PlaySessionRequest> TakeRequest() override {
    return v1::PlaySessionRequest();
  }
  void Answer(const absl::Status& /*result*/) override {
    if (is_quiet_ || ++answered_ == kRequests) return;
    play_->Receive(shared_from_this());
  }
  bool HasRoom() override { return true; }
  void Send(const v1::PlaySessionResponse& /*response*/) override {}
  void SendShared(const grpc::ByteBuffer& /*shared*/,
                  const v1::PlaySessionResponse& /*rest*/) override {}
  void End(const absl::Status& /*status*/) override { play_ = nullptr; }

  uint64_t answered() const { return answered_; }
  void BeQuiet() { is_quiet_ = true; }

 private:
  std::shared_ptr<SharedPlay> play_;
  std::atomic<uint64_t> answered_ = 0;
  std::atomic<bool> is_quiet_ = false;
};

TEST(SharedPlayTest, WhoNeverRunsOutOfRequestsKeepsNobodyWaiting) {
  ServerMetrics metrics;
  WakeTimer timer;
  WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/10);
  const auto clock = [] { return absl::UnixEpoch(); };
  auto lease = SessionLease::TakeToPlay(std::make_shared<Session>(
      Session::Options{.id = "busy",
                       .labels = {},
                       .lockstep = LockstepOptions(),
                       .recording_bytes_max = 0,
                       .response_bytes_max = uint64_t{1} << 20,
                       .snapshots_max = 0,
                       .clock = clock},
      RecordedRun{.simulation = *replays::TinySimulation::Create(
                      replays::MakeTinyPack(), /*seed=*/1),
                  .recording = nullptr}));
  ASSERT_TRUE(lease.ok()) << lease.status();
  const auto play = SharedPlay::Start(
      {.queue = &queue, .timer = &timer, .metrics = &metrics, .clock = clock},
      *std::move(lease));
  const auto member = std::make_shared<RestlessMember>();
  ASSERT_TRUE(play->Join(member));

  std::latch has_run(1);
  uint64_t answered_before = 0;
  ASSERT_TRUE(queue.Post(Tenant(), [&] {
    answered_before = member->answered();
    member->BeQuiet();
    has_run.count_down();
    return WorkQueue::Progress::kDone;
  }));
  has_run.wait();

  EXPECT_GT(answered_before, 0u);
  EXPECT_LT(answered_before, kRequests);
  play->Leave(member, absl::OkStatus());
}

}  // namespace
}  // namespace reprise::services
