// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick costs by a server, by how many ticks a request asks for, against
// the same ticks in process: the server's own CPU (`cpu_ratio`; aims for 1, 10,
// 100 and 1000 ticks a request are 4, 1.5, 1.05 and 1.0) and the time that a
// client waits (`ratio`). And a single Step against a bare call that gets and
// sends as many bytes, with the tick in process (aim: 1.3 of p50 and of p99).
// Both sides take turns; the figures are medians.

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "benchmark/benchmark.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "grpcpp/support/sync_stream.h"
#include "replays/playing/pack_folder.h"
#include "reprise/v1/simulation_service.grpc.pb.h"
#include "services/base/resource_name.h"
#include "services/server.h"
#include "sim/base/check.h"
#include "sim/simulation_registry.h"

namespace reprise::services {
namespace {

using Stub = v1::SimulationService::Stub;

double Quantile(std::vector<double> values, double quantile = 0.5) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(quantile *
                                    static_cast<double>(values.size() - 1))];
}

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Of this thread.
double ThreadCpu() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

// Of all threads but this one, which is the client: the server's, as it is in
// this process.
double ServerCpu() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9 - ThreadCpu();
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
    stub_ = v1::SimulationService::NewStub(grpc::CreateChannel(
        server_->address(), grpc::InsecureChannelCredentials()));
    v1::CreateSessionRequest create;
    create.set_pack(pack);
    create.set_seed(1);
    grpc::ClientContext context;
    v1::CreateSessionResponse created;
    CHECK(stub_->CreateSession(&context, create, &created).ok());
    session_ = created.session().name();
    simulation_ = *sim::CreateSimulation(
        "world", *replays::ReadPackFolder("sim/packs/" + pack), /*seed=*/1);
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;
  ~Sides() {
    server_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(store_, ignored);
  }

  v1::StepRequest RequestOf(uint64_t tick) const {
    v1::StepRequest request;
    request.set_session(session_);
    request.set_tick(tick);
    request.set_tick_count(1);
    return request;
  }

  // As the server does for one request.
  void StepInProcess(uint32_t tick_count) {
    for (uint32_t i = 0; i < tick_count; ++i) {
      simulation_->Step({}, /*observer=*/nullptr);
    }
    benchmark::DoNotOptimize(simulation_->DrainEvents());
    benchmark::DoNotOptimize(simulation_->state().ComputeRootDigest());
  }

  Stub& stub() { return *stub_; }
  const std::string& session() const { return session_; }

 private:
  const std::string store_ =
      std::filesystem::temp_directory_path() / NewId(absl::Now());
  std::unique_ptr<Server> server_;
  std::unique_ptr<Stub> stub_;
  std::string session_;
  std::unique_ptr<sim::Simulation> simulation_;
};

// `state.range(0)` ticks a request.
void BM_Batch(benchmark::State& state, const std::string& pack) {
  const auto ticks = static_cast<uint32_t>(state.range(0));
  // So that clocks have something to count.
  const uint32_t requests = std::max<uint32_t>(1, 200 / ticks);
  Sides sides(pack);
  grpc::ClientContext context;
  const auto stream = sides.stub().StepSession(&context);
  uint64_t tick = 0;
  std::vector<double> calls, in_processes, call_cpus, in_process_cpus;
  for ([[maybe_unused]] auto _ : state) {
    const double call_start = Now();
    const double cpu_start = ServerCpu();
    for (uint32_t i = 0; i < requests; ++i) {
      v1::StepSessionRequest request;
      request.set_session(sides.session());
      request.set_tick(tick);
      request.set_tick_count(ticks);
      v1::StepSessionResponse response;
      CHECK(stream->Write(request));
      CHECK(stream->Read(&response));
      CHECK(!response.has_status(), "{}", response.status().message());
      tick = response.tick();
    }
    call_cpus.push_back(ServerCpu() - cpu_start);
    calls.push_back(Now() - call_start);
    const double start = Now();
    const double in_process_cpu = ThreadCpu();
    for (uint32_t i = 0; i < requests; ++i) sides.StepInProcess(ticks);
    in_process_cpus.push_back(ThreadCpu() - in_process_cpu);
    in_processes.push_back(Now() - start);
  }
  const double all_ticks = static_cast<double>(requests) * ticks;
  state.counters["tick_us"] = Quantile(calls) / all_ticks * 1e6;
  state.counters["cpu_tick_us"] = Quantile(call_cpus) / all_ticks * 1e6;
  state.counters["in_process_tick_us"] =
      Quantile(in_processes) / all_ticks * 1e6;
  state.counters["ratio"] = Quantile(calls) / Quantile(in_processes);
  state.counters["cpu_ratio"] = Quantile(call_cpus) / Quantile(in_process_cpus);
}

// Answers each Step with the same bytes, and does nothing.
class BareService final
    : public v1::SimulationService::WithRawCallbackMethod_Step<
          v1::SimulationService::Service> {
 public:
  explicit BareService(const v1::StepResponse& response)
      : answer_(response.SerializeAsString()) {}

  grpc::ServerUnaryReactor* Step(grpc::CallbackServerContext* context,
                                 const grpc::ByteBuffer* /*request*/,
                                 grpc::ByteBuffer* response) override {
    const grpc::Slice slice(answer_);
    *response = grpc::ByteBuffer(&slice, 1);
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  const std::string answer_;
};

// A server of it, and its client.
class BareServer {
 public:
  explicit BareServer(const v1::StepResponse& response) : service_(response) {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    CHECK(server_ != nullptr);
    stub_ = v1::SimulationService::NewStub(
        grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                            grpc::InsecureChannelCredentials()));
  }

  Stub& stub() { return *stub_; }

 private:
  BareService service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Stub> stub_;
};

v1::StepResponse StepBy(Stub& stub, const v1::StepRequest& request) {
  grpc::ClientContext context;
  v1::StepResponse response;
  const grpc::Status status = stub.Step(&context, request, &response);
  CHECK(status.ok(), "{}", status.error_message());
  return response;
}

void BM_Unary(benchmark::State& state, const std::string& pack) {
  Sides sides(pack);
  v1::StepResponse response = StepBy(sides.stub(), sides.RequestOf(0));
  sides.StepInProcess(1);
  BareServer bare(response);
  std::vector<double> calls, bares;
  for ([[maybe_unused]] auto _ : state) {
    const v1::StepRequest request = sides.RequestOf(response.tick());
    const double start = Now();
    response = StepBy(sides.stub(), request);
    const double middle = Now();
    benchmark::DoNotOptimize(StepBy(bare.stub(), request));
    sides.StepInProcess(1);
    bares.push_back(Now() - middle);
    calls.push_back(middle - start);
  }
  state.counters["call_us"] = Quantile(calls) * 1e6;
  state.counters["call_p99_us"] = Quantile(calls, 0.99) * 1e6;
  state.counters["bare_us"] = Quantile(bares) * 1e6;
  state.counters["ratio"] = Quantile(calls) / Quantile(bares);
  state.counters["ratio_p99"] = Quantile(calls, 0.99) / Quantile(bares, 0.99);
}

BENCHMARK_CAPTURE(BM_Batch, marble, "marble")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Batch, pile, "pile")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Unary, marble, "marble")->UseRealTime();
BENCHMARK_CAPTURE(BM_Unary, pile, "pile")->UseRealTime();

}  // namespace
}  // namespace reprise::services
