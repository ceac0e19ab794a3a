// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing a client sends, or doesn't, harms the server: each gets a
// clear error of its own, changes nothing, and the next client is served as if
// nothing had been. Nothing here waits for time.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "fmt/format.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/channel_arguments.h"
#include "grpcpp/support/slice.h"
#include "gtest/gtest.h"
#include "services/testing/test_server.h"
#include "sim/compiler/pack_compiler.h"

namespace reprise::services {
namespace {

class ServerBadInputTest : public testing::Test {
 protected:
  // Whatever a test did, the server goes on.
  void TearDown() override { server_.ExpectGoodService(); }

  v1::SimulationService::Stub& stub() { return server_.simulations(); }

  TestServer server_;
};

// --- Requests that are refused on a stream that goes on.

struct Mistake {
  const char* name;
  std::function<void(v1::StepSessionRequest&)> make;
  const char* expected;
};

class ServerStepMistakeTest : public ServerBadInputTest,
                              public testing::WithParamInterface<Mistake> {};

TEST_P(ServerStepMistakeTest, IsAnItemsErrorThatChangesNothing) {
  const v1::Session session = server_.CreateSession();
  StepClient client(stub(), session.name());
  const auto before = client.Exchange(StepRequest(0, 10));
  v1::StepSessionRequest request = StepRequest(10, 10);
  GetParam().make(request);

  const auto refused = client.Exchange(request);

  EXPECT_EQ(Summarize(refused), GetParam().expected);
  EXPECT_NE(refused.error().message(), "");
  EXPECT_EQ(refused.tick(), before.tick());
  EXPECT_EQ(refused.digest(), before.digest());
  EXPECT_EQ(Summarize(client.Exchange(StepRequest(10, 10))), "OK");
  EXPECT_EQ(Summarize(client.Finish()), "OK");
}

v1::InputFrame& AddFrame(v1::StepSessionRequest& request, uint64_t tick) {
  v1::TickInputs& inputs = *request.add_inputs();
  inputs.set_tick(tick);
  return *inputs.add_frames();
}

INSTANTIATE_TEST_SUITE_P(
    Each, ServerStepMistakeTest,
    testing::Values(
        Mistake{"ATickInThePast", [](auto& r) { r.set_tick(9); },
                "FAILED_PRECONDITION TICK_MISMATCH"},
        Mistake{"ATickInTheFuture", [](auto& r) { r.set_tick(11); },
                "FAILED_PRECONDITION TICK_MISMATCH"},
        Mistake{"TooManyTicks", [](auto& r) { r.set_tick_count(10'001); },
                "RESOURCE_EXHAUSTED TOO_MANY_TICKS"},
        Mistake{"AnotherSession",
                [](auto& r) { r.set_session("sessions/other"); },
                "INVALID_ARGUMENT SESSION_CHANGED"},
        Mistake{"InputsOutsideOfTheTicks", [](auto& r) { AddFrame(r, 20); },
                "INVALID_ARGUMENT INPUT_TICK_OUTSIDE_REQUEST"},
        Mistake{"InputsOutOfOrder",
                [](auto& r) {
                  AddFrame(r, 12);
                  AddFrame(r, 11);
                },
                "INVALID_ARGUMENT INPUT_TICKS_NOT_ASCENDING"},
        Mistake{"AnUnknownPlayer",
                [](auto& r) { AddFrame(r, 15).set_player(1); },
                "INVALID_ARGUMENT INPUT_REFUSED"},
        Mistake{
            "AButtonOfNoAction",
            [](auto& r) { AddFrame(r, 15).mutable_device()->set_buttons(2); },
            "INVALID_ARGUMENT INPUT_REFUSED"},
        Mistake{
            "AnAxisPastItsRange",
            [](auto& r) { AddFrame(r, 15).mutable_device()->add_axes(40'000); },
            "INVALID_ARGUMENT INPUT_REFUSED"},
        Mistake{
            "AnUnknownCommand",
            [](auto& r) { AddFrame(r, 15).add_commands()->set_name("cheat"); },
            "INVALID_ARGUMENT INPUT_REFUSED"},
        Mistake{"AnArgumentOutOfBounds",
                [](auto& r) {
                  v1::Command& command = *AddFrame(r, 15).add_commands();
                  command.set_name("teleport");
                  command.add_arguments(1001);
                },
                "INVALID_ARGUMENT INPUT_REFUSED"},
        Mistake{"TooManyCommands",
                [](auto& r) {
                  v1::InputFrame& frame = AddFrame(r, 15);
                  for (int i = 0; i < 3; ++i) {
                    v1::Command& command = *frame.add_commands();
                    command.set_name("teleport");
                    command.add_arguments(0);
                  }
                },
                "RESOURCE_EXHAUSTED INPUT_REFUSED"}),
    [](const auto& info) { return info.param.name; });

// --- Streams that never get going.

TEST_F(ServerBadInputTest, AStreamWithoutSessionIsRefused) {
  StepClient client(stub());
  client.Send(StepRequest(0, 1));

  EXPECT_EQ(Summarize(client.AwaitEnd()), "INVALID_ARGUMENT SESSION_REQUIRED");
}

TEST_F(ServerBadInputTest, AStreamForAnUnknownSessionIsRefused) {
  for (const auto& [name, expected] :
       std::vector<std::pair<std::string, std::string>>{
           {"sessions/none", "NOT_FOUND SESSION_NOT_FOUND"},
           {"none", "INVALID_ARGUMENT NAME_MALFORMED"},
           {"sessions/../../etc", "INVALID_ARGUMENT NAME_MALFORMED"},
           {std::string(1'000'000, 'x'), "INVALID_ARGUMENT NAME_MALFORMED"}}) {
    StepClient client(stub());
    auto request = StepRequest(0, 1);
    request.set_session(name);
    client.Send(request);

    EXPECT_EQ(Summarize(client.AwaitEnd()), expected);
  }
}

TEST_F(ServerBadInputTest, ASecondStreamOnASessionIsRefused) {
  const v1::Session session = server_.CreateSession();
  StepClient first(stub(), session.name());
  auto request = StepRequest(0, 1);
  request.set_session(session.name());

  StepClient second(stub());
  second.Send(request);

  EXPECT_EQ(Summarize(second.AwaitEnd()), "FAILED_PRECONDITION SESSION_IN_USE");
  EXPECT_EQ(Summarize(server_.TryDeleteSession(session.name())),
            "FAILED_PRECONDITION SESSION_IN_USE");
  EXPECT_EQ(Summarize(first.Exchange(StepRequest(0, 1))), "OK");
  EXPECT_EQ(Summarize(first.Finish()), "OK");
  // It is free at once.
  StepClient third(stub());
  request.set_tick(1);
  EXPECT_EQ(Summarize(third.Exchange(request)), "OK");
}

TEST_F(ServerBadInputTest, AStreamThatSendsNothingEndsWell) {
  StepClient client(stub());

  EXPECT_EQ(Summarize(client.Finish()), "OK");
}

// --- Clients that vanish or don't read.

TEST_F(ServerBadInputTest, AClientThatClosesInTheMiddleLeavesItsSession) {
  const v1::Session session = server_.CreateSession(/*record=*/true);
  {
    StepClient client(stub(), session.name());
    client.Exchange(StepRequest(0, 7));
    client.Send(StepRequest(7, 1));
    client.Cancel();
    EXPECT_EQ(client.AwaitEnd().error_code(), grpc::StatusCode::CANCELLED);
  }

  EXPECT_GE(server_.GetSession(session.name()).tick(), 7u);
  while (Summarize(server_.TryDeleteSession(session.name())) ==
         "FAILED_PRECONDITION SESSION_IN_USE") {
  }
  EXPECT_EQ(server_.TryGetSession(session.name()).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST(ServerSilentClientTest, AClientThatNeverReadsIsCutOff) {
  TestServer server([](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Seconds(1);
  });
  const v1::Session session = server.CreateSession();
  auto request = StepRequest(0, 0);
  request.set_session(session.name());
  // Large, so that a few of them fill a window. They are refused.
  request.add_inputs()->add_frames()->mutable_device()->mutable_axes()->Resize(
      10'000, 1);
  // Nor does the client's window grow, which gRPC does for fast connections.
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  const auto stub = v1::SimulationService::NewStub(
      grpc::CreateCustomChannel(server.server().address(),
                                grpc::InsecureChannelCredentials(), arguments));
  StepClient client(*stub);

  // Until the windows of both directions are full; then the server waits for
  // the client, and the client for the server.
  while (client.Send(request)) {
  }

  EXPECT_EQ(client.AwaitEnd().error_code(), grpc::StatusCode::CANCELLED);
  server.ExpectGoodService();
}

TEST(ServerSilentClientTest, AStreamThatNeverNamesItsSessionIsCutOff) {
  TestServer server([](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Seconds(1);
  });
  StepClient client(server.simulations());

  EXPECT_EQ(Summarize(client.AwaitEnd()), "ABORTED STREAM_IDLE");
  server.ExpectGoodService();
}

TEST(ServerSilentClientTest, StreamsPastTheLimitAreRefused) {
  TestServer server([](ServerOptions& options) { options.streams_max = 1; });
  const v1::Session session = server.CreateSession();
  StepClient first(server.simulations(), session.name());
  // A connection of its own: one connection's streams wait at the limit.
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto stub = v1::SimulationService::NewStub(
      grpc::CreateCustomChannel(server.server().address(),
                                grpc::InsecureChannelCredentials(), arguments));

  StepClient second(*stub);

  EXPECT_EQ(Summarize(second.AwaitEnd()),
            "RESOURCE_EXHAUSTED TOO_MANY_STREAMS");
  EXPECT_EQ(Summarize(first.Finish()), "OK");
}

// --- Messages and bytes that are no requests.

grpc::ByteBuffer Bytes(std::string_view bytes) {
  const grpc::Slice slice(bytes.data(), bytes.size());
  return grpc::ByteBuffer(&slice, 1);
}

TEST_F(ServerBadInputTest, AMessageThatIsNoneEndsItsStreamWithAnError) {
  grpc::GenericStub generic(server_.channel());
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  void* tag = nullptr;
  bool ok = false;
  const auto call = generic.PrepareCall(
      &context, "/reprise.v1.SimulationService/StepSession", &queue);
  call->StartCall(nullptr);
  queue.Next(&tag, &ok);
  call->Write(Bytes("\xff\xff\xff garbage"), nullptr);
  queue.Next(&tag, &ok);

  grpc::Status status;
  call->Finish(&status, nullptr);
  queue.Next(&tag, &ok);

  EXPECT_EQ(Summarize(status), "INVALID_ARGUMENT MESSAGE_MALFORMED");
}

TEST_F(ServerBadInputTest, AMessageAboveTheLimitIsRefused) {
  v1::CreateSessionRequest request;
  request.set_pack(std::string(5 << 20, 'x'));

  EXPECT_EQ(server_.TryCreateSession(request).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(ServerBadInputTest, AMessageAboveTheLimitEndsItsStream) {
  const v1::Session session = server_.CreateSession();
  StepClient client(stub(), session.name());
  auto request = StepRequest(0, 1);
  request.set_session(std::string(5 << 20, 'x'));
  client.Send(request);

  EXPECT_EQ(client.AwaitEnd().error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

// Sends `bytes` to the port and returns once the server has closed.
void SendRaw(const std::string& address, std::string_view bytes) {
  const size_t colon = address.rfind(':');
  sockaddr_in peer = {};
  peer.sin_family = AF_INET;
  peer.sin_port = htons(std::stoi(address.substr(colon + 1)));
  inet_pton(AF_INET, address.substr(0, colon).c_str(), &peer.sin_addr);
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(
      connect(connection, reinterpret_cast<sockaddr*>(&peer), sizeof(peer)), 0);
  send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  shutdown(connection, SHUT_WR);
  char ignored[4096];
  while (recv(connection, ignored, sizeof(ignored), 0) > 0) {
  }
  close(connection);
}

TEST_F(ServerBadInputTest, BytesThatAreNoHttpAreClosedOn) {
  const std::string& address = server_.server().address();

  SendRaw(address, "");
  SendRaw(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  SendRaw(address, std::string(100'000, '\xff'));
  // A sound preface, then a frame of a length that no one allows.
  SendRaw(address, std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") +
                       std::string(100, '\xff'));
}

// --- Unary calls.

TEST_F(ServerBadInputTest, PacksThatAreNotThereAreNotFound) {
  for (const char* pack : {"", "golf", "../tiny", "tiny/", "/etc"}) {
    v1::CreateSessionRequest request;
    request.set_pack(pack);
    EXPECT_EQ(Summarize(server_.TryCreateSession(request)),
              "NOT_FOUND PACK_NOT_FOUND")
        << pack;
    EXPECT_EQ(Summarize(server_.TryDescribePack(pack)),
              "NOT_FOUND PACK_NOT_FOUND")
        << pack;
  }
}

TEST_F(ServerBadInputTest, AMistakeInAPackNamesItsPlace) {
  server_.folders().Write("packs/broken/pack.txtpb", "nonsense");
  v1::CreateSessionRequest request;
  request.set_pack("broken");

  const grpc::Status status = server_.TryCreateSession(request);

  EXPECT_EQ(Summarize(status), "INVALID_ARGUMENT PACK_INVALID");
  EXPECT_TRUE(status.error_message().starts_with("pack.txtpb:1"))
      << status.error_message();
  const grpc::Status undescribed = server_.TryDescribePack("broken");
  EXPECT_EQ(Summarize(undescribed), "INVALID_ARGUMENT PACK_INVALID");
  EXPECT_EQ(undescribed.error_message(), status.error_message());
}

TEST(ServerDescriptionTest, ADescriptionThatFitsInNoMessageIsRefused) {
  TestServer server([](ServerOptions& options) {
    options.message_bytes_max = 1 << 20;
    options.simulation_factory = &sim::CreateWorld;
  });
  const std::string help(100'000, 'x');
  std::string manifest = "name: \"wordy\"\ncomponents { name: \"tag\"\n";
  for (int i = 0; i < 12; ++i) {
    manifest += fmt::format(
        "properties {{ name: \"p{}\" type: TYPE_INTEGER help: \"{}\" }}\n", i,
        help);
  }
  server.folders().Write("packs/wordy/pack.txtpb", manifest + "}\n");

  EXPECT_EQ(Summarize(server.TryDescribePack("wordy")),
            "RESOURCE_EXHAUSTED DESCRIPTION_TOO_LARGE");
}

TEST_F(ServerBadInputTest, DownloadsOfWhatIsNotThereAreRefused) {
  const v1::Session recorded = server_.CreateSession(/*record=*/true);
  const auto download = [&](const std::string& name, uint64_t offset = 0) {
    v1::DownloadReplayRequest request;
    request.set_name(name);
    request.set_offset(offset);
    std::string bytes;
    return Summarize(server_.Download(request, &bytes));
  };

  EXPECT_EQ(download(""), "INVALID_ARGUMENT NAME_MALFORMED");
  EXPECT_EQ(download("replays/../x"), "INVALID_ARGUMENT NAME_MALFORMED");
  EXPECT_EQ(download("replays/none"), "NOT_FOUND REPLAY_NOT_FOUND");
  EXPECT_EQ(download(recorded.replay()),
            "FAILED_PRECONDITION REPLAY_UNFINISHED");
  const std::string replay = server_.DeleteSession(recorded.name());
  EXPECT_EQ(download(replay, ~uint64_t{0}), "OUT_OF_RANGE OFFSET_OUT_OF_RANGE");
}

}  // namespace
}  // namespace reprise::services
