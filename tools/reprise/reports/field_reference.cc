// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/field_reference.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kHeading = "## ";
constexpr std::string_view kField = "- **`";
constexpr std::string_view kMore = "<br>";

// A field as its section has it.
struct FieldEntry {
  std::string name;
  std::string facts;                 // "number, m; 0 to 10; needed"
  std::string type;                  // the message or enum that it holds
  std::vector<std::string> details;  // its comment, an example
};

struct Section {
  std::vector<FieldEntry> fields;
  std::vector<std::string> values;  // of an enum
};

struct Reference {
  std::map<std::string, Section, std::less<>> sections;
  // Where each path leads: a section.
  std::map<std::string, std::string, std::less<>> index;
};

std::string_view Trimmed(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

// Without what is there for a page's looks: `a`, *a*, [a](b).
std::string PlainText(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`' || c == '*' || c == '[') continue;
    if (c == ']' && i + 1 < text.size() && text[i + 1] == '(') {
      i = std::min(text.find(')', i), text.size());
    } else if (c != ']') {
      plain += c;
    }
  }
  return plain;
}

// The text between the first `begin` and the next `end`; empty without them.
std::string Between(std::string_view text, std::string_view begin,
                    std::string_view end) {
  const size_t from = text.find(begin);
  if (from == std::string_view::npos) return "";
  const size_t to = text.find(end, from + begin.size());
  if (to == std::string_view::npos) return "";
  return std::string(
      text.substr(from + begin.size(), to - from - begin.size()));
}

void AddLine(std::string_view line, Section& section) {
  if (line.starts_with(kField)) {
    const size_t colon = line.find("`**: ");
    const std::string_view facts = line.substr(colon + 5);
    section.fields.push_back(
        {.name = std::string(line.substr(kField.size(), colon - kField.size())),
         .facts = PlainText(facts),
         .type = Between(facts, "[", "](#"),
         .details = {}});
  } else if (line.starts_with(kMore) && !section.fields.empty()) {
    const std::string_view text = line.substr(kMore.size());
    // An example is code as it stands.
    const bool is_example = text.starts_with('`') && text.ends_with('`') &&
                            std::ranges::count(text, '`') == 2;
    section.fields.back().details.push_back(
        is_example ? "as in " + std::string(text.substr(1, text.size() - 2))
                   : PlainText(text));
  } else if (line.starts_with("- `")) {
    section.values.push_back(PlainText(line.substr(2)));
  }
}

Reference ReadReference(std::string_view page) {
  Reference reference;
  std::string name;
  while (!page.empty()) {
    const size_t end = std::min(page.find('\n'), page.size());
    const std::string_view line = Trimmed(page.substr(0, end));
    page.remove_prefix(std::min(end + 1, page.size()));
    if (line.starts_with(kHeading)) {
      name = line.substr(kHeading.size());
    } else if (name == "Index") {
      const std::string path = Between(line, "- `", "`: [");
      if (!path.empty()) reference.index[path] = Between(line, ": [", "](#");
    } else if (!name.empty()) {
      AddLine(line, reference.sections[name]);
    }
  }
  return reference;
}

// "types[0].body" as "types.body".
std::string WithoutIndexes(std::string_view path) {
  std::string name;
  bool is_index = false;
  for (const char c : path) {
    if (c == '[' || c == ']') {
      is_index = c == '[';
    } else if (!is_index) {
      name += c;
    }
  }
  return name;
}

std::string_view LastName(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

// The section in which the last field of a path stands that is deeper than the
// index goes, where messages hold others of their kind; null where none does.
const std::string* SectionOf(const Reference& reference,
                             std::string_view path) {
  static const std::string whole = "Pack";
  const std::string* name = &whole;
  while (true) {
    const auto section = reference.sections.find(*name);
    if (section == reference.sections.end()) return nullptr;
    const std::string_view part = path.substr(0, path.find('.'));
    const auto field =
        std::ranges::find(section->second.fields, part, &FieldEntry::name);
    if (field == section->second.fields.end()) return nullptr;
    if (part.size() == path.size()) return name;
    path.remove_prefix(part.size() + 1);
    name = &field->type;
  }
}

std::string Explain(const Reference& reference, const std::string& path,
                    const FieldEntry& field) {
  std::string text = WrapBeside(path + ":", field.facts, 2);
  for (const std::string& detail : field.details) text += WrapText(detail, 2);
  if (field.type.starts_with("Vector")) return text;  // everybody knows
  const auto below = reference.sections.find(field.type);
  if (below == reference.sections.end()) return text;
  for (const FieldEntry& part : below->second.fields) {
    text += WrapBeside("    " + part.name, part.facts, 26);
  }
  for (const std::string& value : below->second.values) {
    text += WrapText(value, 4);
  }
  return text;
}

// Of "Box" all fields, of "Box.half_extents" that one; empty where there is no
// such message, or it has no such field.
std::string ExplainMessage(const Reference& reference,
                           const std::string& wanted) {
  const std::string name = wanted.substr(0, wanted.find('.'));
  const auto section = reference.sections.find(name);
  if (section == reference.sections.end()) return "";
  std::string text;
  for (const FieldEntry& field : section->second.fields) {
    const std::string place = fmt::format("{}.{}", name, field.name);
    if (wanted == name) {
      text += WrapBeside(place, field.facts, 26);
    } else if (wanted == place) {
      text += Explain(reference, place, field);
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> ExplainField(std::string_view page,
                                         std::string_view path) {
  const Reference reference = ReadReference(page);
  const std::string wanted = WithoutIndexes(path);
  std::string text;
  std::set<std::pair<std::string, std::string>> explained;
  const auto explain = [&](const std::string& place, const std::string& name) {
    const auto section = reference.sections.find(name);
    if (section == reference.sections.end()) return;
    for (const FieldEntry& field : section->second.fields) {
      if (field.name != LastName(place)) continue;
      if (explained.emplace(name, field.name).second) {
        text += Explain(reference, place, field);
      }
    }
  };
  if (const auto whole = reference.index.find(wanted);
      whole != reference.index.end()) {
    explain(whole->first, whole->second);
    return text;
  }
  if (const std::string* const section = SectionOf(reference, wanted)) {
    explain(wanted, *section);
    return text;
  }
  for (const auto& [place, name] : reference.index) {
    if (place.ends_with("." + wanted)) explain(place, name);
  }
  if (!text.empty()) return text;
  text = ExplainMessage(reference, wanted);
  if (!text.empty()) return text;
  std::vector<std::string_view> names;
  for (const auto& [place, name] : reference.index) {
    names.push_back(place);
    names.push_back(LastName(place));
  }
  return absl::NotFoundError(fmt::format("packs have no field '{}'{}", wanted,
                                         sim::DidYouMean(wanted, names)));
}

}  // namespace reprise::tools
