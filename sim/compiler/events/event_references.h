// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What connections and their effects refer to by name: objects, types, who has
// a part in an event, and what its arguments are.

#ifndef REPRISE_SIM_COMPILER_EVENTS_EVENT_REFERENCES_H_
#define REPRISE_SIM_COMPILER_EVENTS_EVENT_REFERENCES_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "google/protobuf/repeated_ptr_field.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/event.h"
#include "sim/state/field_value.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"

namespace reprise::sim {

// Each reports what isn't there, at the field of `place`.
class EventReferences {
 public:
  // Whether `self` is the target, and there may be no event: "".
  enum class Self { kIsNot, kIs };

  // All outlive this; types and objects of `world` are there.
  EventReferences(const EventCatalogue& events, std::set<std::string>& words,
                  const WorldDefinition& world, Self self = Self::kIsNot);

  // That type and all that extend it, in the order of their names.
  std::vector<Id> TypesOf(std::string_view field, const std::string& name,
                          const MessageChecker& place) const;

  // An object of the pack: always there, or one of a chunk by its name.
  std::optional<Participant> FindObject(std::string_view field,
                                        const std::string& name,
                                        const MessageChecker& place) const;

  // Who has a part in an event: its sender, its target, an argument.
  std::optional<Participant> FindParticipant(std::string_view field,
                                             const std::string& name,
                                             const std::string& event,
                                             const MessageChecker& place) const;

  // Either of these; a part in the event comes first.
  std::optional<Participant> FindEither(std::string_view field,
                                        const std::string& name,
                                        const std::string& event,
                                        const MessageChecker& place) const;

  // An expression about an event; null after reporting what is wrong with it.
  std::shared_ptr<const EventExpression> CompileExpression(
      std::string_view field, const std::string& text, const std::string& event,
      const MessageChecker& place) const;

  // The arguments that an event is always sent with; `place` has them as
  // `with`.
  std::vector<EventArgument> CompileConstants(
      const google::protobuf::RepeatedPtrField<v1::ArgumentValue>& constants,
      const std::string& event, const MessageChecker& place) const;

 private:
  std::optional<Participant> ObjectNamed(const std::string& name) const;
  std::optional<Participant> PartNamed(const std::string& name,
                                       const std::string& event,
                                       std::vector<std::string>& known) const;
  std::string NameOf(Id id) const;
  bool RequireKnown(std::string_view field, const std::string& event,
                    const MessageChecker& place) const;
  std::optional<FieldValue> CompileConstant(ScalarType type,
                                            const v1::ArgumentValue& constant,
                                            const MessageChecker& at) const;
  static void CheckNamed(std::string_view kind, const std::string& name,
                         const MessageChecker& at);

  const EventCatalogue& events_;
  std::set<std::string>& words_;
  const WorldDefinition& world_;
  bool has_self_;
  std::vector<std::string_view> types_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_EVENTS_EVENT_REFERENCES_H_
