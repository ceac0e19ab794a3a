// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A server of the tiny simulation in a process of its own, for tests that kill
// it: tiny_server PACKS STORE. Says its address in a line, then serves.

#include <cstdio>
#include <memory>

#include "fmt/format.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/server_options.h"
#include "services/server.h"

int main(int argc, char** argv) {
  namespace services = reprise::services;
  if (argc != 3) return 2;
  services::ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = argv[1];
  options.store_folder = argv[2];
  options.simulation_factory = &reprise::replays::TinySimulation::Create;
  const auto server = services::Server::Start(options);
  if (!server.ok()) {
    services::LogText(server.status().ToString());
    return 1;
  }
  fmt::print("{}\n", (*server)->address());
  std::fflush(stdout);
  (*server)->Wait();
  return 0;
}
