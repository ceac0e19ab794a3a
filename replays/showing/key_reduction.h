// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Of a track of poses the keys that it takes: between two of them a reader goes
// straight (positions) or around one axis at one speed (rotations), and is
// never further from what was there than the error that was asked for.

#ifndef REPRISE_REPLAYS_SHOWING_KEY_REDUCTION_H_
#define REPRISE_REPLAYS_SHOWING_KEY_REDUCTION_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// As glTF 2.0 (appendix C) and USD define them; `part` from 0 to 1. Rotations
// take the short way.
sim::Vector3 Interpolate(const sim::Vector3& from, const sim::Vector3& to,
                         double part);
sim::Quaternion Interpolate(const sim::Quaternion& from,
                            const sim::Quaternion& to, double part);

// Metres between two positions; radians between two rotations.
double DistanceBetween(const sim::Vector3& a, const sim::Vector3& b);
double DistanceBetween(const sim::Quaternion& a, const sim::Quaternion& b);

// Value: sim::Vector3 or sim::Quaternion. Takes samples one after the other and
// keeps in memory those since the last key, at most kPendingMax, but one where
// nothing moves.
template <typename Value>
class KeyReducer {
 public:
  struct Key {
    double time = 0;
    Value value;  // as it is written
  };

  explicit KeyReducer(double error_max) : error_max_(error_max) {}

  // The value of a time behind those before: as it was, and as it will be
  // written, rounded by the format.
  void Add(double time, const Value& actual, const Value& written) {
    const Sample sample = {time, actual, written};
    if (keys_.empty()) {
      AddKey(sample);
      return;
    }
    const bool is_still = is_still_ && actual == last_.actual;
    if (is_still && !pending_.empty()) {
      pending_.back() = sample;
      return;
    }
    if (!pending_.empty() &&
        (pending_.size() >= kPendingMax || !CanReach(sample))) {
      AddKey(pending_.back());
      is_still_ = actual == last_.actual;
    } else {
      is_still_ = is_still;
    }
    pending_.push_back(sample);
  }

  // All samples are there: the last one becomes a key, but where nothing ever
  // moved.
  void Finish() {
    if (!pending_.empty() && !(is_still_ && keys_.size() == 1)) {
      AddKey(pending_.back());
    }
    pending_.clear();
  }

  // The first sample is among them.
  const std::vector<Key>& keys() const { return keys_; }

  // The largest error that the keys so far make, that of rounding included.
  double error() const { return error_; }

 private:
  struct Sample {
    double time = 0;
    Value actual;
    Value written;
  };

  // Samples that one pair of keys may stand for: a reduction costs half of it a
  // sample at most.
  static constexpr size_t kPendingMax = 64;

  // How far what is read between the last key and `to` is from what was there.
  double ErrorUpTo(const Sample& to) const {
    double error = 0;
    for (const Sample& sample : pending_) {
      const double part = (sample.time - last_.time) / (to.time - last_.time);
      error = std::max(
          error, DistanceBetween(Interpolate(last_.written, to.written, part),
                                 sample.actual));
    }
    return error;
  }

  bool CanReach(const Sample& to) const { return ErrorUpTo(to) <= error_max_; }

  void AddKey(const Sample& sample) {
    if (!keys_.empty()) error_ = std::max(error_, ErrorUpTo(sample));
    error_ = std::max(error_, DistanceBetween(sample.written, sample.actual));
    keys_.push_back({sample.time, sample.written});
    last_ = sample;
    pending_.clear();
    is_still_ = true;
  }

  const double error_max_;
  double error_ = 0;
  std::vector<Key> keys_;
  Sample last_;
  std::vector<Sample> pending_;
  bool is_still_ = true;  // all that is pending is as the last key
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_KEY_REDUCTION_H_
