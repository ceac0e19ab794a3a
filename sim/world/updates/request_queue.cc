// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/request_queue.h"

#include <array>

#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {

std::optional<uint64_t> PutRequest(Table& requests, RequestRow request) {
  if (requests.row_count() >= kRequestsMax) return std::nullopt;
  const uint32_t row =
      requests.LowerBound(std::array{request.due + 1, uint64_t{0}});
  const bool is_first =
      row == 0 || requests.Get<RequestRow>(row - 1).due != request.due;
  request.request =
      is_first ? 0 : requests.Get<RequestRow>(row - 1).request + 1;
  requests.Insert(row);
  requests.Mutable<RequestRow>(row) = request;
  return request.request;
}

std::vector<RequestRow> TakeDueRequests(Table& requests, Tick now,
                                        RequestBudgets budgets) {
  std::vector<RequestRow> taken;
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < requests.row_count(); ++row) {
    const auto& request = requests.Get<RequestRow>(row);
    if (request.due > now) break;
    uint32_t& left = budgets[request.kind];
    if (left == 0) continue;
    --left;
    taken.push_back(request);
    rows.push_back(row);
  }
  if (!rows.empty()) requests.Erase(rows);
  return taken;
}

absl::Status CheckRequestRows(const Table& requests,
                              const RequestBudgets& budgets) {
  if (requests.row_count() > kRequestsMax || !RowsAscend(requests)) {
    return absl::DataLossError("snapshot: requests are not in order");
  }
  for (uint32_t row = 0; row < requests.row_count(); ++row) {
    if (!budgets.contains(requests.Get<RequestRow>(row).kind)) {
      return absl::DataLossError("snapshot: a request of no known kind");
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
