// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a call which has ended keeps nothing of what it was made for,
// however it ended and whoever may still go on with it, and that one that was
// let in goes on where it ran, however full that is by then.

#include "services/calls/unary_call.h"

#include <atomic>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "gtest/gtest.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/base/access.h"
#include "services/base/log_entry.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/calls/call_gate.h"
#include "services/calls/message_bytes.h"
#include "services/calls/work_queue.h"
#include "services/monitoring/server_metrics.h"

namespace reprise::services {
namespace {

using Body = UnaryCall::Body;

// A server whose one call does what the test says.
class UnaryCallTest
    : public testing::Test,
      public v1::CatalogService::WithRawCallbackMethod_GetServerInfo<
          v1::CatalogService::Service> {
 protected:
  UnaryCallTest() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("localhost:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    stub_ = v1::CatalogService::NewStub(
        grpc::CreateChannel("localhost:" + std::to_string(port),
                            grpc::InsecureChannelCredentials()));
  }
  ~UnaryCallTest() override { server_->Shutdown(); }

  grpc::Status Call(Body body) {
    body_ = std::move(body);
    v1::GetServerInfoResponse response;
    return stub_->GetServerInfo(&context_, {}, &response);
  }

  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override {
    SerializeMessage(v1::GetServerInfoResponse(), *response);
    return UnaryCall::Start(
        gate_.Enter(CallOfRequest<v1::GetServerInfoRequest>(), *context),
        &queue_, request, response, std::move(body_));
  }

  const Access access_;
  ServerMetrics metrics_;
  CallGate gate_{&access_, &metrics_, nullptr, [](const LogEntry&) {},
                 CallLogging::kNone};
  WorkQueue queue_{/*thread_count=*/1, /*tasks_max=*/2};
  Body body_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::CatalogService::Stub> stub_;
};

TEST_F(UnaryCallTest, WhatIsCancelledAsItBeginsToWaitKeepsNothing) {
  auto held = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = held;
  std::function<void()> resume;  // of somebody who never does

  const grpc::Status status =
      Call([this, &resume, held = std::exchange(held, nullptr)](
               const PendingCall& call) -> std::optional<absl::Status> {
        resume = call.resume;
        context_.TryCancel();
        while (!call.is_cancelled()) std::this_thread::yield();
        return std::nullopt;
      });

  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  // The client is told before the body has returned.
  while (queue_.size() > 0) std::this_thread::yield();
  EXPECT_TRUE(watched.expired());
  resume();
}

TEST_F(UnaryCallTest, WhatHasRunGoesOnThoughTheQueueIsFull) {
  std::latch is_full(1);
  std::thread somebody;

  const grpc::Status status =
      Call([&, has_run = false](
               const PendingCall& call) mutable -> std::optional<absl::Status> {
        if (std::exchange(has_run, true)) return absl::OkStatus();
        somebody = std::thread([&, resume = call.resume] {
          while (queue_.size() > 0) std::this_thread::yield();
          for (int i = 0; i < 2; ++i) {
            EXPECT_TRUE(queue_.Post(Tenant(), [&] {
              is_full.wait();
              return WorkQueue::Progress::kDone;
            }));
          }
          EXPECT_FALSE(
              queue_.Post(Tenant(), [] { return WorkQueue::Progress::kDone; }));
          resume();
          is_full.count_down();
        });
        return std::nullopt;
      });

  EXPECT_TRUE(status.ok()) << status.error_message();
  somebody.join();
}

}  // namespace
}  // namespace reprise::services
