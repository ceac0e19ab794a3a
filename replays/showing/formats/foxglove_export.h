// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run as an MCAP file that Foxglove and other viewers of robots' logs open:
// messages as JSON, of Foxglove's published schemas (foxglove.SceneUpdate,
// FrameTransforms, Log; docs.foxglove.dev/docs/visualization/message-schemas).

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_FOXGLOVE_EXPORT_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_FOXGLOVE_EXPORT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_writer.h"
#include "replays/showing/formats/shared_topic.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shape_models.h"
#include "replays/showing/shown_expressions.h"
#include "replays/showing/shown_scene.h"

namespace reprise::replays {

// Takes the frames of a stream as it goes on. A viewer that seeks reads the
// last message of each topic and no more, so each says all that stands:
//
//   /tf              where objects are, at each frame
//   /scene           their shapes, again when an object comes or goes
//   /scene/surfaces  the same of those with planes, hulls and meshes
//   /events          a line of log for each event
//   /state           the tick and the digest of the state that is shown
//   /layers          lines that were asked for, at each frame
//   /fields/TEXT     an expression: each object's value, or the one value
//
// Where objects are too many for one message, more topics share them: /tf/2,
// /scene/2, /scene/3. Viewers have z upwards: "world" does, and "run" within it
// is the run's own frame. The metadata record "reprise.frames" names the run.
class FoxgloveExport {
 public:
  // What a file takes beside the other topics.
  static constexpr size_t kFieldsMax = 24;

  // Both must remain live while this export is in use. INVALID_ARGUMENT names
  // the expression that is wrong; RESOURCE_EXHAUSTED: more than kFieldsMax.
  static absl::StatusOr<std::unique_ptr<FoxgloveExport>> Create(
      const FrameStream* stream, const std::vector<std::string>& expressions,
      ByteSink* sink);

  FoxgloveExport(const FoxgloveExport&) = delete;
  FoxgloveExport& operator=(const FoxgloveExport&) = delete;

  // Takes over the frame that the stream is at. Errors are the sink's, or
  // RESOURCE_EXHAUSTED: more objects than fit the topics of a file.
  absl::Status AddFrame();

  // What else is to be looked at in that frame. The first such call
  // begins the topic. Errors are the sink's and those of FoxgloveLinesOf.
  absl::Status AddLines(std::span<const DrawnLine> lines);

  absl::Status Finish();

  // What the fields are, and how often there was no answer.
  const ShownExpressions& expressions() const { return *expressions_; }

 private:
  FoxgloveExport(const FrameStream* stream,
                 std::unique_ptr<ShownExpressions> expressions);

  absl::Status Begin(ByteSink* sink);
  absl::StatusOr<uint16_t> AddChannel(const std::string& topic,
                                      const std::string& schema);
  absl::Status AddEvents();
  absl::Status AddScenes();
  absl::Status AddScene(const std::set<uint32_t>& there, SharedTopic& topic);
  // Gives each of `there` a place on a topic.
  absl::Status Share(const std::set<uint32_t>& there, std::string_view schema,
                     const std::function<uint64_t(uint32_t object)>& bytes_of,
                     SharedTopic& topic);
  absl::Status AddTransforms();
  absl::Status AddFields();
  absl::Status Write(uint16_t channel, const nlohmann::json& message,
                     uint64_t time_ns);

  nlohmann::json EntityOf(const ShownObject& object, uint64_t time_ns);
  void AddShape(const sim::FrameShape& shape, const nlohmann::json& colour,
                nlohmann::json& entity);

  const FrameStream& stream_;
  const std::unique_ptr<ShownExpressions> expressions_;
  ShapeModels models_;
  std::unique_ptr<McapWriter> writer_;
  std::map<std::string, uint16_t> schemas_;
  SharedTopic solids_;
  SharedTopic surfaces_;
  SharedTopic transforms_;
  uint16_t events_ = 0;
  uint16_t states_ = 0;
  std::optional<uint16_t> layers_;
  std::vector<uint16_t> fields_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_FOXGLOVE_EXPORT_H_
