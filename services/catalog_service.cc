// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/catalog_service.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "replays/format/replay_metadata.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "services/calls/unary_call.h"
#include "services/sessions/observation.h"
#include "services/sessions/observed_group.h"
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
  return limits;
}

// What a list says of a pack. One that can't be read is no reason to withhold
// the others.
v1::OfferedPack Summarize(const PackCatalog& packs, const std::string& name) {
  const auto pack = packs.Load(name);
  if (pack.ok()) return SummarizePack(name, *pack);
  v1::OfferedPack message;
  message.set_name(name);
  message.set_problem(ToRpcStatus(pack.status()).message());
  return message;
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
  return usage;
}

grpc::ServerUnaryReactor* CatalogService::ListPacks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::ListPacksRequest, v1::ListPacksResponse>(
      gate_, context, &loaders_, request_bytes, response_bytes,
      [this](const v1::ListPacksRequest& request,
             v1::ListPacksResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto page =
            packs_.List(request.page_size(), request.page_token());
        if (!page.ok()) return page.status();
        for (const std::string& name : page->names) {
          if (call.is_cancelled()) return CancelledError();
          *response.add_packs() = Summarize(packs_, name);
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
             const PendingCall&) -> absl::Status {
        const auto pack = packs_.Load(request.pack());
        if (!pack.ok()) return pack.status();
        const auto simulation = MakeSimulation(options_, *pack, /*seed=*/0);
        if (!simulation.ok()) return simulation.status();
        *response.mutable_pack() = SummarizePack(request.pack(), *pack);
        return DescribePack(*pack, **simulation, request.want_meshes(),
                            options_.message_bytes_max - kResponseReserveBytes,
                            *response.mutable_pack());
      });
}

}  // namespace reprise::services
