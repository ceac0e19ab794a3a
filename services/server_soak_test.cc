// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a server goes on as it began: clients do at random all that there
// is to do with sessions and replays, some vanish in the midst of it, and each
// holds every digest that it is told against a simulation of its own. When all
// have gone nothing is left of them. For REPRISE_SOAK_SECONDS, a few by
// default, two minutes by tools/dev test --heavy; for hours:
//   bazel test //services:server_soak_test --test_timeout=20000
//       --test_env=REPRISE_SOAK_SECONDS=18000

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/testing/resident_memory.h"
#include "services/testing/test_server.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kClients = 4;
constexpr uint32_t kSecondsByDefault = 5;
constexpr uint32_t kTicksMax = 200;  // of one request
// Of one that its client doesn't wait for, and as many as there may be.
constexpr uint32_t kLongTicks = 10'000;
// What a server may have more of memory than when it had done each thing often.
constexpr uint64_t kGrowthBytesMax = uint64_t{64} << 20;

std::chrono::seconds SoakTime() {
  const char* const text = std::getenv("REPRISE_SOAK_SECONDS");
  const int asked = text == nullptr ? 0 : std::atoi(text);
  return std::chrono::seconds(asked > 0 ? static_cast<uint32_t>(asked)
                                        : kSecondsByDefault);
}

// A session, and the same simulation in this process.
class Twin {
 public:
  Twin(TestClient& client, std::minstd_rand& random)
      : client_(client), random_(random), seed_(random() % 1000) {
    v1::CreateSessionRequest create;
    create.set_pack("tiny");
    create.set_seed(seed_);
    create.set_record(random_() % 2 == 0);
    EXPECT_EQ(Summarize(client_.TryCreateSession(create, &session_)), "OK");
    simulation_ =
        *replays::TinySimulation::Create(replays::MakeTinyPack(), seed_);
    start_ = simulation_->state();
  }

  // Some ticks, by one call.
  void Step() {
    const v1::StepSessionRequest order = MakeOrder();
    v1::StepRequest request =
        StepRequest(session_.name(), order.tick(), order.tick_count());
    *request.mutable_inputs() = order.inputs();
    Make(order);
    v1::StepResponse response;
    ASSERT_EQ(Summarize(client_.TryStep(request, &response)), "OK");
    Expect(response.tick(), response.digest());
  }

  // Some requests on a stream, drawn as differences.
  void Stream() {
    StepClient stream(client_.simulations());
    uint64_t acknowledged = 0;
    for (int i = 0; i < 10; ++i) {
      v1::StepSessionRequest order = MakeOrder();
      if (i == 0) {
        v1::ObservedFrames& frames = *order.mutable_observe()->mutable_frames();
        frames.set_every_ticks(7);
        frames.set_differences(true);
      }
      order.set_session(session_.name());
      order.set_frame_acknowledged(acknowledged);
      Make(order);
      const v1::StepSessionResponse response = stream.Exchange(order);
      ASSERT_EQ(Summarize(response), "OK");
      Expect(response.tick(), response.digest());
      for (const auto& frame : response.observations().frames()) {
        EXPECT_EQ(frame.number(), ++acknowledged);
      }
    }
    EXPECT_EQ(Summarize(stream.Finish()), "OK");
  }

  // A client goes in the midst of a request; the session stands between two
  // ticks.
  void Vanish() {
    {
      StepClient stream(client_.simulations());
      v1::StepSessionRequest order = MakeOrder();
      order.set_session(session_.name());
      Make(order);
      // From then on the session is the stream's, until that has ended.
      ASSERT_EQ(Summarize(stream.Exchange(order)), "OK");
      stream.Send(StepRequest(simulation_->tick(), kLongTicks));
      stream.Cancel();
      stream.AwaitEnd();
    }
    v1::Session now;
    do {
      now = client_.GetSession(session_.name());
    } while (now.state() == v1::Session::STATE_IN_USE);
    while (simulation_->tick() < now.tick()) simulation_->Step({}, nullptr);
    v1::StepResponse response = client_.Step(session_.name(), now.tick(), 0);
    Expect(response.tick(), response.digest());
  }

  void GoBack() {
    const sim::State here = simulation_->state();
    const v1::Snapshot snapshot = client_.SnapshotSession(session_.name());
    Step();
    if (random_() % 2 == 0) {
      const auto restored = client_.RestoreSession(snapshot.name());
      session_ = restored.session();
      Forget(restored.replay());
      ASSERT_TRUE(simulation_->Restore(here).ok());
    } else {
      const auto reset = client_.ResetSession(session_.name());
      session_ = reset.session();
      Forget(reset.replay());
      ASSERT_TRUE(simulation_->Restore(start_).ok());
    }
    EXPECT_EQ(session_.tick(), simulation_->tick());
    EXPECT_EQ(Summarize(client_.TryDeleteSnapshot(snapshot.name())), "OK");
    Step();
  }

  void Fork() {
    const v1::Session fork = client_.ForkSession(ForkRequest(session_.name()));
    const auto copy = simulation_->Fork();
    copy->Step({}, nullptr);
    const v1::StepResponse response =
        client_.Step(fork.name(), simulation_->tick(), 1);
    EXPECT_EQ(response.digest(), copy->state().ComputeRootDigest().value);
    client_.DeleteSession(fork.name());
  }

