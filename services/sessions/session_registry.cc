// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_registry.h"

#include <new>
#include <utility>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/page.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/sessions/session_lease.h"

namespace reprise::services {
namespace {

// How long a client that found the server full had better wait.
constexpr absl::Duration kFullRetryDelay = absl::Seconds(5);

absl::Status RequestIdReusedError(std::string_view request_id) {
  return WithReason(
      absl::InvalidArgumentError(fmt::format(
          "request_id '{}' was used for another request", request_id)),
      "REQUEST_ID_REUSED");
}

}  // namespace

absl::StatusOr<SessionFilter> ParseSessionFilter(
    const v1::ListSessionsRequest& request) {
  auto labels = ParseLabels(request.labels());
  if (!labels.ok()) return labels.status();
  SessionFilter filter = {.pack = request.pack(),
                          .labels = *std::move(labels),
                          .outcome = std::nullopt};
  if (request.outcome() == v1::RunEnd::OUTCOME_UNSPECIFIED) return filter;
  const auto outcome = replays::FromProto(request.outcome());
  if (!outcome.ok()) return outcome.status();
  filter.outcome = *outcome;
  return filter;
}

SessionRegistry::SessionRegistry(const SessionSources& sources,
                                 const ServerOptions& options)
    : loader_(sources, options),
      budget_(sources.budget),
      phase_times_(sources.phase_times),
      options_(options) {}

absl::StatusOr<std::shared_ptr<Session>> SessionRegistry::Create(
    const SessionSpec& spec, std::string_view request_id,
    replays::IsCancelled is_cancelled, std::function<void()> resume) {
  if (request_id.size() > kRequestIdBytesMax) {
    return WithReason(absl::InvalidArgumentError(fmt::format(
                          "request_id is longer than {}", kRequestIdBytesMax)),
                      "REQUEST_ID_TOO_LONG");
  }
  const std::pair key(spec.tenant, std::string(request_id));
  std::shared_ptr<TenantMemory> memory;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = requests_.find(key);
    if (known != requests_.end()) {
      return FindRequestedLocked(spec, request_id, known->second,
                                 std::move(resume));
    }
    Share& share = shares_[spec.tenant];
    if (share.memory == nullptr) {
      share.memory =
          std::make_shared<TenantMemory>(options_.quotas.state_bytes_max);
    }
    if (absl::Status room = CheckRoomLocked(share); !room.ok()) return room;
    if (!request_id.empty()) {
      requests_.emplace(key,
                        Request{.spec = spec, .session_id = "", .waiting = {}});
    }
    // Behind all that an allocation may fail of.
    ++loading_count_;
    ++share.sessions;
    memory = share.memory;
  }

  // Nobody wants it any more: neither the caller nor who repeats the request.
  const auto is_unwanted = [&] {
    if (!is_cancelled()) return false;
    if (request_id.empty()) return true;
    const std::scoped_lock lock(mutex_);
    return requests_.find(key)->second.waiting.empty();
  };
  auto session = Load(spec, std::move(memory), is_unwanted);

  std::vector<std::function<void()>> waiting;
  std::unique_lock lock(mutex_);
  --loading_count_;
  const auto request =
      request_id.empty() ? requests_.end() : requests_.find(key);
  if (session.ok()) {
    try {
      std::string id = (*session)->id();
      sessions_.emplace(id, *session);
      if (request != requests_.end()) {
        request->second.session_id = std::move(id);
      }
    } catch (const std::bad_alloc&) {
      session = MemoryExhaustedError();
    }
  }
  if (request != requests_.end()) waiting.swap(request->second.waiting);
  if (!session.ok()) {
    --shares_[spec.tenant].sessions;
    if (request != requests_.end()) requests_.erase(request);
  }
  lock.unlock();
  for (const auto& resume_other : waiting) resume_other();
  return session;
}

