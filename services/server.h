// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The gRPC server: both services, health and reflection on one address. When
// it stops, clients are told, and every recording is finished.

#ifndef REPRISE_SERVICES_SERVER_H_
#define REPRISE_SERVICES_SERVER_H_

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "grpcpp/server.h"
#include "services/pack_catalog.h"
#include "services/replay_service.h"
#include "services/replay_store.h"
#include "services/server_options.h"
#include "services/session_registry.h"
#include "services/simulation_service.h"
#include "services/stream_set.h"
#include "services/work_queue.h"

namespace reprise::services {

// Safe to use from any thread.
class Server {
 public:
  // Serves until Shutdown. INVALID_ARGUMENT: an option is out of range, or the
  // address isn't a loopback address. NOT_FOUND: no packs folder.
  // FAILED_PRECONDITION: the store's folder can't be made. UNAVAILABLE: the
  // address is taken.
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options);

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Shuts down at once.
  ~Server();

  // "host:port" with the port that is really listened on.
  const std::string& address() const { return address_; }

  // Says NOT_SERVING, refuses what is new, lets each stream finish the request
  // it is at, cancels what is left at `deadline`, then ends all sessions. Once
  // this returns nothing is served, also where another thread began it.
  void Shutdown(absl::Time deadline);

  // Returns when a shutdown is complete.
  void Wait() { stopped_.WaitForNotification(); }

 private:
  Server(ServerOptions options, PackCatalog packs,
         std::unique_ptr<ReplayStore> replays);

  absl::Status Listen();
  void SetHealth(bool serving);
  // Ends what is idle, every now and then, until the server stops.
  void Housekeep();

  const ServerOptions options_;
  const PackCatalog packs_;
  const std::unique_ptr<ReplayStore> replays_;
  std::string address_;

  // In the order in which they are built on each other; gRPC goes first.
  SessionRegistry sessions_;
  StreamSet streams_;
  WorkQueue queue_;
  SimulationService simulation_service_;
  ReplayService replay_service_;
  std::unique_ptr<grpc::Server> server_;

  std::atomic<bool> shutdown_begun_ = false;
  absl::Notification stopping_;
  absl::Notification stopped_;
  std::thread housekeeper_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SERVER_H_
