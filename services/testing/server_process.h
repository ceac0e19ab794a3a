// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A server of the tiny simulation in a process of its own, to be killed.

#ifndef REPRISE_SERVICES_TESTING_SERVER_PROCESS_H_
#define REPRISE_SERVICES_TESTING_SERVER_PROCESS_H_

#include <sys/types.h>

#include <string>

#include "services/testing/test_folders.h"

namespace reprise::services {

class ServerProcess {
 public:
  // Starts it on `folders`, which must remain live meanwhile, and returns once
  // it listens.
  explicit ServerProcess(const TestFolders& folders);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() { Kill(); }

  const std::string& address() const { return address_; }

  // Ends it with no chance to clean up, and returns when it is gone.
  void Kill();

  // What it has told its operator.
  std::string ReadLog() const;

 private:
  const std::string log_path_;
  pid_t process_ = 0;  // 0 once it is gone
  std::string address_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_SERVER_PROCESS_H_
