// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What going back and multiplying costs by a call, against the same in process:
// a fork against a fork of the simulation, a reset and a restore against
// restoring its state, a snapshot against a copy of the state and its digest; a
// single step against a call that does nothing; ticks that are seen against
// ticks that aren't; frames that say only poses, or only what is different,
// against whole ones; a tick of each of many sessions by one stream against the
// same by a stream of each. Both sides take turns; the figures are medians, and
// `ratio` is that of both.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "benchmark/benchmark.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/sync_stream.h"
#include "replays/playing/pack_folder.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "reprise/v1/simulation_service.grpc.pb.h"
#include "services/base/resource_name.h"
#include "services/server.h"
#include "sim/base/check.h"
#include "sim/simulation_registry.h"

namespace reprise::services {
namespace {

// Long enough for a world to have its usual contacts.
constexpr uint32_t kWarmUpTicks = 120;

using Stub = v1::SimulationService::Stub;

double Seconds(const std::function<void()>& what) {
  const auto start = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

double Quantile(std::vector<double> values, double quantile) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(quantile *
                                    static_cast<double>(values.size() - 1))];
}

// A server, a session of a pack and the same simulation in this process.
class Sides {
 public:
  explicit Sides(const std::string& pack) {
    ServerOptions options;
    options.address = "127.0.0.1:0";
    options.packs_folder = "sim/packs";
    options.store_folder = store_;
    auto server = Server::Start(options);
    CHECK(server.ok(), "{}", server.status().ToString());
    server_ = *std::move(server);
    const auto channel = grpc::CreateChannel(
        server_->address(), grpc::InsecureChannelCredentials());
    stub_ = v1::SimulationService::NewStub(channel);
    catalog_ = v1::CatalogService::NewStub(channel);
    v1::CreateSessionRequest create;
    create.set_pack(pack);
    create.set_seed(1);
    session_ = Call(&Stub::CreateSession, create).session().name();
    simulation_ = *sim::CreateSimulation(
        "world", *replays::ReadPackFolder("sim/packs/" + pack), /*seed=*/1);
    start_ = simulation_->state();
    Step(kWarmUpTicks);
    for (uint32_t i = 0; i < kWarmUpTicks; ++i) {
      simulation_->Step({}, /*observer=*/nullptr);
    }
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;
  ~Sides() {
    server_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(store_, ignored);
  }

  template <typename Request, typename Response>
  Response Call(grpc::Status (Stub::*method)(grpc::ClientContext*,
                                             const Request&, Response*),
                const Request& request) {
    grpc::ClientContext context;
    Response response;
    const grpc::Status status = (*stub_.*method)(&context, request, &response);
    CHECK(status.ok(), "{}", status.error_message());
    return response;
  }

  void Step(uint32_t tick_count) {
    v1::StepRequest request;
    request.set_session(session_);
    request.set_tick(tick_);
    request.set_tick_count(tick_count);
    tick_ = Call(&Stub::Step, request).tick();
  }

  // Sees ten fields of every body at each tick. Returns how many values.
  uint64_t StepAndSee(uint32_t tick_count) {
    v1::StepRequest request;
    request.set_session(session_);
    request.set_tick(tick_);
    request.set_tick_count(tick_count);
    v1::ObservedGroup& group = *request.mutable_observe()->add_groups();
    group.set_every_ticks(1);
    for (const char* field :
         {"position", "linear_velocity", "angular_velocity"}) {
      for (const char* part : {".x", ".y", ".z"}) {
        group.add_fields(std::string("bodies.") + field + part);
      }
    }
    group.add_fields("bodies.slow_time");
    const v1::StepResponse response = Call(&Stub::Step, request);
    CHECK(response.stop_reason() == v1::STOP_REASON_TICKS);
    tick_ = response.tick();
    uint64_t values = 0;
    for (const auto& block : response.observations().blocks()) {
      for (const auto& column : block.columns()) {
        values += static_cast<uint64_t>(column.numbers_size());
      }
    }
    return values;
  }

  void Reset() {
    v1::ResetSessionRequest request;
    request.set_name(session_);
    tick_ = Call(&Stub::ResetSession, request).session().tick();
  }

  v1::Snapshot Snapshot() {
    v1::SnapshotSessionRequest request;
    request.set_name(session_);
    return Call(&Stub::SnapshotSession, request).snapshot();
  }

  void Forget(const v1::Snapshot& snapshot) {
    v1::DeleteSnapshotRequest request;
    request.set_name(snapshot.name());
    Call(&Stub::DeleteSnapshot, request);
  }

  void Restore(const v1::Snapshot& snapshot) {
    v1::RestoreSessionRequest request;
    request.set_snapshot(snapshot.name());
    tick_ = Call(&Stub::RestoreSession, request).session().tick();
  }

  std::string Fork() {
    v1::ForkSessionRequest request;
    request.set_name(session_);
    return Call(&Stub::ForkSession, request).session().name();
  }

  void Delete(const std::string& name) {
    v1::DeleteSessionRequest request;
    request.set_name(name);
    Call(&Stub::DeleteSession, request);
  }

  // As many sessions as it is given, forks of the one, and the tick that each
  // is at.
  std::vector<std::string> ForkMany(int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(Fork());
    return names;
  }
  uint64_t tick() const { return tick_; }
  Stub& stub() { return *stub_; }

  // A call that looks up nothing.
  void Echo() {
    grpc::ClientContext context;
    v1::GetServerInfoResponse response;
    CHECK(catalog_->GetServerInfo(&context, {}, &response).ok());
  }

  sim::Simulation& simulation() { return *simulation_; }
  const sim::State& start() const { return start_; }

 private:
  const std::string store_ =
      std::filesystem::temp_directory_path() / NewId(absl::Now());
  std::unique_ptr<Server> server_;
  std::unique_ptr<Stub> stub_;
  std::unique_ptr<v1::CatalogService::Stub> catalog_;
  std::string session_;
  uint64_t tick_ = 0;
  std::unique_ptr<sim::Simulation> simulation_;
  sim::State start_;
};

// `call` and `in_process` in turns.
void Compare(
    benchmark::State& state, const std::function<void()>& call,
    const std::function<void()>& in_process,
    const std::function<void()>& after = [] {}) {
  std::vector<double> calls, in_processes;
  for ([[maybe_unused]] auto _ : state) {
    calls.push_back(Seconds(call));
    in_processes.push_back(Seconds(in_process));
    after();
  }
  const double call_s = Quantile(calls, 0.5);
  const double in_process_s = Quantile(in_processes, 0.5);
  state.counters["call_us"] = call_s * 1e6;
  state.counters["call_p99_us"] = Quantile(calls, 0.99) * 1e6;
  state.counters["in_process_us"] = in_process_s * 1e6;
  state.counters["ratio"] = call_s / in_process_s;
}

void BM_Fork(benchmark::State& state, const std::string& pack) {
  Sides sides(pack);
  std::string fork;
  std::unique_ptr<sim::Simulation> copy;
  Compare(
      state, [&] { fork = sides.Fork(); },
      [&] { copy = sides.simulation().Fork(); }, [&] { sides.Delete(fork); });
}

void BM_Reset(benchmark::State& state, const std::string& pack) {
  Sides sides(pack);
  const sim::State now = sides.simulation().state();
  Compare(
      state, [&] { sides.Reset(); },
      [&] { CHECK(sides.simulation().Restore(sides.start()).ok()); },
      [&] {
        sides.Step(10);
        CHECK(sides.simulation().Restore(now).ok());
      });
}

void BM_Restore(benchmark::State& state, const std::string& pack) {
  Sides sides(pack);
  const v1::Snapshot snapshot = sides.Snapshot();
  const sim::State now = sides.simulation().state();
  Compare(
      state, [&] { sides.Restore(snapshot); },
      [&] { CHECK(sides.simulation().Restore(now).ok()); },
      [&] {
        sides.Step(10);
        sides.simulation().Step({}, /*observer=*/nullptr);
      });
}

void BM_Snapshot(benchmark::State& state, const std::string& pack) {
  Sides sides(pack);
  v1::Snapshot snapshot;
  sim::State copy;
  Compare(
      state, [&] { snapshot = sides.Snapshot(); },
      [&] {
        copy = sides.simulation().state();
        benchmark::DoNotOptimize(copy.ComputeRootDigest());
      },
      [&] {
        sides.Forget(snapshot);
        sides.Step(1);
        sides.simulation().Step({}, /*observer=*/nullptr);
      });
}

// One tick by a call, against a call that does nothing and the tick.
void BM_Step(benchmark::State& state, const std::string& pack) {
  Sides sides(pack);
  Compare(
      state, [&] { sides.Step(1); },
      [&] {
        sides.Echo();
        sides.simulation().Step({}, /*observer=*/nullptr);
        benchmark::DoNotOptimize(
            sides.simulation().state().ComputeRootDigest());
      });
}

// Ten fields of all bodies at each of a hundred ticks, against the same ticks
// by a call that sees nothing.
void BM_Observe(benchmark::State& state, const std::string& pack) {
  constexpr uint32_t kTicks = 100;
  Sides sides(pack);
  uint64_t values = 0;
  Compare(
      state, [&] { values = sides.StepAndSee(kTicks); },
      [&] { sides.Step(kTicks); });
  state.counters["values_per_tick"] =
      static_cast<double>(values) / static_cast<double>(kTicks);
}

// A stream of one session, a tick at a time.
class TickStream {
 public:
  TickStream(Sides& sides, const std::string& session)
      : tick_(sides.tick()), stream_(sides.stub().StepSession(&context_)) {
    request_.set_session(session);
    request_.set_tick_count(1);
  }

