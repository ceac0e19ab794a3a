// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that many clients, silent ones, slow ones, a full disk and a want of
// descriptors keep nobody else from being served. Nothing here waits for time
// to pass but for one short deadline of a call; what hangs fails by a call's
// own.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/testing/full_disk.h"
#include "services/testing/no_more_descriptors.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

// Packs whose simulations are made once the test lets them, but the first.
class SlowPacks {
 public:
  sim::SimulationFactory factory() {
    return [this](const sim::PackArchive& pack, uint64_t seed)
               -> absl::StatusOr<std::unique_ptr<sim::Simulation>> {
      if (made_++ > 0) {
        started_.count_down();
        released_.wait();
      }
      return replays::TinySimulation::Create(pack, seed);
    };
  }

  // Waits until one is being made.
  void AwaitStart() { started_.wait(); }
  void Release() { released_.count_down(); }

 private:
  std::atomic<int> made_ = 0;
  std::latch started_{1};
  std::latch released_{1};
};

v1::CreateSessionRequest CreateRequest(const std::string& request_id) {
  v1::CreateSessionRequest request;
  request.set_pack("tiny");
  request.set_request_id(request_id);
  return request;
}

TEST(ServerCrowdTest, NoTickWaitsForPacksThatLoad) {
  SlowPacks packs;
  TestServer server([&](ServerOptions& options) {
    options.worker_count = 1;
    options.loader_count = 1;
    options.simulation_factory = packs.factory();
  });
  const v1::Session session = server.CreateSession();
  std::vector<std::thread> loading;
  for (int i = 0; i < 8; ++i) {
    loading.emplace_back([&server] { server.CreateSession(); });
  }
  packs.AwaitStart();

  // None of them can go on before this is done.
  StepClient client(server.simulations(), session.name());
  EXPECT_EQ(client.Exchange(StepRequest(0, 100)).tick(), 100u);
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  server.ListReplays();

  packs.Release();
  for (std::thread& thread : loading) thread.join();
}

TEST(ServerCrowdTest, NoTickWaitsForASessionThatIsMadeAnew) {
  SlowPacks packs;
  TestServer server([&](ServerOptions& options) {
    options.worker_count = 1;
    options.loader_count = 1;
    options.simulation_factory = packs.factory();
  });
  const std::string session = server.CreateSession().name();
  const std::string other = server.ForkSession(ForkRequest(session)).name();
  std::thread resetting([&] { server.ResetSession(session, /*seed=*/2); });
  packs.AwaitStart();

  EXPECT_EQ(server.Step(other, 0, 100).tick(), 100u);
  EXPECT_EQ(server.ResetSession(other).session().tick(), 0u);
  EXPECT_EQ(server.GetSession(session).state(), v1::Session::STATE_IN_USE);
  EXPECT_EQ(Summarize(server.TryStep(StepRequest(session, 0, 1))),
            "FAILED_PRECONDITION SESSION_IN_USE");

  packs.Release();
  resetting.join();
  EXPECT_EQ(server.GetSession(session).seed(), 2u);
}

TEST(ServerCrowdTest, WhoWaitsForARepeatedRequestHoldsNoThreadAndHasADeadline) {
  SlowPacks packs;
  TestServer server([&](ServerOptions& options) {
    options.loader_count = 2;
    options.simulation_factory = packs.factory();
  });
  server.CreateSession();
  v1::Session first;
  std::thread creating([&] {
    EXPECT_EQ(Summarize(server.TryCreateSession(CreateRequest("id"), &first)),
              "OK");
  });
  packs.AwaitStart();

  for (int i = 0; i < 4; ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::milliseconds(20));
    v1::CreateSessionResponse response;
    EXPECT_EQ(server.simulations()
                  .CreateSession(&context, CreateRequest("id"), &response)
                  .error_code(),
              grpc::StatusCode::DEADLINE_EXCEEDED);
  }
  v1::Session repeated;
  std::thread repeating([&] {
    EXPECT_EQ(
        Summarize(server.TryCreateSession(CreateRequest("id"), &repeated)),
        "OK");
  });
  // Needs the second loader.
  EXPECT_EQ(Summarize(server.TryDescribePack("none")),
            "NOT_FOUND PACK_NOT_FOUND");

  packs.Release();
  creating.join();
  repeating.join();
  EXPECT_EQ(repeated.name(), first.name());
}

TEST(ServerCrowdTest, SilentStreamsLockNobodyOut) {
  std::atomic<int64_t> now_ms = 0;
  TestServer server([&](ServerOptions& options) {
    options.streams_max = 2;
    options.clock = [&now_ms] {
      return absl::UnixEpoch() + absl::Milliseconds(now_ms.load());
    };
  });
  StepClient first(server.simulations());
  StepClient second(server.simulations());
  // Once the third is refused, both are there.
  while (true) {
    StepClient third(server.simulations());
    third.Send(StepRequest(0, 0));
    if (Summarize(third.Finish()) == "RESOURCE_EXHAUSTED TOO_MANY_STREAMS") {
      break;
    }
  }

  now_ms = 1000;
  server.ExpectGoodService();

  now_ms = 60'000;
  EXPECT_EQ(Summarize(first.AwaitEnd()), "ABORTED STREAM_SILENT");
  EXPECT_EQ(Summarize(second.AwaitEnd()), "ABORTED STREAM_SILENT");
}

