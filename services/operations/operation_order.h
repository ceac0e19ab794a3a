// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What clients ask operations for, as words that `reprise` takes. Texts of
// clients stand behind a "--flag=", so that none can be a flag, and names of
// files are ours. No shell sees any of it.

#ifndef REPRISE_SERVICES_OPERATIONS_OPERATION_ORDER_H_
#define REPRISE_SERVICES_OPERATIONS_OPERATION_ORDER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reprise/v1/operation_service.pb.h"

namespace reprise::services {

// The names that a worker finds in its folder: its replays in this order, a
// pack, and the folder in which it leaves its files.
inline constexpr std::string_view kReplayFiles[] = {"replay.mcap",
                                                    "other.mcap"};
inline constexpr std::string_view kPackFile = "pack";
inline constexpr std::string_view kResultsFolder = "results";

struct OperationOrder {
  v1::Operation::Kind kind = v1::Operation::KIND_UNSPECIFIED;
  std::vector<std::string> replay_ids;  // one or two
  std::string pack;                     // of the server; empty: none
  std::vector<std::string> arguments;
  std::string request_id;
  absl::Duration timeout = absl::InfiniteDuration();
};

// INVALID_ARGUMENT: what the message of the request says.
absl::StatusOr<OperationOrder> ParseOrder(
    const v1::VerifyReplayRequest& request);
absl::StatusOr<OperationOrder> ParseOrder(
    const v1::CompareReplaysRequest& request);
absl::StatusOr<OperationOrder> ParseOrder(
    const v1::QueryReplayRequest& request);
absl::StatusOr<OperationOrder> ParseOrder(
    const v1::ExportReplayRequest& request);
absl::StatusOr<OperationOrder> ParseOrder(
    const v1::RenderReplayRequest& request);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_OPERATION_ORDER_H_
