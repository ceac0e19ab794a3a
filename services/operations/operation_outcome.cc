// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/operation_outcome.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "services/base/status.h"
#include "services/operations/operation_files.h"
#include "services/operations/worker_report.h"

namespace reprise::services {
namespace {

// Exit codes of the command, which never change their meaning.
constexpr int kOk = 0;
constexpr int kDifferent = 1;
constexpr int kCrashed = 4;
constexpr int kMachineFailed = 5;

std::string PlaceOf(const WorkerProcess& worker) {
  if (worker.tick_count() == 0) return "before its first tick";
  return fmt::format("after {} of {} ticks", worker.ticks_done(),
                     worker.tick_count());
}

}  // namespace

absl::Status WorkerError(absl::StatusCode code, Reason reason,
                         std::string_view sentence) {
  return WithReason(absl::Status(code, std::string(sentence)), reason);
}

OperationOutcome JudgeWorker(v1::Operation::Kind kind,
                             const WorkerProcess& worker, WorkerEnding ending,
                             uint64_t result_bytes_max) {
  OperationOutcome outcome;
  v1::Operation& result = outcome.result;
  result.set_ticks_done(worker.ticks_done());
  result.set_tick_count(worker.tick_count());
  const bool is_verify = kind == v1::Operation::KIND_VERIFY;
  // Of a process that ended without saying what came of it.
  const auto end_as = [&](absl::StatusCode code, Reason reason,
                          v1::Verification::Verdict verdict,
                          const std::string& sentence) {
    outcome.error = WorkerError(code, reason, sentence);
    if (!is_verify) return;
    result.mutable_verification()->set_verdict(verdict);
    result.mutable_verification()->set_summary(sentence);
    result.mutable_verification()->set_tick_count(worker.tick_count());
  };
  for (std::string& note : NotesIn(worker.err())) {
    result.add_notes(std::move(note));
  }
  switch (ending) {
    case WorkerEnding::kCancelled:
      outcome.error = absl::CancelledError("it was cancelled");
      return outcome;
    case WorkerEnding::kTimedOut:
      end_as(absl::StatusCode::kDeadlineExceeded, "WORKER_TIMED_OUT",
             v1::Verification::VERDICT_HUNG,
             fmt::format("it took longer than it may, {}", PlaceOf(worker)));
      return outcome;
    case WorkerEnding::kHung:
      end_as(absl::StatusCode::kAborted, "WORKER_HUNG",
             v1::Verification::VERDICT_HUNG,
             fmt::format("hung, no progress, {}", PlaceOf(worker)));
      return outcome;
    case WorkerEnding::kTooMuch:
      outcome.error = WorkerError(
          absl::StatusCode::kResourceExhausted, "RESULT_TOO_LARGE",
          fmt::format("its result is larger than {} bytes, or than {} files",
                      result_bytes_max, kResultFilesMax));
      return outcome;
    case WorkerEnding::kByItself:
      break;
  }
  if (is_verify) {
    auto verification = ParseVerification(worker.out());
    if (verification.ok()) {
      *result.mutable_verification() = *std::move(verification);
      return outcome;
    }
  } else if (kind == v1::Operation::KIND_COMPARE) {
    auto comparison = ParseComparison(worker.out());
    if (comparison.ok() &&
        (worker.exit_code() == kOk || worker.exit_code() == kDifferent)) {
      *result.mutable_comparison() = *std::move(comparison);
      return outcome;
    }
  } else if (worker.exit_code() == kOk) {
    return outcome;
  }
  const std::string sentence = ErrorIn(worker.err());
  const int code = worker.exit_code();
  if (code > kOk && code <= kMachineFailed && code != kCrashed &&
      !sentence.empty()) {
    outcome.error = WorkerError(code == kMachineFailed
                                    ? absl::StatusCode::kUnavailable
                                    : absl::StatusCode::kFailedPrecondition,
                                "WORKER_REFUSED", sentence);
    return outcome;
  }
  end_as(absl::StatusCode::kAborted, "WORKER_CRASHED",
         v1::Verification::VERDICT_CRASHED,
         fmt::format("crashed, {}, {}{}{}", worker.DescribeEnd(),
                     PlaceOf(worker), sentence.empty() ? "" : ": ", sentence));
  return outcome;
}

}  // namespace reprise::services
