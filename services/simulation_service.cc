// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/simulation_service.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/format/description_conversion.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/unary_call.h"
#include "services/sessions/session_loader.h"
#include "services/sessions/session_registry.h"

namespace reprise::services {
grpc::ServerUnaryReactor* SimulationService::DescribePack(
    grpc::CallbackServerContext*, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::DescribePackRequest, v1::DescribePackResponse>(
      &loaders_, request_bytes, response_bytes,
      [this](const v1::DescribePackRequest& request,
             v1::DescribePackResponse& response,
             const PendingCall&) -> absl::Status {
        const auto pack = packs_.Load(request.pack());
        if (!pack.ok()) return pack.status();
        const auto simulation =
            MakeSimulation(*resources_.options, *pack, /*seed=*/0);
        if (!simulation.ok()) return simulation.status();
        *response.mutable_description() = replays::DescriptionOf(**simulation);
        const size_t size = response.ByteSizeLong();
        const size_t size_max = resources_.options->message_bytes_max;
        if (size <= size_max) return absl::OkStatus();
        response.Clear();
        return WithReason(
            absl::ResourceExhaustedError(fmt::format(
                "the description of pack '{}' has {} bytes; a message holds {}",
                request.pack(), size, size_max)),
            "DESCRIPTION_TOO_LARGE");
      });
}

grpc::ServerUnaryReactor* SimulationService::CreateSession(
    grpc::CallbackServerContext*, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::CreateSessionRequest, v1::CreateSessionResponse>(
      &loaders_, request_bytes, response_bytes,
      [this](const v1::CreateSessionRequest& request,
             v1::CreateSessionResponse& response,
             const PendingCall& call) -> std::optional<absl::Status> {
        const auto spec = ParseSessionSpec(request);
        if (!spec.ok()) return spec.status();
        const auto session = resources_.sessions->Create(
            *spec, request.request_id(), call.is_cancelled, call.resume);
        if (!session.ok()) return session.status();
        if (*session == nullptr) return std::nullopt;
        *response.mutable_session() = (*session)->Describe();
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* SimulationService::GetSession(
    grpc::CallbackServerContext*, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetSessionRequest, v1::GetSessionResponse>(
      resources_.queue, request_bytes, response_bytes,
      [this](const v1::GetSessionRequest& request,
             v1::GetSessionResponse& response,
             const PendingCall&) -> absl::Status {
        const auto id = ParseName(kSessions, request.name());
        if (!id.ok()) return id.status();
        const auto session = resources_.sessions->Find(*id);
        if (!session.ok()) return session.status();
        *response.mutable_session() = (*session)->Describe();
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* SimulationService::DeleteSession(
    grpc::CallbackServerContext*, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::DeleteSessionRequest, v1::DeleteSessionResponse>(
      &loaders_, request_bytes, response_bytes,
      [this](const v1::DeleteSessionRequest& request,
             v1::DeleteSessionResponse& response,
             const PendingCall&) -> absl::Status {
        const auto id = ParseName(kSessions, request.name());
        if (!id.ok()) return id.status();
        const auto session = resources_.sessions->Find(*id);
        if (!session.ok()) return session.status();
        if (absl::Status ended = resources_.sessions->Delete(*id);
            !ended.ok()) {
          return ended;
        }
        if ((*session)->is_recorded()) {
          response.set_replay(MakeName(kReplays, *id));
        }
        return absl::OkStatus();
      });
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
SimulationService::StepSession(grpc::CallbackServerContext* context) {
  return StepStream::Start(context, resources_);
}

}  // namespace reprise::services
