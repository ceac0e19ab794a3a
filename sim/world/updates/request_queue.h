// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The queue of what behaviours have asked for (request_rows.h): who comes into
// it, and whose turn it is.

#ifndef REPRISE_SIM_WORLD_UPDATES_REQUEST_QUEUE_H_
#define REPRISE_SIM_WORLD_UPDATES_REQUEST_QUEUE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/tick.h"
#include "sim/state/table.h"
#include "sim/world/definition/request_rows.h"

namespace reprise::sim {

// Puts a request behind those that are due in the same tick; fills in its
// number, which this returns. nullopt beyond kRequestsMax.
std::optional<uint64_t> PutRequest(Table& requests, RequestRow request);

// Takes out those whose turn it is at `now`: due, in order, of each kind as
// many as `budgets` says.
std::vector<RequestRow> TakeDueRequests(Table& requests, Tick now,
                                        RequestBudgets budgets);

// DATA_LOSS where rows of a snapshot are out of order or of no kind of
// `budgets`.
absl::Status CheckRequestRows(const Table& requests,
                              const RequestBudgets& budgets);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_REQUEST_QUEUE_H_
