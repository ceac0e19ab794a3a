// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/page/view_page.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "nlohmann/json.hpp"
#include "replays/format/input_source.h"
#include "replays/showing/page/contact_codec.h"
#include "replays/showing/page/pose_codec.h"
#include "replays/showing/page/recorded_inputs.h"
#include "replays/showing/page/recorded_layers.h"
#include "replays/showing/shape_models.h"
#include "replays/showing/shown_expressions.h"
#include "replays/showing/source_json.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/state/field_value.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;

// As many as a person reads before looking at the runs.
constexpr size_t kLinesMax = 12;

// Marks of a timeline; a page that is nothing but marks shows nothing.
constexpr size_t kEventsMax = 20000;

void AppendWord(uint64_t word, int bytes, std::string& out) {
  for (int shift = 0; shift < 8 * bytes; shift += 8) {
    out.push_back(static_cast<char>(word >> shift & 0xff));
  }
}

std::string EncodeBase64(std::string_view bytes) {
  constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    for (size_t j = 0; j < 3; ++j) {
      const uint8_t byte =
          i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0;
      word = word << 8 | byte;
    }
    for (size_t j = 0; j < 4; ++j) {
      const bool is_there = i + j <= bytes.size();
      text.push_back(is_there ? kDigits[word >> (18 - 6 * j) & 63] : '=');
    }
  }
  return text;
}

