// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves whose turn is next: tenants take turns, and each one's items come in
// the order in which they were put in.

#include "services/calls/tenant_turns.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "services/base/tenant.h"

namespace reprise::services {
namespace {

const Tenant kRed = {.name = "red"};
const Tenant kBlue = {.name = "blue"};

// "r1 b1": what comes up to the end.
std::string TakeAll(TenantTurns<int>& turns) {
  std::string order;
  while (!turns.empty()) {
    const auto turn = turns.Pop();
    order += (order.empty() ? "" : " ") + turn.tenant.name.substr(0, 1) +
             std::to_string(turn.item);
  }
  return order;
}

TEST(TenantTurnsTest, TenantsTakeTurns) {
  TenantTurns<int> turns;
  for (int i = 1; i <= 4; ++i) turns.Push(kRed, i);
  for (int i = 1; i <= 2; ++i) turns.Push(kBlue, i);
  turns.Push(Tenant(), 1);
  EXPECT_EQ(turns.size(), 7u);

  EXPECT_EQ(TakeAll(turns), "r1 b1 1 r2 b2 r3 r4");

  EXPECT_EQ(turns.size(), 0u);
}

TEST(TenantTurnsTest, WhoComesAgainStandsBehindAllOthers) {
  TenantTurns<int> turns;
  turns.Push(kRed, 1);
  turns.Push(kBlue, 1);
  turns.Push(kBlue, 2);

  EXPECT_EQ(turns.Pop().tenant, kRed);
  turns.Push(kRed, 2);

  EXPECT_EQ(TakeAll(turns), "b1 r2 b2");
}

TEST(TenantTurnsTest, ItemsAreMoved) {
  TenantTurns<std::unique_ptr<int>> turns;
  turns.Push(kRed, std::make_unique<int>(7));

  EXPECT_EQ(*turns.Pop().item, 7);
}

}  // namespace
}  // namespace reprise::services