absl::Status SessionRegistry::CheckRoomLocked(const Share& share) const {
  if (sessions_.size() + loading_count_ >= options_.sessions.sessions_max) {
    return WithRetryDelay(
        WithReason(absl::ResourceExhaustedError(
                       fmt::format("this server allows {} sessions at a time",
                                   options_.sessions.sessions_max)),
                   "TOO_MANY_SESSIONS"),
        kFullRetryDelay);
  }
  const uint32_t quota = options_.quotas.sessions_max;
  if (quota > 0 && share.sessions >= quota) {
    return QuotaError("sessions", quota);
  }
  return share.memory->CheckRoom();
}

absl::StatusOr<std::shared_ptr<Session>> SessionRegistry::Find(
    const Tenant& tenant, std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || found->second->tenant() != tenant) {
    return SessionNotFoundError(id);
  }
  return found->second;
}

absl::StatusOr<SessionRegistry::Page> SessionRegistry::List(
    const Tenant& tenant, const SessionFilter& filter, int32_t page_size,
    std::string_view page_token) const {
  const auto count_max = ParsePageSize(page_size, kSessionsPerPageMax);
  if (!count_max.ok()) return count_max.status();
  // A token is the id that the page before ended with.
  if (!page_token.empty() && !IsNewId(page_token)) return PageTokenError();
  Page page;
  for (auto& session : Sessions()) {
    if (session->tenant() != tenant || session->id() <= page_token ||
        !HasLabels(session->labels(), filter.labels)) {
      continue;
    }
    if (!filter.pack.empty() && session->pack_name() != filter.pack) continue;
    if (filter.outcome.has_value() && session->outcome() != *filter.outcome) {
      continue;
    }
    if (page.sessions.size() == *count_max) {
      page.next_page_token = page.sessions.back()->id();
      break;
    }
    page.sessions.push_back(std::move(session));
  }
  return page;
}

absl::Status SessionRegistry::Delete(const Tenant& tenant,
                                     std::string_view id) {
  const auto session = Find(tenant, id);
  if (!session.ok()) return session.status();
  absl::Status closed = (*session)->Close();
  if (!absl::IsFailedPrecondition(closed)) Remove(id);
  return closed;
}

void SessionRegistry::EndIdle() {
  const absl::Time idle_since =
      options_.clock() - options_.sessions.idle_timeout;
  for (const auto& session : Sessions()) {
    if (session->last_use() <= idle_since ||
        (session->is_broken() &&
         session->last_use() < absl::InfiniteFuture())) {
      End(session);
    }
  }
}

void SessionRegistry::EndAll() {
  for (const auto& session : Sessions()) End(session);
}

size_t SessionRegistry::size() const {
  const std::scoped_lock lock(mutex_);
  return sessions_.size();
}

SessionRegistry::Usage SessionRegistry::UsageOf(const Tenant& tenant) const {
  const std::scoped_lock lock(mutex_);
  const auto share = shares_.find(tenant);
  if (share == shares_.end()) return {};
  return {.sessions = share->second.sessions,
          .state_bytes = share->second.memory == nullptr
                             ? 0
                             : share->second.memory->bytes(),
          .loaded_bytes = share->second.memory == nullptr
                              ? 0
                              : share->second.memory->loaded_bytes()};
}

std::vector<SessionGlance> SessionRegistry::Glance() const {
  std::vector<SessionGlance> glances;
  for (const auto& session : Sessions()) glances.push_back(session->Glance());
  return glances;
}

absl::StatusOr<std::shared_ptr<Session>> SessionRegistry::Load(
    const SessionSpec& spec, std::shared_ptr<TenantMemory> memory,
    replays::IsCancelled is_cancelled) const {
  try {
    auto session = LoadWhole(spec, std::move(memory), is_cancelled);
    if (ReasonOf(session.status()) == "STORE_UNAVAILABLE") {
      LogEntry entry(fmt::format("a session can't begin: {}",
                                 std::string(session.status().message())));
      entry.severity = LogEntry::Severity::kWarning;
      entry.reason = ReasonOf(session.status());
      options_.log(entry);
    }
    return session;
  } catch (const std::bad_alloc&) {
    return MemoryExhaustedError();
  }
}