// Raw DEFLATE, as DecompressionStream of browsers reads it.
std::string Deflate(const std::string& bytes) {
  z_stream stream = {};
  CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS,
                     MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string deflated(deflateBound(&stream, bytes.size()), '\0');
  // zlib's own types: it reads what it doesn't declare const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(deflated.data());
  stream.avail_out = static_cast<uInt>(deflated.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  deflated.resize(stream.total_out);
  deflateEnd(&stream);
  return deflated;
}

// JSON that can stand within <script>: nothing in it ends the element.
std::string FormatForScript(const Json& json) {
  std::string text;
  for (const char c :
       json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

// Text within an element.
std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

Json FloatsJson(const std::vector<std::array<float, 3>>& values) {
  std::string bytes;
  for (const std::array<float, 3>& value : values) {
    for (const float number : value) {
      AppendWord(std::bit_cast<uint32_t>(number), 4, bytes);
    }
  }
  return EncodeBase64(bytes);
}

// Gathers one run, chunk by chunk.
class RunWriter {
 public:
  RunWriter(size_t number, const ViewedRun& run, bool has_layers,
            std::unique_ptr<RecordedFields> fields,
            std::unique_ptr<InputSource> inputs, std::ostream* out)
      : number_(number),
        run_(run),
        models_(run.stream->meshes()),
        has_layers_(has_layers),
        fields_(std::move(fields)),
        layers_(run.stream),
        inputs_(run.stream, std::move(inputs)),
        out_(*out) {}

  // False behind the last frame.
  absl::StatusOr<bool> AddFrame();

  // What isn't in chunks, once all frames are there.
  Json Finish();

  // What there was to say on the way.
  void Report(ViewResult& result) const {
    result.event_count += event_count_;
    result.unmarked_event_count += unmarked_event_count_;
    const ShownExpressions& expressions = fields_->expressions();
    if (result.problem_count == 0) {
      result.first_problem = expressions.first_problem();
    }
    result.problem_count += expressions.problem_count();
    if (result.not_finite_count == 0) {
      result.first_not_finite = expressions.first_not_finite();
    }
    result.not_finite_count += expressions.not_finite_count();
  }

 private:
  void AddEvents();
  void AddObjectiveMark(const sim::Event& event);
  void WriteChunk();
  Json ObjectJson(const ShownObject& object);

  const size_t number_;
  const ViewedRun& run_;
  ShapeModels models_;
  const bool has_layers_;
  const std::unique_ptr<RecordedFields> fields_;
  RecordedLayers layers_;
  RecordedInputs inputs_;
  std::ostream& out_;
  PoseEncoder poses_;
  std::string digests_;
  size_t chunk_count_ = 0;
  uint64_t frame_count_ = 0;
  Json events_ = Json::array();
  Json objectives_ = Json::array();
  uint64_t event_count_ = 0;
  uint64_t unmarked_event_count_ = 0;
};

absl::StatusOr<bool> RunWriter::AddFrame() {
  const absl::StatusOr<bool> is_there = run_.stream->Next();
  if (!is_there.ok() || !*is_there) return is_there;
  const ShownFrame& frame = run_.stream->frame();
  ++frame_count_;
  poses_.AddFrame(frame.poses);
  AppendWord(frame.state.value, 8, digests_);
  AddEvents();
  if (has_layers_) layers_.AddFrame();
  absl::Status status = fields_->AddFrame();
  if (status.ok()) status = inputs_.AddFrame();
  if (!status.ok()) return status;
  if (poses_.frame_count() == kChunkFrames) WriteChunk();
  return true;
}

// What becomes of objectives is marked however much else happens.
bool IsOfObjectives(sim::Id type) {
  static const std::array<sim::Id, 3> types = {sim::IdOf("objective_active"),
                                               sim::IdOf("objective_complete"),
                                               sim::IdOf("objective_failed")};
  return std::ranges::find(types, type) != types.end();
}

void RunWriter::AddEvents() {
  const sim::Simulation& simulation = run_.stream->simulation();
  for (const sim::Event& event : run_.stream->frame().events) {
    ++event_count_;
    if (IsOfObjectives(event.type)) {
      AddObjectiveMark(event);
      continue;
    }
    if (events_.size() >= kEventsMax) {
      ++unmarked_event_count_;
      continue;
    }
    const bool has_object = event.object != sim::kNoObject;
    events_.push_back({event.tick + 1, simulation.IdName(event.type),
                       has_object ? Json(simulation.ObjectName(event.object))
                                  : Json(nullptr)});
  }
}

void RunWriter::AddObjectiveMark(const sim::Event& event) {
  const sim::Simulation& simulation = run_.stream->simulation();
  if (objectives_.size() >= kEventsMax) {
    ++unmarked_event_count_;
    return;
  }
  std::string name;
  for (const sim::EventArgument& argument : event.arguments) {
    if (argument.name != sim::IdOf("objective")) continue;
    name = sim::FormatFieldValue(argument.value, sim::NamesOf(simulation));
  }
  objectives_.push_back(
      {event.tick + 1, simulation.IdName(event.type), std::move(name)});
}

// Three sizes, then digests, poses, contacts and all else as JSON; recording.js
// takes it apart.
void RunWriter::WriteChunk() {
  const uint32_t frames = poses_.frame_count();
  const std::string poses = poses_.TakeChunk();
  const std::string contacts = layers_.TakeContacts();
  const Json changes = {{"fields", fields_->TakeChunk()},
                        {"guides", layers_.TakeGuides()},
                        {"inputs", inputs_.TakeChunk()}};
  std::string chunk;
  AppendWord(frames, 4, chunk);
  AppendWord(poses.size(), 4, chunk);
  AppendWord(contacts.size(), 4, chunk);
  chunk += std::exchange(digests_, {}) + poses + contacts +
           changes.dump(-1, ' ', false, Json::error_handler_t::replace);
  fmt::print(out_,
             "<script type=\"text/plain\" id=\"chunk-{}-{}\">{}</script>\n",
             number_, chunk_count_++, EncodeBase64(Deflate(chunk)));
}

// Of a shape: its geometry, place, rotation and scale.
Json RunWriter::ObjectJson(const ShownObject& object) {
  Json parts = Json::array();
  for (const sim::FrameShape& shape : object.shapes) {
    const auto& [geometry, at, turn, scale] = models_.Place(shape);
    parts.push_back({geometry, at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w,
                     scale.x, scale.y, scale.z});
  }
  return {{"serial", object.object.serial},
          {"name", object.name},
          {"type", object.type},
          {"parts", std::move(parts)}};
}

Json RunWriter::Finish() {
  if (poses_.frame_count() > 0) WriteChunk();
  Json objects = Json::array();
  Json colours = Json::object();
  for (const ShownObject& object : run_.stream->objects()) {
    objects.push_back(ObjectJson(object));
    colours[object.type] = ColourOfType(object.type);
  }
  Json geometries = Json::array();
  for (const ShapeGeometry& geometry : models_.geometries()) {
    geometries.push_back({{"name", geometry.name},
                          {"positions", FloatsJson(geometry.positions)},
                          {"normals", FloatsJson(geometry.normals)}});
  }
  return {{"name", run_.name},
          {"source", DescribeSource(run_.stream->source())},
          {"frame_count", frame_count_},
          {"chunk_count", chunk_count_},
          {"objects", std::move(objects)},
          {"colours", std::move(colours)},
          {"geometries", std::move(geometries)},
          {"columns", fields_->columns()},
          {"guides", layers_.guides()},
          {"has_contacts", layers_.has_contacts()},
          {"inputs", DescribeControls(run_.stream->simulation().info().inputs)},
          {"input_marks", inputs_.marks()},
          {"events", std::move(events_)},
          {"objectives", std::move(objectives_)},
          {"event_count", event_count_},
          {"unmarked_event_count", unmarked_event_count_}};
}

// Notes the first tick whose states differ, and since when each object is
// elsewhere.
class DifferenceWatch {
 public:
  void Look(const FrameStream& a, const FrameStream& b) {
    const sim::Tick tick = a.frame().tick;
    if (a.frame().state == b.frame().state) return;
    if (!difference_) Describe(a, b);
    std::map<std::string_view, const ShownPose*> poses;
    for (const ShownPose& pose : a.frame().poses) {
      poses[a.objects()[pose.object].name] = &pose;
    }
    for (const ShownPose& pose : b.frame().poses) {
      const std::string& name = b.objects()[pose.object].name;
      const auto other = poses.find(name);
      if (other == poses.end()) {
        since_.try_emplace(name, tick);
        continue;
      }
      if (other->second->position != pose.position ||
          other->second->rotation != pose.rotation) {
        since_.try_emplace(name, tick);
      }
      poses.erase(other);
    }
    for (const auto& [name, pose] : poses) {
      since_.try_emplace(std::string(name), tick);
    }
  }

  const std::optional<ViewDifference>& difference() const {
    return difference_;
  }

  Json ToJson() const {
    if (!difference_) return nullptr;
    return {{"tick", difference_->tick},
            {"lines", difference_->lines},
            {"objects", since_}};
  }

 private:
  void Describe(const FrameStream& a, const FrameStream& b) {
    difference_ = ViewDifference{.tick = a.frame().tick, .lines = {}};
    const sim::State& left = a.simulation().state();
    const sim::State& right = b.simulation().state();
    const absl::Status same = left.CheckSameShape(right);
    if (!same.ok()) {
      difference_->lines.emplace_back(same.message());
      return;
    }
    const sim::NameResolver names = sim::NamesOf(a.simulation());
    for (const sim::FieldDifference& field :
         sim::CompareStates(left, right, kLinesMax)) {
      difference_->lines.push_back(sim::FormatDifference(field, left, names));
    }
  }

  std::optional<ViewDifference> difference_;
  std::map<std::string, sim::Tick> since_;  // by name
};

void WriteHead(std::string_view title, std::ostream& out) {
  fmt::print(out,
             "<!doctype html>\n<html lang=\"en\">\n<head>\n"
             "<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n"
             "<title>{}</title>\n<style>\n",
             EscapeHtml(title));
  out << ViewerStyle()
      << "</style>\n</head>\n<body>\n"
         "<noscript>This page plays a replay, which takes "
         "JavaScript.</noscript>"
         "\n";
}

void WriteEnd(const Json& page, std::ostream& out) {
  out << "<script type=\"application/json\" id=\"page\">"
      << FormatForScript(page) << "</script>\n<script>\n"
      << ViewerScript() << "</script>\n</body>\n</html>\n";
}

}  // namespace

absl::StatusOr<ViewResult> WriteViewPage(
    std::span<const ViewedRun> runs, const ViewOptions& options,
    const std::function<void(uint64_t frames)>& progress, std::ostream& out) {
  CHECK(runs.size() == 1 || runs.size() == 2);
  std::deque<RunWriter> writers;  // they stay where they are
  std::string title;
  for (const ViewedRun& run : runs) {
    absl::StatusOr<std::unique_ptr<RecordedFields>> recorded =
        RecordedFields::Create(run.stream, options.fields);
    if (!recorded.ok()) return recorded.status();
    writers.emplace_back(writers.size(), run, options.has_layers,
                         *std::move(recorded), run.replay->ReadInputs(), &out);
    title += (title.empty() ? "" : " | ") + run.name;
  }
  WriteHead(title, out);
  ViewResult result;
  DifferenceWatch watch;
  for (bool is_any = true; is_any && out;) {
    is_any = false;
    bool are_all = true;
    for (RunWriter& writer : writers) {
      const absl::StatusOr<bool> is_there = writer.AddFrame();
      if (!is_there.ok()) return is_there.status();
      is_any = is_any || *is_there;
      are_all = are_all && *is_there;
      if (*is_there) ++result.frame_count;
    }
    if (are_all && runs.size() == 2) {
      watch.Look(*runs[0].stream, *runs[1].stream);
    }
    if (progress) progress(result.frame_count);
  }
  Json page = {{"position_step", kPositionStepM},
               {"rotation_step", kRotationStep},
               {"contact_step", kContactStepM},
               {"normal_step", kNormalStep},
               {"impulse_bits_dropped", kImpulseBitsDropped},
               {"position_error_m", kPositionErrorM},
               {"rotation_error_rad", kRotationErrorRad},
               {"chunk_frames", kChunkFrames},
               {"runs", Json::array()}};
  for (RunWriter& writer : writers) {
    page["runs"].push_back(writer.Finish());
    writer.Report(result);
  }
  page["difference"] = watch.ToJson();
  WriteEnd(page, out);
  result.difference = watch.difference();
  return result;
}

}  // namespace reprise::replays
