// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Asks an HTTP server of this machine, byte by byte as the test wants it.

#ifndef REPRISE_SERVICES_TESTING_HTTP_CLIENT_H_
#define REPRISE_SERVICES_TESTING_HTTP_CLIENT_H_

#include <map>
#include <string>
#include <string_view>

namespace reprise::services {

struct HttpReply {
  int status = 0;  // 0: the connection ended without an answer
  std::map<std::string, std::string> fields;
  std::string body;
};

// A connection to "127.0.0.1:port" or "unix:path".
class HttpConnection {
 public:
  explicit HttpConnection(const std::string& address);
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;
  ~HttpConnection();

  // False: the server has hung up.
  bool Send(std::string_view bytes) const;

  // All that comes until the server hangs up. Adds a failure to the test when
  // the length isn't the one that was announced.
  HttpReply Read() const;

 private:
  int socket_;
};

// The answer to a GET of `path`. `fields` are lines that end with "\r\n".
HttpReply HttpGet(const std::string& address, const std::string& path,
                  const std::string& fields = "");

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_HTTP_CLIENT_H_
