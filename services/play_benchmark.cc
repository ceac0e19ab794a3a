// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick costs that many clients play, each on a stream of its own: by the
// time and the CPU of the whole process, server and clients together, against
// one client that has all their inputs. Both sides take turns; the figures are
// medians, `ratio` is that of both times, and `cpu_share_at_60_hz` what part of
// a core the ticks of a second take.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/sync_stream.h"
#include "reprise/v1/simulation_service.grpc.pb.h"
#include "services/server.h"
#include "services/testing/crowd_simulation.h"
#include "services/testing/play_client.h"
#include "services/testing/test_folders.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

using Stub = v1::SimulationService::Stub;

double CpuSeconds() {
  rusage usage;
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Cost {
  double time_s = 0;
  double cpu_s = 0;
};

Cost CostOf(const std::function<void()>& what) {
  const double cpu = CpuSeconds();
  const auto start = std::chrono::steady_clock::now();
  what();
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  return {.time_s = time.count(), .cpu_s = CpuSeconds() - cpu};
}

double Median(std::vector<Cost> costs, double Cost::*part) {
  std::ranges::nth_element(costs, costs.begin() + costs.size() / 2, {}, part);
  return costs[costs.size() / 2].*part;
}

std::string Create(Stub& stub, bool is_shared) {
  grpc::ClientContext context;
  v1::CreateSessionRequest request;
  request.set_pack("crowd");
  if (is_shared) request.mutable_lockstep();
  v1::CreateSessionResponse response;
  CHECK(stub.CreateSession(&context, request, &response).ok());
  return response.session().name();
}

void BM_Play(benchmark::State& state) {
  // So many ticks are measured at a time: CPU is counted in steps.
  constexpr uint32_t kTicks = 30;
  const auto player_count = static_cast<uint32_t>(state.range(0));
  const TestFolders folders;
  WriteCrowdPack(folders, player_count);
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = folders.packs();
  options.store_folder = folders.store();
  options.simulation_factory = &CrowdSimulation::Create;
  const auto server = Server::Start(options);
  CHECK(server.ok(), "{}", server.status().ToString());
  const auto stub = v1::SimulationService::NewStub(grpc::CreateChannel(
      (*server)->address(), grpc::InsecureChannelCredentials()));

  const std::string shared = Create(*stub, /*is_shared=*/true);
  std::vector<std::unique_ptr<PlayClient>> players;
  for (uint32_t i = 0; i < player_count; ++i) {
    players.push_back(
        std::make_unique<PlayClient>(*stub, JoinRequest(shared, i)));
    players.back()->ReadJoined();
  }
  const std::string own = Create(*stub, /*is_shared=*/false);
  grpc::ClientContext context;
  const auto stream = stub->StepSession(&context);

  std::vector<Cost> together, alone;
  uint64_t tick = 0, digest = 0, digest_alone = 0;
  for ([[maybe_unused]] auto _ : state) {
    together.push_back(CostOf([&] {
      for (uint64_t at = tick; at < tick + kTicks; ++at) {
        for (uint32_t i = 0; i < player_count; ++i) {
          players[i]->Send(PushRequest(i, at, 1));
        }
        for (const auto& player : players) {
          digest = player->ReadTo(at + 1).result().digest();
        }
      }
    }));
    alone.push_back(CostOf([&] {
      for (uint64_t at = tick; at < tick + kTicks; ++at) {
        v1::StepSessionRequest request;
        request.set_session(own);
        request.set_tick(at);
        request.set_tick_count(1);
        v1::TickInputs& inputs = *request.add_inputs();
        inputs.set_tick(at);
        for (uint32_t i = 0; i < player_count; ++i) {
          v1::InputFrame& frame = *inputs.add_frames();
          frame.set_player(i);
          frame.mutable_device()->add_axes(PushAt(i, at));
        }
        v1::StepSessionResponse response;
        CHECK(stream->Write(request));
        CHECK(stream->Read(&response));
        digest_alone = response.digest();
      }
    }));
    tick += kTicks;
    CHECK(digest == digest_alone);
  }
  state.counters["tick_us"] = Median(together, &Cost::time_s) / kTicks * 1e6;
  state.counters["cpu_us"] = Median(together, &Cost::cpu_s) / kTicks * 1e6;
  state.counters["alone_us"] = Median(alone, &Cost::time_s) / kTicks * 1e6;
  state.counters["ratio"] =
      Median(together, &Cost::time_s) / Median(alone, &Cost::time_s);
  state.counters["cpu_share_at_60_hz"] =
      Median(together, &Cost::cpu_s) / kTicks * 60;
}

BENCHMARK(BM_Play)->Arg(2)->Arg(8)->Arg(64)->UseRealTime();

}  // namespace
}  // namespace reprise::services

// Its own: what it uses of tests brings theirs.
BENCHMARK_MAIN();
