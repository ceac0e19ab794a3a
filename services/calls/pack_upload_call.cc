// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/pack_upload_call.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "fmt/format.h"
#include "reprise/v1/catalog_service.pb.h"
#include "services/base/pack_mistakes.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/storage/offered_pack.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {
namespace {

absl::Status RefusedError(std::string_view sentence) {
  return WithReason(absl::InvalidArgumentError(std::string(sentence)),
                    "UPLOAD_REFUSED");
}

// Whether a folder can have all of these files, on whatever machine, and a
// terminal can show their paths.
absl::Status CheckPaths(const sim::PackArchive& pack) {
  for (const auto& [path, contents] : pack.files()) {
    const bool is_plain = std::ranges::none_of(path, [](unsigned char byte) {
      return byte < ' ' || byte == 0x7f || byte == '\\';
    });
    if (!is_plain) {
      return RefusedError(fmt::format(
          "a path in a pack has neither control characters nor '\\': '{}'",
          absl::CHexEscape(path)));
    }
    for (size_t end = path.find('/'); end != path.npos;
         end = path.find('/', end + 1)) {
      if (!pack.Find(path.substr(0, end)).has_value()) continue;
      return RefusedError(fmt::format("'{}' is a file, and '{}' lies below it",
                                      path.substr(0, end), path));
    }
  }
  return absl::OkStatus();
}

// What is asked of the budget at a time.
constexpr uint64_t kClaimBytes = uint64_t{4} << 20;
// What is held while it is looked at, in times of what came: the pieces, the
// archive, and what the worker is given.
constexpr uint64_t kCopies = 3;
// What a file takes beside its path and contents: its header in the archive.
constexpr uint64_t kFileBytes = 512;

class PackUploadWork final : public UploadWork {
 public:
  explicit PackUploadWork(const PackUploadResources& resources)
      : resources_(resources) {}

  absl::StatusOr<Next> TakePiece(const grpc::ByteBuffer& piece,
                                 CallPass& pass) override {
    v1::UploadPackRequest request;
    if (absl::Status parsed = ParseMessage(piece, request); !parsed.ok()) {
      return parsed;
    }
    if (name_.empty()) {
      pass.Concern(MakeName(kPacks, request.name()));
      if (absl::Status opened = Open(request.name()); !opened.ok()) {
        return opened;
      }
    } else if (!request.name().empty() && request.name() != name_) {
      return RefusedError("the pieces of one upload are of one pack");
    }
    if (absl::Status added = Add(request); !added.ok()) return added;
    return Next::kPiece;
  }

  absl::StatusOr<Next> TakeEnd() override {
    if (name_.empty()) return RefusedError("nothing came");
    return Next::kComplete;
  }

  absl::Status Complete(const std::function<bool()>& is_cancelled,
                        grpc::ByteBuffer& response_bytes,
                        CallPass& pass) override {
    auto pack = TakePack();
    if (!pack.ok()) return pack.status();
    pass.Concern(fmt::format("{}@{}", MakeName(kPacks, name_),
                             sim::FormatDigest(pack->ComputeDigest())));
    const Tenant& tenant = pass.caller().tenant;
    const auto own_name = Try(tenant, *pack, is_cancelled);
    if (!own_name.ok()) return own_name.status();
    // Sessions and replays are found by what a pack calls itself.
    if (!own_name->empty() && *own_name != name_) {
      return RefusedError(fmt::format(
          "the pack calls itself '{}', and comes as '{}'", *own_name, name_));
    }
    if (absl::Status kept = resources_.uploads->Keep(tenant, name_, *pack);
        !kept.ok()) {
      return kept;
    }
    v1::UploadPackResponse response;
    *response.mutable_pack() = SummarizePack(name_, *pack);
    response.mutable_pack()->set_is_uploaded(true);
    SerializeMessage(response, response_bytes);
    return absl::OkStatus();
  }

 private:
  absl::Status Open(const std::string& name) {
    if (!IsPackName(name)) {
      return RefusedError(
          "a pack is called 1 to 64 of a-z, 0-9 and '_', a letter first");
    }
    const auto names = resources_.packs->Names();
    if (!names.ok()) return names.status();
    for (const std::string& offered : *names) {
      if (offered != name) continue;
      return WithReason(absl::AlreadyExistsError(fmt::format(
                            "the server offers a pack '{}' to all", name)),
                        "PACK_NAME_TAKEN", {{"pack", name}});
    }
    name_ = name;
    return absl::OkStatus();
  }

