// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rolls the marble ahead for five seconds, and says where it is each second.
//
// usage: marble ADDRESS

#include <iostream>
#include <string>

#include "client.h"

int main(int argc, char** argv) {
  using namespace reprise;
  const std::string address = argc > 1 ? argv[1] : "127.0.0.1:7171";
  auto client = client::Client::Create(address);
  v1::CreateSessionRequest create;
  create.set_pack("marble");
  create.set_seed(7);
  create.set_record(true);
  auto session = (*client)->CreateSession(create);
  if (!session.ok()) {
    std::cerr << session.status() << "\n";
    return 1;
  }
  v1::StepRequest step;
  step.set_tick_count(60);
  v1::ObservedGroup& group = *step.mutable_observe()->add_groups();
  group.add_fields("bodies.position");
  group.add_objects("player");
  v1::DeviceState& device =
      *step.add_inputs()->add_frames()->mutable_device();
  device.add_axes(0);
  device.add_axes(32767);
  for (int second = 0; second < 5; ++second) {
    if (second > 0) step.clear_inputs();  // the stick is held
    const auto response = session->Step(step);
    if (!response.ok()) {
      std::cerr << response.status() << "\n";
      return 1;
    }
    const auto& place = response->observations().blocks(0).columns(0).numbers();
    std::cout << "tick " << session->tick() << ": " << place[0] << ", "
              << place[1] << ", " << place[2] << " m\n";
  }
  std::cout << "kept as " << session->Delete().value() << "\n";
  return 0;
}
