// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/reshaped_simulation.h"

#include <cstdint>
#include <utility>

#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/field.h"

namespace reprise::replays {

sim::State ChangeShape(const sim::State& state, const ChangeFields& change) {
  sim::State changed;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::RowSchema& schema = state.table({i}).schema();
    const std::string& room = state.room_of({i}).name;
    std::vector<sim::Field> fields(schema.fields().begin(),
                                   schema.fields().end());
    change(room, schema.name(), fields);
    if (fields.empty()) continue;
    uint32_t offset = 0;
    for (sim::Field& field : fields) {
      field.offset = offset;
      offset += field.count * sim::ScalarSize(field.scalar);
    }
    changed.AddTable(
        room, std::make_shared<const sim::RowSchema>(
                  schema.name(), schema.key_field_count(), std::move(fields)));
  }
  return changed;
}

sim::Field NewField(const std::string& name, sim::ScalarType scalar,
                    const std::string& unit) {
  return {.name = name,
          .unit = unit,
          .scalar = scalar,
          .shape = sim::FieldShape::kScalar,
          .count = 1,
          .offset = 0};
}

ReshapedSimulation::ReshapedSimulation(
    std::unique_ptr<sim::Simulation> simulation, const sim::State& shape)
    : simulation_(std::move(simulation)),
      shape_(shape),
      common_(simulation_->state(), shape) {
  UpdateState();
}

void ReshapedSimulation::Step(std::span<const sim::InputFrame> frames,
                              sim::PhaseObserver* observer) {
  simulation_->Step(frames, observer);
  UpdateState();
}

void ReshapedSimulation::UpdateState() {
  state_ = shape_;
  common_.Put(CommonShape::Side::kActual,
              common_.Take(CommonShape::Side::kExpected, simulation_->state()),
              state_);
}

absl::Status ReshapedSimulation::Restore(const sim::State& /*snapshot*/) {
  return absl::UnimplementedError("a reshaped simulation isn't restored");
}

std::unique_ptr<sim::Simulation> ReshapedSimulation::Fork() const {
  return std::make_unique<ReshapedSimulation>(simulation_->Fork(), shape_);
}

absl::Status ReshapedSimulation::Inject(const sim::FieldAddress& /*address*/,
                                        sim::FieldValue /*value*/) {
  return absl::UnimplementedError("nothing is injected into it");
}

Bytes RecordReshaped(const sim::State& shape,
                     const std::optional<Injection>& injection) {
  constexpr sim::Tick kTicks = 100;
  std::unique_ptr<sim::Simulation> tiny = MakeTiny();
  if (injection.has_value()) {
    tiny = std::make_unique<InjectingSimulation>(std::move(tiny), *injection);
  }
  ReshapedSimulation simulation(std::move(tiny), shape);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer =
      *ReplayWriter::Create(std::make_unique<MemorySink>(&file), simulation,
                            MakeTinyPack(), TinyRecordingOptions().writer);
  Recorder recorder(&simulation, writer.get());
  RestlessInputs inputs;
  for (sim::Tick tick = 0; tick < kTicks; ++tick) {
    CHECK(recorder.Step(*inputs.FramesAt(tick)).ok());
  }
  CHECK(recorder.Finish().ok());
  return file;
}

}  // namespace reprise::replays
