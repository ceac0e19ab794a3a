// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A unary call that changes something, with a request_id: carried out once,
// however often it is repeated. While it is under way, repetitions wait for it
// without a thread; later they get its answer.

#ifndef REPRISE_SERVICES_CALLS_ORDER_TURN_H_
#define REPRISE_SERVICES_CALLS_ORDER_TURN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message_lite.h"
#include "google/rpc/status.pb.h"
#include "services/base/clock.h"
#include "services/base/recent_orders.h"
#include "services/base/status.h"
#include "services/calls/unary_call.h"

namespace reprise::services {

// Where orders of a kind are remembered. Both must remain live.
struct OrderBook {
  RecentOrders* orders = nullptr;
  Clock clock;
};

// Whether an order that ended so was carried out.
using IsCarriedOut = bool (*)(const absl::Status&);
inline bool IsOk(const absl::Status& status) { return status.ok(); }

// What is remembered of an order that was carried out: the response, or an
// error, each behind a letter for it.
inline std::string RememberedAnswer(
    const absl::Status& result, const google::protobuf::MessageLite& response) {
  return result.ok() ? "r" + response.SerializeAsString()
                     : "e" + ToRpcStatus(result).SerializeAsString();
}
inline absl::Status GiveAnswer(std::string_view answer,
                               google::protobuf::MessageLite& response) {
  const std::string bytes(answer.substr(1));
  if (answer.front() == 'r') {
    response.ParseFromString(bytes);
    return absl::OkStatus();
  }
  google::rpc::Status details;
  details.ParseFromString(bytes);
  return FromRpcStatus(details);
}

// RunUnaryCall for a request that has a request_id. Of those that aren't
// carried out nothing is remembered: they have changed nothing, and may be
// tried again.
template <typename Request, typename Response>
grpc::ServerUnaryReactor* RunOrder(
    const OrderBook& book, CallGate& gate, grpc::CallbackServerContext* context,
    WorkQueue* queue, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes,
    std::function<std::optional<absl::Status>(const Request&, Response&,
                                              const PendingCall&)>
        body,
    IsCarriedOut is_carried_out = IsOk) {
  // The call's, until it ends: a body may go on on another queue.
  const auto turn = std::make_shared<std::optional<RecentOrders::Turn>>();
  return RunUnaryCall<Request, Response>(
      gate, context, queue, request_bytes, response_bytes,
      [turn, book, is_carried_out, body = std::move(body)](
          const Request& request, Response& response,
          const PendingCall& call) -> std::optional<absl::Status> {
        if (request.request_id().empty()) return body(request, response, call);
        if (!turn->has_value()) {
          Request what = request;
          what.clear_request_id();
          auto begun =
              book.orders->Begin(call.caller->tenant, request.request_id(),
                                 std::string(Request::descriptor()->name()) +
                                     what.SerializeAsString(),
                                 book.clock(), call.resume);
          if (!begun.ok()) return begun.status();
          if (begun->is_waiting()) return std::nullopt;
          if (begun->answer().has_value()) {
            return GiveAnswer(*begun->answer(), response);
          }
          turn->emplace(*std::move(begun));
        }
        std::optional<absl::Status> result = body(request, response, call);
        if (!result.has_value()) return result;
        if (is_carried_out(*result)) {
          (*turn)->Remember(RememberedAnswer(*result, response), book.clock());
        }
        turn->reset();
        return result;
      });
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_ORDER_TURN_H_
