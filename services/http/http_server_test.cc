// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves over real sockets that requests are answered, and that clients that
// are slow, silent, many, or send what is no request keep nobody from it for
// longer than their time.

#include "services/http/http_server.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/listen_address.h"
#include "services/testing/http_client.h"

namespace reprise::services {
namespace {

using ::testing::Contains;
using ::testing::Pair;

// More than the sockets of both sides hold.
constexpr size_t kLongBytes = 32 << 20;

std::unique_ptr<HttpServer> Start(const HttpLimits& limits = {},
                                  const std::string& address = "127.0.0.1:0") {
  auto server = HttpServer::Start(
      *ParseListenAddress(address), limits, [](const HttpRequest& request) {
        if (request.path == "/long") {
          return HttpResponse{.body = std::string(kLongBytes, 'x')};
        }
        return HttpResponse{.body = "you asked for " + request.path,
                            .fields = {{"X-Test", "yes"}}};
      });
  EXPECT_TRUE(server.ok()) << server.status();
  return *std::move(server);
}

// Limits by which who does nothing goes soon.
HttpLimits Impatient() {
  return {.connections_max = 4,
          .request_time = std::chrono::milliseconds(50),
          .response_time = std::chrono::milliseconds(50),
          .end_time = std::chrono::milliseconds(50)};
}

TEST(HttpServerTest, ARequestIsAnswered) {
  const auto server = Start();
  const HttpReply reply = HttpGet(server->address(), "/a?b");

  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "you asked for /a");
  EXPECT_THAT(reply.fields, Contains(Pair("X-Test", "yes")));
  EXPECT_THAT(reply.fields, Contains(Pair("Connection", "close")));
  EXPECT_THAT(reply.fields,
              Contains(Pair("X-Content-Type-Options", "nosniff")));
}

TEST(HttpServerTest, HeadIsAnsweredWithoutTheBody) {
  const auto server = Start();
  const HttpConnection connection(server->address());
  connection.Send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
  const HttpReply reply = connection.Read();

  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "");
  EXPECT_THAT(reply.fields, Contains(Pair("Content-Length", "16")));
}

TEST(HttpServerTest, AUnixSocketIsListenedOn) {
  // Short: its path has 107 bytes at most.
  char folder[] = "/tmp/reprise_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  {
    const auto server = Start({}, std::string("unix:") + folder + "/http");
    EXPECT_EQ(HttpGet(server->address(), "/").status, 200);
  }
  EXPECT_EQ(rmdir(folder), 0) << "the socket is still there";
}

TEST(HttpServerTest, ARequestMayComeByteByByte) {
  const auto server = Start();
  const HttpConnection connection(server->address());
  for (const char byte : std::string("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")) {
    ASSERT_TRUE(connection.Send({&byte, 1}));
  }
  EXPECT_EQ(connection.Read().body, "you asked for /a");
}

TEST(HttpServerTest, WhatIsNoRequestIsToldSo) {
  const auto server = Start();
  const auto status_of = [&](const std::string& bytes) {
    const HttpConnection connection(server->address());
    connection.Send(bytes);
    return connection.Read().status;
  };
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\n\r\n"), 405);
  EXPECT_EQ(status_of(std::string("\x16\x03\x01\x00\r\n\r\n", 8)), 400);
  // The answer is read although bytes follow that nobody reads.
  EXPECT_EQ(status_of(std::string(size_t{1} << 20, 'x')), 431);
  EXPECT_EQ(HttpGet(server->address(), "/").status, 200);
}

TEST(HttpServerTest, ALongAnswerIsWhole) {
  const auto server = Start();
  EXPECT_EQ(HttpGet(server->address(), "/long").body.size(), kLongBytes);
}

TEST(HttpServerTest, WhoAsksForNothingIsHungUpOn) {
  const auto server = Start(Impatient());
  const HttpConnection silent(server->address());
  const HttpConnection slow(server->address());
  slow.Send("GET / HTTP/1.1\r\n");

  EXPECT_EQ(silent.Read().status, 0);
  EXPECT_EQ(slow.Read().status, 0);
}

TEST(HttpServerTest, WhoTakesNoAnswerIsHungUpOn) {
  const auto server = Start(Impatient());
  const HttpConnection deaf(server->address());
  deaf.Send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
  // Others meanwhile, until it has lost its place.
  std::vector<std::unique_ptr<HttpConnection>> others;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(HttpGet(server->address(), "/").status, 200);
  }
}

TEST(HttpServerTest, WhoIsTooManyIsHungUpOnAndLaterAnswered) {
  const auto server = Start(Impatient());
  std::vector<std::unique_ptr<HttpConnection>> silent;
  for (int i = 0; i < 50; ++i) {
    silent.push_back(std::make_unique<HttpConnection>(server->address()));
  }
  for (const auto& connection : silent) {
    EXPECT_EQ(connection->Read().status, 0);
  }
  EXPECT_EQ(HttpGet(server->address(), "/").status, 200);
}

TEST(HttpServerTest, ItEndsWithClientsThatAreThere) {
  auto server = Start();
  const HttpConnection silent(server->address());
  const HttpConnection deaf(server->address());
  deaf.Send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");

  server.reset();

  EXPECT_EQ(silent.Read().status, 0);
}

}  // namespace
}  // namespace reprise::services
