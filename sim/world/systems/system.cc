// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/systems/system.h"

#include "sim/base/check.h"
#include "sim/state/field_value.h"
#include "sim/world/components/world_names.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

void AnswerRequest(const WorldParts& parts, const RequestRow& request,
                   EventArguments arguments) {
  if (parts.objects.RowOf(parts.state, request.object) == kNoRow) return;
  const absl::Status status = arguments.Set(
      kRequest, FieldValue::OfInt64(static_cast<int64_t>(request.request)));
  CHECK(status.ok(), "{}", status.ToString());
  parts.router->Post({.type = request.event,
                      .target = request.object,
                      .arguments = arguments});
}

}  // namespace reprise::sim