// A connection that says nothing.
class SilentConnection {
 public:
  explicit SilentConnection(const std::string& address)
      : SilentConnection(static_cast<uint16_t>(
            std::stoi(address.substr(address.rfind(':') + 1)))) {}
  explicit SilentConnection(uint16_t port)
      : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(port);
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  SilentConnection(const SilentConnection&) = delete;
  SilentConnection& operator=(const SilentConnection&) = delete;
  ~SilentConnection() { close(descriptor_); }

  void Connect() const {
    ASSERT_EQ(connect(descriptor_, reinterpret_cast<const sockaddr*>(&address_),
                      sizeof(address_)),
              0);
  }

  // Reads what the server says, up to its end.
  void AwaitClosed() const {
    char bytes[64];
    while (recv(descriptor_, bytes, sizeof(bytes), 0) > 0) continue;
  }

 private:
  sockaddr_in address_ = {};
  const int descriptor_;
};

TEST(ServerCrowdTest, ConnectionsPastTheLimitAreClosedAndThoseInItServed) {
  TestServer server(
      [](ServerOptions& options) { options.connections_max = 3; });
  server.ExpectGoodService();
  std::vector<std::unique_ptr<SilentConnection>> silent;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(
        std::make_unique<SilentConnection>(server.server().address()));
    silent.back()->Connect();
  }

  // Two are taken, and closed when they have said nothing for some seconds.
  for (const auto& connection : silent) connection->AwaitClosed();

  server.ExpectGoodService();
  TestClient(server.server().address()).ExpectGoodService();
}

TEST(ServerCrowdTest, AWantOfDescriptorsIsToldAndEnds) {
  std::latch is_short(1), is_over(1);
  TestServer server([&](ServerOptions& options) {
    options.log = [&](const LogEntry& entry) {
      const std::string& sentence = entry.message;
      if (sentence.find("turned away") != sentence.npos) is_short.count_down();
      if (sentence.find("free again") != sentence.npos) is_over.count_down();
    };
  });
  server.ExpectGoodService();
  const SilentConnection turned_away(server.server().address());
  {
    const NoMoreDescriptors none;
    turned_away.Connect();
    turned_away.AwaitClosed();
    is_short.wait();

    EXPECT_EQ(Summarize(server.TryDescribePack("tiny")),
              "RESOURCE_EXHAUSTED DESCRIPTORS_EXHAUSTED");
  }
  is_over.wait();

  server.ExpectGoodService();
  TestClient(server.server().address()).ExpectGoodService();
}

TEST(ServerCrowdTest, ADiskThatIsFullIsToldOnTheSessionAndNowhereElse) {
  TestServer server;
  const v1::Session recorded = server.CreateSession(/*record=*/true);
  const v1::Session other = server.CreateSession();
  StepClient client(server.simulations(), recorded.name());
  StepClient others(server.simulations(), other.name());
  {
    const FullDisk full(/*file_bytes_max=*/4096);
    std::string told = "OK";
    for (uint64_t tick = 0; tick < 100'000 && told == "OK"; tick += 1000) {
      told = Summarize(client.Exchange(StepRequest(tick, 1000)));
    }
    EXPECT_EQ(told, "DATA_LOSS RECORDING_FAILED");
    EXPECT_EQ(others.Exchange(StepRequest(0, 100)).tick(), 100u);
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  EXPECT_EQ(Summarize(others.Finish()), "OK");
  EXPECT_EQ(Summarize(server.TryDeleteSession(recorded.name())),
            "DATA_LOSS RECORDING_FAILED");
  server.ExpectGoodService();
}

TEST(ServerCrowdTest, ARequestThatIsNoMessageIsTheClientsMistake) {
  TestServer server;
  grpc::GenericStub stub(server.channel());
  for (const std::string method :
       {"SimulationService/CreateSession",  "SimulationService/DescribePack",
        "SimulationService/GetSession",     "SimulationService/ListSessions",
        "SimulationService/DeleteSession",  "SimulationService/Step",
        "SimulationService/ResetSession",   "SimulationService/SnapshotSession",
        "SimulationService/DeleteSnapshot", "SimulationService/RestoreSession",
        "SimulationService/ForkSession",    "CatalogService/GetServerInfo",
        "CatalogService/ListPacks",         "CatalogService/GetPack",
        "CatalogService/UploadPack",        "CatalogService/DeletePack",
        "ReplayService/ListReplays",        "ReplayService/DownloadReplay",
        "ReplayService/GetReplay",          "ReplayService/DeleteReplay",
        "ReplayService/UpdateReplayTags",   "ReplayService/GetUpload",
        "ReplayService/UploadReplay",       "OperationService/VerifyReplay",
        "OperationService/CompareReplays",  "OperationService/QueryReplay",
        "OperationService/ExportReplay",    "OperationService/RenderReplay",
        "OperationService/GetOperation",    "OperationService/ListOperations",
        "OperationService/CancelOperation", "OperationService/DeleteOperation",
        "OperationService/DownloadResult"}) {
    grpc::ClientContext context;
    const grpc::Slice garbage(std::string("\xff\xff\xff"));
    const grpc::ByteBuffer request(&garbage, 1);
    grpc::ByteBuffer response;
    std::latch done(1);
    grpc::Status status;
    stub.UnaryCall(&context, "/reprise.v1." + method, {}, &request, &response,
                   [&](grpc::Status result) {
                     status = std::move(result);
                     done.count_down();
                   });
    done.wait();
    EXPECT_EQ(Summarize(status), "INVALID_ARGUMENT MESSAGE_MALFORMED")
        << method;
  }
}

}  // namespace
}  // namespace reprise::services
