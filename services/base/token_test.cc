// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a file of tokens says, that its mistakes are told with their
// lines and without what may be a token, and that new tokens are found by their
// own lines only.

#include "services/base/token.h"

#include <set>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// SHA-256 of "abc", of FIPS 180-2.
constexpr char kAbc[] =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string ErrorOf(const std::string& text) {
  const auto table = TokenTable::Parse("tokens", text);
  EXPECT_EQ(table.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(table.status().message());
}

TEST(TokenTest, ALineSaysNameDigestScopeAndTenant) {
  const auto table =
      TokenTable::Parse("tokens", std::string("# all of us\n\n  ci ") + kAbc +
                                      "\tplay  red \r\n");

  ASSERT_TRUE(table.ok()) << table.status();
  const Token* token = table->Find(DigestOf("abc"));
  ASSERT_NE(token, nullptr);
  EXPECT_EQ(token->name, "ci");
  EXPECT_EQ(token->scope, Scope::kPlay);
  EXPECT_EQ(token->tenant.name, "red");
  EXPECT_EQ(table->Find(DigestOf("abd")), nullptr);
  EXPECT_EQ(table->Find(TokenDigest()), nullptr);
}

TEST(TokenTest, OfSeveralScopesTheWidestCounts) {
  const auto table =
      TokenTable::Parse("tokens", std::string("a ") + kAbc + " manage,observe");

  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->Find(DigestOf("abc"))->scope, Scope::kManage);
}

TEST(TokenTest, EachOfManyIsFound) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "t" + std::to_string(i);
    text += FormatTokenLine({.name = name, .digest = DigestOf(name)}) + "\n";
  }
  const auto table = TokenTable::Parse("tokens", text);

  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->size(), 100u);
  for (int i = 0; i < 100; ++i) {
    const std::string name = "t" + std::to_string(i);
    const Token* token = table->Find(DigestOf(name));
    ASSERT_NE(token, nullptr);
    EXPECT_EQ(token->name, name);
  }
}

TEST(TokenTest, MistakesHaveTheirLine) {
  const std::string line = std::string("ci ") + kAbc + " play\n";

  EXPECT_THAT(ErrorOf(line + "ci\n"), StartsWith("tokens:2: a token's line"));
  EXPECT_THAT(ErrorOf(line + line), StartsWith("tokens:2: a second token"));
  EXPECT_THAT(ErrorOf(line + "b " + kAbc + " play"),
              StartsWith("tokens:2: 'b' is a second name"));
  EXPECT_THAT(ErrorOf(std::string("CI ") + kAbc + " play"),
              HasSubstr("is no name"));
  EXPECT_THAT(ErrorOf(std::string("ci ") + kAbc + " root"),
              HasSubstr("is no scope"));
  EXPECT_THAT(ErrorOf(std::string("ci ") + kAbc + " play ../red"),
              HasSubstr("is no tenant"));
}

// Who puts the token itself into the file finds it in no log.
TEST(TokenTest, NoMessageRepeatsWhatMayBeAToken) {
  EXPECT_THAT(ErrorOf("ci reprise_secret play"), Not(HasSubstr("secret")));
}

TEST(TokenTest, NewTokensDifferAndAreFoundByTheirLines) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(NewToken());
  EXPECT_EQ(tokens.size(), 100u);

  const std::string& token = *tokens.begin();
  EXPECT_THAT(token, StartsWith("reprise_"));
  EXPECT_EQ(token.size(), 8u + 64u);
  const std::string line = FormatTokenLine({.name = "ci",
                                            .digest = DigestOf(token),
                                            .scope = Scope::kManage,
                                            .tenant = {.name = "red"}});
  EXPECT_THAT(line, Not(HasSubstr(token)));
  const auto table = TokenTable::Parse("tokens", line);
  ASSERT_TRUE(table.ok()) << table.status();
  const Token* found = table->Find(DigestOf(token));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(FormatTokenLine(*found), line);
}

}  // namespace
}  // namespace reprise::services
