// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The sessions of a server. Their number never passes the limit, and one that
// nobody uses for the idle timeout ends by itself with its recording finished.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_REGISTRY_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/recording/resumed_recording.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/memory_budget.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/base/tenant_memory.h"
#include "services/monitoring/phase_times.h"
#include "services/sessions/labels.h"
#include "services/sessions/session.h"
#include "services/sessions/session_loader.h"
#include "services/stepping/lockstep_options.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/recording.h"
#include "services/storage/replay_store.h"
#include "sim/simulation.h"

namespace reprise::services {

inline constexpr size_t kRequestIdBytesMax = 64;

// The most that a page of the list holds.
inline constexpr size_t kSessionsPerPageMax = 50;

// Which sessions a list holds.
struct SessionFilter {
  std::string pack;  // empty: of all
  Labels labels;     // all of these
  std::optional<sim::Outcome::Status> outcome;
};

// What a request asks for. INVALID_ARGUMENT: labels that no session has.
absl::StatusOr<SessionFilter> ParseSessionFilter(
    const v1::ListSessionsRequest& request);

// Safe to use from any thread.
class SessionRegistry {
 public:
  // What `sources` points at must remain live while this registry is in use.
  SessionRegistry(const SessionSources& sources, const ServerOptions& options);
  SessionRegistry(const SessionRegistry&) = delete;
  SessionRegistry& operator=(const SessionRegistry&) = delete;

  // Starts a session. With a `request_id` that a living session of the tenant
  // was created with, returns that one. Null: it is being created for another
  // call, and `resume` is called, once, when that has ended: ask again.
  // INVALID_ARGUMENT: the id is too long, or was used with another spec.
  // RESOURCE_EXHAUSTED: too many sessions, a quota of the tenant, or the
  // server's memory. CANCELLED: `is_cancelled` said so, and nobody else waits
  // for it; nothing is left then. Others: errors of SessionLoader::Load; of a
  // fork, of Session::Fork and, if it is recorded, Session::FlushTo.
  absl::StatusOr<std::shared_ptr<Session>> Create(
      const SessionSpec& spec, std::string_view request_id,
      replays::IsCancelled is_cancelled = replays::NeverCancelled,
      std::function<void()> resume = [] {});

  // NOT_FOUND: the tenant has none.
  absl::StatusOr<std::shared_ptr<Session>> Find(const Tenant& tenant,
                                                std::string_view id) const;

  struct Page {
    std::vector<std::shared_ptr<Session>> sessions;
    std::string next_page_token;  // empty on the last page
  };

  // The tenant's sessions in order of ids, so those created first come first.
  // `page_size` 0 or above kSessionsPerPageMax is taken as that.
  // INVALID_ARGUMENT: it is negative, or the token isn't one.
  absl::StatusOr<Page> List(const Tenant& tenant, const SessionFilter& filter,
                            int32_t page_size,
                            std::string_view page_token) const;

  // What sessions are made and put back by.
  const SessionLoader& loader() const { return loader_; }

  // Ends a session; errors are Find's and Session::Close's. Unless that is
  // FAILED_PRECONDITION, the session is gone.
  absl::Status Delete(const Tenant& tenant, std::string_view id);

  // Ends the sessions that were last used the idle timeout ago or earlier, and
  // those that memory ran out for.
  void EndIdle();

  // Ends all sessions that aren't leased.
  void EndAll();

  size_t size() const;

  // What a tenant has.
  struct Usage {
    size_t sessions = 0;  // those that are being created included
    uint64_t state_bytes = 0;
    uint64_t loaded_bytes = 0;
  };
  Usage UsageOf(const Tenant& tenant) const;

  // How all sessions, of all tenants, stand. Waits for none of them.
  std::vector<SessionGlance> Glance() const;

 private:
  // A request that can be repeated.
  struct Request {
    SessionSpec spec;
    std::string session_id;  // empty while it is being created
    // Of the calls that wait until it is.
    std::vector<std::function<void()>> waiting;
  };
  // By tenant and id of the request: two tenants may think of one id.
  using Requests = std::map<std::pair<Tenant, std::string>, Request>;

  // What is known of a tenant that has or had sessions.
  struct Share {
    size_t sessions = 0;  // those that are being created included
    std::shared_ptr<TenantMemory> memory;
  };

  // RESOURCE_EXHAUSTED: the server or the tenant has no room for one more.
  // REQUIRES: the caller holds mutex_.
  absl::Status CheckRoomLocked(const Share& share) const;

  // RESOURCE_EXHAUSTED, besides: memory ran out on the way.
  absl::StatusOr<std::shared_ptr<Session>> Load(
      const SessionSpec& spec, std::shared_ptr<TenantMemory> memory,
      replays::IsCancelled is_cancelled) const;
  absl::StatusOr<std::shared_ptr<Session>> LoadWhole(
      const SessionSpec& spec, std::shared_ptr<TenantMemory> memory,
      replays::IsCancelled is_cancelled) const;
  absl::StatusOr<RecordedRun> Fork(const Tenant& tenant, const ForkPoint& point,
                                   bool record, std::string_view id,
                                   replays::IsCancelled is_cancelled) const;

  // The session of the request's id; null while it is being created.
  // REQUIRES: the caller holds mutex_.
  absl::StatusOr<std::shared_ptr<Session>> FindRequestedLocked(
      const SessionSpec& spec, std::string_view request_id, Request& request,
      std::function<void()> resume);

  // Closes and removes a session; what fails is reported to the operator.
  void End(const std::shared_ptr<Session>& session);
  void Remove(std::string_view id);
  std::vector<std::shared_ptr<Session>> Sessions() const;

  const SessionLoader loader_;
  MemoryBudget* const budget_;     // null: no limit
  PhaseTimes* const phase_times_;  // null: nobody counts them
  const ServerOptions options_;

  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, std::shared_ptr<Session>, std::less<>> sessions_;
  Requests requests_;
  size_t loading_count_ = 0;
  std::map<Tenant, Share> shares_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_REGISTRY_H_
