// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/step_streams.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/calls/session_stepper.h"
#include "services/calls/work_slice.h"

namespace reprise::services {
namespace {

absl::Status SessionRequiredError() {
  return WithReason(absl::InvalidArgumentError(
                        "the first request of a stream must name its session"),
                    "SESSION_REQUIRED");
}

// What waits for the recording of a session, which lives as long.
ExchangeWork::Progress AwaitDiskOf(SessionStepper& stepper) {
  return {.delay = absl::InfiniteDuration(),
          .await = [&stepper](const std::function<void()>& resume) {
            stepper.AwaitDisk(resume);
          }};
}

absl::Status OrdersError(const std::string& problem) {
  return WithReason(absl::InvalidArgumentError(problem), "ORDERS_REFUSED");
}

// One session.
class StepWork final : public ExchangeWork {
 public:
  explicit StepWork(const StepResources& resources) : resources_(resources) {}

  absl::Status Open(const grpc::ByteBuffer& bytes, CallPass& pass) override {
    v1::StepSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (!stepper_.has_value()) {
      if (request.session().empty()) return SessionRequiredError();
      pass.Concern(request.session(), request.tick());
      auto stepper = SessionStepper::Open(resources_, pass.caller().tenant,
                                          request.session());
      if (!stepper.ok()) return stepper.status();
      stepper_ = *std::move(stepper);
    }
    result_ = Begin(request);
    return absl::OkStatus();
  }

  Progress Advance(const std::function<bool()>& is_cancelled) override {
    if (!result_.ok()) return {.is_done = true};
    {
      WorkSlice slice(&resources_.gate->metrics());
      const auto made = stepper_->Advance(slice, is_cancelled);
      result_ = made.status();
      if (!made.ok() || *made) return {.is_done = true};
    }
    if (stepper_->waits_for_disk()) return AwaitDiskOf(*stepper_);
    return {.delay = stepper_->due() - resources_.options->clock()};
  }

  absl::Time end_due() const override { return stepper_->end_due(); }

  void BreakOff(const absl::Status& status) override { result_ = status; }

  void Respond(grpc::ByteBuffer& bytes, CallPass& pass) override {
    const v1::StepSessionResponse response = stepper_->TakeResponse(result_);
    pass.Concern(MakeName(kSessions, stepper_->id()), response.tick());
    pass.Answer(result_);
    SerializeMessage(response, bytes);
  }

 private:
  absl::Status Begin(const v1::StepSessionRequest& request) {
    if (!request.session().empty() &&
        request.session() != MakeName(kSessions, stepper_->id())) {
      return WithReason(
          absl::InvalidArgumentError(fmt::format(
              "this stream steps session '{}' only", stepper_->id())),
          "SESSION_CHANGED");
    }
    return stepper_->Begin(request);
  }

  const StepResources resources_;
  std::optional<SessionStepper> stepper_;
  absl::Status result_;  // of the order so far
};

// As many as a stream's first request names.
class StepAllWork final : public ExchangeWork {
 public:
  explicit StepAllWork(const StepResources& resources)
      : resources_(resources) {}

  absl::Status Open(const grpc::ByteBuffer& bytes, CallPass& pass) override {
    v1::StepSessionsRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (absl::Status checked = Check(request); !checked.ok()) return checked;
    if (orders_max_ == 0 && request.orders_size() > 0) {
      orders_max_ = static_cast<size_t>(request.orders_size());
      pass.Concern(request.orders(0).session(), request.orders(0).tick());
    }
    orders_.clear();
    for (const std::string& name : request.release()) steppers_.erase(name);
    for (const v1::StepSessionRequest& order : request.orders()) {
      orders_.push_back(Begin(order, pass.caller().tenant));
      orders_.back().is_done = !orders_.back().result.ok();
    }
    return absl::OkStatus();
  }

