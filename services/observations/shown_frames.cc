// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/observations/shown_frames.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/frame.pb.h"
#include "services/observations/observed_group.h"
#include "services/observations/tick_frame.h"
#include "sim/game_description.h"

namespace reprise::services {
namespace {

// What a pose takes in a message: its serial, at most, and seven numbers.
constexpr uint64_t kPoseBytes = 10 + 7 * sizeof(double);
// What a serial takes, at most.
constexpr uint64_t kSerialBytes = 10;
// Fewer objects that have gone aren't worth looking for.
constexpr size_t kForgottenMin = 64;
// What is noted of an object that was introduced: a node of a tree has three
// pointers and a colour beside its value.
constexpr uint64_t kIntroducedBytes =
    sizeof(std::pair<const uint64_t, std::pair<sim::Digest, uint64_t>>) +
    4 * sizeof(void*);
// What a part of a message takes beside its own bytes, at most.
constexpr uint64_t kPartBytes = 6;

// Of frames that are differences only a change of bits is one.
bool IsSame(const sim::FrameObject& object, const sim::Vector3& position,
            const sim::Quaternion& rotation) {
  using VectorBits = std::array<uint64_t, 3>;
  using RotationBits = std::array<uint64_t, 4>;
  return std::bit_cast<VectorBits>(object.position) ==
             std::bit_cast<VectorBits>(position) &&
         std::bit_cast<RotationBits>(object.rotation) ==
             std::bit_cast<RotationBits>(rotation);
}

template <typename Value>
void Append(const Value& value, std::vector<std::byte>& bytes) {
  const auto added = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), added.begin(), added.end());
}

// Stands for all that is said of an object once.
sim::Digest DigestOf(const sim::FrameObject& object) {
  std::vector<std::byte> bytes;
  for (const std::string* text : {&object.name, &object.type}) {
    Append(text->size(), bytes);
    const auto added = std::as_bytes(std::span(*text));
    bytes.insert(bytes.end(), added.begin(), added.end());
  }
  for (const sim::FrameShape& shape : object.shapes) {
    Append(shape.kind, bytes);
    Append(shape.position, bytes);
    Append(shape.rotation, bytes);
    Append(shape.size, bytes);
    Append(shape.mesh, bytes);
  }
  return sim::DigestOf(bytes);
}

void AddPose(const sim::FrameObject& object, v1::ObservedFrame& frame) {
  const sim::Vector3& position = object.position;
  const sim::Quaternion& rotation = object.rotation;
  frame.add_objects(object.object.serial);
  for (const double value : {position.x, position.y, position.z}) {
    frame.add_positions(value);
  }
  for (const double value : {rotation.x, rotation.y, rotation.z, rotation.w}) {
    frame.add_rotations(value);
  }
}

v1::FrameObject Describe(const sim::FrameObject& object) {
  // The rate is of the frame's time, which isn't used.
  v1::Frame frame = replays::ToProto(sim::Frame{.tick = 0, .objects = {object}},
                                     sim::TickRate());
  v1::FrameObject described = std::move(*frame.mutable_objects(0));
  described.clear_position();
  described.clear_rotation();
  return described;
}

v1::FrameMesh Describe(const sim::FrameMesh& mesh, uint32_t number) {
  v1::Frame frame;
  replays::AddMeshes({mesh}, frame);
  v1::FrameMesh described = std::move(*frame.mutable_meshes(0));
  described.set_mesh(number);
  return described;
}

bool HasMesh(const sim::FrameShape& shape) {
  return shape.kind == sim::FrameShape::Kind::kHull ||
         shape.kind == sim::FrameShape::Kind::kMesh;
}

