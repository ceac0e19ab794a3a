// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How systems compile their part of a pack: each its own, in steps between
// those of the frame (sim/compiler/pack_compiler.h).

#ifndef REPRISE_SIM_COMPILER_CHECKING_SYSTEM_COMPILER_H_
#define REPRISE_SIM_COMPILER_CHECKING_SYSTEM_COMPILER_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/event_language.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/pack_archive.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// A pack while it is compiled.
struct PackCompilation {
  const v1::Pack& pack;
  const PackArchive& archive;     // all its files
  const MessageChecker& checker;  // the pack's own
  WorldDefinition& world;
  // Names that ids may stand for.
  std::set<std::string>& words;
  // Whatever names an event looks it up here.
  EventCatalogue& events;
  // What the systems that a compiler reads have made so far, by the names of
  // systems.
  std::function<const SystemDefinition*(std::string_view)> find_system;
  // From CompileObjects on.
  const EventLanguage& language;

  // Null when the pack doesn't use it. REQUIRES: SystemModule::reads names it.
  template <typename Definition>
  const Definition* Find() const {
    return static_cast<const Definition*>(find_system(Definition::kSystem));
  }
};

// Compiles one system's part of one pack. All are called whether or not
// something is wrong with the pack so far, but Finish; what is wrong is in the
// report of the checkers.
class SystemCompiler {
 public:
  explicit SystemCompiler(PackCompilation& compilation)
      : compilation_(compilation) {}
  virtual ~SystemCompiler() = default;
  SystemCompiler(const SystemCompiler&) = delete;
  SystemCompiler& operator=(const SystemCompiler&) = delete;

  // Whether a type wants the components of the declaration in the pack.
  virtual bool WantsComponents([[maybe_unused]] const v1::Type& type) {
    return false;
  }

  // For each type, bases before those that extend them: `type` has the parts of
  // its base, its own body, and no components of its own yet. `checker` is the
  // type's.
  virtual void CompileType([[maybe_unused]] const v1::Type& message,
                           [[maybe_unused]] const MessageChecker& checker,
                           [[maybe_unused]] TypeDefinition& type) {}

  // The behaviour that a use of a type asks for in words of the system's, with
  // a file; null when it doesn't know such, or has reported why there is none.
  // Asked of each system until one makes it. `checker` is the use's.
  virtual std::unique_ptr<Behaviour> MakeBehaviour(
      [[maybe_unused]] const v1::BehaviourUse& use,
      [[maybe_unused]] const MessageChecker& checker) {
    return nullptr;
  }

  // Once types and archetypes are there, after the systems that it reads.
  virtual void CompilePack() {}

  // For each object of the manifest, whatever grid it has. `checker` is the
  // object's.
  virtual void CompileObject([[maybe_unused]] const v1::Object& message,
                             [[maybe_unused]] const MessageChecker& checker,
                             [[maybe_unused]] ObjectPresence& presence) {}

  // Once objects and joints are there, after the systems that it reads.
  virtual void CompileObjects() {}

  // Once all else is there, with all names, and nothing is wrong: what still
  // can't be is reported.
  virtual void Finish() {}

  // What is made so far; null when the pack doesn't use the system.
  virtual std::shared_ptr<const SystemDefinition> definition() const = 0;

 protected:
  PackCompilation& compilation() const { return compilation_; }
  const v1::Pack& pack() const { return compilation_.pack; }
  const MessageChecker& checker() const { return compilation_.checker; }
  WorldDefinition& world() const { return compilation_.world; }
  std::set<std::string>& words() const { return compilation_.words; }
  EventCatalogue& events() const { return compilation_.events; }

 private:
  PackCompilation& compilation_;
};

// A system as a program has it.
struct SystemModule {
  const SystemDeclaration* declaration = nullptr;
  // The fields of a pack's messages that it reads: "Pack.regions",
  // "Type.viewer".
  std::vector<std::string_view> fields;
  // The full names of its own messages that it reads where the pack, and where
  // a type, has `systems`. None of them may hold an Any.
  std::vector<std::string_view> pack_messages;
  std::vector<std::string_view> type_messages;
  // The systems whose definitions it reads while it compiles.
  std::vector<std::string_view> reads;
  std::function<std::unique_ptr<SystemCompiler>(PackCompilation&)> compiler;
};

// Makes a system of a program known to packs. Called before main().
bool RegisterSystem(SystemModule module);

// All of them, in ascending order of names.
const std::vector<SystemModule>& RegisteredSystems();

// At namespace scope in a source file of a library with alwayslink.
#define REPRISE_REGISTER_SYSTEM(token, ...)                              \
  [[maybe_unused]] static const bool reprise_registered_system_##token = \
      ::reprise::sim::RegisterSystem(__VA_ARGS__)

// The module of a system that a class compiles which is made from a
// PackCompilation.
template <typename Compiler>
SystemModule MakeSystemModule(const SystemDeclaration& declaration,
                              const std::vector<std::string_view>& fields,
                              const std::vector<std::string_view>& reads = {}) {
  return {.declaration = &declaration,
          .fields = fields,
          .pack_messages = {},
          .type_messages = {},
          .reads = reads,
          .compiler = [](PackCompilation& compilation) {
            return std::make_unique<Compiler>(compilation);
          }};
}

// Calls take(message, checker) for the message of type Message in `systems`, if
// there is one, with the checker of its place.
template <typename Message, typename Take>
void ReadOwnMessage(
    const google::protobuf::RepeatedPtrField<google::protobuf::Any>& systems,
    const MessageChecker& checker, const Take& take) {
  for (int i = 0; i < systems.size(); ++i) {
    if (!systems[i].Is<Message>()) continue;
    const MessageChecker place = checker.In(systems[i], "systems", i);
    Message message;
    if (!systems[i].UnpackTo(&message)) {
      place.Problem("value", fmt::format("no {}", Message().GetTypeName()));
      return;
    }
    take(message, place.Inside(message));
    return;  // a second one is reported by the frame
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_SYSTEM_COMPILER_H_
