// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/catalog_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "replays/format/replay_metadata.h"
#include "services/base/resource_name.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "services/calls/order_turn.h"
#include "services/calls/pack_upload_call.h"
#include "services/calls/unary_call.h"
#include "services/observations/observation.h"
#include "services/observations/observed_group.h"
#include "services/sessions/session_loader.h"
#include "services/storage/offered_pack.h"
#include "sim/simulation_registry.h"

namespace reprise::services {
namespace {

// What every server of this build can do.
constexpr v1::ServerInfo::Feature kFeatures[] = {
    v1::ServerInfo::FEATURE_RECORDING,
    v1::ServerInfo::FEATURE_BRANCHES,
    v1::ServerInfo::FEATURE_UNARY_STEP,
    v1::ServerInfo::FEATURE_RESET,
    v1::ServerInfo::FEATURE_SNAPSHOTS,
    v1::ServerInfo::FEATURE_FORKS,
    v1::ServerInfo::FEATURE_STATUS_DETAILS,
    v1::ServerInfo::FEATURE_OBSERVATIONS,
    v1::ServerInfo::FEATURE_UNTIL,
    v1::ServerInfo::FEATURE_LOCKSTEP,
    v1::ServerInfo::FEATURE_STEP_SESSIONS,
    v1::ServerInfo::FEATURE_PACE,
    v1::ServerInfo::FEATURE_REPLAYS,
    v1::ServerInfo::FEATURE_PACK_UPLOADS,
    v1::ServerInfo::FEATURE_FRAMES,
    v1::ServerInfo::FEATURE_FOLLOW,
};

v1::ServerLimits DescribeLimits(const ServerOptions& options) {
  v1::ServerLimits limits;
  limits.set_sessions_max(options.sessions.sessions_max);
  absl::Duration rest;
  limits.mutable_idle_timeout()->set_seconds(absl::IDivDuration(
      options.sessions.idle_timeout, absl::Seconds(1), &rest));
  limits.mutable_idle_timeout()->set_nanos(
      static_cast<int32_t>(absl::ToInt64Nanoseconds(rest)));
  limits.set_ticks_per_request_max(options.sessions.ticks_per_request_max);
  limits.set_snapshots_per_session_max(options.sessions.snapshots_max);
  limits.set_message_bytes_max(options.message_bytes_max);
  limits.set_streams_max(options.streams_max);
  limits.set_connections_max(options.connections_max);
  limits.set_recording_bytes_max(options.recordings.recording_bytes_max);
  limits.set_store_bytes_max(options.recordings.store_bytes_max);
  limits.set_observed_groups_max(kObservedGroupsMax);
  limits.set_observed_fields_max(kObservedFieldsMax);
  limits.set_observed_text_bytes_max(kObservedTextBytesMax);
  limits.set_observed_rows_max(kObservedRowsMax);
  limits.set_observed_bytes_max(
      ObservedBytesMax(options.message_bytes_max - kResponseReserveBytes));
  limits.set_upload_bytes_max(options.uploads.bytes_max);
  limits.set_memory_bytes_max(options.memory_bytes_max);
  limits.set_pack_upload_bytes_max(options.pack_uploads.bytes_max);
  return limits;
}

}  // namespace

v1::ServerInfo DescribeServer(const ServerOptions& options) {
  v1::ServerInfo server;
  server.set_version(options.version);
  server.set_build(replays::CurrentBuild());
  server.set_platform(replays::CurrentPlatform());
  for (std::string& name : sim::SimulationNames()) {
    server.add_simulations(std::move(name));
  }
  server.set_rules_revision(options.rules_revision);
  server.set_replay_format_revision(replays::kReplayFormatRevision);
  for (const v1::ServerInfo::Feature feature : kFeatures) {
    server.add_features(feature);
  }
  if (options.reflection) {
    server.add_features(v1::ServerInfo::FEATURE_REFLECTION);
  }
  if (!options.operations.program.empty() &&
      options.operations.running_max > 0) {
    server.add_features(v1::ServerInfo::FEATURE_OPERATIONS);
  }
  std::sort(server.mutable_features()->begin(),
            server.mutable_features()->end());
  *server.mutable_limits() = DescribeLimits(options);
  return server;
}

grpc::ServerUnaryReactor* CatalogService::GetServerInfo(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetServerInfoRequest, v1::GetServerInfoResponse>(
      gate_, context, &queue_, request_bytes, response_bytes,
      [this](const v1::GetServerInfoRequest&,
             v1::GetServerInfoResponse& response,
             const PendingCall& call) -> absl::Status {
        *response.mutable_server() = DescribeServer(options_);
        *response.mutable_usage() = DescribeUsage(call.caller->tenant);
        return absl::OkStatus();
      });
}

v1::TenantUsage CatalogService::DescribeUsage(const Tenant& tenant) const {
  const SessionRegistry::Usage sessions = sessions_.UsageOf(tenant);
  const TenantQuotas& quotas = options_.quotas;
  v1::TenantUsage usage;
  usage.set_sessions(static_cast<uint32_t>(sessions.sessions));
  usage.set_sessions_max(quotas.sessions_max);
  usage.set_streams(static_cast<uint32_t>(streams_.CountOf(tenant)));
  usage.set_streams_max(quotas.streams_max);
  usage.set_state_bytes(sessions.state_bytes);
  usage.set_state_bytes_max(quotas.state_bytes_max);
  usage.set_pack_bytes(uploads_.uploads->BytesOf(tenant));
  usage.set_pack_bytes_max(options_.pack_uploads.tenant_bytes_max);
  usage.set_loaded_bytes(sessions.loaded_bytes);
  return usage;
}

// What a list says of a pack. One that can't be read is no reason to withhold
// the others.
v1::OfferedPack CatalogService::Summarize(const Tenant& tenant,
                                          const std::string& name) const {
  auto pack = packs_.Load(name);
  const bool is_uploaded = absl::IsNotFound(pack.status());
  if (is_uploaded) pack = uploads_.uploads->Load(tenant, name, /*digest=*/"");
  v1::OfferedPack message;
  if (pack.ok()) {
    message = SummarizePack(name, *pack);
  } else {
    message.set_name(name);
    message.set_problem(ToRpcStatus(pack.status()).message());
  }
  message.set_is_uploaded(is_uploaded);
  return message;
}

grpc::ServerUnaryReactor* CatalogService::ListPacks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::ListPacksRequest, v1::ListPacksResponse>(
      gate_, context, &loaders_, request_bytes, response_bytes,
      [this](const v1::ListPacksRequest& request,
             v1::ListPacksResponse& response,
             const PendingCall& call) -> absl::Status {
        const Tenant& tenant = call.caller->tenant;
        const auto uploaded = uploads_.uploads->Names(tenant);
        if (!uploaded.ok()) return uploaded.status();
        const auto page =
            packs_.List(request.page_size(), request.page_token(), *uploaded);
        if (!page.ok()) return page.status();
        for (const std::string& name : page->names) {
          if (call.is_cancelled()) return CancelledError();
          *response.add_packs() = Summarize(tenant, name);
        }
        response.set_next_page_token(page->next_page_token);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* CatalogService::GetPack(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetPackRequest, v1::GetPackResponse>(
      gate_, context, &loaders_, request_bytes, response_bytes,
      [this](const v1::GetPackRequest& request, v1::GetPackResponse& response,
             const PendingCall& call) -> absl::Status {
        const SessionLoader& loader = sessions_.loader();
        const auto pack = loader.FindPack(call.caller->tenant, request.pack(),
                                          request.digest(), call.is_cancelled);
        if (!pack.ok()) return pack.status();
        v1::OfferedPack& message = *response.mutable_pack();
        message = SummarizePack(request.pack(), *pack);
        if (!request.digest().empty() && message.digest() != request.digest()) {
          return WithReason(
              absl::NotFoundError(fmt::format("pack '{}' has the digest {}",
                                              request.pack().substr(0, 64),
                                              message.digest())),
              "PACK_NOT_FOUND", {{"pack", request.pack()}});
        }
        const auto names = packs_.Names();
        message.set_is_uploaded(
            names.ok() &&
            !std::binary_search(names->begin(), names->end(), request.pack()));
        const auto simulation = loader.Make(*pack);
        if (!simulation.ok()) return simulation.status();
        return DescribePack(*pack, **simulation, request.want_meshes(),
                            options_.message_bytes_max - kResponseReserveBytes,
                            message);
      });
}

grpc::ServerReadReactor<grpc::ByteBuffer>* CatalogService::UploadPack(
    grpc::CallbackServerContext* context, grpc::ByteBuffer* response) {
  return StartPackUpload(context, response, uploads_);
}

grpc::ServerUnaryReactor* CatalogService::DeletePack(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::DeletePackRequest, v1::DeletePackResponse>(
      {.orders = &orders_, .clock = options_.clock}, gate_, context, &loaders_,
      request_bytes, response_bytes,
      [this](const v1::DeletePackRequest& request, v1::DeletePackResponse&,
             const PendingCall& call) -> absl::Status {
        call.pass->Concern(
            MakeName(kPacks, request.pack()) +
            (request.digest().empty() ? "" : "@" + request.digest()));
        return uploads_.uploads->Delete(call.caller->tenant, request.pack(),
                                        request.digest());
      });
}

}  // namespace reprise::services
