// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The gRPC server: its services, health and reflection on one address. When
// it stops, clients are told, and every recording is finished.

#ifndef REPRISE_SERVICES_SERVER_H_
#define REPRISE_SERVICES_SERVER_H_

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "services/base/access.h"
#include "services/base/listen_address.h"
#include "services/base/memory_budget.h"
#include "services/base/server_options.h"
#include "services/calls/call_gate.h"
#include "services/calls/connection_acceptor.h"
#include "services/calls/shared_play.h"
#include "services/calls/stream_set.h"
#include "services/calls/tls_credentials.h"
#include "services/calls/wake_timer.h"
#include "services/calls/work_queue.h"
#include "services/catalog_service.h"
#include "services/http/http_server.h"
#include "services/monitoring/audit_log.h"
#include "services/monitoring/server_metrics.h"
#include "services/operation_service.h"
#include "services/operations/operation_registry.h"
#include "services/operations/pack_trial.h"
#include "services/operator_metrics.h"
#include "services/operator_pages.h"
#include "services/reflection_service.h"
#include "services/replay_service.h"
#include "services/sessions/session_registry.h"
#include "services/simulation_service.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/replay_catalogue.h"
#include "services/storage/replay_store.h"
#include "services/storage/replay_upload.h"
#include "services/storage/uploaded_packs.h"

namespace reprise::services {

// Safe to use from any thread.
class Server {
 public:
  // Recovers what a killed server left unfinished in the store, then serves
  // until Shutdown. INVALID_ARGUMENT: an option is out of range, other machines
  // reach the address and anybody could call, or a file of TLS or tokens has a
  // mistake. NOT_FOUND: no packs folder, or no such file. FAILED_PRECONDITION:
  // the store's folder can't be made. UNAVAILABLE: an address is taken, or the
  // audit log can't be opened.
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options);

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Shuts down at once.
  ~Server();

  // "host:port" with the port that is really listened on, or "unix:path".
  const std::string& address() const { return address_; }

  // The same of the pages for operators; empty: there are none.
  std::string http_address() const;

  // Reads the files of TLS and of tokens again, as the server does by itself
  // every few seconds. What has a mistake changes nothing. Both are told. An
  // audit log that was moved away is begun again.
  void Reload();

  // Says NOT_SERVING, refuses what is new, lets each stream finish the request
  // it is at or, where that can't be done by then, answer it with what has come
  // of it, cancels what is left after `grace` or, of other calls, a second
  // behind the last stream, then ends all sessions. Once this returns nothing
  // is served, also where another thread began it.
  void Shutdown(absl::Duration grace);

  // Returns when a shutdown is complete.
  void Wait();

 private:
  // How far its life has come.
  enum class Phase {
    kServing,
    kDraining,  // Streams finish what they are at.
    kEnding,    // Nothing is served; sessions end.
    kStopped,
  };

  Server(ServerOptions options, PackCatalog packs,
         std::unique_ptr<ReplayStore> replays, std::unique_ptr<Access> access,
         std::unique_ptr<TlsCertificates> tls, std::unique_ptr<AuditLog> audit);

  absl::Status Listen(const ListenAddress& address);
  absl::Status ListenForOperators(const ListenAddress& address);
  void SetHealth(bool serving);
  void Tell(LogEntry::Severity severity, std::string_view sentence);
  // Tells what became of a reload of `what`, unless `problem`, which it was
  // last time, says so.
  void TellReload(std::string_view what, const absl::StatusOr<bool>& changed,
                  std::string& problem);
  // Says NOT_SERVING while no new client can be served for want of descriptors.
  void TellShortage(bool is_short);
  // False, and nothing is done, when another thread began it.
  bool BeginShutdown();
  void Enter(Phase phase);
  // Waits so long for the phase kEnding.
  bool HasEndedWithin(absl::Duration time);
  // Ends what is idle, every now and then, until nothing is served.
  void Housekeep();
  void KeepHouseOnce();

  const ServerOptions options_;
  const PackCatalog packs_;
  const std::unique_ptr<ReplayStore> replays_;
  const std::unique_ptr<Access> access_;
  const std::unique_ptr<TlsCertificates> tls_;  // null: none
  const std::unique_ptr<AuditLog> audit_;       // null: none
  ServerMetrics metrics_;
  CallGate gate_;
  std::atomic<bool> is_serving_ = false;  // as health says
  std::string address_;

  // In the order in which they are built on each other. The queues go first:
  // their threads may still be on their way back from gRPC.
  MemoryBudget memory_;
  ReplayCatalogue catalogue_;
  UploadSet uploads_;
  UploadedPacks uploaded_packs_;
  PackTrial pack_trial_;
  OperationRegistry operations_;
  SessionRegistry sessions_;
  StreamSet streams_;
  WakeTimer timer_;
  SharedPlays plays_;
  SimulationService simulation_service_;
  CatalogService catalog_service_;
  ReplayService replay_service_;
  OperationService operation_service_;
  ReflectionService reflection_service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  std::unique_ptr<ConnectionAcceptor> acceptor_;
  // Those that step worlds, load them and use files: none waits for the others.
  WorkQueue queue_;
  WorkQueue loaders_;
  WorkQueue files_;
  WorkQueue trials_;  // waits for what tries packs

  // Look at all of the above.
  std::unique_ptr<OperatorPages> pages_;
  std::unique_ptr<HttpServer> http_;  // null: none

  std::thread housekeeper_;
  absl::Time store_measured_ = absl::InfinitePast();  // the housekeeper's

  std::mutex reload_mutex_;  // guards what follows up to the next one
  std::string tls_problem_;
  std::string tokens_problem_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable phase_changed_;
  Phase phase_ = Phase::kServing;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SERVER_H_
