// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/recent_orders.h"

#include "fmt/format.h"
#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {

absl::Status CheckOrderId(std::string_view request_id) {
  if (request_id.size() <= kOrderIdBytesMax) return absl::OkStatus();
  return WithReason(absl::InvalidArgumentError(fmt::format(
                        "request_id is longer than {}", kOrderIdBytesMax)),
                    "REQUEST_ID_TOO_LONG");
}

RecentOrders::Turn::~Turn() {
  if (orders_ != nullptr) orders_->End(key_, std::nullopt, absl::Time());
}

void RecentOrders::Turn::Remember(std::string answer, absl::Time now) {
  CHECK(orders_ != nullptr);
  std::exchange(orders_, nullptr)->End(key_, std::move(answer), now);
}

absl::StatusOr<RecentOrders::Turn> RecentOrders::Begin(
    const Tenant& tenant, std::string_view request_id, std::string_view what,
    absl::Time now, std::function<void()> resume) {
  CHECK(!request_id.empty());
  if (absl::Status valid = CheckOrderId(request_id); !valid.ok()) return valid;
  Key key(tenant, request_id);
  const std::scoped_lock lock(mutex_);
  while (!sequence_.empty() &&
         now - orders_.at(sequence_.front()).carried_out > kOrderTime) {
    ForgetOldestLocked();
  }
  const auto [known, is_new] = orders_.try_emplace(key);
  Order& order = known->second;
  if (is_new) {
    order.what = what;
    return Turn(this, std::move(key), /*is_waiting=*/false, std::nullopt);
  }
  if (order.what != what) {
    return WithReason(
        absl::InvalidArgumentError(fmt::format(
            "request_id '{}' was given to another request", request_id)),
        "REQUEST_ID_REUSED");
  }
  if (order.answer.has_value()) {
    return Turn(nullptr, std::move(key), /*is_waiting=*/false, order.answer);
  }
  order.waiting.push_back(std::move(resume));
  return Turn(nullptr, std::move(key), /*is_waiting=*/true, std::nullopt);
}

void RecentOrders::End(const Key& key, std::optional<std::string> answer,
                       absl::Time now) {
  std::vector<std::function<void()>> waiting;
  {
    const std::scoped_lock lock(mutex_);
    const auto order = orders_.find(key);
    CHECK(order != orders_.end());
    waiting.swap(order->second.waiting);
    if (!answer.has_value() || answer->size() > kAnswerBytesMax) {
      orders_.erase(order);
    } else {
      answer_bytes_ += answer->size();
      order->second.answer = std::move(answer);
      order->second.carried_out = now;
      sequence_.push_back(key);
    }
    while (sequence_.size() > kOrdersMax || answer_bytes_ > kAnswerBytesMax) {
      ForgetOldestLocked();
    }
  }
  for (const auto& resume : waiting) resume();
}

void RecentOrders::ForgetOldestLocked() {
  const auto oldest = orders_.find(sequence_.front());
  answer_bytes_ -= oldest->second.answer->size();
  orders_.erase(oldest);
  sequence_.pop_front();
}

size_t RecentOrders::size() const {
  const std::scoped_lock lock(mutex_);
  return orders_.size();
}

}  // namespace reprise::services
