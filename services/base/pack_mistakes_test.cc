// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each mistake of a pack becomes one violation with its file and
// line, whatever stands around it, and that clients get them in whole.

#include "services/base/pack_mistakes.h"

#include <string>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Mistakes(std::string_view text) {
  std::vector<std::string> mistakes;
  for (const Violation& violation : ParseMistakes(text)) {
    mistakes.push_back(violation.field + "|" + violation.description);
  }
  return mistakes;
}

TEST(PackMistakesTest, EachLineThatNamesAPlaceIsOne) {
  EXPECT_THAT(Mistakes("pack.txtpb:187:22: objects[13].type: no type 'nope'\n"
                       "scripts/a.lua:3: 'end' expected near <eof>"),
              ElementsAre("pack.txtpb:187|objects[13].type: no type 'nope'",
                          "scripts/a.lua:3|'end' expected near <eof>"));
}

TEST(PackMistakesTest, LinesWithoutAPlaceGoToTheOneBefore) {
  EXPECT_THAT(Mistakes("a.lua:1: first\nsecond\nand 3 more problems"),
              ElementsAre("a.lua:1|first\nsecond\nand 3 more problems"));
}

TEST(PackMistakesTest, NoPlaceIsNoMistake) {
  for (const char* text : {"", "the pack has no manifest", "at 12:30: late",
                           ":3: x", "a:b: c", "a:12", "a: 12: b", "\n\n"}) {
    EXPECT_THAT(Mistakes(text), IsEmpty()) << text;
  }
}

TEST(PackMistakesTest, ClientsGetThemAsDetails) {
  std::string text;
  for (int i = 1; i <= 200; ++i) {
    text += fmt::format("pack.txtpb:{}:1: field: {}\n", i,
                        std::string(i == 1 ? 5000 : 5, 'x'));
  }
  const grpc::Status status =
      ToGrpcStatus(PackInvalidError(absl::UnknownError(text)));

  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  // What peers take of headers, of which base64 makes a third more.
  EXPECT_LT(
      3 * status.error_message().size() + status.error_details().size() * 4 / 3,
      8000u);
  google::rpc::Status details;
  google::rpc::BadRequest mistakes;
  ASSERT_TRUE(details.ParseFromString(status.error_details()));
  ASSERT_EQ(details.details_size(), 2);
  ASSERT_TRUE(details.details(1).UnpackTo(&mistakes));
  ASSERT_GT(mistakes.field_violations_size(), 20);
  ASSERT_LE(mistakes.field_violations_size(), 64);
  EXPECT_EQ(mistakes.field_violations(1).field(), "pack.txtpb:2");
  EXPECT_EQ(mistakes.field_violations(1).description(), "field: xxxxx");
}

}  // namespace
}  // namespace reprise::services
