// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes one seed of the replay fuzzer to the standard output: the byte that
// chooses a whole file, and a short recording ("file"), one that was cut off
// ("cut_off"), or one with a wrong byte in its middle ("damaged"); or the byte
// that chooses a list of messages, and the messages of a good replay
// ("messages"), or those of one with a keyframe of real rows ("rows").

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replays/format/replay_topics.h"
#include "replays/messages/proto_conversion.h"
#include "replays/testing/tiny_recording.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/input/testing_grammar.h"
#include "sim/simulation.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_schema_codec.h"

namespace reprise::replays {
namespace {

void PrintMessage(uint8_t topic, uint8_t tick,
                  const google::protobuf::MessageLite& message) {
  const std::string data = message.SerializeAsString();
  CHECK(data.size() <= UINT16_MAX, "{} bytes", data.size());
  std::cout << static_cast<char>(topic) << static_cast<char>(tick)
            << static_cast<char>(data.size() & 0xFF)
            << static_cast<char>(data.size() >> 8) << data;
}

// Something of every kind, in messages of a few inputs each.
void PrintEveryInput() {
  const sim::InputFrame every = sim::EveryInputFrame();
  std::vector<sim::InputFrame> frames(2);
  frames[0].device = every.device;
  frames[1].activity = every.activity;
  for (const sim::Command& command : every.commands) {
    frames.push_back({.player = 0, .commands = {command}});
  }
  uint8_t tick = 20;
  for (const sim::InputFrame& frame : frames) {
    v1::InputBatch inputs;
    inputs.set_first_tick(tick);
    inputs.set_tick_count(1);
    v1::TickInputs& added = *inputs.add_ticks();
    added.set_tick(tick);
    *added.add_frames() = ToProto(frame, sim::EveryInputGrammar());
    PrintMessage(0, tick, inputs);
    ++tick;
  }
}

void PrintMessages() {
  v1::InputBatch inputs;
  inputs.set_tick_count(20);
  v1::TickInputs& tick = *inputs.add_ticks();
  tick.set_tick(3);
  v1::InputFrame& frame = *tick.add_frames();
  frame.mutable_device()->add_axes(100);
  v1::Command& command = *frame.add_commands();
  command.set_name("teleport");
  command.add_arguments(5);
  v1::DigestBatch digests;
  digests.set_stride(10);
  digests.add_chains(2);
  digests.add_rooms(3);
  digests.add_rooms(4);
  v1::Keyframe keyframe;
  keyframe.set_tick(10);
  keyframe.set_state("RPRSTAT2");
  keyframe.set_schema(*sim::EncodeStateSchema(MakeTiny()->state()));
  v1::Keyframe front;
  front.set_tick(11);
  front.set_state("RPRS");
  front.set_state_bytes_left(4);
  v1::Keyframe rest;
  rest.set_tick(11);
  rest.set_state("TAT2");
  rest.set_state_offset(4);
  v1::EventBatch events;
  events.set_tick_count(20);
  events.add_events()->set_tick(7);
  v1::RunEnd end;
  end.set_tick_count(25);
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  end.set_event_count(1);
  std::cout << '\1';
  PrintMessage(0, 0, inputs);
  PrintEveryInput();
  PrintMessage(1, 0, digests);
  PrintMessage(2, 10, keyframe);
  PrintMessage(2, 11, front);
  PrintMessage(2, 11, rest);
  PrintMessage(3, 0, events);
  PrintMessage(4, 25, end);
}

// An idle run whose keyframe can be gone on from.
void PrintRows() {
  constexpr uint8_t kTick = 10;
  constexpr uint64_t kTicks = 20;
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  sim::Digest chain;
  const auto extend = [&] {
    const sim::Digest root = simulation->state().ComputeRootDigest();
    chain = sim::ExtendChain(chain, root);
    return root;
  };
  extend();
  while (simulation->tick() < kTick) {
    simulation->Step({}, /*observer=*/nullptr);
    extend();
  }
  v1::Keyframe keyframe;
  keyframe.set_tick(kTick);
  keyframe.set_state(sim::EncodeState(simulation->state()));
  keyframe.set_chain(chain.value);
  keyframe.set_schema(*sim::EncodeStateSchema(simulation->state()));
  v1::InputBatch inputs;
  inputs.set_tick_count(kTicks);
  sim::Digest root;
  while (simulation->tick() < kTicks) {
    simulation->Step({}, /*observer=*/nullptr);
    root = extend();
  }
  v1::RunEnd end;
  end.set_tick_count(kTicks);
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  end.set_root(root.value);
  end.set_chain(chain.value);
  std::cout << '\1';
  PrintMessage(0, 0, inputs);
  PrintMessage(2, kTick, keyframe);
  PrintMessage(4, kTicks, end);
}

void PrintFile(const Bytes& file) {
  std::cout << '\0';
  std::cout.write(reinterpret_cast<const char*>(file.data()),
                  static_cast<std::streamsize>(file.size()));
}

}  // namespace
}  // namespace reprise::replays

int main(int argc, char** argv) {
  namespace replays = reprise::replays;
  const std::string_view kind = argc == 2 ? argv[1] : "";
  if (kind == "file") {
    replays::PrintFile(
        replays::RecordTiny({.tick_count = 50, .has_every_input = true}));
  } else if (kind == "cut_off") {
    replays::PrintFile(
        replays::RecordTiny({.tick_count = 90, .is_finished = false}));
  } else if (kind == "damaged") {
    replays::Bytes file = replays::RecordTiny({.tick_count = 50});
    file[file.size() / 2] ^= std::byte{1};
    replays::PrintFile(file);
  } else if (kind == "messages") {
    replays::PrintMessages();
  } else if (kind == "rows") {
    replays::PrintRows();
  } else {
    return 2;
  }
  return std::cout.good() ? 0 : 1;
}
