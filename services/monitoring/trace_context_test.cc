// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that headers are taken and refused as W3C's "Trace Context" says,
// with its own examples (3.2.2 to 3.3), and that a span of ours is in the trace
// of its caller.

#include "services/monitoring/trace_context.h"

#include <string>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

const std::string kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string kSpan = "00f067aa0ba902b7";

std::string Header(const std::string& version, const std::string& trace,
                   const std::string& span, const std::string& flags) {
  return version + "-" + trace + "-" + span + "-" + flags;
}

TEST(TraceContextTest, AHeaderIsTakenApartAndPutTogether) {
  const std::string header = Header("00", kTrace, kSpan, "01");
  const auto context = ParseTraceHeader(header);

  ASSERT_TRUE(context.has_value());
  EXPECT_EQ(context->trace_id, kTrace);
  EXPECT_EQ(context->span_id, kSpan);
  EXPECT_EQ(context->flags, "01");
  EXPECT_EQ(context->ToHeader(), header);
}

TEST(TraceContextTest, ALaterVersionIsReadAsFarAsItIsKnown) {
  EXPECT_TRUE(ParseTraceHeader(Header("cc", kTrace, kSpan, "01")));
  EXPECT_TRUE(ParseTraceHeader(Header("cc", kTrace, kSpan, "01") + "-more"));
  EXPECT_FALSE(ParseTraceHeader(Header("cc", kTrace, kSpan, "01") + ".more"));
}

TEST(TraceContextTest, WhatIsNoneIsNotTaken) {
  std::string capital = kTrace;
  capital[0] = 'A';
  for (const std::string& header :
       {std::string(), Header("00", kTrace, kSpan, "01") + "-more",
        Header("00", kTrace, kSpan, "01") + " ",
        Header("ff", kTrace, kSpan, "01"), Header("0g", kTrace, kSpan, "01"),
        Header("00", std::string(32, '0'), kSpan, "01"),
        Header("00", kTrace, std::string(16, '0'), "01"),
        Header("00", capital, kSpan, "01"), Header("00", kTrace, kSpan, "0x"),
        Header("00", kTrace, kSpan, "1"), "00" + kTrace + kSpan + "01",
        Header("00", kSpan, kTrace, "01")}) {
    EXPECT_FALSE(ParseTraceHeader(header).has_value()) << header;
  }
}

TEST(TraceContextTest, ASpanOfOursIsInTheTraceOfItsCaller) {
  const auto caller = ParseTraceHeader(Header("00", kTrace, kSpan, "01"));
  ASSERT_TRUE(caller.has_value());
  const TraceContext own = BeginSpan(*caller);
  const TraceContext other = BeginSpan(*caller);

  EXPECT_EQ(own.trace_id, kTrace);
  EXPECT_EQ(own.flags, "01");
  EXPECT_NE(own.span_id, kSpan);
  EXPECT_NE(own.span_id, other.span_id);
  EXPECT_TRUE(ParseTraceHeader(own.ToHeader()).has_value());
}

}  // namespace
}  // namespace reprise::services
