// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/flags.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/nearest_name.h"

namespace reprise::tools {
namespace {

constexpr size_t kColumns = 80;
constexpr std::string_view kDashes = "--";
constexpr std::string_view kHelp = "help";

// Where the text of a flag begins in its help.
constexpr size_t kHelpIndent = 24;

bool IsSwitch(const Flag& flag) {
  return std::holds_alternative<bool*>(flag.target);
}

absl::Status BadValue(const Flag& flag, std::string_view value,
                      std::string_view expected) {
  return absl::InvalidArgumentError(
      fmt::format("flag --{} takes {}, not '{}'", flag.name, expected, value));
}

// Reads decimal digits and nothing else: no sign, no blanks.
absl::StatusOr<uint64_t> ParseNumber(const Flag& flag, std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) {
    return BadValue(flag, text, "a whole number from 0 to 2^64-1");
  }
  return number;
}

// Stores one value in the target of its flag.
class Store {
 public:
  Store(const Flag& flag, std::string_view text) : flag_(flag), text_(text) {}

  absl::Status operator()(bool* target) const {
    *target = true;
    return absl::OkStatus();
  }

  absl::Status operator()(uint64_t* target) const {
    const absl::StatusOr<uint64_t> number = ParseNumber(flag_, text_);
    if (number.ok()) *target = *number;
    return number.status();
  }

  absl::Status operator()(std::optional<uint64_t>* target) const {
    const absl::StatusOr<uint64_t> number = ParseNumber(flag_, text_);
    if (number.ok()) *target = *number;
    return number.status();
  }

  absl::Status operator()(std::string* target) const {
    *target = text_;
    return absl::OkStatus();
  }

  absl::Status operator()(std::optional<std::string>* target) const {
    *target = text_;
    return absl::OkStatus();
  }

  absl::Status operator()(std::vector<std::string>* target) const {
    target->emplace_back(text_);
    return absl::OkStatus();
  }

  absl::Status operator()(const ChoiceTarget& target) const {
    const auto choice = std::ranges::find(target.choices, text_);
    if (choice == target.choices.end()) {
      return BadValue(flag_, text_,
                      fmt::format("{}", fmt::join(target.choices, " or ")));
    }
    *target.value = *choice;
    return absl::OkStatus();
  }

 private:
  const Flag& flag_;
  const std::string_view text_;
};

absl::Status UnknownFlag(std::span<const Flag> flags, std::string_view name) {
  std::vector<std::string_view> names = {kHelp};
  for (const Flag& flag : flags) names.push_back(flag.name);
  std::string message = fmt::format("unknown flag --{}", name);
  const std::string_view nearest = sim::NearestName(name, names);
  if (!nearest.empty()) message += fmt::format("; did you mean --{}?", nearest);
  return absl::InvalidArgumentError(message);
}

// "--seed N" as it stands in help.
std::string Synopsis(const Flag& flag) {
  return flag.value.empty() ? fmt::format("--{}", flag.name)
                            : fmt::format("--{} {}", flag.name, flag.value);
}

// One entry of the help: what is typed, then what it does.
std::string HelpEntry(std::string_view typed, std::string_view help) {
  return WrapBeside(fmt::format("  {}", typed), help, kHelpIndent);
}

// "REPRISE_SERVE_IDLE_TIMEOUT" for "idle-timeout".
std::string VariableOf(std::string_view prefix, std::string_view name) {
  std::string variable(prefix);
  for (const char character : name) {
    const bool is_small = character >= 'a' && character <= 'z';
    variable += character == '-' ? '_'
                : is_small       ? static_cast<char>(character - 'a' + 'A')
                                 : character;
  }
  return variable;
}

// What a target holds, as text; nullopt for nothing.
struct Load {
  using Text = std::optional<std::string>;

