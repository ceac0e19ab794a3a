// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A call with one request and one response, of use to what the client has
// functions for.

#ifndef REPRISE_CLIENTS_CPP_UNARY_CALL_H_
#define REPRISE_CLIENTS_CPP_UNARY_CALL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"

namespace reprise::client {

// Makes it, and returns what came of it:
//   Call(client, client.replays(), &v1::ReplayService::Stub::GetReplay,
//   request)
template <typename Response, typename Stub, typename Request>
absl::StatusOr<Response> Call(const Client& client, Stub& stub,
                              grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                           const Request&,
                                                           Response*),
                              const Request& request) {
  grpc::ClientContext context;
  client.Prepare(context);
  Response response;
  absl::Status status =
      Client::ToStatus((stub.*method)(&context, request, &response));
  if (!status.ok()) return status;
  return response;
}

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_UNARY_CALL_H_
