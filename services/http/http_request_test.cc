// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which requests are taken, and with which error what else comes is
// refused, after RFC 9110 and RFC 9112.

#include "services/http/http_request.h"

#include <string>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

using State = ParsedHttpRequest::State;

// The error of what is refused; 0 for what is complete, -1 for what isn't.
int StatusOf(const std::string& bytes) {
  const ParsedHttpRequest parsed = ParseHttpRequest(bytes);
  if (parsed.state == State::kIncomplete) return -1;
  return parsed.state == State::kComplete ? 0 : parsed.status;
}

TEST(HttpRequestTest, ARequestIsTakenApart) {
  const ParsedHttpRequest parsed = ParseHttpRequest(
      "GET /metrics?a=b HTTP/1.1\r\nhOST:  a.example:80 \r\n"
      "Authorization: Bearer x\r\nAccept: */*\r\n\r\nmore");

  ASSERT_EQ(parsed.state, State::kComplete);
  EXPECT_FALSE(parsed.request.is_head);
  EXPECT_EQ(parsed.request.path, "/metrics");
  EXPECT_EQ(parsed.request.host, "a.example:80");
  EXPECT_EQ(parsed.request.authorization, "Bearer x");
}

TEST(HttpRequestTest, AProxysFormOfATargetIsTheSame) {
  EXPECT_EQ(ParseHttpRequest("GET http://a:1/x HTTP/1.1\r\nHost: a\r\n\r\n")
                .request.path,
            "/x");
  EXPECT_EQ(
      ParseHttpRequest("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n").request.path,
      "/");
}

TEST(HttpRequestTest, UntilItsLastLineARequestIsIncomplete) {
  const std::string request = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (size_t size = 0; size < request.size(); ++size) {
    EXPECT_EQ(StatusOf(request.substr(0, size)), -1) << size;
  }
  EXPECT_EQ(StatusOf(request), 0);
}

TEST(HttpRequestTest, WhatIsNoRequestIsRefused) {
  const auto status_of = [](const std::string& head) {
    return StatusOf(head + "\r\n\r\n");
  };
  EXPECT_EQ(status_of("GET / HTTP/1.0"), 0);
  for (const std::string head :
       {"",
        "GET",
        "GET /",
        "GET  / HTTP/1.1\r\nHost: a",
        "GET / HTTP/1.1 \r\nHost: a",
        " GET / HTTP/1.1\r\nHost: a",
        "GET / HTTP/11\r\nHost: a",
        "GET / http/1.1\r\nHost: a",
        "GET x HTTP/1.1\r\nHost: a",
        "GET * HTTP/1.1\r\nHost: a",
        "GET /\x7f HTTP/1.1\r\nHost: a",
        "GET / HTTP/1.1",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a",
        "GET / HTTP/1.1\r\nHost:",
        "GET / HTTP/1.1\r\nHost : a",
        "GET / HTTP/1.1\r\nHost: a\r\n b",
        "GET / HTTP/1.1\r\nHost: a\r\nno field",
        "GET / HTTP/1.1\r\nHost: a\nX: b",
        "GET / HTTP/1.1\r\nHost: a\x01",
        "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nAuthorization: y"}) {
    EXPECT_EQ(status_of(head), 400) << head;
  }
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: a"), 505);
  for (const std::string method : {"POST", "DELETE", "OPTIONS", "get", "X"}) {
    EXPECT_EQ(status_of(method + " / HTTP/1.1\r\nHost: a"), 405) << method;
  }
}

TEST(HttpRequestTest, BodiesAreRefused) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(StatusOf(head + "Content-Length: 0\r\n\r\n"), 0);
  EXPECT_EQ(StatusOf(head + "Content-Length: 1\r\n\r\n"), 413);
  EXPECT_EQ(StatusOf(head + "Transfer-Encoding: chunked\r\n\r\n"), 413);
}

TEST(HttpRequestTest, ALongRequestIsRefusedBeforeItsEnd) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  const std::string end = "\r\n\r\n";
  const size_t room = kHttpRequestBytesMax - head.size() - end.size();
  EXPECT_EQ(StatusOf(head + std::string(room, 'x') + end), 0);
  EXPECT_EQ(StatusOf(head + std::string(room + 1, 'x') + end), 431);
  EXPECT_EQ(StatusOf(head + std::string(room + 3, 'x')), -1);
  EXPECT_EQ(StatusOf(head + std::string(room + 4, 'x')), 431);
}

}  // namespace
}  // namespace reprise::services
