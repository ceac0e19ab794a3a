// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/system_compilers.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/nearest_name.h"

namespace reprise::sim {
namespace {

// The fields of messages that the frame of the compiler reads itself. All
// others are read by systems.
bool IsReadByFrame(const std::string& field) {
  static const std::set<std::string_view> kFields = {
      "Object.after",
      "Object.angular_velocity_degrees",
      "Object.attached",
      "Object.components",
      "Object.dormant",
      "Object.grid",
      "Object.linear_velocity",
      "Object.name",
      "Object.parent",
      "Object.position",
      "Object.rotation_degrees",
      "Object.set",
      "Object.type",
      "Pack.archetypes",
      "Pack.clock",
      "Pack.collision_layers",
      "Pack.components",
      "Pack.bots",
      "Pack.connections",
      "Pack.events",
      "Pack.fuzzing",
      "Pack.include",
      "Pack.limits",
      "Pack.materials",
      "Pack.name",
      "Pack.objects",
      "Pack.physics",
      "Pack.players",
      "Pack.simulation",
      "Pack.systems",
      "Pack.tables",
      "Pack.tick_rate",
      "Pack.title",
      "Pack.types",
      "Type.behaviours",
      "Type.body",
      "Type.components",
      "Type.extends",
      "Type.interests",
      "Type.name",
      "Type.objects_max",
      "Type.set",
      "Type.systems",
      "Type.timers"};
  return kFields.contains(field);
}

// The full name of the message in an Any: what stands behind the last slash.
std::string_view MessageNameOf(const google::protobuf::Any& any) {
  const std::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1);
}

bool Contains(const std::vector<std::string_view>& names,
              std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

absl::Status SortModules(const std::vector<SystemModule>& modules,
                         std::vector<const SystemModule*>& sorted) {
  const auto is_there = [&](std::string_view name) {
    return std::ranges::any_of(modules, [&](const SystemModule& module) {
      return module.declaration->name == name;
    });
  };
  std::vector<const SystemModule*> waiting;
  for (const SystemModule& module : modules) {
    for (const std::string_view name : module.reads) {
      if (is_there(name)) continue;
      return absl::InvalidArgumentError(
          fmt::format("the system '{}' reads '{}', and this program has no "
                      "such system",
                      module.declaration->name, name));
    }
    waiting.push_back(&module);
  }
  while (!waiting.empty()) {
    const auto next =
        std::ranges::find_if(waiting, [&](const SystemModule* module) {
          return std::ranges::none_of(waiting, [&](const SystemModule* other) {
            return Contains(module->reads, other->declaration->name);
          });
        });
    if (next == waiting.end()) {
      std::vector<std::string_view> names;
      for (const SystemModule* module : waiting) {
        names.push_back(module->declaration->name);
      }
      return absl::InvalidArgumentError(
          fmt::format("systems read each other while they compile: {}",
                      fmt::join(names, ", ")));
    }
    sorted.push_back(*next);
    waiting.erase(next);
  }
  return absl::OkStatus();
}

SystemCompilers::SystemCompilers(const v1::Pack& pack,
                                 const PackArchive& archive,
                                 const MessageChecker& checker,
                                 EventCatalogue& events,
                                 const EventLanguage& language,
                                 std::set<std::string>& words,
                                 WorldDefinition& world)
    : compilation_{
          .pack = pack,
          .archive = archive,
          .checker = checker,
          .world = world,
          .words = words,
          .events = events,
          .find_system =
              [this](std::string_view name) -> const SystemDefinition* {
            for (const Entry& entry : entries_) {
              if (entry.module->declaration->name != name) continue;
              return entry.compiler->definition().get();
            }
            return nullptr;
          },
          .language = language} {
  std::vector<const SystemModule*> modules;
  absl::Status status = SortModules(RegisteredSystems(), modules);
  std::vector<const SystemDeclaration*> declarations;
  for (const SystemModule* module : modules) {
    declarations.push_back(module->declaration);
  }
  if (status.ok()) {
    absl::StatusOr<Schedule> schedule = Schedule::Make(declarations);
    status = schedule.status();
    if (status.ok()) schedule_ = *std::move(schedule);
  }
  if (!status.ok()) {
    checker.Problem("systems",
                    fmt::format("this program's systems don't fit together: {}",
                                std::string_view(status.message().data(),
                                                 status.message().size())));
    return;
  }
  for (const SystemModule* module : modules) {
    entries_.push_back(
        {.module = module, .compiler = module->compiler(compilation_)});
  }
}

std::vector<ComponentDefinition> SystemCompilers::WantedComponents() const {
  std::vector<ComponentDefinition> components;
  for (const Entry& entry : entries_) {
    const bool are_wanted = std::ranges::any_of(
        compilation_.pack.types(), [&](const v1::Type& type) {
          return entry.compiler->WantsComponents(type);
        });
    if (!are_wanted) continue;
    const auto& own = entry.module->declaration->components;
    components.insert(components.end(), own.begin(), own.end());
  }
  return components;
}

void SystemCompilers::CompileType(const v1::Type& message,
                                  const MessageChecker& checker,
                                  TypeDefinition& type) const {
  for (const Entry& entry : entries_) {
    entry.compiler->CompileType(message, checker, type);
  }
}

std::unique_ptr<Behaviour> SystemCompilers::MakeBehaviour(
    const v1::BehaviourUse& use, const MessageChecker& checker) const {
  for (const Entry& entry : entries_) {
    std::unique_ptr<Behaviour> made =
        entry.compiler->MakeBehaviour(use, checker);
    if (made != nullptr) return made;
  }
  return nullptr;
}

void SystemCompilers::CompilePack() const {
  for (const Entry& entry : entries_) entry.compiler->CompilePack();
}

ObjectPresence SystemCompilers::CompileObject(
    const v1::Object& message, const MessageChecker& checker) const {
  ObjectPresence presence;
  for (const Entry& entry : entries_) {
    entry.compiler->CompileObject(message, checker, presence);
  }
  return presence;
}

void SystemCompilers::CompileObjects() const {
  for (const Entry& entry : entries_) entry.compiler->CompileObjects();
}

void SystemCompilers::CheckOwnMessages(
    const google::protobuf::RepeatedPtrField<google::protobuf::Any>& systems,
    const MessageChecker& checker,
    std::vector<std::string_view> SystemModule::*messages) const {
  std::vector<std::string_view> known;
  std::set<std::string_view> seen;
  for (const Entry& entry : entries_) {
    const std::vector<std::string_view>& own = entry.module->*messages;
    known.insert(known.end(), own.begin(), own.end());
  }
  // A total order: equal names are the same.
  std::ranges::sort(known);
  for (int i = 0; i < systems.size(); ++i) {
    const std::string_view name = MessageNameOf(systems[i]);
    const MessageChecker place = checker.In(systems[i], "systems", i);
    if (!Contains(known, name) ||
        systems[i].type_url() != fmt::format("reprise/{}", name)) {
      place.Problem(
          "type_url",
          fmt::format("no system of this program reads the message "
                      "'{}' here; those that are read here are: {}{}",
                      systems[i].type_url(),
                      known.empty() ? "none"
                                    : fmt::format("{}", fmt::join(known, ", ")),
                      DidYouMean(name, known)));
    } else if (!seen.insert(name).second) {
      place.Problem("type_url", fmt::format("'{}' stands there twice", name));
    }
  }
}

void SystemCompilers::CheckFields(const google::protobuf::Message& message,
                                  const MessageChecker& checker) const {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const google::protobuf::FieldDescriptor* field : fields) {
    const std::string name =
        fmt::format("{}.{}", message.GetDescriptor()->name(), field->name());
    const bool is_read = IsReadByFrame(name) ||
                         std::ranges::any_of(entries_, [&](const Entry& entry) {
                           return Contains(entry.module->fields, name);
                         });
    if (is_read) continue;
    checker.Problem(field->name(), "no system of this program reads it");
  }
}

void SystemCompilers::CheckUnread() const {
  if (entries_.empty()) return;  // reported: they don't fit together
  const v1::Pack& pack = compilation_.pack;
  const MessageChecker& checker = compilation_.checker;
  CheckFields(pack, checker);
  CheckOwnMessages(pack.systems(), checker, &SystemModule::pack_messages);
  for (int i = 0; i < pack.types_size(); ++i) {
    const MessageChecker place = checker.In(pack.types(i), "types", i);
    CheckFields(pack.types(i), place);
    CheckOwnMessages(pack.types(i).systems(), place,
                     &SystemModule::type_messages);
  }
  for (int i = 0; i < pack.objects_size(); ++i) {
    CheckFields(pack.objects(i), checker.In(pack.objects(i), "objects", i));
  }
}

void SystemCompilers::Finish() const {
  for (const Entry& entry : entries_) entry.compiler->Finish();
  std::vector<const SystemDeclaration*> used;
  WorldDefinition& world = compilation_.world;
  for (const Entry& entry : entries_) {
    std::shared_ptr<const SystemDefinition> definition =
        entry.compiler->definition();
    if (definition == nullptr) continue;
    used.push_back(entry.module->declaration);
    world.systems.push_back(std::move(definition));
  }
  // A total order: names are unique.
  std::ranges::sort(world.systems, {}, [](const auto& system) {
    return system->declaration().name;
  });
  world.schedule = schedule_.Only(used);
  if (world.queries) world.requests.emplace(kRayRequest, kRaysPerTickMax);
  for (const SystemDeclaration* system : used) {
    for (const RequestKind& kind : system->requests) {
      world.requests.emplace(IdOf(kind.name), kind.per_tick_max);
    }
  }
}

}  // namespace reprise::sim
