// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/replay_upload_call.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reprise/v1/replay_service.pb.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/storage/replay_message.h"
#include "sim/base/content_digest.h"

namespace reprise::services {
namespace {

class ReplayUploadWork final : public UploadWork {
 public:
  explicit ReplayUploadWork(const ReplayUploadResources& resources)
      : resources_(resources) {}

  absl::StatusOr<Next> TakePiece(const grpc::ByteBuffer& piece,
                                 CallPass& pass) override {
    v1::UploadReplayRequest request;
    if (absl::Status parsed = ParseMessage(piece, request); !parsed.ok()) {
      return parsed;
    }
    if (!lease_.is_held()) {
      if (absl::Status opened = Open(request, pass.caller().tenant);
          !opened.ok()) {
        return opened;
      }
      if (!known_id_.empty()) return Next::kAnswer;
    }
    if (absl::Status added = lease_.Append(request.offset(), request.data());
        !added.ok()) {
      return added;
    }
    return lease_.is_whole() ? Next::kComplete : Next::kPiece;
  }

  absl::StatusOr<Next> TakeEnd() override {
    // Had all of it come, it would have been answered.
    return WithReason(
        absl::FailedPreconditionError("the stream ended before the replay did"),
        "UPLOAD_UNFINISHED");
  }

  absl::Status Complete(const std::function<bool()>&,
                        grpc::ByteBuffer& response, CallPass& pass) override {
    if (!known_id_.empty()) return Respond(known_id_, response, pass);
    const Tenant& tenant = pass.caller().tenant;
    const auto id = resources_.uploads->Finish(
        std::move(lease_), [&](const sim::ContentDigest& digest) {
          return resources_.catalogue->FindId(tenant, digest);
        });
    if (!id.ok()) return id.status();
    resources_.catalogue->TakeIn(tenant, *id);
    return Respond(*id, response, pass);
  }

 private:
  absl::Status Open(const v1::UploadReplayRequest& request,
                    const Tenant& tenant) {
    const auto key =
        ParseUploadKey(tenant, request.digest(), request.size_bytes());
    if (!key.ok()) return key.status();
    known_id_ = resources_.catalogue->FindId(tenant, key->digest);
    if (!known_id_.empty()) return absl::OkStatus();
    auto lease = resources_.uploads->Take(*key);
    if (!lease.ok()) return lease.status();
    lease_ = *std::move(lease);
    return absl::OkStatus();
  }

  // Answers with the replay `id`.
  absl::Status Respond(const std::string& id, grpc::ByteBuffer& response_bytes,
                       CallPass& pass) const {
    pass.Concern(MakeName(kReplays, id));
    const auto known = resources_.catalogue->Get(pass.caller().tenant, id);
    if (!known.ok()) return known.status();
    v1::UploadReplayResponse response;
    *response.mutable_replay() = ToMessage(*known);
    SerializeMessage(response, response_bytes);
    return absl::OkStatus();
  }

  const ReplayUploadResources resources_;
  UploadLease lease_;
  std::string known_id_;  // of a replay that needs no upload
};

}  // namespace

UploadCall* StartReplayUpload(grpc::CallbackServerContext* context,
                              grpc::ByteBuffer* response,
                              const ReplayUploadResources& resources) {
  return UploadCall::Start(
      resources.gate->Enter(CallOfRequest<v1::UploadReplayRequest>(), *context),
      response, resources.streams,
      std::make_unique<ReplayUploadWork>(resources));
}

}  // namespace reprise::services
