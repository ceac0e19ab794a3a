// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "services/base/listen_address.h"

namespace reprise::services {
namespace {

int Connect(const std::string& address) {
  const auto parsed = ParseListenAddress(address);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const int connection = socket(parsed->is_unix() ? AF_UNIX : AF_INET,
                                SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un local = {};
  local.sun_family = AF_UNIX;
  parsed->path.copy(local.sun_path, sizeof(local.sun_path) - 1);
  sockaddr_in remote = {};
  remote.sin_family = AF_INET;
  remote.sin_port = htons(parsed->port);
  remote.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* target = parsed->is_unix()
                           ? reinterpret_cast<const sockaddr*>(&local)
                           : reinterpret_cast<const sockaddr*>(&remote);
  EXPECT_EQ(connect(connection, target,
                    parsed->is_unix() ? sizeof(local) : sizeof(remote)),
            0)
      << address;
  return connection;
}

}  // namespace

HttpConnection::HttpConnection(const std::string& address)
    : socket_(Connect(address)) {}

HttpConnection::~HttpConnection() { close(socket_); }

bool HttpConnection::Send(std::string_view bytes) const {
  return send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

HttpReply HttpConnection::Read() const {
  std::string text;
  std::array<char, 4096> piece;
  for (ssize_t size = 0;
       (size = recv(socket_, piece.data(), piece.size(), 0)) > 0;) {
    text.append(piece.data(), static_cast<size_t>(size));
  }
  HttpReply reply;
  const size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) return reply;
  reply.body = text.substr(end + 4);
  const std::string head = text.substr(0, end);
  const std::vector<std::string> lines = absl::StrSplit(head, "\r\n");
  for (const std::string& line : lines) {
    if (line.starts_with("HTTP/1.1 ")) {
      reply.status = std::atoi(line.substr(9, 3).c_str());
      continue;
    }
    const std::pair<std::string, std::string> field =
        absl::StrSplit(line, absl::MaxSplits(": ", 1));
    reply.fields.insert(field);
  }
  if (!reply.body.empty()) {
    EXPECT_EQ(reply.fields["Content-Length"],
              fmt::to_string(reply.body.size()));
  }
  return reply;
}

HttpReply HttpGet(const std::string& address, const std::string& path,
                  const std::string& fields) {
  const HttpConnection connection(address);
  connection.Send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
                              path, fields));
  return connection.Read();
}

}  // namespace reprise::services
