// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the requests about replays and operations through the server's own
// parsing, validation and, where it is accepted, what it asks for; only gRPC,
// and the processes of operations, are left out. The first byte says which call
// it is, the others are the message. Nothing may crash, every error has to
// carry one reason, and no word of a worker may be one that a client chose.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/operation_service.pb.h"
#include "reprise/v1/replay_service.pb.h"
#include "services/base/resource_name.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/operations/operation_order.h"
#include "services/operations/operation_registry.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/replay_catalogue.h"
#include "services/storage/replay_message.h"
#include "services/storage/replay_store.h"
#include "services/storage/replay_upload.h"
#include "services/testing/test_folders.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

ServerOptions MakeOptions(const TestFolders& folders) {
  ServerOptions options;
  options.store_folder = folders.store();
  options.packs_folder = folders.packs();
  options.log = [](const LogEntry&) {};
  // No input is as long as one more.
  options.uploads.uploads_max = 4;
  options.uploads.bytes_max = 1 << 16;
  return options;
}

// What a server has behind gRPC, with one replay, "a".
class Calls {
 public:
  Calls() {
    const sim::PackArchive pack = replays::MakeTinyPack();
    const auto simulation = *replays::TinySimulation::Create(pack, /*seed=*/1);
    const auto recording =
        *replays_->Record(Tenant(), "a", simulation.get(), pack);
    CHECK(recording->Step({}).ok());
    CHECK(recording->Finish().ok());
  }

  absl::Status Make(uint8_t call, const grpc::ByteBuffer& bytes) {
    switch (call % 15) {
      case 0:
        return Parsed<v1::GetReplayRequest>(bytes, [this](const auto& request) {
          const auto id = ParseName(kReplays, request.name());
          if (!id.ok()) return id.status();
          return catalogue_.Get(Tenant(), *id).status();
        });
      case 1:
        return Parsed<v1::ListReplaysRequest>(
            bytes, [this](const auto& request) { return List(request); });
      case 2:
        return Parsed<v1::DeleteReplayRequest>(
            bytes, [this](const auto& request) {
              const auto id = ParseName(kReplays, request.name());
              if (!id.ok()) return id.status();
              // The one that is there is for all inputs.
              if (*id == "a") return absl::OkStatus();
              return catalogue_.Delete(Tenant(), *id);
            });
      case 3:
        return Parsed<v1::UpdateReplayTagsRequest>(
            bytes, [this](const auto& request) { return Tag(request); });
      case 4:
        return Parsed<v1::GetUploadRequest>(bytes, [this](const auto& request) {
          const auto key =
              ParseUploadKey(Tenant(), request.digest(), request.size_bytes());
          if (key.ok()) uploads_.OffsetOf(*key);
          return key.status();
        });
      case 5:
        return Parsed<v1::UploadReplayRequest>(
            bytes, [this](const auto& request) { return Upload(request); });
      case 6:
        return Begin<v1::VerifyReplayRequest>(bytes);
      case 7:
        return Begin<v1::CompareReplaysRequest>(bytes);
      case 8:
        return Begin<v1::QueryReplayRequest>(bytes);
      case 9:
        return Begin<v1::ExportReplayRequest>(bytes);
      case 10:
        return Begin<v1::RenderReplayRequest>(bytes);
      case 11:
        return Named<v1::GetOperationRequest>(
            bytes, [this](const auto&, const std::string& id) {
              return operations_.Get(Tenant(), id).status();
            });
      case 12:
        return Parsed<v1::ListOperationsRequest>(
            bytes, [this](const auto& request) {
              return operations_
                  .List(Tenant(), request.page_size(), request.page_token())
                  .status();
            });
      case 13:
        return Named<v1::DeleteOperationRequest>(
            bytes, [this](const auto&, const std::string& id) {
              const absl::Status cancelled = operations_.Cancel(Tenant(), id);
              return cancelled.ok() ? operations_.Delete(Tenant(), id)
                                    : cancelled;
            });
      default:
        return Named<v1::DownloadResultRequest>(
            bytes, [this](const auto& request, const std::string& id) {
              return operations_.OpenResult(Tenant(), id, request.file())
                  .status();
            });
    }
  }

