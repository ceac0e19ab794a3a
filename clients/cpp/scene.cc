// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "scene.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"

namespace reprise::client {
namespace {

// As many as the server keeps.
constexpr uint64_t kFramesKept = 32;
// Fewer objects that have gone aren't worth looking for.
constexpr size_t kForgottenMin = 64;

absl::Status FrameError(const v1::ObservedFrame& frame,
                        absl::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("frame ", frame.number(), ": ", problem));
}

template <typename Serials>
bool IsAscending(const Serials& serials) {
  return std::adjacent_find(serials.begin(), serials.end(),
                            [](uint64_t left, uint64_t right) {
                              return left >= right;
                            }) == serials.end();
}

}  // namespace

absl::Status Scene::Take(const v1::Observations& observations) {
  for (const v1::ObservedFrame& frame : observations.frames()) {
    absl::Status taken = TakeFrame(frame);
    if (!taken.ok()) return taken;
  }
  return absl::OkStatus();
}

absl::Status Scene::TakeFrame(const v1::ObservedFrame& frame) {
  absl::StatusOr<Poses> poses = PosesOf(frame);
  if (!poses.ok()) return poses.status();
  Descriptions introduced;
  for (const v1::FrameObject& object : frame.introduced()) {
    introduced[object.object()] =
        std::make_shared<const v1::FrameObject>(object);
  }
  std::vector<SceneObject> objects;
  objects.reserve(poses->size());
  for (const Pose& pose : *poses) {
    auto described = introduced.find(pose.serial);
    if (described == introduced.end()) {
      described = known_.find(pose.serial);
      if (described == known_.end()) {
        return FrameError(frame, absl::StrCat("nothing has said what object ",
                                              pose.serial, " is"));
      }
    }
    objects.push_back({.serial = pose.serial,
                       .description = described->second,
                       .position = pose.position,
                       .rotation = pose.rotation});
  }

  for (auto& [serial, description] : introduced) {
    known_[serial] = std::move(description);
  }
  for (const v1::FrameMesh& mesh : frame.meshes()) meshes_[mesh.mesh()] = mesh;
  frames_[frame.number()] = *std::move(poses);
  objects_ = std::move(objects);
  tick_ = frame.tick();
  acknowledged_ = frame.number();
  Forget(frame);
  return absl::OkStatus();
}

absl::StatusOr<Scene::Poses> Scene::PosesOf(
    const v1::ObservedFrame& frame) const {
  const int count = frame.objects_size();
  if (frame.positions_size() != 3 * count ||
      frame.rotations_size() != 4 * count) {
    return FrameError(frame, "it has other poses than objects");
  }
  if (!IsAscending(frame.objects()) || !IsAscending(frame.gone())) {
    return FrameError(frame, "its objects aren't ascending");
  }
  Poses base;
  if (frame.base() != 0) {
    const auto found = frames_.find(frame.base());
    if (found == frames_.end()) {
      return FrameError(frame,
                        absl::StrCat("it differs from frame ", frame.base(),
                                     ", which isn't here"));
    }
    base = found->second;
  }
  std::erase_if(base, [&](const Pose& pose) {
    return std::binary_search(frame.gone().begin(), frame.gone().end(),
                              pose.serial);
  });
  // Both are ascending; what the frame has stands for what the base had.
  Poses poses;
  poses.reserve(base.size() + static_cast<size_t>(count));
  auto before = base.begin();
  for (int i = 0; i < count; ++i) {
    Pose pose = {.serial = frame.objects(i)};
    for (int j = 0; j < 3; ++j) pose.position[j] = frame.positions(3 * i + j);
    for (int j = 0; j < 4; ++j) pose.rotation[j] = frame.rotations(4 * i + j);
    while (before != base.end() && before->serial < pose.serial) {
      poses.push_back(*before++);
    }
    if (before != base.end() && before->serial == pose.serial) ++before;
    poses.push_back(pose);
  }
  poses.insert(poses.end(), before, base.end());
  return poses;
}

void Scene::Forget(const v1::ObservedFrame& frame) {
  // The server tells differences to the base, or to one of the last.
  std::erase_if(frames_, [&](const auto& kept) {
    return kept.first != frame.base() &&
           kept.first + kFramesKept <= frame.number();
  });
  if (known_.size() <= 2 * objects_.size() + kForgottenMin) return;
  // What none of them shows is introduced again before it is shown.
  std::set<uint64_t> shown;
  for (const auto& [number, poses] : frames_) {
    for (const Pose& pose : poses) shown.insert(pose.serial);
  }
  std::erase_if(
      known_, [&](const auto& known) { return !shown.contains(known.first); });
}

}  // namespace reprise::client