  Progress Advance(const std::function<bool()>& is_cancelled) override {
    WorkSlice slice(&resources_.gate->metrics());
    SessionStepper* waiting = nullptr;
    for (Order& order : orders_) {
      if (order.is_done) continue;
      const auto made = order.stepper->Advance(slice, is_cancelled);
      order.result = made.status();
      order.is_done = !made.ok() || *made;
      if (order.is_done) continue;
      // Its disk holds up none of the others.
      if (!order.stepper->waits_for_disk()) return {};
      if (waiting == nullptr) waiting = order.stepper;
    }
    if (waiting != nullptr) return AwaitDiskOf(*waiting);
    return {.is_done = true};
  }

  void BreakOff(const absl::Status& status) override {
    for (Order& order : orders_) {
      if (!order.is_done) order.result = status;
    }
  }

  void Respond(grpc::ByteBuffer& bytes, CallPass& pass) override {
    v1::StepSessionsResponse response;
    for (const Order& order : orders_) {
      v1::StepSessionResponse& result = *response.add_results();
      if (order.stepper != nullptr) {
        result = order.stepper->TakeResponse(order.result);
      } else {
        *result.mutable_error() = ToStepError(order.result);
        *result.mutable_status() = ToRpcStatus(order.result);
      }
      pass.Answer(order.result);
    }
    SerializeMessage(response, bytes);
  }

 private:
  struct Order {
    SessionStepper* stepper = nullptr;  // null: its session isn't ours
    absl::Status result;                // so far
    bool is_done = false;
  };

  // A request that can't be answered order by order.
  absl::Status Check(const v1::StepSessionsRequest& request) const {
    const size_t limit = std::min<size_t>(
        resources_.options->sessions.sessions_max,
        resources_.options->message_bytes_max / kOrderBytesMin);
    const size_t most = orders_max_ == 0 ? limit : orders_max_;
    const auto count = static_cast<size_t>(request.orders_size());
    if (count == 0 && request.release().empty()) {
      return OrdersError("the request asks for nothing");
    }
    if (count > most) {
      return OrdersError(fmt::format(
          "the request has {} orders, more than {}", count,
          orders_max_ == 0
              ? fmt::format("the {} of a server", limit)
              : fmt::format("the {} of the stream's first one", most)));
    }
    std::set<std::string> names;
    for (const v1::StepSessionRequest& order : request.orders()) {
      if (!names.insert(order.session()).second) {
        return OrdersError(
            fmt::format("session '{}' has two orders", order.session()));
      }
    }
    return absl::OkStatus();
  }

  Order Begin(const v1::StepSessionRequest& request, const Tenant& tenant) {
    auto known = steppers_.find(request.session());
    if (known == steppers_.end()) {
      auto opened = SessionStepper::Open(resources_, tenant, request.session());
      if (!opened.ok()) return {.result = opened.status()};
      known = steppers_.emplace(request.session(), *std::move(opened)).first;
    }
    SessionStepper& stepper = known->second;
    if (request.pace() != 0) {
      return {.stepper = &stepper,
              .result = WithReason(
                  absl::InvalidArgumentError(
                      "sessions that are stepped together have no pace"),
                  "PACE_REFUSED")};
    }
    return {.stepper = &stepper,
            .result = stepper.Begin(
                request, resources_.options->message_bytes_max / orders_max_ -
                             kResponseReserveBytes)};
  }

  // What each order's response has, at least: half of it is what responses have
  // besides what grows with the game.
  static constexpr uint64_t kOrderBytesMin = 4 * kResponseReserveBytes;

  const StepResources resources_;
  size_t orders_max_ = 0;  // as many as the first request has
  // All that were named; the stream has them until it gives them back.
  std::map<std::string, SessionStepper> steppers_;
  std::vector<Order> orders_;
};

}  // namespace

ExchangeStream* StartStepStream(grpc::CallbackServerContext* context,
                                const StepResources& resources) {
  return ExchangeStream::Start(
      context,
      resources.gate->Enter(CallOfRequest<v1::StepSessionRequest>(), *context),
      resources, std::make_unique<StepWork>(resources));
}

ExchangeStream* StartStepAllStream(grpc::CallbackServerContext* context,
                                   const StepResources& resources) {
  return ExchangeStream::Start(
      context,
      resources.gate->Enter(CallOfRequest<v1::StepSessionsRequest>(), *context),
      resources, std::make_unique<StepAllWork>(resources));
}

}  // namespace reprise::services
