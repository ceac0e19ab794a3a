// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A real server on a free loopback port, in this process, and its client.

#ifndef REPRISE_SERVICES_TESTING_TEST_SERVER_H_
#define REPRISE_SERVICES_TESTING_TEST_SERVER_H_

#include <functional>
#include <memory>

#include "services/server.h"
#include "services/base/server_options.h"
#include "services/testing/test_client.h"
#include "services/testing/test_folders.h"

namespace reprise::services {

// Starts the server and ends it. `change` makes of the defaults what the test
// needs.
class RunningServer {
 public:
  explicit RunningServer(const std::function<void(ServerOptions&)>& change);

  Server& server() { return *server_; }
  const TestFolders& folders() const { return folders_; }

 private:
  TestFolders folders_;
  std::unique_ptr<Server> server_;
};

// The client goes before the server does.
class TestServer final : public RunningServer, public TestClient {
 public:
  explicit TestServer(const std::function<void(ServerOptions&)>& change =
                          [](auto&) {})
      : RunningServer(change), TestClient(server().address()) {}
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_TEST_SERVER_H_
