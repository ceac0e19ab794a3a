// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each mistake in a list of names is refused with the name.

#include "sim/world/components/named_definitions.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"

namespace reprise::sim {
namespace {

NameTable Names() {
  NameTable names;
  EXPECT_TRUE(names.Add("cave").ok());
  return names;
}

TEST(NamedDefinitionsTest, QuotesWhatItKnowsAndNumbersWhatItDoesNot) {
  EXPECT_EQ(Quoted(Names(), IdOf("cave")), "\"cave\"");
  EXPECT_EQ(Quoted(Names(), Id{0xabc}), "#0000000000000abc");
}

TEST(NamedDefinitionsTest, AcceptsDistinctNamesInAnyOrder) {
  const std::vector<Id> ids = {IdOf("b"), IdOf("cave"), IdOf("a")};
  EXPECT_TRUE(ValidateNames("room", ids, 3, Names()).ok());
}

TEST(NamedDefinitionsTest, RefusesANameTwice) {
  const std::vector<Id> ids = {IdOf("cave"), IdOf("a"), IdOf("cave")};
  EXPECT_EQ(ValidateNames("room", ids, 3, Names()),
            absl::InvalidArgumentError("room \"cave\": defined twice"));
}

TEST(NamedDefinitionsTest, RefusesNoName) {
  const std::vector<Id> ids = {IdOf("cave"), kNoId};
  EXPECT_EQ(ValidateNames("room", ids, 3, Names()),
            absl::InvalidArgumentError("room: one of them has no name"));
}

TEST(NamedDefinitionsTest, RefusesTooMany) {
  const std::vector<Id> ids = {IdOf("a"), IdOf("b"), IdOf("c")};
  EXPECT_EQ(ValidateNames("room", ids, 2, Names()),
            absl::ResourceExhaustedError("room: 3 of them, at most 2"));
}

}  // namespace
}  // namespace reprise::sim
