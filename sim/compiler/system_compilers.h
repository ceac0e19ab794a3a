// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The systems of the program at work on one pack.

#ifndef REPRISE_SIM_COMPILER_SYSTEM_COMPILERS_H_
#define REPRISE_SIM_COMPILER_SYSTEM_COMPILERS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/event_language.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/pack_archive.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/schedule.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Each stage goes to all systems, those that others read before these. All
// arguments outlive this.
class SystemCompilers {
 public:
  // Reports systems of the program that don't fit together.
  SystemCompilers(const v1::Pack& pack, const PackArchive& archive,
                  const MessageChecker& checker, EventCatalogue& events,
                  const EventLanguage& language, std::set<std::string>& words,
                  WorldDefinition& world);

  // The components that types of the pack want.
  std::vector<ComponentDefinition> WantedComponents() const;

  // SystemCompiler's stages.
  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) const;
  std::unique_ptr<Behaviour> MakeBehaviour(const v1::BehaviourUse& use,
                                           const MessageChecker& checker) const;
  void CompilePack() const;
  ObjectPresence CompileObject(const v1::Object& message,
                               const MessageChecker& checker) const;
  void CompileObjects() const;

  // Reports what of the pack nobody reads: messages of its own, and fields of
  // systems that the program lacks.
  void CheckUnread() const;

  // Finishes all, gives `world` the systems that the pack uses, and says when
  // they do what. REQUIRES: nothing is wrong with the pack.
  void Finish() const;

 private:
  struct Entry {
    const SystemModule* module = nullptr;
    std::unique_ptr<SystemCompiler> compiler;
  };

  void CheckOwnMessages(
      const google::protobuf::RepeatedPtrField<google::protobuf::Any>& systems,
      const MessageChecker& checker,
      std::vector<std::string_view> SystemModule::*messages) const;
  void CheckFields(const google::protobuf::Message& message,
                   const MessageChecker& checker) const;

  PackCompilation compilation_;
  std::vector<Entry> entries_;  // in the order in which they compile
  Schedule schedule_;           // of all systems of the program
};

// The modules in an order in which each comes after those that it reads: by
// name where that leaves a choice. INVALID_ARGUMENT names a ring, or a system
// that there isn't.
absl::Status SortModules(const std::vector<SystemModule>& modules,
                         std::vector<const SystemModule*>& sorted);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_SYSTEM_COMPILERS_H_
