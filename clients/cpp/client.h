// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A client of a Reprise server: calls, and sessions that are played. It takes
// gRPC and the code that protoc makes of the messages, and nothing else of
// Reprise.

#ifndef REPRISE_CLIENTS_CPP_CLIENT_H_
#define REPRISE_CLIENTS_CPP_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "reprise/v1/operation_service.grpc.pb.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "reprise/v1/simulation_service.grpc.pb.h"

namespace reprise::client {

// A mistake in a pack: where it is, "pack.txtpb:12", and what it is.
struct Mistake {
  std::string place;
  std::string message;
};

// What a request that was refused or failed says beside its code and message.
struct ErrorInfo {
  std::string reason;  // one of those that docs/server_calls.md lists
  std::map<std::string, std::string> metadata;  // what it is about
  std::vector<Mistake> mistakes;  // of a pack; as many as an error holds
};

// Of a status that a call here returned; the reason is empty where the server
// didn't say one, as when it wasn't reached.
ErrorInfo ErrorInfoOf(const absl::Status& status);

// An id for an order, so that it can be repeated: 32 random digits.
std::string NewRequestId();

// The status that a response has of one request of a stream.
absl::Status ToStatus(const google::rpc::Status& status);

struct ClientOptions {
  // A call that takes longer fails with DEADLINE_EXCEEDED.
  std::chrono::milliseconds timeout = std::chrono::minutes(1);
  // What `reprise token` printed. Without TLS it is sent to a server on this
  // machine only.
  std::string token;
  // PEM. With authorities to trust the client speaks TLS; the other two are its
  // own, for a server that wants them.
  std::string root_certificates;
  std::string certificate;
  std::string key;
};

class Session;

// The server at an address. Any number of threads may use it. Calls that can be
// repeated without harm are, up to three times, while it is UNAVAILABLE.
class Client {
 public:
  // Connects when it is first used. INVALID_ARGUMENT: options that contradict
  // each other, or a token that would be sent to another machine in the clear.
  static absl::StatusOr<std::unique_ptr<Client>> Create(
      const std::string& address, const ClientOptions& options = {});

  // What the server is, can do and allows.
  absl::StatusOr<v1::ServerInfo> GetServerInfo();

  // All packs that it offers, without their descriptions.
  absl::StatusOr<std::vector<v1::OfferedPack>> ListPacks();

  // All that there is in a pack.
  absl::StatusOr<v1::OfferedPack> GetPack(const std::string& pack,
                                          bool want_meshes = false);

  // Starts a session. Of a request without an id one is made, so that a
  // repeated request starts no second one.
  absl::StatusOr<Session> CreateSession(v1::CreateSessionRequest request);

  // Starts a session that plays a replay from a tick on, also one that is still
  // being recorded. It takes no inputs.
  absl::StatusOr<Session> Follow(const std::string& replay, uint64_t tick = 0);

  // All sessions that match; the page token is not looked at.
  absl::StatusOr<std::vector<v1::Session>> ListSessions(
      v1::ListSessionsRequest filter = {});

  // The session of a name, which somebody may have created elsewhere.
  absl::StatusOr<Session> GetSession(const std::string& name);

  // All finished replays that match; the page token is not looked at.
  absl::StatusOr<std::vector<v1::Replay>> ListReplays(
      v1::ListReplaysRequest filter = {});

  // The bytes of a replay.
  absl::StatusOr<std::string> Download(const std::string& replay);

  // The bytes of a replay that may still be recorded, from `offset` on, piece
  // by piece as they come: `take` returns whether it wants more. OK: it
  // doesn't, or the recording is finished and all has come; that is waited for,
  // however long it takes. One that broke off is gone on with from behind what
  // has come.
  absl::Status DownloadLive(const std::string& replay,
                            const std::function<bool(std::string_view)>& take,
                            uint64_t offset = 0);

  // For whatever has no function here:
  //   grpc::ClientContext context;
  //   client->Prepare(context);
  //   client->ToStatus(client->simulations().DescribePack(&context, ...));
  void Prepare(grpc::ClientContext& context) const;
  // The same for a call that may take as long as it likes.
  void PrepareStream(grpc::ClientContext& context) const;
  std::chrono::milliseconds timeout() const { return timeout_; }
  static absl::Status ToStatus(const grpc::Status& status);
  v1::CatalogService::Stub& catalog() { return *catalog_; }
  v1::SimulationService::Stub& simulations() { return *simulations_; }
  v1::ReplayService::Stub& replays() { return *replays_; }
  v1::OperationService::Stub& operations() { return *operations_; }

 private:
  Client(std::shared_ptr<grpc::Channel> channel, const ClientOptions& options);

  const std::chrono::milliseconds timeout_;
  const std::string token_;
  const std::unique_ptr<v1::CatalogService::Stub> catalog_;
  const std::unique_ptr<v1::SimulationService::Stub> simulations_;
  const std::unique_ptr<v1::ReplayService::Stub> replays_;
  const std::unique_ptr<v1::OperationService::Stub> operations_;
};

// A session; each step is a call of its own. The client must remain live. One
// thread at a time.
class Session {
 public:
  Session(Client* client, v1::Session description)
      : client_(client), description_(std::move(description)) {}

  // As the server described it last; tick and digest go on with steps.
  const v1::Session& description() const { return description_; }
  const std::string& name() const { return description_.name(); }
  uint64_t tick() const { return description_.tick(); }

  // Makes ticks from where the session stands: name and tick of `request` are
  // filled in.
  absl::StatusOr<v1::StepResponse> Step(v1::StepRequest request);
  absl::StatusOr<v1::StepResponse> Step(uint32_t tick_count);

  // Goes back to tick 0, with this seed or the one that it has. Returns the
  // name of the replay of the run before; empty when nothing was recorded.
  absl::StatusOr<std::string> Reset(std::optional<uint64_t> seed = {});

  // Puts one that plays a replay to any tick of that, forward or back.
  absl::Status Seek(uint64_t tick);

  // Keeps how it stands; the name is for Restore, which returns as Reset.
  absl::StatusOr<std::string> Snapshot();
  absl::StatusOr<std::string> Restore(const std::string& snapshot);

  // Asks how it stands, where others than this have stepped it: a StepStream.
  absl::Status Refresh();

  // Another session that goes on from here.
  absl::StatusOr<Session> Fork(bool record = false);

  // Ends it; returns the name of its replay, empty when not recorded.
  absl::StatusOr<std::string> Delete();

 private:
  Client* client_;
  v1::Session description_;
};

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_CLIENT_H_
