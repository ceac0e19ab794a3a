// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what those who watch a server's health see when new clients can't be
// served, and while it drains: that it says so at once, with requests still in
// work, so that nobody new is sent to it, and doesn't wait for them. A call
// that hangs fails by its own deadline of a minute.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

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
