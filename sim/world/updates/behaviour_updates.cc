// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/behaviour_updates.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "fmt/format.h"
#include "sim/geometry/transform.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

BehaviourUpdates::BehaviourUpdates(const WorldParts& parts, const State* cached,
                                   StepWriters& writers)
    : parts_(parts),
      cached_(cached),
      writers_(writers),
      order_(parts.definition) {}

void BehaviourUpdates::Run(Hook hook) {
  UpdateProgress& progress = parts_.objects.progress();
  progress.BeginUpdate(parts_.game_tick, hook);
  order_.Follow(parts_.objects, parts_.state);
  if (generation_ != parts_.objects.generation()) FindAttached();
  generation_ = parts_.objects.generation();
  UpdateContext context(parts_, cached_);
  const std::span<const UpdateBatch> batches = order_.batches();
  size_t batch = 0;
  size_t attached = 0;
  // Most buckets have nothing to be done.
  while (batch < batches.size() || attached < attached_.size()) {
    uint64_t bucket = kBucketsMax;
    if (batch < batches.size()) bucket = batches[batch].bucket;
    if (attached < attached_.size()) {
      bucket = std::min(bucket, attached_[attached].bucket);
    }
    const size_t first = attached;
    while (attached < attached_.size() &&
           attached_[attached].bucket == bucket) {
      ++attached;
    }
    Carry(std::span(attached_).subspan(first, attached - first));
    if (batch == batches.size() || batches[batch].bucket != bucket) continue;
    progress.BeginBucket(bucket);
    parts_.router->HoldSent();
    for (; batch < batches.size() && batches[batch].bucket == bucket; ++batch) {
      RunBatch(batches[batch], hook, context);
    }
    parts_.router->DeliverSent();
  }
  progress.EndUpdate();
}

void BehaviourUpdates::RunBatch(const UpdateBatch& batch, Hook hook,
                                UpdateContext& context) {
  for (const BehaviourUse& use :
       parts_.definition.types[batch.type].behaviours) {
    if (!HasHook(use, hook)) continue;
    const std::span<const uint32_t> rows =
        StillActive(order_.DueRows(batch, use, parts_.game_tick));
    if (rows.empty()) continue;
    context.Begin(batch.bucket, rows);
    const ScopedWriter writer(
        writers_, [&use] { return fmt::format("behaviour {}", use.name); });
    if (hook == Hook::kBeforePhysics) {
      use.behaviour->UpdateBeforePhysics(context);
    } else {
      use.behaviour->UpdateAfterPhysics(context);
    }
    context.End();
  }
}

std::span<const uint32_t> BehaviourUpdates::StillActive(
    std::span<const uint32_t> rows) {
  const Objects& objects = parts_.objects;
  if (objects.generation() == generation_) return rows;
  const Table& table = parts_.state.table(parts_.tables.objects.objects);
  active_rows_.clear();
  for (const uint32_t row : rows) {
    const auto& object = table.Get<ObjectRow>(row);
    if (object.status == ObjectStatus::kActive &&
        object.active_from < objects.progress().next()) {
      active_rows_.push_back(row);
    }
  }
  return active_rows_;
}

void BehaviourUpdates::FindAttached() {
  attached_.clear();
  const Table& attachments =
      parts_.state.table(parts_.tables.objects.attachments);
  const Table& objects = parts_.state.table(parts_.tables.objects.objects);
  for (uint32_t i = 0; i < attachments.row_count(); ++i) {
    const uint32_t row = parts_.objects.RowOf(
        parts_.state, attachments.Get<AttachmentRow>(i).object);
    const auto& object = objects.Get<ObjectRow>(row);
    const uint32_t parent = parts_.objects.RowOf(parts_.state, object.parent);
    if (parent == kNoRow) continue;
    attached_.push_back({.bucket = object.bucket,
                         .attachment = i,
                         .object = row,
                         .parent = parent});
  }
  // A total order: each object has one attachment.
  std::ranges::sort(attached_, {}, [](const Attached& each) {
    return std::tuple(each.bucket, each.attachment);
  });
}

void BehaviourUpdates::Carry(std::span<const Attached> attached) {
  if (attached.empty()) return;
  const ScopedWriter writer(writers_, [] { return "attachments"; });
  const Table& attachments =
      parts_.state.table(parts_.tables.objects.attachments);
  for (const Attached& each : attached) {
    const auto& attachment = attachments.Get<AttachmentRow>(each.attachment);
    const Transform place = PlaceOf(parts_, parts_.state, each.parent) *
                            Transform{attachment.position, attachment.rotation};
    // Where nothing can be it isn't carried to.
    if (IsPlace(place)) SetPlace(parts_, each.object, place);
  }
}

}  // namespace reprise::sim
