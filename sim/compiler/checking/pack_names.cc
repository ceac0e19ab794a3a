// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/pack_names.h"

#include <algorithm>

#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"

namespace reprise::sim {
namespace {

// Whether the pack has a grid of that name, whose objects have numbers behind
// it.
bool IsGrid(const std::string& name, const MessageChecker& checker) {
  const v1::Pack* const manifest = checker.manifest();
  return manifest != nullptr &&
         std::ranges::any_of(manifest->objects(), [&](const v1::Object& each) {
           return each.name() == name && each.has_grid();
         });
}

}  // namespace

Id DeclaredNames::Declare(std::string_view field, const std::string& name,
                          const MessageChecker& checker) {
  if (!names_.insert(name).second) {
    checker.Problem(field, fmt::format("there are two {} '{}'", kind_, name));
  }
  return CompileWord(field, name, checker, words_);
}

Id CompileWord(std::string_view field, const std::string& name,
               const MessageChecker& checker, std::set<std::string>& words) {
  checker.Name(field, name);
  words.insert(name);
  return IdOf(name);
}

std::optional<uint32_t> FindPermanentObject(std::string_view field,
                                            const std::string& name,
                                            const MessageChecker& checker,
                                            const WorldDefinition& world) {
  const ObjectDefinition* const object = FindObjectNamed(name, world);
  if (object == nullptr) {
    if (IsGrid(name, checker)) {
      checker.Problem(field,
                      fmt::format("'{0}' is a grid of objects, which are "
                                  "called {0}_0 and so on",
                                  name));
    } else {
      checker.NoSuch(field, "object", name);
    }
    return std::nullopt;
  }
  if (object->presence.chunk != kNoId) {
    checker.Problem(
        field, fmt::format("the object '{}' comes and goes with its chunk; "
                           "only one that is always there can be meant",
                           name));
    return std::nullopt;
  }
  return static_cast<uint32_t>(object - world.objects.data());
}

const ObjectDefinition* FindObjectNamed(const std::string& name,
                                        const WorldDefinition& world) {
  const auto object = std::ranges::lower_bound(world.objects, name, {},
                                               &ObjectDefinition::name);
  if (object != world.objects.end() && object->name == name) return &*object;
  const ObjectDefinition* const other = world.FindPassingObject(IdOf(name));
  return other != nullptr && other->name == name ? other : nullptr;
}

}  // namespace reprise::sim