  absl::Status Add(const v1::UploadPackRequest& request) {
    uint64_t size = request.archive().size() + request.data().size();
    const bool begins_file =
        !request.path().empty() &&
        (files_.empty() || files_.back().first != request.path());
    if (begins_file) {
      if (absl::Status valid = sim::CheckPackPath(request.path());
          !valid.ok()) {
        return RefusedError(std::string(valid.message()));
      }
      size += kFileBytes + request.path().size();
    }
    const uint64_t bytes_max = resources_.options->pack_uploads.bytes_max;
    if (size > bytes_max - bytes_) {
      return WithReason(
          absl::ResourceExhaustedError(fmt::format(
              "a pack that is uploaded has {} bytes at most", bytes_max)),
          "UPLOAD_TOO_LARGE");
    }
    bytes_ += size;
    while (resources_.budget != nullptr && claimed_ < kCopies * bytes_) {
      auto claim = resources_.budget->Claim(kClaimBytes);
      if (!claim.ok()) return claim.status();
      claims_.push_back(*std::move(claim));
      claimed_ += kClaimBytes;
    }
    archive_ += request.archive();
    if (request.path().empty()) {
      return request.data().empty()
                 ? absl::OkStatus()
                 : RefusedError("`data` is of a file, which `path` names");
    }
    if (begins_file) {
      if (files_.size() >= sim::kPackFilesMax) {
        return RefusedError("the pack has too many files");
      }
      files_.emplace_back(request.path(), std::string());
    }
    files_.back().second += request.data();
    return absl::OkStatus();
  }

  absl::StatusOr<sim::PackArchive> TakePack() {
    if (archive_.empty() == files_.empty()) {
      return RefusedError("a pack comes as an archive, or as files");
    }
    if (files_.empty()) {
      auto pack = sim::PackArchive::Decode(std::as_bytes(std::span(archive_)));
      archive_ = std::string();
      if (pack.ok()) return CheckFiles(*std::move(pack));
      return RefusedError(std::string(pack.status().message()));
    }
    sim::PackArchive pack;
    for (auto& [path, contents] : files_) {
      if (absl::Status added = pack.Add(path, std::move(contents));
          !added.ok()) {
        return RefusedError(std::string(added.message()));
      }
    }
    files_.clear();
    return CheckFiles(std::move(pack));
  }

  static absl::StatusOr<sim::PackArchive> CheckFiles(sim::PackArchive pack) {
    if (absl::Status valid = CheckPaths(pack); !valid.ok()) return valid;
    if (pack.Find(sim::kPackManifestPath).has_value()) return pack;
    return RefusedError(
        fmt::format("a pack has a file {}", sim::kPackManifestPath));
  }

  // Apart, where there are workers; here otherwise. Returns what the pack calls
  // itself; empty: nobody knows.
  absl::StatusOr<std::string> Try(
      const Tenant& tenant, const sim::PackArchive& pack,
      const std::function<bool()>& is_cancelled) const {
    if (!resources_.options->operations.program.empty()) {
      auto tried =
          resources_.trial->Try(tenant, TrialWaiter::kUpload,
                                pack.ComputeDigest(), pack, is_cancelled);
      if (!tried.ok()) return tried.status();
      return std::move(tried->name);
    }
    const auto simulation =
        resources_.options->simulation_factory(pack, /*seed=*/0);
    if (simulation.ok()) return (*simulation)->info().pack;
    if (absl::IsNotFound(simulation.status())) {
      return WithReason(simulation.status(), "SIMULATION_NOT_FOUND");
    }
    return PackInvalidError(simulation.status());
  }

  const PackUploadResources resources_;
  std::string name_;  // empty: nothing came
  uint64_t bytes_ = 0;
  uint64_t claimed_ = 0;
  std::vector<MemoryClaim> claims_;
  std::string archive_;
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

UploadCall* StartPackUpload(grpc::CallbackServerContext* context,
                            grpc::ByteBuffer* response,
                            const PackUploadResources& resources) {
  UploadResources streams = resources.streams;
  // Who waits for a process holds up nobody who loads.
  if (!resources.options->operations.program.empty()) {
    streams.loaders = resources.trials;
  }
  return UploadCall::Start(
      resources.gate->Enter(CallOfRequest<v1::UploadPackRequest>(), *context),
      response, streams, std::make_unique<PackUploadWork>(resources));
}

}  // namespace reprise::services
