// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What waits for its turn, by tenant: the tenants that have anything waiting
// take turns, and of each comes first what came first. So one that has a
// thousand items waiting keeps another one's back by one item, not by them all.

#ifndef REPRISE_SERVICES_CALLS_TENANT_TURNS_H_
#define REPRISE_SERVICES_CALLS_TENANT_TURNS_H_

#include <cstddef>
#include <deque>
#include <list>
#include <map>
#include <utility>

#include "services/base/tenant.h"
#include "sim/base/check.h"

namespace reprise::services {

// Used by one thread at a time.
template <typename Item>
class TenantTurns {
 public:
  struct Turn {
    Tenant tenant;
    Item item;
  };

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  // A tenant that has nothing waiting comes behind all that have. Where memory
  // runs out nothing changes.
  void Push(const Tenant& tenant, Item item) {
    const auto known = lines_by_tenant_.find(tenant);
    if (known != lines_by_tenant_.end()) {
      known->second->items.push_back(std::move(item));
    } else {
      Lines line;
      line.emplace_back().tenant = tenant;
      line.back().items.push_back(std::move(item));
      lines_by_tenant_.emplace(tenant, line.begin());
      lines_.splice(lines_.end(), line);
    }
    ++size_;
  }

  // REQUIRES: it isn't empty.
  Turn Pop() {
    CHECK(size_ > 0);
    Line& line = lines_.front();
    Turn turn = {.tenant = line.tenant, .item = std::move(line.items.front())};
    line.items.pop_front();
    --size_;
    if (line.items.empty()) {
      lines_by_tenant_.erase(turn.tenant);
      lines_.pop_front();
    } else {
      lines_.splice(lines_.end(), lines_, lines_.begin());
    }
    return turn;
  }

 private:
  // Of one tenant; never empty.
  struct Line {
    Tenant tenant;
    std::deque<Item> items;
  };
  using Lines = std::list<Line>;

  Lines lines_;  // the next one first
  std::map<Tenant, typename Lines::iterator> lines_by_tenant_;
  size_t size_ = 0;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_TENANT_TURNS_H_
