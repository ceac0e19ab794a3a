// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Watches a course for two seconds: frames every ten ticks, as differences to
// those that have come, and what moved between the last two.
//
// usage: frames ADDRESS

#include <iostream>
#include <string>

#include "client.h"
#include "scene.h"
#include "stepping.h"

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
  const auto stream = client::StepStream::Open(**client, *session);
  client::Scene scene;
  v1::StepSessionRequest step;
  step.set_tick_count(10);
  v1::ObservedFrames& frames = *step.mutable_observe()->mutable_frames();
  frames.set_every_ticks(10);
  frames.set_differences(true);
  for (int i = 0; i < 12; ++i) {
    if (i > 0) step.clear_observe();  // it goes on
    step.set_frame_acknowledged(scene.acknowledged());
    const auto response = stream->Step(step);
    if (!response.ok()) {
      std::cerr << response.status() << "\n";
      return 1;
    }
    if (const auto taken = scene.Take(response->observations()); !taken.ok()) {
      std::cerr << taken << "\n";
      return 1;
    }
  }
  std::cout << "tick " << scene.tick() << ": " << scene.objects().size()
            << " objects\n";
  for (const client::SceneObject& object : scene.objects()) {
    if (object.description->name() != "player") continue;
    std::cout << "player: " << object.position[0] << ", " << object.position[1]
              << ", " << object.position[2] << " m\n";
  }
  if (!stream->Close().ok()) return 1;
  return session->Delete().ok() ? 0 : 1;
}