  Text operator()(const bool* target) const { return *target ? "1" : "0"; }
  Text operator()(const uint64_t* target) const {
    return fmt::format("{}", *target);
  }
  Text operator()(const std::optional<uint64_t>* target) const {
    if (!target->has_value()) return std::nullopt;
    return fmt::format("{}", **target);
  }
  Text operator()(const std::string* target) const {
    if (target->empty()) return std::nullopt;
    return *target;
  }
  Text operator()(const std::optional<std::string>* target) const {
    return *target;
  }
  // A variable has one value.
  Text operator()(const std::vector<std::string>*) const {
    return std::nullopt;
  }
  Text operator()(const ChoiceTarget& target) const {
    return std::string(*target.value);
  }
};

absl::Status StoreVariable(const Flag& flag, std::string_view value) {
  if (!IsSwitch(flag)) return std::visit(Store(flag, value), flag.target);
  if (value != "0" && value != "1") return BadValue(flag, value, "1 or 0");
  *std::get<bool*>(flag.target) = value == "1";
  return absl::OkStatus();
}

// Goes through the arguments once, storing as it goes.
class Parser {
 public:
  Parser(std::span<const Flag> flags, std::span<const std::string> arguments)
      : flags_(flags), arguments_(arguments) {}

  absl::StatusOr<ParsedArguments> Run() {
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_++];
      if (argument == kDashes) {
        const auto rest = arguments_.subspan(next_);
        parsed_.positional.insert(parsed_.positional.end(), rest.begin(),
                                  rest.end());
        break;
      }
      if (argument == "-h") {
        parsed_.wants_help = true;
      } else if (argument.starts_with(kDashes)) {
        const absl::Status status =
            TakeFlag(std::string_view(argument).substr(kDashes.size()));
        if (!status.ok()) return status;
      } else if (argument.starts_with('-') && argument != "-") {
        return absl::InvalidArgumentError(fmt::format(
            "unknown flag {}; flags start with two dashes", argument));
      } else {
        parsed_.positional.push_back(argument);
      }
    }
    return std::move(parsed_);
  }

 private:
  // Takes "name" or "name=value", and the next argument where it is the value.
  absl::Status TakeFlag(std::string_view text) {
    const size_t equals = text.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view name = text.substr(0, equals);
    if (name == kHelp) {
      parsed_.wants_help = true;
      return absl::OkStatus();
    }
    const auto flag = std::ranges::find(flags_, name, &Flag::name);
    if (flag == flags_.end()) return UnknownFlag(flags_, name);

    std::string_view value;
    if (has_value) {
      if (IsSwitch(*flag)) {
        return absl::InvalidArgumentError(
            fmt::format("flag --{} takes no value", name));
      }
      value = text.substr(equals + 1);
    } else if (!IsSwitch(*flag)) {
      // A flag is no value: `--record --seed 1` forgot the file's name.
      if (next_ == arguments_.size() ||
          arguments_[next_].starts_with(kDashes)) {
        return absl::InvalidArgumentError(
            fmt::format("flag {} lacks its value", Synopsis(*flag)));
      }
      value = arguments_[next_++];
    }
    return std::visit(Store(*flag, value), flag->target);
  }

  const std::span<const Flag> flags_;
  const std::span<const std::string> arguments_;
  size_t next_ = 0;
  ParsedArguments parsed_;
};

}  // namespace

absl::StatusOr<ParsedArguments> ParseFlags(
    std::span<const Flag> flags, std::span<const std::string> arguments) {
  return Parser(flags, arguments).Run();
}

