// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise serve` in a process of its own, for tests of what it does there.

#ifndef REPRISE_TESTS_COMMAND_SERVE_PROCESS_H_
#define REPRISE_TESTS_COMMAND_SERVE_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace reprise::tests {

class ServeProcess {
 public:
  // Starts it on a folder of packs, and returns once it listens.
  explicit ServeProcess(const std::string& packs);
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;
  // Ends it; a test fails where it doesn't end well.
  ~ServeProcess();

  const std::string& address() const { return address_; }

  // The processes that it has started.
  std::vector<pid_t> Workers() const;

 private:
  pid_t process_ = 0;
  std::string address_;
};

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_COMMAND_SERVE_PROCESS_H_
