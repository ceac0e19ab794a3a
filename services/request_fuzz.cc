// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the requests about packs and sessions, and the lists and downloads of
// replays, through the server's own parsing, validation and, where they are
// accepted, what they ask for; only gRPC is left out. The first byte says which
// call it is, the others are the message. Nothing may crash, and every error
// has to carry one reason. Whatever session is named, those that change one
// change the same one. replay_request_fuzz has the other requests.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/catalog_service.pb.h"
#include "reprise/v1/replay_service.pb.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/resource_name.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "services/calls/file_download.h"
#include "services/calls/message_bytes.h"
#include "services/observations/observation.h"
#include "services/sessions/session.h"
#include "services/sessions/session_loader.h"
#include "services/sessions/session_registry.h"
#include "services/sessions/session_restart.h"
#include "services/stepping/lockstep.h"
#include "services/stepping/lockstep_options.h"
#include "services/stepping/step_order.h"
#include "services/stepping/tick_pace.h"
#include "services/storage/offered_pack.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/recording.h"
#include "services/storage/replay_store.h"
#include "services/testing/test_folders.h"
#include "sim/base/check.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

// Stepping more would only be slow.
constexpr uint32_t kTicksPerRequestMax = 50;

ServerOptions MakeOptions() {
  ServerOptions options;
  options.simulation_factory = &replays::TinySimulation::Create;
  options.log = [](const LogEntry&) {};
  return options;
}

// What a server has behind gRPC. Each input sees it as the first one does, but
// for the session that is stepped.
class Calls {
 public:
  Calls()
      : stepped_(*registry_.Create({.pack = "tiny", .seed = 1}, "")),
        played_(*registry_.Create(
            {.pack = "tiny",
             .seed = 1,
             .lockstep = LockstepOptions{.late_policy =
                                             LockstepOptions::LatePolicy::kDrop,
                                         .late_after = absl::ZeroDuration()}},
            "")),
        pace_(/*factor=*/0, played_->tick_rate(), absl::UnixEpoch()) {
    CHECK(stepped_->Lease().ok());
    CHECK(played_->LeaseToPlay().ok());
  }

  absl::Status Make(uint8_t call, const grpc::ByteBuffer& bytes) {
    switch (call % 19) {
      case 0:
        return Step(bytes);
      case 1:
        return Create(bytes);
      case 2:
        return DescribePack(bytes);
      case 3:
        return Get(bytes);
      case 4:
        return Delete(bytes);
      case 5:
        return List(bytes);
      case 6:
        return Download(bytes);
      case 7:
        return ListPacks(bytes);
      case 8:
        return GetPack(bytes);
      case 9:
        return StepOnce(bytes);
      case 10:
        return ListSessions(bytes);
      case 11:
        return Reset(bytes);
      case 12:
        return Snapshot(bytes);
      case 13:
        return Forget(bytes);
      case 14:
        return Restore(bytes);
      case 15:
        return Fork(bytes);
      case 17:
        return Play(bytes);
      case 18:
        return StepMany(bytes);
      default: {
        v1::GetServerInfoRequest request;
        return ParseMessage(bytes, request);
      }
    }
  }

 private:
  absl::Status Step(const grpc::ByteBuffer& bytes) {
    v1::StepSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (const auto id = ParseName(kSessions, request.session()); !id.ok()) {
      return id.status();
    }
    return Advance(request);
  }

  absl::Status StepOnce(const grpc::ByteBuffer& bytes) {
    v1::StepRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (const auto id = ParseName(kSessions, request.session()); !id.ok()) {
      return id.status();
    }
    return Advance(request);
  }

  // Steps the session that is there for it, whichever is named.
  template <typename Request>
  absl::Status Advance(Request& request) {
    // Inputs stand relative to a tick that goes on.
    const uint64_t tick = stepped_->Describe().tick();
    const uint64_t first = request.tick();
    request.set_tick(first + tick);
    for (v1::TickInputs& inputs : *request.mutable_inputs()) {
      inputs.set_tick(inputs.tick() + tick);
    }
    auto order = ParseStepOrder(request, kTicksPerRequestMax);
    if (!order.ok()) return order.status();
    if (absl::Status fits = stepped_->Check(*order); !fits.ok()) return fits;
    // What was declared goes on, until the session is put back.
    if (absl::Status ready = stepped_->Prepare(observation_, *order);
        !ready.ok()) {
      return ready;
    }
    v1::StepSessionResponse response;
    const auto made = stepped_->Advance(
        *order, [] { return false; }, response);
    stepped_->DescribeStep(request.want_frame(), response);
    return made.status();
  }

