// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/schema_difference_output.h"

namespace reprise::tools {

Json ToJson(std::span<const replays::SchemaDifference> differences) {
  Json list = Json::array();
  for (const replays::SchemaDifference& difference : differences) {
    list.push_back(
        {{"kind", replays::SchemaDifferenceKindName(difference.kind)},
         {"room", difference.room},
         {"table", difference.table},
         {"field", difference.field},
         {"expected", difference.expected},
         {"actual", difference.actual},
         {"text", replays::FormatSchemaDifference(difference)}});
  }
  return list;
}

}  // namespace reprise::tools
