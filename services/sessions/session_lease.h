// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The right to change a session, which goes back with whoever has it.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_LEASE_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_LEASE_H_

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/sessions/session.h"

namespace reprise::services {

class SessionLease {
 public:
  // Of nothing.
  SessionLease() = default;

  // Errors are Session::Lease's.
  static absl::StatusOr<SessionLease> Take(std::shared_ptr<Session> session) {
    if (absl::Status leased = session->Lease(); !leased.ok()) return leased;
    return SessionLease(std::move(session));
  }
  // Errors are Session::LeaseToPlay's.
  static absl::StatusOr<SessionLease> TakeToPlay(
      std::shared_ptr<Session> session) {
    if (absl::Status leased = session->LeaseToPlay(); !leased.ok()) {
      return leased;
    }
    return SessionLease(std::move(session));
  }

  SessionLease(SessionLease&& other) noexcept
      : session_(std::exchange(other.session_, nullptr)) {}
  SessionLease& operator=(SessionLease&& other) noexcept {
    Release();
    session_ = std::exchange(other.session_, nullptr);
    return *this;
  }
  ~SessionLease() { Release(); }

  // REQUIRES: it is of a session.
  Session& session() const { return *session_; }

  void Release() {
    if (session_ == nullptr) return;
    session_->ReleaseLease();
    session_ = nullptr;
  }

 private:
  explicit SessionLease(std::shared_ptr<Session> session)
      : session_(std::move(session)) {}

  std::shared_ptr<Session> session_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_LEASE_H_
