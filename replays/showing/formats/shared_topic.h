// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A topic of a file for viewers, and others like it where what it tells at once
// doesn't fit one message: each object is on one of them, so that the last
// messages of all together say what stands.

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_SHARED_TOPIC_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_SHARED_TOPIC_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace reprise::replays {

class SharedTopic {
 public:
  // What the objects of a message take at most, by what was measured when they
  // came: the rest of a message's 32 MiB is for times that grow.
  static constexpr uint64_t kBytesMax = uint64_t{24} << 20;

  struct Share {
    uint16_t channel = 0;
    std::map<uint32_t, uint64_t> members;  // bytes by object
    uint64_t bytes = 0;
    bool has_changed = false;  // which members there are, in the last Update
  };

  explicit SharedTopic(uint64_t bytes_max = kBytesMax)
      : bytes_max_(bytes_max) {}

  // The topic itself, which is there from the start.
  void Begin(std::string name, uint16_t channel);

  // Has those in `there` be members, and no others: who stays stays where he
  // is, who is new goes where there is room, by `bytes_of`; `add_channel` makes
  // more topics: "/tf/2". Errors are its. REQUIRES: Begin was called.
  absl::Status Update(
      const std::set<uint32_t>& there,
      const std::function<uint64_t(uint32_t object)>& bytes_of,
      const std::function<absl::StatusOr<uint16_t>(const std::string& name)>&
          add_channel);

  const std::vector<Share>& shares() const { return shares_; }

 private:
  const uint64_t bytes_max_;
  std::string name_;
  std::vector<Share> shares_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_SHARED_TOPIC_H_