absl::Status ParseEnvironment(std::span<const Flag> flags,
                              std::string_view prefix,
                              const char* const* environment) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    const size_t equals = variable.find('=');
    if (!variable.starts_with(prefix) || equals == std::string_view::npos) {
      continue;
    }
    const std::string_view name = variable.substr(0, equals);
    const std::string_view value = variable.substr(equals + 1);
    if (value.empty()) continue;
    const auto flag = std::ranges::find_if(flags, [&](const Flag& candidate) {
      return VariableOf(prefix, candidate.name) == name;
    });
    if (flag == flags.end()) {
      std::vector<std::string> variables;
      for (const Flag& known : flags) {
        variables.push_back(VariableOf(prefix, known.name));
      }
      const std::vector<std::string_view> names(variables.begin(),
                                                variables.end());
      return absl::InvalidArgumentError(
          fmt::format("no flag is meant by the variable {}{}", name,
                      sim::DidYouMean(name, names)));
    }
    const absl::Status stored = StoreVariable(*flag, value);
    if (!stored.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: {}", name, std::string(stored.message())));
    }
  }
  return absl::OkStatus();
}

absl::Status ParseConfiguration(std::span<const Flag> flags,
                                std::string_view prefix, std::string_view path,
                                std::string_view text) {
  std::map<std::string, size_t, std::less<>> lines;  // by variable
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    absl::Status stored;
    if (line.starts_with(prefix) && line.find('=') != std::string::npos) {
      const char* const variables[] = {line.c_str(), nullptr};
      stored = ParseEnvironment(flags, prefix, variables);
      const std::string name = line.substr(0, line.find('='));
      const auto [before, is_new] = lines.emplace(name, number);
      if (stored.ok() && !is_new) {
        stored = absl::InvalidArgumentError(
            fmt::format("line {} sets {} already", before->second, name));
      }
    } else {
      stored = absl::InvalidArgumentError(
          fmt::format("a line is {}NAME=VALUE", prefix));
    }
    if (!stored.ok()) {
      return absl::InvalidArgumentError(fmt::format(
          "{}:{}: {}", path, number, std::string(stored.message())));
    }
  }
  return absl::OkStatus();
}

std::string FormatEnvironment(std::span<const Flag> flags,
                              std::string_view prefix) {
  std::string text;
  for (const Flag& flag : flags) {
    const std::optional<std::string> value = std::visit(Load(), flag.target);
    text += fmt::format("{}{}={}\n", value.has_value() ? "" : "# ",
                        VariableOf(prefix, flag.name), value.value_or(""));
  }
  return text;
}

std::vector<std::string_view> ChangedFlags(std::span<const Flag> flags,
                                           std::span<const Flag> unset) {
  CHECK(flags.size() == unset.size(), "{} and {}", flags.size(), unset.size());
  std::vector<std::string_view> changed;
  for (size_t i = 0; i < flags.size(); ++i) {
    const Flag::Target& target = flags[i].target;
    const auto* const list = std::get_if<std::vector<std::string>*>(&target);
    const bool is_changed =
        list != nullptr
            ? !(*list)->empty()
            : std::visit(Load(), target) != std::visit(Load(), unset[i].target);
    if (is_changed) changed.push_back(flags[i].name);
  }
  return changed;
}

std::string DescribeFlags(std::span<const Flag> flags) {
  std::string text;
  for (const Flag& flag : flags) text += HelpEntry(Synopsis(flag), flag.help);
  return text + HelpEntry("--help", "Print this text.");
}

std::string WrapText(std::string_view text, size_t indent) {
  std::string wrapped;
  std::string line(indent, ' ');
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const bool is_first = line.size() == indent;
    if (!is_first && line.size() + 1 + word.size() > kColumns) {
      wrapped += line + "\n";
      line.assign(indent, ' ');
      line += word;
      continue;
    }
    if (!is_first) line += ' ';
    line += word;
  }
  return wrapped + line + "\n";
}

std::string WrapBeside(std::string_view head, std::string_view text,
                       size_t indent) {
  if (text.empty()) return fmt::format("{}\n", head);
  const std::string body = WrapText(text, indent);
  if (head.size() + 2 > indent) return fmt::format("{}\n{}", head, body);
  return std::string(head) + body.substr(head.size());
}

}  // namespace reprise::tools
