// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What lies between a client and a server of this machine, and can be pulled
// out: bytes go neither way then, and neither side is told.

#ifndef REPRISE_SERVICES_TESTING_CABLE_H_
#define REPRISE_SERVICES_TESTING_CABLE_H_

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>

namespace reprise::services {

// Of one connection, the first that comes.
class Cable {
 public:
  // To a server at "127.0.0.1:port".
  explicit Cable(const std::string& server_address);
  Cable(const Cable&) = delete;
  Cable& operator=(const Cable&) = delete;
  ~Cable();

  // Where the server seems to be.
  std::string address() const;

  // From now on nothing comes through.
  void PullOut() { is_pulled_out_ = true; }

  // How often something has come from the server.
  size_t server_message_count() const { return server_message_count_; }
  // Whether the server has closed its side.
  bool is_closed_by_server() const { return is_closed_by_server_; }

 private:
  void Carry(int server_port);

  int listener_ = -1;
  std::atomic<bool> is_pulled_out_ = false;
  std::atomic<bool> is_over_ = false;
  std::atomic<size_t> server_message_count_ = 0;
  std::atomic<bool> is_closed_by_server_ = false;
  std::thread carrier_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_CABLE_H_
