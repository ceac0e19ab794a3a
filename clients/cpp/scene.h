// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What there is to draw, kept up to date by the frames of a stream: what
// objects and meshes are when it is said, then poses, whole or as differences.

#ifndef REPRISE_CLIENTS_CPP_SCENE_H_
#define REPRISE_CLIENTS_CPP_SCENE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reprise/v1/frame.pb.h"
#include "reprise/v1/observation.pb.h"

namespace reprise::client {

// An object that is shown.
struct SceneObject {
  uint64_t serial = 0;  // of its creation; unique for the whole run
  // Its name, type and shapes, which are in its own space; without a pose.
  std::shared_ptr<const v1::FrameObject> description;
  std::array<double, 3> position = {};  // of its origin: x, y, z, metres
  std::array<double, 4> rotation = {};  // a unit quaternion: x, y, z, w
};

// Takes the frames that Observe.frames has declared. A new declaration begins
// with a new scene. One thread at a time.
class Scene {
 public:
  // Takes the frames of a response of Step, StepSession or PlaySession.
  // INVALID_ARGUMENT: one of them doesn't go on from what there is; those
  // before it are taken, and it changes nothing.
  absl::Status Take(const v1::Observations& observations);

  // The tick that is shown; 0 before the first frame.
  uint64_t tick() const { return tick_; }
  // What the next request says (`frame_acknowledged`), so that later frames are
  // differences to what is here; 0 before the first frame.
  uint64_t acknowledged() const { return acknowledged_; }
  // Those that are shown, ascending by serial.
  const std::vector<SceneObject>& objects() const { return objects_; }
  // Those that shapes refer to, by number, as far as they have come.
  const std::map<uint32_t, v1::FrameMesh>& meshes() const { return meshes_; }

 private:
  using Descriptions =
      std::map<uint64_t, std::shared_ptr<const v1::FrameObject>>;

  struct Pose {
    uint64_t serial = 0;
    std::array<double, 3> position = {};
    std::array<double, 4> rotation = {};
  };
  using Poses = std::vector<Pose>;  // ascending

  absl::Status TakeFrame(const v1::ObservedFrame& frame);
  // What `frame` shows.
  absl::StatusOr<Poses> PosesOf(const v1::ObservedFrame& frame) const;
  // Drops the frames that no other one can be a difference to, and what is
  // known of objects that none of the rest shows.
  void Forget(const v1::ObservedFrame& frame);

  uint64_t tick_ = 0;
  uint64_t acknowledged_ = 0;
  std::vector<SceneObject> objects_;
  std::map<uint32_t, v1::FrameMesh> meshes_;
  Descriptions known_;
  // What each frame showed that the server may tell differences to.
  std::map<uint64_t, Poses> frames_;
};

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_SCENE_H_
