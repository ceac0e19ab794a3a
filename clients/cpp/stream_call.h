// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A stream of requests and responses, of use to those of the client that are
// one: requests are sent by gRPC's threads, so that nobody waits for the server
// to take them, and responses are kept until they are taken.

#ifndef REPRISE_CLIENTS_CPP_STREAM_CALL_H_
#define REPRISE_CLIENTS_CPP_STREAM_CALL_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "client.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/client_callback.h"
#include "grpcpp/support/status.h"

namespace reprise::client {

// Any number of threads may use it.
template <typename Request, typename Response>
class StreamCall : private grpc::ClientBidiReactor<Request, Response> {
 public:
  using Reactor = grpc::ClientBidiReactor<Request, Response>;
  using Service = v1::SimulationService::StubInterface::async_interface;
  using Method = void (Service::*)(grpc::ClientContext*, Reactor*);

  // Begins it. The client must remain live.
  StreamCall(Client& client, Method method) {
    client.PrepareStream(context_);
    (client.simulations().async()->*method)(&context_, this);
    // Others than gRPC's threads write: it isn't over before they are told.
    this->AddHold();
    this->StartCall();
    this->StartRead(&incoming_);
  }
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

  // Ends it at once, and waits for gRPC to be done with it.
  ~StreamCall() override { Abort(absl::CancelledError("it was given up")); }

  void Send(Request request) {
    const std::scoped_lock lock(mutex_);
    if (is_over_) return;
    outbox_.push_back(std::move(request));
    if (outbox_.size() == 1) this->StartWrite(&outbox_.front());
  }

  // Says that nothing more is sent.
  void SendEnd() {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || is_ending_) return;
    is_ending_ = true;
    if (outbox_.empty()) this->StartWritesDone();
  }

  // The next response; without a timeout it is waited for however long it
  // takes. nullopt: there is none in time, or it has ended; `status()`.
  std::optional<Response> Take(
      std::optional<std::chrono::milliseconds> timeout) {
    std::unique_lock lock(mutex_);
    const auto has_news = [this] {
      return !inbox_.empty() || status_.has_value();
    };
    if (timeout.has_value()) {
      changed_.wait_for(lock, *timeout, has_news);
    } else {
      changed_.wait(lock, has_news);
    }
    if (inbox_.empty()) return std::nullopt;
    Response response = std::move(inbox_.front());
    inbox_.pop_front();
    if (is_reading_held_ && !is_over_) {
      is_reading_held_ = false;
      this->StartRead(&incoming_);
    }
    return response;
  }

  // Ends it with `status` unless it has ended, and waits until it has.
  void Abort(absl::Status status) {
    std::unique_lock lock(mutex_);
    if (!status_.has_value() && !aborted_.has_value()) {
      aborted_ = std::move(status);
    }
    context_.TryCancel();
    LetGo();
    changed_.wait(lock, [this] { return status_.has_value(); });
  }

  // What it has ended with; nullopt: it hasn't.
  std::optional<absl::Status> status() const {
    const std::scoped_lock lock(mutex_);
    return status_;
  }

 private:
  // Responses that nobody has taken yet; then the server is let wait.
  static constexpr size_t kInboxMax = 4;

  void OnReadDone(bool ok) override {
    const std::scoped_lock lock(mutex_);
    if (!ok) {
      LetGo();
      return;
    }
    inbox_.push_back(std::move(incoming_));
    incoming_.Clear();
    is_reading_held_ = inbox_.size() >= kInboxMax || is_over_;
    if (!is_reading_held_) this->StartRead(&incoming_);
    changed_.notify_all();
  }

  void OnWriteDone(bool ok) override {
    const std::scoped_lock lock(mutex_);
    outbox_.pop_front();
    // What can't be sent isn't: reading says why.
    if (!ok || is_over_) return;
    if (!outbox_.empty()) {
      this->StartWrite(&outbox_.front());
    } else if (is_ending_) {
      this->StartWritesDone();
    }
  }

  void OnDone(const grpc::Status& status) override {
    const std::scoped_lock lock(mutex_);
    status_ = aborted_.value_or(Client::ToStatus(status));
    changed_.notify_all();
  }

  // Starts nothing any more. REQUIRES: the caller holds mutex_.
  void LetGo() {
    if (std::exchange(is_over_, true)) return;
    this->RemoveHold();
  }

  grpc::ClientContext context_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Response incoming_;           // gRPC's while it reads
  std::deque<Request> outbox_;  // the first one is being sent
  std::deque<Response> inbox_;
  bool is_reading_held_ = false;  // until there is room
  bool is_ending_ = false;        // once all is sent
  bool is_over_ = false;
  std::optional<absl::Status> aborted_;  // what it is to end with
  std::optional<absl::Status> status_;
};

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_STREAM_CALL_H_
