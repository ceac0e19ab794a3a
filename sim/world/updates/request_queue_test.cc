// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that requests are taken in the order of their due ticks and then of
// asking, that each kind has a budget of its own and what is beyond it comes
// first in the next tick, and that their number is bounded.

#include "sim/world/updates/request_queue.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

constexpr Id kA = IdOf("a");
constexpr Id kB = IdOf("b");

class RequestQueueTest : public ::testing::Test {
 protected:
  RequestQueueTest() : requests_(RowSchema::Of<RequestRow>()) {}

  void Put(Tick due, Id kind, int count = 1) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(
          PutRequest(requests_, {.due = due, .kind = kind}).has_value());
    }
  }

  // "due.number kind", as they are taken.
  std::vector<std::string> Take(Tick now) {
    std::vector<std::string> taken;
    for (const RequestRow& request :
         TakeDueRequests(requests_, now, budgets_)) {
      taken.push_back(std::to_string(request.due) + "." +
                      std::to_string(request.request) +
                      (request.kind == kA ? " a" : " b"));
    }
    return taken;
  }

  using Requests = std::vector<std::string>;

  Table requests_;
  RequestBudgets budgets_ = {{kA, 2}, {kB, 1}};
};

TEST_F(RequestQueueTest, TheyAreTakenWhenTheyAreDueInTheOrderOfAsking) {
  Put(5, kA);
  Put(3, kB);
  Put(5, kB);
  Put(3, kA);
  EXPECT_EQ(Take(2), Requests{});
  EXPECT_EQ(Take(3), (Requests{"3.0 b", "3.1 a"}));
  EXPECT_EQ(Take(4), Requests{});
  EXPECT_EQ(Take(9), (Requests{"5.0 a", "5.1 b"}));
  EXPECT_EQ(requests_.row_count(), 0u);
}

TEST_F(RequestQueueTest, WhatIsBeyondTheBudgetComesFirstInTheNextTick) {
  Put(3, kB, 2);
  Put(3, kA, 3);
  Put(4, kB);
  Put(4, kA);
  EXPECT_EQ(Take(3), (Requests{"3.0 b", "3.2 a", "3.3 a"}));
  EXPECT_EQ(Take(4), (Requests{"3.1 b", "3.4 a", "4.1 a"}));
  EXPECT_EQ(Take(5), Requests{"4.0 b"});
}

TEST_F(RequestQueueTest, TheirNumberIsBounded) {
  requests_.Resize(kRequestsMax);
  for (uint32_t row = 0; row < kRequestsMax; ++row) {
    requests_.Mutable<RequestRow>(row) = {.due = 1, .request = row, .kind = kA};
  }
  EXPECT_EQ(PutRequest(requests_, {.due = 2, .kind = kA}), std::nullopt);
  Take(1);
  EXPECT_EQ(PutRequest(requests_, {.due = 1, .kind = kA}), kRequestsMax);
}

TEST_F(RequestQueueTest, RowsThatCantBeAreRefused) {
  Put(3, kA, 2);
  EXPECT_TRUE(CheckRequestRows(requests_, budgets_).ok());
  EXPECT_EQ(CheckRequestRows(requests_, {{kB, 1}}).code(),
            absl::StatusCode::kDataLoss);
  requests_.Mutable<RequestRow>(1).request = 0;
  EXPECT_EQ(CheckRequestRows(requests_, budgets_).code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::sim