  absl::Status StepMany(const grpc::ByteBuffer& bytes) {
    v1::StepSessionsRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    for (v1::StepSessionRequest& order : *request.mutable_orders()) {
      if (absl::Status made = Advance(order); !made.ok()) return made;
    }
    return absl::OkStatus();
  }

  // What a play does with a request of a member, who has joined with it or one
  // before, and the ticks that it comes to.
  absl::Status Play(const grpc::ByteBuffer& bytes) {
    v1::PlaySessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (const auto id = ParseName(kSessions, request.session()); !id.ok()) {
      return id.status();
    }
    Lockstep& lockstep = *played_->lockstep();
    const sim::Tick tick = played_->tick();
    if (request.has_player()) {
      const auto joined = lockstep.Join(request.player(), request.seat_key(),
                                        tick, absl::UnixEpoch());
      if (!joined.ok()) return joined.status();
      is_seated_ = true;
    }
    StepOrder order = {.first_tick = tick};
    if (request.has_observe()) order.observe = request.observe();
    if (absl::Status ready = played_->Prepare(watched_, order); !ready.ok()) {
      return ready;
    }
    if (absl::Status paced = pace_.Control(request.pace(), absl::UnixEpoch());
        !paced.ok()) {
      return paced;
    }
    if (!is_seated_) return absl::OkStatus();
    // Inputs stand relative to a tick that goes on.
    request.set_tick(request.tick() + tick);
    for (v1::TickInputs& inputs : *request.mutable_inputs()) {
      inputs.set_tick(inputs.tick() + tick);
    }
    auto inputs = ParsePlayerInputs(request, /*player=*/0);
    if (!inputs.ok()) return inputs.status();
    if (absl::Status accepted = played_->CheckInputs(inputs->inputs);
        !accepted.ok()) {
      return accepted;
    }
    const auto given = lockstep.Give(/*player=*/0, *std::move(inputs), tick);
    if (!given.ok()) return given.status();
    for (uint32_t i = 0; i < kTicksPerRequestMax && is_seated_; ++i) {
      auto decision = lockstep.Decide(played_->tick(), absl::UnixEpoch(),
                                      absl::UnixEpoch());
      CHECK(decision.is_made);
      is_seated_ = decision.dropped_players.empty();
      v1::StepSessionResponse response;
      const Viewer viewer = {.observation = watched_.get(),
                             .want_frame = request.want_frames(),
                             .response = &response};
      const auto made =
          played_->PlayTick(std::move(decision.frames), {&viewer, 1});
      if (!made.ok()) return made.status();
    }
    if (is_seated_ && request.leave()) {
      lockstep.Leave(/*player=*/0);
      is_seated_ = false;
    }
    return absl::OkStatus();
  }

  absl::Status ListPacks(const grpc::ByteBuffer& bytes) {
    v1::ListPacksRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    return packs_.List(request.page_size(), request.page_token()).status();
  }

  absl::Status GetPack(const grpc::ByteBuffer& bytes) {
    v1::GetPackRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto pack = packs_.Load(request.pack());
    if (!pack.ok()) return pack.status();
    const auto simulation = MakeSimulation(options_, *pack, /*seed=*/0);
    if (!simulation.ok()) return simulation.status();
    v1::OfferedPack offered = SummarizePack(request.pack(), *pack);
    return services::DescribePack(*pack, **simulation, request.want_meshes(),
                                  options_.message_bytes_max, offered);
  }

  absl::Status ListSessions(const grpc::ByteBuffer& bytes) {
    v1::ListSessionsRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto filter = ParseSessionFilter(request);
    if (!filter.ok()) return filter.status();
    return registry_
        .List(Tenant(), *filter, request.page_size(), request.page_token())
        .status();
  }

  absl::Status Reset(const grpc::ByteBuffer& bytes) {
    v1::ResetSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (const auto id = ParseName(kSessions, request.name()); !id.ok()) {
      return id.status();
    }
    observation_.reset();
    return ResetSession(
               registry_.loader(), /*may_take_long=*/true,
               {.seed = request.has_seed() ? std::optional(request.seed())
                                           : std::nullopt,
                .tick = request.tick()},
               replays::NeverCancelled, *stepped_)
        .status();
  }

  // Takes one more, whichever session is named.
  absl::Status Snapshot(const grpc::ByteBuffer& bytes) {
    v1::SnapshotSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    if (const auto id = ParseName(kSessions, request.name()); !id.ok()) {
      return id.status();
    }
    return stepped_->TakeSnapshot().status();
  }