  // What is asked for with the next tick.
  v1::StepSessionRequest& request() { return request_; }

  v1::StepSessionResponse Step() {
    request_.set_tick(tick_);
    v1::StepSessionResponse response;
    CHECK(stream_->Write(request_));
    CHECK(stream_->Read(&response));
    CHECK(!response.has_status(), "{}", response.status().message());
    tick_ = response.tick();
    request_.clear_observe();
    return response;
  }

 private:
  grpc::ClientContext context_;
  uint64_t tick_;
  v1::StepSessionRequest request_;
  std::unique_ptr<
      grpc::ClientReaderWriter<v1::StepSessionRequest, v1::StepSessionResponse>>
      stream_;
};

// A tick with an observed frame, against one with a frame that says all.
void BM_Frames(benchmark::State& state, const std::string& pack,
               bool differences) {
  Sides sides(pack);
  TickStream observed(sides, sides.Fork());
  TickStream whole(sides, sides.Fork());
  v1::ObservedFrames& frames =
      *observed.request().mutable_observe()->mutable_frames();
  frames.set_every_ticks(1);
  frames.set_differences(differences);
  observed.Step();
  whole.request().set_want_frame(true);
  uint64_t observed_bytes = 0, whole_bytes = 0, objects = 0;
  Compare(
      state,
      [&] {
        const v1::StepSessionResponse response = observed.Step();
        const v1::ObservedFrame& frame = response.observations().frames(0);
        observed_bytes += frame.ByteSizeLong();
        observed.request().set_frame_acknowledged(frame.number());
      },
      [&] {
        const v1::StepSessionResponse response = whole.Step();
        whole_bytes += response.frame().ByteSizeLong();
        objects += static_cast<uint64_t>(response.frame().objects_size());
      });
  const auto per_object = [objects](uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(objects);
  };
  state.counters["bytes_per_object"] = per_object(observed_bytes);
  state.counters["whole_bytes_per_object"] = per_object(whole_bytes);
}

// One tick of each of `state.range(0)` sessions: a message for all, against a
// message on a stream of each, all sent before the first is waited for.
void BM_StepMany(benchmark::State& state, const std::string& pack) {
  const int count = static_cast<int>(state.range(0));
  Sides sides(pack);
  const std::vector<std::string> together = sides.ForkMany(count);
  const std::vector<std::string> apart = sides.ForkMany(count);
  uint64_t tick = sides.tick(), tick_apart = sides.tick();
  grpc::ClientContext context;
  const auto stream = sides.stub().StepSessions(&context);
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReaderWriter<
      v1::StepSessionRequest, v1::StepSessionResponse>>>
      streams;
  for (int i = 0; i < count; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    streams.push_back(sides.stub().StepSession(contexts.back().get()));
  }
  const auto order_of = [](const std::string& session, uint64_t at) {
    v1::StepSessionRequest order;
    order.set_session(session);
    order.set_tick(at);
    order.set_tick_count(1);
    return order;
  };
  Compare(
      state,
      [&] {
        v1::StepSessionsRequest request;
        for (const std::string& session : together) {
          *request.add_orders() = order_of(session, tick);
        }
        v1::StepSessionsResponse response;
        CHECK(stream->Write(request));
        CHECK(stream->Read(&response));
        tick = response.results(count - 1).tick();
      },
      [&] {
        for (int i = 0; i < count; ++i) {
          CHECK(streams[i]->Write(order_of(apart[i], tick_apart)));
        }
        v1::StepSessionResponse response;
        for (int i = 0; i < count; ++i) CHECK(streams[i]->Read(&response));
        tick_apart = response.tick();
      });
  CHECK(tick == tick_apart);
  state.counters["call_us_per_session"] =
      state.counters["call_us"] / static_cast<double>(count);
}

BENCHMARK_CAPTURE(BM_Fork, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Fork, pile, "pile")->UseRealTime();
BENCHMARK_CAPTURE(BM_Reset, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Reset, pile, "pile")->UseRealTime();
BENCHMARK_CAPTURE(BM_Restore, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Restore, pile, "pile")->UseRealTime();
BENCHMARK_CAPTURE(BM_Snapshot, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Snapshot, pile, "pile")->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, pile, "pile")->UseRealTime();
BENCHMARK_CAPTURE(BM_Observe, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Observe, pile, "pile")->UseRealTime();
BENCHMARK_CAPTURE(BM_Frames, marble_poses, "marble", false)->UseRealTime();
BENCHMARK_CAPTURE(BM_Frames, marble_differences, "marble", true)->UseRealTime();
BENCHMARK_CAPTURE(BM_Frames, pile_poses, "pile", false)->UseRealTime();
BENCHMARK_CAPTURE(BM_Frames, pile_differences, "pile", true)->UseRealTime();
BENCHMARK_CAPTURE(BM_StepMany, marble, "marble")
    ->Arg(8)
    ->Arg(30)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_StepMany, pile, "pile")->Arg(8)->UseRealTime();

}  // namespace
}  // namespace reprise::services
