// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pushes the marble ahead for two seconds and shows where it was, and how fast,
// in each half of a second: four ticks of one request, in columns.
//
// usage: observations ADDRESS

#include <cstddef>
#include <iostream>
#include <string>

#include "client.h"
#include "observations.h"

int main(int argc, char** argv) {
  using namespace reprise;
  const std::string address = argc > 1 ? argv[1] : "127.0.0.1:7171";
  auto client = client::Client::Create(address);
  v1::CreateSessionRequest create;
  create.set_pack("marble");
  auto session = (*client)->CreateSession(create);
  if (!session.ok()) {
    std::cerr << session.status() << "\n";
    return 1;
  }
  v1::StepRequest step;
  step.set_tick_count(120);
  v1::ObservedGroup& group = *step.mutable_observe()->add_groups();
  group.add_fields("bodies.position");
  group.add_fields("bodies.linear_velocity");
  group.add_objects("player");
  group.set_every_ticks(30);
  v1::DeviceState& device = *step.add_inputs()->add_frames()->mutable_device();
  device.add_axes(0);
  device.add_axes(32767);
  const auto response = session->Step(step);

  client::ObservationReader reader;
  const auto blocks = reader.Read(*response);
  for (const client::Block& block : *blocks) {
    const auto place = block.column<double>("bodies.position");
    const auto speed = block.column<double>("bodies.linear_velocity");
    const size_t player = *block.RowOf("player");
    for (size_t i = 0; i < block.tick_count(); ++i) {
      std::cout << "tick " << block.tick(i)
                << ": z = " << place->at(i, player, 2) << " "
                << place->layout().unit() << ", " << speed->at(i, player, 2)
                << " " << speed->layout().unit() << "\n";
    }
  }
  return session->Delete().ok() ? 0 : 1;
}