  absl::Status Forget(const grpc::ByteBuffer& bytes) {
    v1::DeleteSnapshotRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto name = ParseSnapshotName(request.name());
    if (!name.ok()) return name.status();
    return stepped_->DeleteSnapshot(name->number);
  }

  absl::Status Restore(const grpc::ByteBuffer& bytes) {
    v1::RestoreSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto name = ParseSnapshotName(request.snapshot());
    if (!name.ok()) return name.status();
    observation_.reset();
    return RestoreSession(registry_.loader(), /*may_take_long=*/true,
                          name->number, replays::NeverCancelled, *stepped_)
        .status();
  }

  absl::Status Fork(const grpc::ByteBuffer& bytes) {
    v1::ForkSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    auto spec = ParseSessionSpec(Tenant(), request);
    if (!spec.ok()) return spec.status();
    spec->fork->session_id = stepped_->id();
    return CreateAndDelete(*spec, request.request_id());
  }

  absl::Status Create(const grpc::ByteBuffer& bytes) {
    v1::CreateSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto spec = ParseSessionSpec(Tenant(), request);
    if (!spec.ok()) return spec.status();
    return CreateAndDelete(*spec, request.request_id());
  }

  absl::Status CreateAndDelete(const SessionSpec& spec,
                               const std::string& request_id) {
    const auto session = registry_.Create(spec, request_id);
    if (!session.ok()) return session.status();
    (*session)->Describe();
    absl::Status deleted = registry_.Delete(Tenant(), (*session)->id());
    std::error_code none_recorded;
    std::filesystem::remove(std::filesystem::path(folders_.store()) /
                                MakeName(kReplays, (*session)->id() + ".mcap"),
                            none_recorded);
    return deleted;
  }

  absl::Status DescribePack(const grpc::ByteBuffer& bytes) {
    v1::DescribePackRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto pack = packs_.Load(request.pack());
    if (!pack.ok()) return pack.status();
    return MakeSimulation(options_, *pack, /*seed=*/0).status();
  }

  absl::Status Get(const grpc::ByteBuffer& bytes) {
    v1::GetSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto id = ParseName(kSessions, request.name());
    if (!id.ok()) return id.status();
    return registry_.Find(Tenant(), *id).status();
  }

  absl::Status Delete(const grpc::ByteBuffer& bytes) {
    v1::DeleteSessionRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto id = ParseName(kSessions, request.name());
    if (!id.ok()) return id.status();
    return registry_.Delete(Tenant(), *id);
  }

  absl::Status List(const grpc::ByteBuffer& bytes) {
    v1::ListReplaysRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    return replays_->List(Tenant(), request.page_size(), request.page_token())
        .status();
  }

  absl::Status Download(const grpc::ByteBuffer& bytes) {
    v1::DownloadReplayRequest request;
    if (absl::Status parsed = ParseMessage(bytes, request); !parsed.ok()) {
      return parsed;
    }
    const auto id = ParseName(kReplays, request.name());
    if (!id.ok()) return id.status();
    if (request.follow()) {
      return FollowedRangeOf(
                 [this, id = *id] { return replays_->Look(Tenant(), id); },
                 request.offset(), request.length())
          .status();
    }
    auto source = replays_->OpenReplay(Tenant(), *id);
    if (!source.ok()) return source.status();
    return RangeOf(*std::move(source), request.offset(), request.length())
        .status();
  }

  // A replay that is being recorded, as far as it goes: "a-0".
  std::unique_ptr<Recording> RecordOne() {
    auto recording = replays_->Record(Tenant(), "a-0", recorded_.get(), pack_);
    CHECK(recording.ok(), "{}", recording.status().ToString());
    return *std::move(recording);
  }

  const TestFolders folders_;
  const ServerOptions options_ = MakeOptions();
  const PackCatalog packs_ = *PackCatalog::Open(folders_.packs());
  const std::unique_ptr<ReplayStore> replays_ =
      *ReplayStore::Open(folders_.store(), options_.recordings);
  SessionRegistry registry_{{.packs = &packs_, .replays = replays_.get()},
                            options_};
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  const std::unique_ptr<sim::Simulation> recorded_ =
      *replays::TinySimulation::Create(pack_, /*seed=*/1);
  const std::unique_ptr<Recording> recording_ = RecordOne();
  const std::shared_ptr<Session> stepped_;
  std::shared_ptr<Observation> observation_;
  const std::shared_ptr<Session> played_;
  TickPace pace_;
  std::shared_ptr<Observation> watched_;
  bool is_seated_ = false;  // player 0 of `played_`
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
