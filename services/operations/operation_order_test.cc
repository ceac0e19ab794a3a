// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which words come of what clients ask for, and that no text of theirs
// becomes a flag, a file or a second word.

#include "services/operations/operation_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

template <typename Request>
Request Of(const char* name) {
  Request request;
  request.set_name(name);
  return request;
}

TEST(OperationOrderTest, VerifyRunsOneReplay) {
  auto request = Of<v1::VerifyReplayRequest>("replays/a");
  EXPECT_THAT(ParseOrder(request)->arguments,
              ElementsAre("verify", "--isolation=none", "--format=json", "--",
                          "replay.mcap"));

  request.set_pack("marble");
  request.set_allow_partial(true);
  const auto order = ParseOrder(request);
  EXPECT_EQ(order->pack, "marble");
  EXPECT_THAT(order->replay_ids, ElementsAre("a"));
  EXPECT_THAT(
      order->arguments,
      ElementsAre("verify", "--isolation=none", "--format=json", "--pack=pack",
                  "--allow-partial", "--", "replay.mcap"));
}

TEST(OperationOrderTest, CompareTakesTwoReplaysOrAPack) {
  auto request = Of<v1::CompareReplaysRequest>("replays/a");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  request.set_other("replays/b");
  request.set_fields_max(1000);
  EXPECT_THAT(ParseOrder(request)->arguments,
              ElementsAre("diff", "--format=json", "--fields=64", "--",
                          "replay.mcap", "other.mcap"));
  EXPECT_THAT(ParseOrder(request)->replay_ids, ElementsAre("a", "b"));
  request.set_pack("marble");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  request.clear_other();
  EXPECT_THAT(ParseOrder(request)->arguments,
              ElementsAre("diff", "--format=json", "--pack=pack", "--fields=64",
                          "--", "replay.mcap"));
}

TEST(OperationOrderTest, QueryWritesColumns) {
  auto request = Of<v1::QueryReplayRequest>("replays/a");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  request.add_expressions("tick");
  request.add_expressions("--output=/etc/passwd");
  request.mutable_ticks()->set_first(3);
  request.mutable_ticks()->set_last(9);
  request.mutable_ticks()->set_every(2);
  EXPECT_THAT(ParseOrder(request)->arguments,
              ElementsAre("export", "--format=csv",
                          "--fields=tick,--output=/etc/passwd", "--from=3",
                          "--to=9", "--every=2", "--output=results/values.csv",
                          "--", "replay.mcap"));
  request.mutable_ticks()->set_last(2);
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
}

TEST(OperationOrderTest, EachFormatHasItsFile) {
  auto request = Of<v1::ExportReplayRequest>("replays/a");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  for (int i = v1::ExportReplayRequest::FORMAT_JSONL;
       i <= v1::ExportReplayRequest::Format_MAX; ++i) {
    request.set_format(static_cast<v1::ExportReplayRequest::Format>(i));
    const auto order = ParseOrder(request);
    ASSERT_TRUE(order.ok()) << order.status();
    EXPECT_EQ(order->arguments.back(), "replay.mcap");
    EXPECT_EQ(std::ranges::count_if(order->arguments,
                                    [](const std::string& word) {
                                      return word.starts_with(
                                          "--output=results/replay.");
                                    }),
              1);
  }
  request.set_format(v1::ExportReplayRequest::FORMAT_GLTF);
  request.add_expressions("tick");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
}

TEST(OperationOrderTest, RenderTakesItsCamera) {
  auto request = Of<v1::RenderReplayRequest>("replays/a");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  request.set_output(v1::RenderReplayRequest::OUTPUT_MP4);
  request.set_camera("-x");
  request.add_layers("contacts");
  request.set_has_label(true);
  EXPECT_THAT(
      ParseOrder(request)->arguments,
      ElementsAre("render", "--from=0", "--every=1", "--layers=contacts",
                  "--size=640x360", "--camera=-x", "--label",
                  "--output=results/film.mp4", "--", "replay.mcap"));
  request.set_output(v1::RenderReplayRequest::OUTPUT_PNG);
  EXPECT_THAT(ParseOrder(request)->arguments, Contains("--output=results"));
  request.set_width(10'000);
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
}

TEST(OperationOrderTest, WhatIsWrongIsRefused) {
  EXPECT_EQ(
      ReasonOf(
          ParseOrder(Of<v1::VerifyReplayRequest>("replays/../a")).status()),
      "NAME_MALFORMED");
  auto request = Of<v1::QueryReplayRequest>("replays/a");
  for (const std::string& text : {std::string("a\nb"), std::string("a\0b", 3),
                                  std::string(), std::string(1025, 'a')}) {
    request.clear_expressions();
    request.add_expressions(text);
    EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  }
  request.clear_expressions();
  for (int i = 0; i < 65; ++i) request.add_expressions("tick");
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  request.clear_expressions();
  request.add_expressions("tick");
  request.mutable_settings()->set_request_id(std::string(65, 'a'));
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "REQUEST_ID_TOO_LONG");
  request.mutable_settings()->clear_request_id();
  request.mutable_settings()->mutable_timeout()->set_seconds(-1);
  EXPECT_EQ(ReasonOf(ParseOrder(request).status()), "OPERATION_REFUSED");
  request.mutable_settings()->mutable_timeout()->set_seconds(1);
  EXPECT_EQ(ParseOrder(request)->timeout, absl::Seconds(1));
}

}  // namespace
}  // namespace reprise::services
