// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Answers HTTP requests, one a connection, by one thread for all of them. A
// client that is slow, silent or gone costs a place among those that may be
// connected, and that until its time is over.

#ifndef REPRISE_SERVICES_HTTP_HTTP_SERVER_H_
#define REPRISE_SERVICES_HTTP_HTTP_SERVER_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/base/listen_address.h"
#include "services/calls/connection_acceptor.h"
#include "services/http/http_request.h"

namespace reprise::services {

struct HttpResponse {
  int status = 200;
  std::string_view content_type = "text/plain; charset=utf-8";
  std::string body;
  // Further ones, by name: nothing of a client's.
  std::vector<std::pair<std::string_view, std::string_view>> fields;
};

struct HttpLimits {
  size_t connections_max = 32;
  // To send all of a request, to take all of the answer, and to hang up then.
  std::chrono::milliseconds request_time = std::chrono::seconds(5);
  std::chrono::milliseconds response_time = std::chrono::seconds(10);
  std::chrono::milliseconds end_time = std::chrono::seconds(1);
};

class HttpServer {
 public:
  // Called by one thread, one request after another, which all others wait for.
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  // Listens, and answers until it goes. UNAVAILABLE: the address is taken, or
  // descriptors are.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(
      const ListenAddress& address, const HttpLimits& limits, Handler handler);

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // "host:port" with the port that is really listened on, or "unix:path".
  const std::string& address() const { return address_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    int socket = -1;
    enum class Phase { kReading, kWriting, kEnding } phase = Phase::kReading;
    Clock::time_point deadline;
    std::string request;
    std::string response;
    size_t sent = 0;
  };

  HttpServer(const HttpLimits& limits, Handler handler, int wakeup);

  void Serve();
  // Those that have come since, or false at the end.
  bool TakeNew();
  // Goes on as far as the client lets it. False: the connection is over.
  bool Advance(Connection& connection);
  bool Read(Connection& connection);
  bool Write(Connection& connection);
  void Answer(const ParsedHttpRequest& parsed, Connection& connection);

  const HttpLimits limits_;
  const Handler handler_;
  const int wakeup_;  // an event: look at what follows
  std::string address_;

  std::mutex mutex_;  // guards what follows
  std::vector<int> new_sockets_;
  bool is_stopping_ = false;

  std::list<Connection> connections_;  // the thread's own
  std::unique_ptr<ConnectionAcceptor> acceptor_;
  std::thread thread_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_HTTP_HTTP_SERVER_H_