 private:
  template <typename Request, typename Body>
  static absl::Status Parsed(const grpc::ByteBuffer& bytes, Body body) {
    Request request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    return body(request);
  }

  template <typename Request, typename Body>
  static absl::Status Named(const grpc::ByteBuffer& bytes, Body body) {
    return Parsed<Request>(bytes, [&body](const Request& request) {
      const auto id = ParseName(kOperations, request.name());
      return id.ok() ? body(request, *id) : id.status();
    });
  }

  template <typename Request>
  absl::Status Begin(const grpc::ByteBuffer& bytes) {
    return Parsed<Request>(bytes, [this](const Request& request) {
      const auto order = ParseOrder(request);
      if (!order.ok()) return order.status();
      const auto end =
          std::ranges::find(order->arguments, std::string_view("--"));
      CHECK(order->arguments.end() - end ==
            static_cast<std::ptrdiff_t>(order->replay_ids.size()) + 1);
      for (const std::string& word : order->arguments) {
        CHECK(word.find('\0') == std::string::npos);
        CHECK(&word == &order->arguments.front() || word.starts_with("--") ||
              word.ends_with(".mcap"));
      }
      return operations_.Begin(Tenant(), *order).status();
    });
  }

  absl::Status List(const v1::ListReplaysRequest& request) {
    const auto query = ParseReplayQuery(request);
    if (!query.ok()) return query.status();
    return catalogue_
        .List(Tenant(), *query, request.page_size(), request.page_token(),
              [](const KnownReplay& known) {
                CHECK(!ToMessage(known).name().empty());
                return true;
              })
        .status();
  }

  absl::Status Tag(const v1::UpdateReplayTagsRequest& request) {
    const auto id = ParseName(kReplays, request.name());
    if (!id.ok()) return id.status();
    const std::vector<std::string> added(request.add().begin(),
                                         request.add().end());
    const std::vector<std::string> removed(request.remove().begin(),
                                           request.remove().end());
    const auto known = catalogue_.ChangeTags(Tenant(), *id, added, removed);
    if (!known.ok()) return known.status();
    // As it was for the next input.
    return catalogue_.ChangeTags(Tenant(), *id, {}, known->replay.tags)
        .status();
  }

  absl::Status Upload(const v1::UploadReplayRequest& request) {
    const auto key =
        ParseUploadKey(Tenant(), request.digest(), request.size_bytes());
    if (!key.ok()) return key.status();
    auto begun = uploads_.Take(*key);
    if (!begun.ok()) return begun.status();
    UploadLease lease = *std::move(begun);
    absl::Status taken = lease.Append(request.offset(), request.data());
    if (taken.ok() && lease.is_whole()) {
      taken = uploads_
                  .Finish(std::move(lease),
                          [](const sim::ContentDigest&) { return ""; })
                  .status();
    }
    lease = UploadLease();
    uploads_.DropIdleSince(absl::InfiniteFuture());
    return taken;
  }

  const TestFolders folders_;
  const ServerOptions options_ = MakeOptions(folders_);
  const PackCatalog packs_ = *PackCatalog::Open(folders_.packs());
  const std::unique_ptr<ReplayStore> replays_ =
      *ReplayStore::Open(folders_.store(), options_.recordings);
  const ReplayCatalogue catalogue_{folders_.store(), replays_.get(),
                                   options_.log};
  UploadSet uploads_{folders_.store(), replays_.get(), options_.uploads,
                     options_.clock, options_.log};
  OperationRegistry operations_{&options_, replays_.get(), &packs_};
};

}  // namespace
}  // namespace reprise::services

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using reprise::services::Calls;
  static Calls& calls = *new Calls;
  if (size == 0) return 0;
  const grpc::Slice slice(data + 1, size - 1);
  const absl::Status status = calls.Make(data[0], grpc::ByteBuffer(&slice, 1));
  if (status.ok()) return 0;
  CHECK(!reprise::services::ReasonOf(status).empty(), "{}", status.ToString());
  static_cast<void>(reprise::services::ToGrpcStatus(status));
  return 0;
}
