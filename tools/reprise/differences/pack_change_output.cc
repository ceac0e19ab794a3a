// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/pack_change_output.h"

namespace reprise::tools {

Json ToJson(std::span<const PackChange> changes) {
  Json array = Json::array();
  for (const PackChange& change : changes) {
    array.push_back(
        {{"path", change.path},
         {"before", change.before ? Json(*change.before) : Json(nullptr)},
         {"after", change.after ? Json(*change.after) : Json(nullptr)}});
  }
  return array;
}

}  // namespace reprise::tools
