// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what those who watch a server's health see when new clients can't be
// served, and while it drains: that it says so at once, with requests still in
// work, so that nobody new is sent to it, and doesn't wait for them; and that
// whoever has a stream reads why it ends. A call that hangs fails by its own
// deadline of a minute.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/byte_buffer.h"
#include "gtest/gtest.h"
#include "services/server.h"
#include "services/testing/no_more_descriptors.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

// grpc.health.v1.HealthCheckResponse as it is sent: field 1 is the status.
const std::string kServing = {'\x08', '\x01'};
const std::string kNotServing = {'\x08', '\x02'};

// A Watch call of grpc.health.v1 for the server as a whole. Debian's gRPC has
// no generated client of it.
class HealthWatch {
 public:
  explicit HealthWatch(const TestServer& server) : stub_(server.channel()) {
    context_.set_deadline(std::chrono::system_clock::now() +
                          std::chrono::minutes(1));
    stream_ =
        stub_.PrepareCall(&context_, "/grpc.health.v1.Health/Watch", &queue_);
    stream_->StartCall(this);
    Await();
    const grpc::Slice empty_request("");
    stream_->WriteLast(grpc::ByteBuffer(&empty_request, 1),
                       grpc::WriteOptions(), this);
    Await();
  }

  ~HealthWatch() {
    context_.TryCancel();
    if (!has_ended_) End();
    queue_.Shutdown();
  }

  // Waits for the end of the stream and says how it came.
  grpc::StatusCode End() {
    grpc::Status status;
    stream_->Finish(&status, this);
    Await();
    has_ended_ = true;
    return status.error_code();
  }

  // The next status; empty when the stream has ended.
  std::string Read() {
    grpc::ByteBuffer message;
    stream_->Read(&message, this);
    if (!Await()) return "";
    grpc::Slice slice;
    EXPECT_TRUE(message.DumpToSingleSlice(&slice).ok());
    return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
  }

 private:
  bool Await() {
    void* tag = nullptr;
    bool is_ok = false;
    return queue_.Next(&tag, &is_ok) && is_ok;
  }

  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  bool has_ended_ = false;
};

TEST(DrainingTest, WatchersAreToldWhileRequestsAreStillInWork) {
  TestServer server([](ServerOptions& options) {
    options.sessions.ticks_per_request_max = ~0u;
  });
  HealthWatch watch(server);
  EXPECT_EQ(watch.Read(), kServing);
  StepClient client(server.simulations(), server.CreateSession().name());
  ASSERT_TRUE(client.Send(StepRequest(0, ~0u)));

  std::thread shutdown([&] { server.server().Shutdown(absl::Minutes(1)); });

  EXPECT_EQ(watch.Read(), kNotServing);
  client.Cancel();
  shutdown.join();
  EXPECT_EQ(watch.Read(), "");
}

TEST(DrainingTest, WhatIsNewIsRefusedWhileRequestsAreStillInWork) {
  TestServer server([](ServerOptions& options) {
    options.sessions.ticks_per_request_max = ~0u;
  });
  HealthWatch watch(server);
  EXPECT_EQ(watch.Read(), kServing);
  const v1::Session session = server.CreateSession();
  StepClient client(server.simulations(), session.name());
  ASSERT_TRUE(client.Send(StepRequest(0, ~0u)));

  std::thread shutdown([&] { server.server().Shutdown(absl::Minutes(1)); });
  EXPECT_EQ(watch.Read(), kNotServing);

  EXPECT_EQ(Summarize(server.TryGetSession(session.name())),
            "UNAVAILABLE SERVER_STOPPING");
  EXPECT_EQ(Summarize(StepClient(server.simulations()).AwaitEnd()),
            "UNAVAILABLE SERVER_STOPPING");
  client.Cancel();
  shutdown.join();
}

// However busy the machine is: each connection stays until its client has read
// what came on it.
TEST(DrainingTest, EachStreamReadsWhyItEnds) {
  constexpr int kClients = 12;
  constexpr int kStreams = 4;  // of each
  for (int round = 0; round < 3; ++round) {
    TestServer server;
    std::vector<std::unique_ptr<TestClient>> clients;
    std::vector<std::unique_ptr<StepClient>> streams;
    for (int i = 0; i < kClients; ++i) {
      clients.push_back(
          std::make_unique<TestClient>(server.server().address()));
      for (int j = 0; j < kStreams; ++j) {
        streams.push_back(std::make_unique<StepClient>(
            clients.back()->simulations(), server.CreateSession().name()));
        // They end one behind the other, while the server stops.
        v1::StepSessionRequest request = StepRequest(0, 1 + 3 * j);
        request.set_pace(j == 0 ? 0 : 1);
        ASSERT_TRUE(streams.back()->Send(request));
      }
    }

    server.server().Shutdown(absl::Minutes(1));

    for (const auto& stream : streams) {
      EXPECT_EQ(Summarize(stream->AwaitEnd()), "UNAVAILABLE SERVER_STOPPING");
    }
  }
}

TEST(DrainingTest, WatchersAreToldWhileNoNewClientCanBeServed) {
  TestServer server;
  HealthWatch watch(server);
  EXPECT_EQ(watch.Read(), kServing);
  const std::string& address = server.server().address();
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in target = {};
  target.sin_family = AF_INET;
  target.sin_port = htons(std::stoi(address.substr(address.rfind(':') + 1)));
  target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  {
    const NoMoreDescriptors none;
    EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&target),
                      sizeof(target)),
              0);
    EXPECT_EQ(watch.Read(), kNotServing);
  }

  EXPECT_EQ(watch.Read(), kServing);
  close(client);
}

TEST(DrainingTest, WatchersDoNotKeepTheServer) {
  TestServer server;
  HealthWatch watch(server);
  EXPECT_EQ(watch.Read(), kServing);

  server.server().Shutdown(absl::Hours(1));

  EXPECT_EQ(watch.Read(), kNotServing);
  EXPECT_EQ(watch.Read(), "");
  // Neither its own deadline ended it nor the server's.
  EXPECT_EQ(watch.End(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace reprise::services
