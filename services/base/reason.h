// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The reasons of errors that clients may decide by: a closed list. None is ever
// renamed, goes, or gets another meaning; docs/server_calls.md says each.

#ifndef REPRISE_SERVICES_BASE_REASON_H_
#define REPRISE_SERVICES_BASE_REASON_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace reprise::services {

// In ascending order. Errors without one of these have the name of their code.
inline constexpr auto kReasons = std::to_array<std::string_view>({
    "BRANCH_WITH_PACK_OR_SEED",
    "CALL_CANCELLED",
    "CATALOGUE_UNAVAILABLE",
    "CONDITION_REFUSED",
    "DESCRIPTION_TOO_LARGE",
    "DESCRIPTORS_EXHAUSTED",
    "FOLLOW_REFUSED",
    "INPUTS_TOO_LARGE",
    "INPUT_REFUSED",
    "INPUT_TICKS_NOT_ASCENDING",
    "INPUT_TICK_OUTSIDE_REQUEST",
    "LABEL_REFUSED",
    "LOCKSTEP_REFUSED",
    "MEMORY_EXHAUSTED",
    "MEMORY_FULL",
    "MESSAGE_MALFORMED",
    "NAME_MALFORMED",
    "OBSERVATION_REFUSED",
    "OBSERVATION_TOO_LARGE",
    "OFFSET_OUT_OF_RANGE",
    "OPERATIONS_UNAVAILABLE",
    "OPERATION_NOT_FOUND",
    "OPERATION_REFUSED",
    "OPERATION_UNFINISHED",
    "ORDERS_REFUSED",
    "OUTCOME_REFUSED",
    "PACE_REFUSED",
    "PACK_CHANGED",
    "PACK_DAMAGED",
    "PACK_INVALID",
    "PACK_NAME_TAKEN",
    "PACK_NOT_FOUND",
    "PACK_TOO_DEMANDING",
    "PAGE_SIZE_NEGATIVE",
    "PAGE_TOKEN_MALFORMED",
    "PLAYER_LATE",
    "PLAYER_UNKNOWN",
    "QUOTA_REACHED",
    "RECORDING_FAILED",
    "RECORDING_FULL",
    "REPLAY_DAMAGED",
    "REPLAY_NOT_FOUND",
    "REPLAY_NOT_RESUMABLE",
    "REPLAY_UNFINISHED",
    "REPLAY_UNREADABLE",
    "REQUEST_ID_REUSED",
    "REQUEST_ID_TOO_LONG",
    "RESULT_NOT_FOUND",
    "RESULT_TOO_LARGE",
    "SCOPE_MISSING",
    "SEARCH_REFUSED",
    "SEAT_CHANGED",
    "SEAT_REQUIRED",
    "SEAT_TAKEN",
    "SEAT_TAKEN_OVER",
    "SERVER_BUSY",
    "SERVER_STOPPING",
    "SESSION_CHANGED",
    "SESSION_IN_USE",
    "SESSION_NOT_FOUND",
    "SESSION_NOT_RECORDED",
    "SESSION_NOT_SHARED",
    "SESSION_REQUIRED",
    "SIMULATION_FAILED",
    "SIMULATION_NOT_FOUND",
    "SNAPSHOT_NOT_FOUND",
    "STORE_FULL",
    "STORE_UNAVAILABLE",
    "STREAM_IDLE",
    "STREAM_SILENT",
    "TAG_REFUSED",
    "TICK_MISMATCH",
    "TICK_OUT_OF_RANGE",
    "TOKEN_MISSING",
    "TOKEN_UNKNOWN",
    "TOO_MANY_OPERATIONS",
    "TOO_MANY_SESSIONS",
    "TOO_MANY_SNAPSHOTS",
    "TOO_MANY_STREAMS",
    "TOO_MANY_TAGS",
    "TOO_MANY_TICKS",
    "TOO_MANY_UPLOADS",
    "UPLOAD_DIGEST_MISMATCH",
    "UPLOAD_IN_USE",
    "UPLOAD_OFFSET_MISMATCH",
    "UPLOAD_REFUSED",
    "UPLOAD_TOO_LARGE",
    "UPLOAD_UNFINISHED",
    "WORKER_CRASHED",
    "WORKER_HUNG",
    "WORKER_REFUSED",
    "WORKER_TIMED_OUT",
    "WORKER_UNAVAILABLE",
});

// One of them: any other text is an error of the compiler.
class Reason {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): it is how reasons are written.
  consteval Reason(const char* name) : name_(name) {
    if (std::ranges::find(kReasons, name_) == kReasons.end()) IsUnknown();
  }

  std::string_view name() const { return name_; }

 private:
  // No constant expression.
  static void IsUnknown() {}

  std::string_view name_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_REASON_H_
