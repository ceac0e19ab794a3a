// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Names that messages of a manifest give to things, and by which others refer
// to them.

#ifndef REPRISE_SIM_COMPILER_CHECKING_PACK_NAMES_H_
#define REPRISE_SIM_COMPILER_CHECKING_PACK_NAMES_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/base/id.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// The names of the things of one kind. Each is added to `words`, for reports.
class DeclaredNames {
 public:
  // `kind` is what an author calls them: "regions". Both outlive this.
  DeclaredNames(std::string_view kind, std::set<std::string>& words)
      : kind_(kind), words_(words) {}

  // The id of `name`, after reporting that it isn't one or stands there twice.
  Id Declare(std::string_view field, const std::string& name,
             const MessageChecker& checker);

 private:
  std::string_view kind_;
  std::set<std::string>& words_;
  std::set<std::string> names_;
};

// A name of anything, for the report as well as for the world.
Id CompileWord(std::string_view field, const std::string& name,
               const MessageChecker& checker, std::set<std::string>& words);

// The id of `name`, after reporting that none of `definitions` has it. `kind`
// is what an author calls one of them.
template <typename Definitions>
Id ReferTo(std::string_view kind, std::string_view field,
           const std::string& name, const Definitions& definitions,
           const MessageChecker& checker) {
  const Id id = IdOf(name);
  const bool is_known = std::ranges::any_of(
      definitions,
      [&](const auto& definition) { return definition.name == id; });
  if (!is_known) checker.NoSuch(field, kind, name);
  return id;
}

// The same where the empty name stands for none.
template <typename Definitions>
Id ReferToAny(std::string_view kind, std::string_view field,
              const std::string& name, const Definitions& definitions,
              const MessageChecker& checker) {
  if (name.empty()) return kNoId;
  return ReferTo(kind, field, name, definitions, checker);
}

// The index in `world.objects` of an object that is always there; nullopt after
// reporting that there is none. An object of a chunk has another number
// whenever it comes, so nothing can hold on to it.
std::optional<uint32_t> FindPermanentObject(std::string_view field,
                                            const std::string& name,
                                            const MessageChecker& checker,
                                            const WorldDefinition& world);

// The object of that name, there at tick 0 or not; null when there is none.
const ObjectDefinition* FindObjectNamed(const std::string& name,
                                        const WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_PACK_NAMES_H_
