// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/http/http_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 421:
      return "Misdirected Request";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

HttpResponse Refusal(int status) {
  HttpResponse response = {
      .status = status,
      .body = fmt::format("{} {}\n", status, ReasonPhrase(status))};
  if (status == 405) response.fields.emplace_back("Allow", "GET, HEAD");
  return response;
}

std::string Format(const HttpResponse& response, bool is_head) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
      "Connection: close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n",
      response.status, ReasonPhrase(response.status), response.content_type,
      response.body.size());
  for (const auto& [name, value] : response.fields) {
    text += fmt::format("{}: {}\r\n", name, value);
  }
  text += "\r\n";
  if (!is_head) text += response.body;
  return text;
}

bool WouldBlock() { return errno == EAGAIN || errno == EWOULDBLOCK; }

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(
    const ListenAddress& address, const HttpLimits& limits, Handler handler) {
  auto acceptor = ConnectionAcceptor::Listen(address, limits.connections_max);
  if (!acceptor.ok()) return acceptor.status();
  const int wakeup = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wakeup < 0) {
    return absl::UnavailableError("no file descriptor is free for HTTP");
  }
  std::unique_ptr<HttpServer> server(
      new HttpServer(limits, std::move(handler), wakeup));
  server->acceptor_ = *std::move(acceptor);
  server->address_ = ListenAddress{.host = address.host,
                                   .port = server->acceptor_->port(),
                                   .path = address.path}
                         .ToString();
  server->thread_ = std::thread([&server = *server] { server.Serve(); });
  server->acceptor_->Start({.take =
                                [&server = *server](int, int connection) {
                                  {
                                    const std::scoped_lock lock(server.mutex_);
                                    server.new_sockets_.push_back(connection);
                                  }
                                  eventfd_write(server.wakeup_, 1);
                                },
                            // The server of calls tells of it, too.
                            .on_shortage = [](bool) {}});
  return server;
}

HttpServer::HttpServer(const HttpLimits& limits, Handler handler, int wakeup)
    : limits_(limits), handler_(std::move(handler)), wakeup_(wakeup) {}

HttpServer::~HttpServer() {
  acceptor_->Stop();
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
  }
  eventfd_write(wakeup_, 1);
  if (thread_.joinable()) thread_.join();
  for (const Connection& connection : connections_) close(connection.socket);
  for (const int socket : new_sockets_) close(socket);
  close(wakeup_);
}

void HttpServer::Serve() {
  std::vector<pollfd> events;
  while (TakeNew()) {
    events.assign(1, {.fd = wakeup_, .events = POLLIN, .revents = 0});
    auto next_deadline = Clock::time_point::max();
    for (const Connection& connection : connections_) {
      const bool is_writing = connection.phase == Connection::Phase::kWriting;
      events.push_back(
          {.fd = connection.socket,
           .events = static_cast<short>(is_writing ? POLLOUT : POLLIN),
           .revents = 0});
      next_deadline = std::min(next_deadline, connection.deadline);
    }
    int timeout_ms = -1;
    if (!connections_.empty()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          next_deadline - Clock::now());
      timeout_ms =
          static_cast<int>(std::clamp<int64_t>(left.count(), 0, INT_MAX));
    }
    poll(events.data(), events.size(), timeout_ms);
    const auto now = Clock::now();
    auto event = events.begin() + 1;
    for (auto connection = connections_.begin();
         connection != connections_.end(); ++event) {
      const bool goes_on = connection->deadline > now &&
                           (event->revents == 0 || Advance(*connection));
      if (goes_on) {
        ++connection;
        continue;
      }
      close(connection->socket);
      connection = connections_.erase(connection);
    }
  }
}

bool HttpServer::TakeNew() {
  eventfd_t ignored = 0;
  eventfd_read(wakeup_, &ignored);
  const std::scoped_lock lock(mutex_);
  for (const int socket : new_sockets_) {
    connections_.push_back({.socket = socket,
                            .deadline = Clock::now() + limits_.request_time,
                            .request = {},
                            .response = {}});
  }
  new_sockets_.clear();
  return !is_stopping_;
}

bool HttpServer::Advance(Connection& connection) {
  switch (connection.phase) {
    case Connection::Phase::kReading:
      return Read(connection);
    case Connection::Phase::kWriting:
      return Write(connection);
    case Connection::Phase::kEnding: {
      // What a client still sends is passed over: closing upon unread bytes
      // would take the answer's last ones away from it.
      std::array<char, kHttpRequestBytesMax> ignored;
      const ssize_t size =
          recv(connection.socket, ignored.data(), ignored.size(), 0);
      return size > 0 || (size < 0 && WouldBlock());
    }
  }
  CHECK(false);
  return false;
}

bool HttpServer::Read(Connection& connection) {
  std::array<char, kHttpRequestBytesMax> bytes;
  const size_t room = kHttpRequestBytesMax - connection.request.size();
  const ssize_t size = recv(connection.socket, bytes.data(), room, 0);
  if (size < 0) return WouldBlock();
  if (size == 0) return false;
  connection.request.append(bytes.data(), static_cast<size_t>(size));
  const ParsedHttpRequest parsed = ParseHttpRequest(connection.request);
  if (parsed.state == ParsedHttpRequest::State::kIncomplete) return true;
  Answer(parsed, connection);
  return Write(connection);
}

void HttpServer::Answer(const ParsedHttpRequest& parsed,
                        Connection& connection) {
  const bool is_refused = parsed.state == ParsedHttpRequest::State::kRefused;
  connection.response =
      Format(is_refused ? Refusal(parsed.status) : handler_(parsed.request),
             !is_refused && parsed.request.is_head);
  connection.phase = Connection::Phase::kWriting;
  connection.deadline = Clock::now() + limits_.response_time;
}

bool HttpServer::Write(Connection& connection) {
  while (connection.sent < connection.response.size()) {
    const ssize_t size =
        send(connection.socket, connection.response.data() + connection.sent,
             connection.response.size() - connection.sent, MSG_NOSIGNAL);
    if (size < 0) return WouldBlock();
    connection.sent += static_cast<size_t>(size);
  }
  shutdown(connection.socket, SHUT_WR);
  connection.response = std::string();
  connection.phase = Connection::Phase::kEnding;
  connection.deadline = Clock::now() + limits_.end_time;
  return true;
}

}  // namespace reprise::services
