// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What was carried out lately, and with which answer, by the request_id of the
// order, so that an order whose answer was lost can be repeated.

#ifndef REPRISE_SERVICES_BASE_RECENT_ORDERS_H_
#define REPRISE_SERVICES_BASE_RECENT_ORDERS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "services/base/tenant.h"
#include "sim/base/content_digest.h"

namespace reprise::services {

inline constexpr size_t kOrderIdBytesMax = 64;
// How long an order is remembered, and how many of a tenant at most, the last
// ones, with answers of so many bytes. An answer that is larger alone isn't
// remembered.
inline constexpr absl::Duration kOrderTime = absl::Minutes(10);
inline constexpr size_t kOrdersMax = 4096;
inline constexpr size_t kAnswerBytesMax = size_t{16} << 20;

// INVALID_ARGUMENT: `request_id` is too long.
absl::Status CheckOrderId(std::string_view request_id);

// Safe to use from any thread.
class RecentOrders {
 public:
  // An order that its holder carries out, or what came of it before. Where it
  // goes without Remember, the order failed, and may be given again.
  class Turn {
   public:
    Turn(Turn&& other) noexcept
        : orders_(std::exchange(other.orders_, nullptr)),
          key_(std::move(other.key_)),
          is_waiting_(other.is_waiting_),
          answer_(std::move(other.answer_)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn();

    // Somebody else carries it out.
    bool is_waiting() const { return is_waiting_; }
    // Of the order that was carried out; nullopt: it is the holder's to do so.
    const std::optional<std::string>& answer() const { return answer_; }

    // REQUIRES: it is the holder's to carry out.
    void Remember(std::string answer, absl::Time now);

   private:
    friend class RecentOrders;
    using Key = std::pair<Tenant, std::string>;

    Turn(RecentOrders* orders, Key key, bool is_waiting,
         std::optional<std::string> answer)
        : orders_(orders),
          key_(std::move(key)),
          is_waiting_(is_waiting),
          answer_(std::move(answer)) {}

    RecentOrders* orders_;  // null: nothing is to be told
    Key key_;
    bool is_waiting_;
    std::optional<std::string> answer_;
  };

  // Begins the tenant's order `request_id` for `what`. Where it is waiting,
  // `resume` is called, once, when the one that is under way has ended: ask
  // again. INVALID_ARGUMENT: the id is too long, or was another order's.
  // REQUIRES: there is an id.
  absl::StatusOr<Turn> Begin(const Tenant& tenant, std::string_view request_id,
                             std::string_view what, absl::Time now,
                             std::function<void()> resume);

  size_t size() const;

 private:
  using Key = Turn::Key;
  struct Order {
    sim::ContentDigest what;
    std::optional<std::string> answer;  // nullopt: under way
    absl::Time carried_out;
    std::vector<std::function<void()>> waiting;
  };

  // Of one tenant: none pushes out what another one may still ask for.
  struct Share {
    std::deque<Key> sequence;  // of those that were carried out, in order
    size_t answer_bytes = 0;
  };

  // Has those that wait ask again.
  void End(const Key& key, std::optional<std::string> answer, absl::Time now);
  // REQUIRES of all: the caller holds mutex_.
  void KeepLocked(std::map<Key, Order>::iterator order, std::string answer,
                  absl::Time now);
  void ForgetExpiredLocked(absl::Time now);
  void ForgetOldestLocked(Share& share);

  mutable std::mutex mutex_;  // guards what follows
  std::map<Key, Order> orders_;
  std::map<Tenant, Share> shares_;  // of those that have orders carried out
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_RECENT_ORDERS_H_
