// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/test_server.h"

#include <cstdlib>
#include <utility>

#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::services {

RunningServer::RunningServer(
    const std::function<void(ServerOptions&)>& change) {
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = folders_.packs();
  options.store_folder = folders_.store();
  options.simulation_factory = &replays::TinySimulation::Create;
  change(options);
  auto server = Server::Start(options);
  if (!server.ok()) {
    ADD_FAILURE() << server.status();
    std::abort();  // no test of this file can go on
  }
  server_ = *std::move(server);
}

}  // namespace reprise::services