absl::StatusOr<std::shared_ptr<Session>> SessionRegistry::LoadWhole(
    const SessionSpec& spec, std::shared_ptr<TenantMemory> memory,
    replays::IsCancelled is_cancelled) const {
  std::string id = NewId(absl::Now());
  auto run = spec.fork.has_value()
                 ? Fork(spec.tenant, *spec.fork, spec.record, id, is_cancelled)
                 : loader_.Load(spec, id, is_cancelled);
  if (!run.ok()) return run.status();
  if (spec.lockstep.has_value()) {
    absl::Status fits = CheckPlayers(
        *spec.lockstep, run->simulation->info().inputs.player_count);
    if (fits.ok()) fits = CheckViews(*spec.lockstep, *run->simulation);
    if (!fits.ok()) {
      if (run->recording != nullptr) run->recording->Discard();
      return fits;
    }
  }
  // Who has gone knows of no session that could be deleted.
  if (is_cancelled()) {
    if (run->recording != nullptr) run->recording->Discard();
    return CancelledError();
  }
  return std::make_shared<Session>(
      Session::Options{
          .id = std::move(id),
          .tenant = spec.tenant,
          .labels = spec.labels,
          .lockstep = spec.lockstep,
          .recording_bytes_max = options_.recordings.recording_bytes_max,
          .response_bytes_max =
              options_.message_bytes_max - kResponseReserveBytes,
          .snapshots_max = options_.sessions.snapshots_max,
          .memory = std::move(memory),
          .budget = budget_,
          .phase_times = phase_times_,
          .clock = options_.clock},
      *std::move(run));
}

absl::StatusOr<RecordedRun> SessionRegistry::Fork(
    const Tenant& tenant, const ForkPoint& point, bool record,
    std::string_view id, replays::IsCancelled is_cancelled) const {
  auto parent = Find(tenant, point.session_id);
  if (!parent.ok()) return parent.status();
  if (!record) {
    // At most: pages are shared until somebody writes to them.
    const auto claim = loader_.ClaimMemory((*parent)->Glance().state_bytes);
    if (!claim.ok()) return claim.status();
    return (*parent)->Fork(point.snapshot);
  }
  // So that its file is as it was flushed while it is read.
  const auto lease = SessionLease::Take(*parent);
  if (!lease.ok()) return lease.status();
  const auto recorded = (*parent)->FlushTo(point.snapshot);
  if (!recorded.ok()) return recorded.status();
  auto run = loader_.LoadPoint(*recorded, id, (*parent)->pack(), is_cancelled);
  if (run.ok()) run->start = (*parent)->start();
  return run;
}

absl::StatusOr<std::shared_ptr<Session>> SessionRegistry::FindRequestedLocked(
    const SessionSpec& spec, std::string_view request_id, Request& request,
    std::function<void()> resume) {
  if (request.spec != spec) return RequestIdReusedError(request_id);
  if (request.session_id.empty()) {
    request.waiting.push_back(std::move(resume));
    return nullptr;
  }
  return sessions_.find(request.session_id)->second;
}

void SessionRegistry::End(const std::shared_ptr<Session>& session) {
  const absl::Status closed = session->Close();
  if (absl::IsFailedPrecondition(closed)) return;  // just leased again
  if (absl::IsDataLoss(closed)) {
    LogEntry entry(fmt::format("session {}: {}", session->id(),
                               std::string(closed.message())));
    entry.severity = LogEntry::Severity::kError;
    entry.resource = MakeName(kSessions, session->id());
    entry.tick = session->Glance().tick;
    entry.reason = ReasonOf(closed);
    options_.log(entry);
  }
  Remove(session->id());
}

void SessionRegistry::Remove(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  std::erase_if(requests_, [id](const Requests::value_type& request) {
    return request.second.session_id == id;
  });
  --shares_[found->second->tenant()].sessions;
  sessions_.erase(found);
}

std::vector<std::shared_ptr<Session>> SessionRegistry::Sessions() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<Session>> sessions;
  for (const auto& [id, session] : sessions_) sessions.push_back(session);
  return sessions;
}

}  // namespace reprise::services
