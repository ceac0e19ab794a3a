// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which events there are in a pack: those of the world, of systems and of
// behaviours, the commands of players, and what the pack declares. Whatever
// names an event looks it up here.

#ifndef REPRISE_SIM_COMPILER_CHECKING_EVENT_CATALOGUE_H_
#define REPRISE_SIM_COMPILER_CHECKING_EVENT_CATALOGUE_H_

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/game_description.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

// Who names an event.
enum class EventRole { kSends, kHears };

class EventCatalogue {
 public:
  // Reports what is wrong with the events that `pack` declares, and adds their
  // names to `words`. `inputs` are the pack's. `checker` is the pack's own; all
  // but `inputs` outlive this.
  EventCatalogue(const v1::Pack& pack, const InputGrammar& inputs,
                 const MessageChecker& checker, std::set<std::string>& words);

  // The id of the event that a field names, whoever declares it. A name that
  // nobody declares is a problem where the pack declares events; otherwise it
  // leads nowhere (MessageChecker::LeadsNowhere), as does sending what the
  // world alone sends.
  Id Refer(EventRole role, std::string_view field, const std::string& name,
           const MessageChecker& checker);

  // Events of this name, if it is known, have this argument, by whatever sends
  // them: that of a timer, for instance.
  void AddArgument(std::string_view event, std::string_view argument,
                   std::optional<ScalarType> type);

  // The same of the event that a field names. Reports one that is declared to
  // have this argument of another type.
  void GiveArgument(std::string_view field, std::string_view event,
                    std::string_view argument, ScalarType type,
                    const MessageChecker& checker);

  bool IsKnown(std::string_view event) const { return events_.contains(event); }
  // Whether a pack may send such events, or code of a program; others only the
  // world itself does, unless the pack declares them for itself. REQUIRES: it
  // is known.
  bool IsForPacks(std::string_view event) const;
  // All that are known, ascending.
  std::vector<std::string> Names() const;
  // All that is known of the arguments of an event, ascending by their names;
  // empty where nobody declares it.
  std::vector<EventArgumentDescription> ArgumentsOf(
      std::string_view event) const;

  // Reports, as Refer does, that the field names an argument that the event,
  // which is known, doesn't have. Null then.
  const EventArgumentDescription* ReferArgument(
      std::string_view field, std::string_view event,
      const std::string& argument, const MessageChecker& checker) const;

  // The arguments that each such event has by its declarations, ascending;
  // whatever sends one has to give them. What only timers and players' commands
  // give isn't among them.
  std::vector<std::string> RequiredArgumentsOf(std::string_view event) const;

  // Warns, at `field`, of those of them that whoever sends the event with the
  // arguments `given` leaves out.
  void WarnOfMissing(std::string_view field, const std::string& event,
                     const std::set<std::string>& given,
                     const MessageChecker& checker) const;

  // An argument of an event, which is known, is a name of this kind of thing,
  // one of those that KnownNames knows: "layer".
  void SetNamed(std::string_view event, std::string_view argument,
                std::string_view kind);
  // That kind; empty where the argument may be any word.
  std::string NamedBy(std::string_view event, std::string_view argument) const;

  // Reports what was let through before packs declared events: a problem in one
  // that does; otherwise as of a name that leads nowhere.
  void ReportLetThrough(std::string_view field, std::string text,
                        const MessageChecker& checker) const;

  // Warns of events of the pack that nobody sends, or nobody hears of, unless
  // `others_send` or `others_hear`: code of a program may.
  void WarnOfUnused(bool others_send, bool others_hear) const;

  // Warns of events of the program's systems that the pack hears of, or sends,
  // though it has nothing of the systems that would send or hear them: the
  // others are `used`, by their names. `others_hear` as above.
  void WarnOfAbsentSystems(const std::set<std::string_view>& used,
                           bool others_hear) const;

  // What the pack declares, for whoever asks what there is in a game.
  const std::vector<EventDescription>& declared() const { return declared_; }

 private:
  struct Naming {
    std::string field;
    MessageChecker place;
  };
  struct KnownEvent {
    std::map<std::string, EventArgumentDescription, std::less<>> arguments;
    // What each of the program's declarations requires, and what the pack's
    // does; nullopt before the first.
    std::optional<std::set<std::string>> required;
    std::map<std::string, std::string, std::less<>> named;
    bool is_for_packs = false;
    bool is_sent = false;
    bool is_heard = false;
    // Where the pack itself first does either.
    std::optional<Naming> sent_at;
    std::optional<Naming> heard_at;
    // Whether more than systems may: the world itself, a command, code of a
    // program, or a pack that declares it for itself.
    bool is_of_others = false;
  };

  void AddProgram();
  void AddCommands(const InputGrammar& inputs);
  // Reports commands and texts that are called as what the world alone sends.
  void CheckCommands(const InputGrammar& inputs) const;
  static void RefuseOfWorld(std::string_view field, std::string_view event,
                            const MessageChecker& checker);
  void AddDeclared(const v1::EventType& message, const MessageChecker& place);
  // Takes one of the program's declarations of an event into account.
  static void Require(std::span<const EventArgumentDescription> arguments,
                      KnownEvent& known);
  void AddDescribed(std::string_view event,
                    const EventArgumentDescription& argument);

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  std::set<std::string>& words_;
  std::map<std::string, KnownEvent, std::less<>> events_;
  std::vector<EventDescription> declared_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_EVENT_CATALOGUE_H_
