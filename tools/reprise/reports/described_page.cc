// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/described_page.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fmt/format.h"

namespace reprise::tools {
namespace {

std::string Text(const Json& item, std::string_view key) {
  return item.at(std::string(key)).get<std::string>();
}

// A cell's text: a bar would end the cell.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += fmt::format(" {} |", Cell(cell));
  return row + "\n";
}

std::string Header(const std::vector<std::string>& cells) {
  std::string page = Row(cells) + "|";
  for (size_t i = 0; i < cells.size(); ++i) page += "---|";
  return page + "\n";
}

std::string Code(std::string_view text) { return fmt::format("`{}`", text); }

// "number, m/s".
std::string WithUnit(std::string what, const std::string& unit) {
  return unit.empty() ? what : fmt::format("{}, {}", what, unit);
}

// Of a JSON list, its parts with `between` between them.
std::string Joined(const Json& list, std::string_view between) {
  std::string text;
  for (const Json& item : list) {
    if (!text.empty()) text += between;
    text += item.is_string() ? item.get<std::string>() : item.dump();
  }
  return text;
}

// "0 to 5", "from 0", "red, green".
std::string RangeOf(const Json& property) {
  if (!property.at("choices").empty()) {
    return Joined(property.at("choices"), ", ");
  }
  const Json& minimum = property.at("minimum");
  const Json& maximum = property.at("maximum");
  const auto number = [](const Json& value) {
    return value.is_number() ? fmt::format("{}", value.get<double>())
                             : value.get<std::string>();
  };
  if (minimum.is_null() && maximum.is_null()) return "";
  if (maximum.is_null()) return "from " + number(minimum);
  if (minimum.is_null()) return "to " + number(maximum);
  return fmt::format("{} to {}", number(minimum), number(maximum));
}

std::string TypeOf(const Json& property) {
  const auto list_max = property.at("list_max").get<uint64_t>();
  std::string type = Text(property, "type");
  return list_max == 0 ? type
                       : fmt::format("list of up to {}, {}", list_max, type);
}

std::string MakeTypes(const Json& types) {
  std::string page = Header({"type", "is a", "components", "behaviours",
                             "archetypes of it", "at most"});
  for (const Json& type : types) {
    page += Row({Code(Text(type, "name")), Text(type, "extends"),
                 Joined(type.at("components"), ", "),
                 Joined(type.at("behaviours"), ", "),
                 Joined(type.at("archetypes"), ", "),
                 type.at("objects_max").dump()});
  }
  return page;
}

std::string MakeActions(const Json& actions) {
  std::string page = Header({"action", "is a", "arguments"});
  for (const Json& action : actions) {
    std::string arguments;
    for (const Json& argument : action.at("arguments")) {
      const std::string range = RangeOf(argument);
      arguments += fmt::format("{}{} ({}{}{})", arguments.empty() ? "" : ", ",
                               Code(Text(argument, "name")), TypeOf(argument),
                               range.empty() ? "" : " ", range);
    }
    page += Row({Code(Text(action, "name")), Text(action, "kind"), arguments});
  }
  return page;
}

std::string MakeComponents(const Json& components) {
  std::string page;
  for (const Json& component : components) {
    page += fmt::format("{}### {}\n\n", page.empty() ? "" : "\n",
                        Text(component, "name"));
    const std::string help = Text(component, "help");
    if (!help.empty()) page += fmt::format("What has it {}.\n\n", help);
    page += Header({"property", "type", "range", "at first", "what it is"});
    for (const Json& property : component.at("properties")) {
      page += Row({Code(Text(property, "name")),
                   WithUnit(TypeOf(property), Text(property, "unit")),
                   RangeOf(property), Joined(property.at("default"), " "),
                   Text(property, "help")});
    }
  }
  return page;
}

std::string MakeEvents(const Json& events) {
  std::string page =
      Header({"event", "sender", "receiver", "when", "arguments"});
  for (const Json& event : events) {
    std::string arguments;
    for (const Json& argument : event.at("arguments")) {
      const Json& type = argument.at("type");
      arguments += fmt::format(
          "{}{} ({}{})", arguments.empty() ? "" : ", ",
          Code(Text(argument, "name")),
          WithUnit(type.is_null() ? "as given" : type.get<std::string>(),
                   Text(argument, "unit")),
          argument.at("is_optional").get<bool>() ? ", or none" : "");
    }
    page += Row({Code(Text(event, "name")), Text(event, "sender"),
                 Text(event, "receiver"), Text(event, "when"), arguments});
  }
  return page;
}

std::string MakeLegends(const Json& legends) {
  std::string page = Header({"field of the state", "what its numbers say"});
  for (const Json& legend : legends) {
    const bool is_mask = legend.at("is_mask").get<bool>();
    std::string entries;
    for (const Json& entry : legend.at("entries")) {
      entries += fmt::format("{}{}{} {}", entries.empty() ? "" : ", ",
                             is_mask ? "bit " : "", Text(entry, "value"),
                             Text(entry, "name"));
    }
    page +=
        Row({Code(fmt::format("{}.{}.{}", Text(legend, "room"),
                              Text(legend, "table"), Text(legend, "field"))),
             entries});
  }
  return page;
}

}  // namespace

std::string MakeDescribedPage(const Json& game, const std::string& pack) {
  struct Part {
    std::string_view key;
    std::string_view heading;
    std::string (*make)(const Json&);
  };
  constexpr Part kParts[] = {{"actions", "Actions", MakeActions},
                             {"types", "Types", MakeTypes},
                             {"components", "Components", MakeComponents},
                             {"events", "Events", MakeEvents},
                             {"legends", "Numbers in the state", MakeLegends}};
  std::string page =
      pack.empty() ? std::string(
                         "# What is built in\n\n"
                         "Components, events and numbers that every "
                         "pack can use.\n")
                   : fmt::format("# {}\n\nWhat there is in the pack.\n", pack);
  page += fmt::format("Made by `reprise describe{} --format markdown`.\n",
                      pack.empty() ? "" : fmt::format(" {}", pack));
  for (const Part& part : kParts) {
    const Json& items = game.at(std::string(part.key));
    if (items.empty()) continue;
    page += fmt::format("\n## {}\n\n{}", part.heading, part.make(items));
  }
  return page;
}

}  // namespace reprise::tools
