// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/recent_orders.h"

#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {

absl::StatusOr<bool> RecentOrders::WasCarriedOut(const Tenant& tenant,
                                                 std::string_view request_id,
                                                 std::string_view what,
                                                 absl::Time now) const {
  if (request_id.size() > kOrderIdBytesMax) {
    return WithReason(absl::InvalidArgumentError(fmt::format(
                          "request_id is longer than {}", kOrderIdBytesMax)),
                      "REQUEST_ID_TOO_LONG");
  }
  const std::scoped_lock lock(mutex_);
  const auto order = orders_.find({tenant, std::string(request_id)});
  if (request_id.empty() || order == orders_.end() ||
      now - order->second.carried_out > kOrderTime) {
    return false;
  }
  if (order->second.what == what) return true;
  return WithReason(
      absl::InvalidArgumentError(fmt::format(
          "request_id '{}' was given to another request", request_id)),
      "REQUEST_ID_REUSED");
}

void RecentOrders::Remember(const Tenant& tenant, std::string_view request_id,
                            std::string_view what, absl::Time now) {
  if (request_id.empty()) return;
  const std::scoped_lock lock(mutex_);
  const Key key(tenant, request_id);
  const bool is_new =
      orders_
          .insert_or_assign(
              key, Order{.what = std::string(what), .carried_out = now})
          .second;
  if (is_new) sequence_.push_back(key);
  if (sequence_.size() <= kOrdersMax) return;
  orders_.erase(sequence_.front());
  sequence_.pop_front();
}

}  // namespace reprise::services
