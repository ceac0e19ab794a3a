// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Steps a marble on a stream: ten batches of a hundred ticks, of which up to
// four are under way at once; then until it has fallen off, or a minute is
// over.
//
// usage: stepping ADDRESS

#include <iostream>
#include <string>

#include "client.h"
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
  v1::StepSessionRequest batch;
  batch.set_tick_count(100);
  for (int sent = 0, answered = 0; answered < 10; ++answered) {
    for (; sent < 10 && stream->under_way() < 4; ++sent) {
      if (!stream->Send(batch).ok()) return 1;
    }
    const auto response = stream->Receive();
    if (!response.ok()) {
      std::cerr << response.status() << "\n";
      return 1;
    }
  }
  std::cout << "tick " << stream->tick() << "\n";

  v1::StepSessionRequest until;
  until.set_tick_count(3600);
  until.mutable_until()->set_condition("player.bodies.position.y < -1");
  until.mutable_until()->set_outcome(true);
  v1::DeviceState& device = *until.add_inputs()->add_frames()->mutable_device();
  until.mutable_inputs(0)->set_tick(stream->tick());
  device.add_axes(32767);
  device.add_axes(32767);
  const auto end = stream->Step(until);
  if (!end.ok()) {
    std::cerr << end.status() << "\n";
    return 1;
  }
  std::cout << "tick " << end->tick() << ": "
            << v1::StopReason_Name(end->stop_reason()) << "\n";
  if (!stream->Close().ok()) return 1;
  return session->Delete().ok() ? 0 : 1;
}