  // Ends the session, and plays what was recorded of it.
  void End() {
    const std::string replay = client_.DeleteSession(session_.name());
    if (replay.empty()) return;
    v1::CreateSessionRequest create;
    create.mutable_branch()->set_replay(replay);
    create.mutable_branch()->set_follow(true);
    create.mutable_branch()->set_tick(random_() % (simulation_->tick() + 1));
    v1::Session player;
    ASSERT_EQ(Summarize(client_.TryCreateSession(create, &player)), "OK");
    v1::StepResponse response;
    do {
      response = client_.Step(player.name(), player.tick(), kLongTicks);
      player.set_tick(response.tick());
    } while (response.stop_reason() == v1::STOP_REASON_TICKS);
    EXPECT_EQ(response.stop_reason(), v1::STOP_REASON_REPLAY_END);
    Expect(response.tick(), response.digest());
    client_.DeleteSession(player.name());
    Forget(replay);
  }

 private:
  // Others may be at the catalogue.
  void Forget(const std::string& replay) {
    if (replay.empty()) return;
    v1::DeleteReplayRequest request;
    request.set_name(replay);
    std::string result;
    do {
      grpc::ClientContext context;
      v1::DeleteReplayResponse response;
      result = Summarize(
          client_.replays().DeleteReplay(&context, request, &response));
    } while (result == "UNAVAILABLE CATALOGUE_UNAVAILABLE");
    EXPECT_EQ(result, "OK");
  }

  // Steers at some of some ticks.
  v1::StepSessionRequest MakeOrder() {
    v1::StepSessionRequest order = StepRequest(
        simulation_->tick(), 1 + static_cast<uint32_t>(random_()) % kTicksMax);
    for (uint32_t i = 0; i < order.tick_count(); ++i) {
      if (random_() % 3 != 0) continue;
      v1::TickInputs& inputs = *order.add_inputs();
      inputs.set_tick(order.tick() + i);
      v1::DeviceState& device = *inputs.add_frames()->mutable_device();
      device.set_buttons(random_() % 2);
      device.add_axes(static_cast<int>(random_() % 60'001) - 30'000);
    }
    return order;
  }

  void Make(const v1::StepSessionRequest& order) {
    int next = 0;
    for (uint32_t i = 0; i < order.tick_count(); ++i) {
      std::vector<sim::InputFrame> frames;
      if (next < order.inputs_size() &&
          order.inputs(next).tick() == simulation_->tick()) {
        const v1::DeviceState& device = order.inputs(next++).frames(0).device();
        sim::InputFrame& frame = frames.emplace_back();
        frame.device.buttons = device.buttons();
        frame.device.axes[0] = static_cast<int16_t>(device.axes(0));
      }
      simulation_->Step(frames, nullptr);
    }
  }

  void Expect(uint64_t tick, uint64_t digest) const {
    EXPECT_EQ(tick, simulation_->tick());
    EXPECT_EQ(digest, simulation_->state().ComputeRootDigest().value)
        << "seed " << seed_ << ", tick " << tick;
  }

  TestClient& client_;
  std::minstd_rand& random_;
  const uint64_t seed_;
  v1::Session session_;
  std::unique_ptr<sim::Simulation> simulation_;
  sim::State start_;
};

void PlayUntil(Clock::time_point end, const std::string& address, uint32_t seed,
               std::atomic<uint64_t>& lives) {
  TestClient client(address);
  std::minstd_rand random(seed);
  while (Clock::now() < end && !testing::Test::HasFailure()) {
    Twin twin(client, random);
    for (uint32_t left = 1 + random() % 12; left > 0; --left) {
      switch (random() % 6) {
        case 0:
          twin.Stream();
          break;
        case 1:
          twin.Vanish();
          break;
        case 2:
          twin.GoBack();
          break;
        case 3:
          twin.Fork();
          break;
        default:
          twin.Step();
      }
    }
    twin.End();
    ++lives;
  }
}

// A call may hold what it was about until a moment after its answer.
void ExpectNothingLeft(TestClient& client) {
  const auto catalog = v1::CatalogService::NewStub(client.channel());
  const Clock::time_point deadline = Clock::now() + std::chrono::minutes(1);
  v1::TenantUsage usage;
  do {
    grpc::ClientContext context;
    v1::GetServerInfoResponse info;
    ASSERT_TRUE(catalog->GetServerInfo(&context, {}, &info).ok());
    usage = info.usage();
  } while (usage.sessions() + usage.streams() + usage.state_bytes() +
                   usage.loaded_bytes() >
               0 &&
           Clock::now() < deadline);
  EXPECT_EQ(usage.sessions(), 0u);
  EXPECT_EQ(usage.streams(), 0u);
  EXPECT_EQ(usage.state_bytes(), 0u);
  EXPECT_EQ(usage.loaded_bytes(), 0u);
}

TEST(ServerSoakTest, AServerGoesOnAsItBegan) {
  TestServer server([](ServerOptions& options) {
    options.recordings.writer.batch_ticks = 60;
    options.recordings.writer.keyframe_stride = 600;
  });
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + SoakTime();
  std::atomic<uint64_t> lives = 0;
  std::vector<std::thread> clients;
  for (uint32_t i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      PlayUntil(end, server.server().address(), /*seed=*/i + 1, lives);
    });
  }
  // By then each thing was done often.
  while (Clock::now() < begin + SoakTime() / 4) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const uint64_t bytes_before = ResidentBytes();
  for (std::thread& client : clients) client.join();
  const uint64_t bytes_after = ResidentBytes();

  EXPECT_GT(lives, uint64_t{kClients});
  EXPECT_EQ(server.ListSessions({}).sessions_size(), 0);
  EXPECT_EQ(server.ListReplays().replays_size(), 0);
  ExpectNothingLeft(server);
// Sanitizers keep what was given back.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(bytes_after, bytes_before + kGrowthBytesMax);
#else
  EXPECT_GT(bytes_after + bytes_before + kGrowthBytesMax, 0u);
#endif
  server.ExpectGoodService();
}

}  // namespace
}  // namespace reprise::services
