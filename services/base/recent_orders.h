// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What was carried out lately, by the request_id of the order, so that an order
// whose answer was lost can be repeated.

#ifndef REPRISE_SERVICES_BASE_RECENT_ORDERS_H_
#define REPRISE_SERVICES_BASE_RECENT_ORDERS_H_

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "services/base/tenant.h"

namespace reprise::services {

inline constexpr size_t kOrderIdBytesMax = 64;
// How long an order is remembered, and how many at most, the last ones.
inline constexpr absl::Duration kOrderTime = absl::Minutes(10);
inline constexpr size_t kOrdersMax = 4096;

// Safe to use from any thread.
class RecentOrders {
 public:
  // Whether the tenant's order `request_id` for `what` was carried out; never
  // without an id. INVALID_ARGUMENT: the id is too long, or was another
  // order's.
  absl::StatusOr<bool> WasCarriedOut(const Tenant& tenant,
                                     std::string_view request_id,
                                     std::string_view what,
                                     absl::Time now) const;

  void Remember(const Tenant& tenant, std::string_view request_id,
                std::string_view what, absl::Time now);

 private:
  using Key = std::pair<Tenant, std::string>;
  struct Order {
    std::string what;
    absl::Time carried_out;
  };

  mutable std::mutex mutex_;  // guards what follows
  std::map<Key, Order> orders_;
  std::deque<Key> sequence_;  // of all of them, the oldest first
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_RECENT_ORDERS_H_
