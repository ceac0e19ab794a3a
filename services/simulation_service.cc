// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/simulation_service.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/messages/description_conversion.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/order_turn.h"
#include "services/calls/play_stream.h"
#include "services/calls/step_call.h"
#include "services/calls/step_streams.h"
#include "services/sessions/session_lease.h"
#include "services/sessions/session_loader.h"
#include "services/sessions/session_registry.h"
#include "services/sessions/session_restart.h"

namespace reprise::services {

grpc::ServerUnaryReactor* SimulationService::DescribePack(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::DescribePackRequest, v1::DescribePackResponse>(
      *resources_.gate, context, &loaders_, request_bytes, response_bytes,
      [this](const v1::DescribePackRequest& request,
             v1::DescribePackResponse& response,
             const PendingCall& call) -> absl::Status {
        const SessionLoader& loader = resources_.sessions->loader();
        const auto pack = loader.FindPack(call.caller->tenant, request.pack(),
                                          /*digest=*/"", call.is_cancelled);
        if (!pack.ok()) return pack.status();
        const auto simulation = loader.Make(*pack);
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
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::CreateSessionRequest, v1::CreateSessionResponse>(
      *resources_.gate, context, &loaders_, request_bytes, response_bytes,
      [this](const v1::CreateSessionRequest& request,
             v1::CreateSessionResponse& response,
             const PendingCall& call) -> std::optional<absl::Status> {
        const auto spec = ParseSessionSpec(call.caller->tenant, request);
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
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetSessionRequest, v1::GetSessionResponse>(
      *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::GetSessionRequest& request,
             v1::GetSessionResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kSessions, request.name());
        if (!id.ok()) return id.status();
        const auto session =
            resources_.sessions->Find(call.caller->tenant, *id);
        if (!session.ok()) return session.status();
        *response.mutable_session() = (*session)->Describe();
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* SimulationService::DeleteSession(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::DeleteSessionRequest, v1::DeleteSessionResponse>(
      orders(), *resources_.gate, context, &loaders_, request_bytes,
      response_bytes,
      [this](const v1::DeleteSessionRequest& request,
             v1::DeleteSessionResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kSessions, request.name());
        if (!id.ok()) return id.status();
        const auto session =
            resources_.sessions->Find(call.caller->tenant, *id);
        if (!session.ok()) return session.status();
        if (absl::Status ended =
                resources_.sessions->Delete(call.caller->tenant, *id);
            !ended.ok()) {
          return ended;
        }
        if ((*session)->is_recorded()) {
          response.set_replay(MakeName(kReplays, (*session)->replay_id()));
        }
        return absl::OkStatus();
      },
      // The session has ended, whatever became of its recording.
      [](const absl::Status& ended) {
        return ended.ok() || absl::IsDataLoss(ended);
      });
}

grpc::ServerUnaryReactor* SimulationService::ListSessions(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  // A session in the middle of a slice is waited for, and a page may have many
  // of them.
  return RunUnaryCall<v1::ListSessionsRequest, v1::ListSessionsResponse>(
      *resources_.gate, context, &loaders_, request_bytes, response_bytes,
      [this](const v1::ListSessionsRequest& request,
             v1::ListSessionsResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto filter = ParseSessionFilter(request);
        if (!filter.ok()) return filter.status();
        const auto page = resources_.sessions->List(
            call.caller->tenant, *filter, request.page_size(),
            request.page_token());
        if (!page.ok()) return page.status();
        for (const auto& session : page->sessions) {
          if (call.is_cancelled()) return CancelledError();
          *response.add_sessions() = session->Peek();
        }
        response.set_next_page_token(page->next_page_token);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* SimulationService::Step(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return StartStepCall(resources_, context, request_bytes, response_bytes);
}

grpc::ServerUnaryReactor* SimulationService::ResetSession(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::ResetSessionRequest, v1::ResetSessionResponse>(
      orders(), *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::ResetSessionRequest& request,
             v1::ResetSessionResponse& response,
             const PendingCall& call) -> std::optional<absl::Status> {
        const auto id = ParseName(kSessions, request.name());
        if (!id.ok()) return id.status();
        const ResetPoint point = {.seed = request.has_seed()
                                              ? std::optional(request.seed())
                                              : std::nullopt,
                                  .tick = request.tick()};
        return PutBack(
            *id, call,
            [&](bool may_take_long, Session& session) {
              return services::ResetSession(resources_.sessions->loader(),
                                            may_take_long, point,
                                            call.is_cancelled, session);
            },
            response);
      });
}

grpc::ServerUnaryReactor* SimulationService::SnapshotSession(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::SnapshotSessionRequest, v1::SnapshotSessionResponse>(
      orders(), *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::SnapshotSessionRequest& request,
             v1::SnapshotSessionResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kSessions, request.name());
        if (!id.ok()) return id.status();
        const auto session =
            resources_.sessions->Find(call.caller->tenant, *id);
        if (!session.ok()) return session.status();
        auto snapshot = (*session)->TakeSnapshot();
        if (!snapshot.ok()) return snapshot.status();
        *response.mutable_snapshot() = *std::move(snapshot);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* SimulationService::DeleteSnapshot(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::DeleteSnapshotRequest, v1::DeleteSnapshotResponse>(
      orders(), *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::DeleteSnapshotRequest& request,
             v1::DeleteSnapshotResponse&,
             const PendingCall& call) -> absl::Status {
        const auto name = ParseSnapshotName(request.name());
        if (!name.ok()) return name.status();
        const auto session =
            resources_.sessions->Find(call.caller->tenant, name->session_id);
        if (!session.ok()) return session.status();
        return (*session)->DeleteSnapshot(name->number);
      });
}

grpc::ServerUnaryReactor* SimulationService::RestoreSession(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::RestoreSessionRequest, v1::RestoreSessionResponse>(
      orders(), *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::RestoreSessionRequest& request,
             v1::RestoreSessionResponse& response,
             const PendingCall& call) -> std::optional<absl::Status> {
        const auto name = ParseSnapshotName(request.snapshot());
        if (!name.ok()) return name.status();
        return PutBack(
            name->session_id, call,
            [&](bool may_take_long, Session& session) {
              return services::RestoreSession(resources_.sessions->loader(),
                                              may_take_long, name->number,
                                              call.is_cancelled, session);
            },
            response);
      });
}

grpc::ServerUnaryReactor* SimulationService::ForkSession(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::ForkSessionRequest, v1::ForkSessionResponse>(
      *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::ForkSessionRequest& request,
             v1::ForkSessionResponse& response,
             const PendingCall& call) -> std::optional<absl::Status> {
        if (request.record() && call.queue != &loaders_) {
          call.resume_on(&loaders_);
          return std::nullopt;
        }
        const auto spec = ParseSessionSpec(call.caller->tenant, request);
        if (!spec.ok()) return spec.status();
        const auto session = resources_.sessions->Create(
            *spec, request.request_id(), call.is_cancelled, call.resume);
        if (!session.ok()) return session.status();
        if (*session == nullptr) return std::nullopt;
        *response.mutable_session() = (*session)->Describe();
        return absl::OkStatus();
      });
}

template <typename Response>
std::optional<absl::Status> SimulationService::PutBack(
    std::string_view id, const PendingCall& call,
    absl::FunctionRef<absl::StatusOr<std::optional<std::string>>(
        bool may_take_long, Session& session)>
        put_back,
    Response& response) {
  auto session = resources_.sessions->Find(call.caller->tenant, id);
  if (!session.ok()) return session.status();
  auto lease = SessionLease::Take(*std::move(session));
  if (!lease.ok()) return lease.status();
  const bool may_take_long = call.queue == &loaders_;
  const auto replay_id = put_back(may_take_long, lease->session());
  if (!replay_id.ok()) return replay_id.status();
  if (!replay_id->has_value()) {
    call.resume_on(&loaders_);
    return std::nullopt;
  }
  *response.mutable_session() = lease->session().Describe();
  // It is free when the client has the response.
  if (response.session().state() == v1::Session::STATE_IN_USE) {
    response.mutable_session()->set_state(v1::Session::STATE_FREE);
  }
  if (!(*replay_id)->empty()) {
    response.set_replay(MakeName(kReplays, **replay_id));
  }
  return absl::OkStatus();
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
SimulationService::StepSession(grpc::CallbackServerContext* context) {
  return StartStepStream(context, resources_);
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
SimulationService::StepSessions(grpc::CallbackServerContext* context) {
  return StartStepAllStream(context, resources_);
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
SimulationService::PlaySession(grpc::CallbackServerContext* context) {
  return PlayStream::Start(context, resources_);
}

}  // namespace reprise::services
