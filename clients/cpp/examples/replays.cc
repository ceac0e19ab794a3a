// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Brings a replay to a server, and has that verify it and compute a table of
// it.
//
// usage: replays ADDRESS FILE

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "client.h"
#include "replays.h"

int main(int argc, char** argv) {
  using namespace reprise;
  if (argc < 3) {
    std::cerr << "usage: replays ADDRESS FILE\n";
    return 2;
  }
  auto client = client::Client::Create(argv[1]);
  std::ifstream file(argv[2], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  // What the server has of it isn't sent again.
  const auto replay = client::UploadReplay(**client, bytes);
  if (!replay.ok()) {
    std::cerr << replay.status() << "\n";
    return 1;
  }
  v1::VerifyReplayRequest verify;
  verify.set_name(replay->name());
  auto operation = client::VerifyReplay(**client, verify);
  if (operation.ok()) {
    operation =
        client::Wait(**client, *operation, [](const v1::Operation& now) {
          std::cerr << now.ticks_done() << " of " << now.tick_count() << "\n";
        });
  }
  if (!operation.ok()) {
    std::cerr << operation.status() << "\n";
    return 1;
  }
  std::cout << operation->verification().summary() << "\n";

  v1::QueryReplayRequest query;
  query.set_name(replay->name());
  query.add_expressions("player.bodies.position.z");
  query.mutable_ticks()->set_every(60);
  operation = client::QueryReplay(**client, query);
  if (operation.ok()) operation = client::Wait(**client, *operation);
  if (!operation.ok()) {
    std::cerr << operation.status() << "\n";
    return 1;
  }
  std::cout << *client::DownloadResult(**client, operation->name(),
                                       "values.csv");
  return client::DeleteOperation(**client, operation->name()).ok() ? 0 : 1;
}