// The types that the pack describes, where it describes any.
absl::Status CheckTypes(const FrameInterest& interest, const std::string& path,
                        const sim::Simulation& simulation) {
  const auto& known = simulation.description().types;
  if (known.empty()) return absl::OkStatus();
  for (const std::string& type : interest.types) {
    if (std::ranges::find(known, type, &sim::TypeDescription::name) ==
        known.end()) {
      return ObservationError(path + ".types",
                              fmt::format("no type '{}'", type));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ShownFrames> ShownFrames::Parse(
    const v1::ObservedFrames& message, const std::string& path,
    const FrameInterest* view, const sim::Simulation& simulation,
    uint64_t bytes_max) {
  ShownFrames frames;
  frames.bytes_max_ = bytes_max;
  frames.every_ticks_ = message.every_ticks();
  frames.tells_differences_ = message.differences();
  // First, so that no declaration asks what is near something that is hidden.
  if (view != nullptr) frames.interests_.push_back(*view);
  if (message.has_interest()) {
    const std::string interest_path = path + ".interest";
    auto interest = ParseFrameInterest(message.interest(), interest_path,
                                       &ObservationError);
    if (!interest.ok()) return interest.status();
    if (absl::Status checked = CheckTypes(*interest, interest_path, simulation);
        !checked.ok()) {
      return checked;
    }
    frames.interests_.push_back(*std::move(interest));
  }
  return frames;
}

void ShownFrames::CountInto(std::shared_ptr<TenantMemory> memory) {
  share_ = MemoryShare(std::move(memory));
  Count();
}

void ShownFrames::Count() {
  share_.Set(kept_poses_ * sizeof(Pose) +
             introduced_.size() * kIntroducedBytes);
}

bool ShownFrames::IsDue(sim::Tick tick) {
  const std::optional<sim::Tick> last = std::exchange(last_tick_, tick);
  if (every_ticks_ == 0) return false;
  if (!last.has_value()) return tick % every_ticks_ == 0;
  const uint64_t count =
      tick > *last ? tick / every_ticks_ - *last / every_ticks_ : 0;
  if (count > 1) frames_missed_ += count - 1;
  return count > 0;
}

void ShownFrames::Show(const ObservedTick& tick, uint64_t& bytes_left,
                       v1::Observations& observations) {
  TickFrame own;
  const sim::Frame& made =
      (tick.frame == nullptr ? own : *tick.frame).Of(tick.simulation);
  last_tick_ = made.tick;
  const std::vector<const sim::FrameObject*> objects = Select(made, interests_);
  const KeptFrame* const base = FindBase();
  v1::ObservedFrame& frame = *observations.add_frames();
  frame.set_number(++number_);
  frame.set_tick(made.tick);
  frame.set_frames_missed(std::exchange(frames_missed_, 0));
  if (base != nullptr) frame.set_base(base->number);
  KeptFrame shown = {.number = number_, .poses = {}};
  if (base != nullptr) {
    AddGone(objects, *base, bytes_left, frame, shown.poses);
  }
  AddObjects(objects, base, bytes_left, frame, shown.poses);
  // A total order: a serial is one object's.
  std::ranges::sort(shown.poses, {}, &Pose::object);
  if (!owed_meshes_.empty()) AddMeshes(tick.simulation, bytes_left, frame);
  frame.set_meshes_omitted(
      static_cast<uint32_t>(owed_meshes_.size() + large_meshes_.size()));
  NoteShown(base, shown);
  if (tells_differences_) Keep(std::move(shown));
  Count();
}

void ShownFrames::Acknowledge(uint64_t number) {
  const auto found = std::ranges::find(kept_, number, &KeptFrame::number);
  if (found == kept_.end()) return;
  while (kept_.front().number != number) DropKept(0);
  is_acknowledged_ = true;
  Count();
}

const ShownFrames::KeptFrame* ShownFrames::FindBase() const {
  return is_acknowledged_ && !kept_.empty() ? &kept_.front() : nullptr;
}

void ShownFrames::AddGone(std::span<const sim::FrameObject* const> objects,
                          const KeptFrame& base, uint64_t& bytes_left,
                          v1::ObservedFrame& frame, std::vector<Pose>& shown) {
  auto object = objects.begin();
  for (const Pose& pose : base.poses) {
    while (object != objects.end() && (*object)->object.serial < pose.object) {
      ++object;
    }
    if (object != objects.end() && (*object)->object.serial == pose.object) {
      continue;
    }
    if (bytes_left < kSerialBytes) {
      // The client sees it for one more frame.
      shown.push_back(pose);
      continue;
    }
    bytes_left -= kSerialBytes;
    frame.add_gone(pose.object);
  }
}

void ShownFrames::AddObjects(std::span<const sim::FrameObject* const> objects,
                             const KeptFrame* base, uint64_t& bytes_left,
                             v1::ObservedFrame& frame,
                             std::vector<Pose>& shown) {
  uint32_t omitted = 0;
  for (const sim::FrameObject* object : objects) {
    const Pose* const before = FindPose(base, object->object.serial);
    const int introduced_before = frame.introduced_size();
    const bool is_known =
        Introduce(*object, before != nullptr, bytes_left, frame);
    const bool is_as_before =
        before != nullptr && is_known &&
        frame.introduced_size() == introduced_before &&
        IsSame(*object, before->position, before->rotation);
    if (is_as_before) {
      shown.push_back(*before);
    } else if (is_known && bytes_left >= kPoseBytes) {
      bytes_left -= kPoseBytes;
      AddPose(*object, frame);
      shown.push_back({.object = object->object.serial,
                       .position = object->position,
                       .rotation = object->rotation});
    } else {
      ++omitted;
      if (before != nullptr) shown.push_back(*before);
    }
  }
  frame.set_objects_omitted(omitted);
}

const ShownFrames::Pose* ShownFrames::FindPose(const KeptFrame* frame,
                                               uint64_t object) {
  if (frame == nullptr) return nullptr;
  const auto found =
      std::ranges::lower_bound(frame->poses, object, {}, &Pose::object);
  return found != frame->poses.end() && found->object == object ? &*found
                                                                : nullptr;
}

bool ShownFrames::Introduce(const sim::FrameObject& object, bool is_in_base,
                            uint64_t& bytes_left, v1::ObservedFrame& frame) {
  const sim::Digest digest = DigestOf(object);
  const auto known = introduced_.find(object.object.serial);
  if (known != introduced_.end() && known->second.digest == digest &&
      (is_in_base || number_ - known->second.number < kKeptFramesMax)) {
    return true;
  }
  v1::FrameObject described = Describe(object);
  const uint64_t size = described.ByteSizeLong() + kPartBytes;
  // Its pose comes along.
  if (size + kPoseBytes > bytes_left) return false;
  bytes_left -= size;
  *frame.add_introduced() = std::move(described);
  introduced_.insert_or_assign(object.object.serial,
                               Introduced{.digest = digest, .number = number_});
  for (const sim::FrameShape& shape : object.shapes) {
    if (HasMesh(shape) && !known_meshes_.contains(shape.mesh) &&
        !large_meshes_.contains(shape.mesh)) {
      owed_meshes_.emplace(shape.mesh, 0);
    }
  }
  return true;
}

void ShownFrames::AddMeshes(const sim::Simulation& simulation,
                            uint64_t& bytes_left, v1::ObservedFrame& frame) {
  // To make them costs more than a frame: only where one may fit.
  const bool any_fits = std::ranges::any_of(
      owed_meshes_,
      [&](const auto& owed) { return owed.second <= bytes_left; });
  if (!any_fits) return;
  const std::vector<sim::FrameMesh> meshes = simulation.FrameMeshes();
  // Whether it is owed no longer.
  const auto take = [&](uint32_t number, uint64_t& size) {
    if (number >= meshes.size()) return true;
    if (size > bytes_left) return false;
    v1::FrameMesh described = Describe(meshes[number], number);
    size = described.ByteSizeLong() + kPartBytes;
    if (size > bytes_max_) large_meshes_.insert(number);
    if (size > bytes_left) return size > bytes_max_;
    bytes_left -= size;
    *frame.add_meshes() = std::move(described);
    known_meshes_.insert(number);
    return true;
  };
  for (auto owed = owed_meshes_.begin(); owed != owed_meshes_.end();) {
    owed = take(owed->first, owed->second) ? owed_meshes_.erase(owed)
                                           : std::next(owed);
  }
}

void ShownFrames::Keep(KeptFrame frame) {
  const size_t poses = frame.poses.size();
  // A base beside which no other frame fits would be the base for ever, and
  // ever more be different from it.
  const KeptFrame* const base = FindBase();
  if (base != nullptr && base->poses.size() + poses > kKeptPosesMax) {
    DropKept(0);
    is_acknowledged_ = false;
  }
  // Otherwise it stays: what is told from then on are differences to it.
  const size_t first = is_acknowledged_ ? 1 : 0;
  while (kept_.size() > first && (kept_.size() >= kKeptFramesMax ||
                                  kept_poses_ + poses > kKeptPosesMax)) {
    DropKept(first);
  }
  if (kept_poses_ + poses > kKeptPosesMax) return;
  kept_poses_ += poses;
  kept_.push_back(std::move(frame));
}

void ShownFrames::DropKept(size_t index) {
  const auto kept = kept_.begin() + static_cast<std::ptrdiff_t>(index);
  kept_poses_ -= kept->poses.size();
  kept_.erase(kept);
}

void ShownFrames::NoteShown(const KeptFrame* base, const KeptFrame& shown) {
  for (const Pose& pose : shown.poses) {
    const auto known = introduced_.find(pose.object);
    if (known != introduced_.end()) known->second.number = shown.number;
  }
  if (introduced_.size() <= 2 * shown.poses.size() + kForgottenMin) return;
  std::erase_if(introduced_, [&](const auto& known) {
    return number_ - known.second.number >= kKeptFramesMax &&
           FindPose(base, known.first) == nullptr;
  });
}

}  // namespace reprise::services
