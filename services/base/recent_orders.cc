// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/recent_orders.h"

#include <iterator>
#include <new>
#include <span>

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
  const sim::ContentDigest digest =
      sim::ContentDigestOf(std::as_bytes(std::span(what)));
  const std::scoped_lock lock(mutex_);
  ForgetExpiredLocked(now);
  const auto known = orders_.find(key);
  if (known == orders_.end()) {
    // Whatever is thrown on the way, no key stays that nobody carries out.
    Key kept = key;
    Turn turn(nullptr, std::move(key), /*is_waiting=*/false, std::nullopt);
    orders_.emplace(std::move(kept), Order{.what = digest,
                                           .answer = std::nullopt,
                                           .carried_out = absl::Time(),
                                           .waiting = {}});
    turn.orders_ = this;
    return turn;
  }
  Order& order = known->second;
  if (order.what != digest) {
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
      KeepLocked(order, *std::move(answer), now);
    }
  }
  for (const auto& resume : waiting) resume();
}

void RecentOrders::KeepLocked(std::map<Key, Order>::iterator order,
                              std::string answer, absl::Time now) {
  Share* share = nullptr;
  try {
    share = &shares_[order->first.first];
    share->sequence.push_back(order->first);
  } catch (const std::bad_alloc&) {
    // It was carried out, but isn't remembered.
    orders_.erase(order);
    return;
  }
  share->answer_bytes += answer.size();
  order->second.answer = std::move(answer);
  order->second.carried_out = now;
  while (share->sequence.size() > kOrdersMax ||
         share->answer_bytes > kAnswerBytesMax) {
    ForgetOldestLocked(*share);
  }
}

void RecentOrders::ForgetExpiredLocked(absl::Time now) {
  for (auto it = shares_.begin(); it != shares_.end();) {
    Share& share = it->second;
    while (!share.sequence.empty() &&
           now - orders_.at(share.sequence.front()).carried_out > kOrderTime) {
      ForgetOldestLocked(share);
    }
    it = share.sequence.empty() ? shares_.erase(it) : std::next(it);
  }
}

void RecentOrders::ForgetOldestLocked(Share& share) {
  const auto oldest = orders_.find(share.sequence.front());
  share.answer_bytes -= oldest->second.answer->size();
  orders_.erase(oldest);
  share.sequence.pop_front();
}

size_t RecentOrders::size() const {
  const std::scoped_lock lock(mutex_);
  return orders_.size();
}

}  // namespace reprise::services
