# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Determinism bans of sim/, and what its rooms may include.

Whatever differs between two runs, machines, compilers or libraries must not
reach a simulation. Most of it can be recognised by its name.

A line that ends in `// determinism: <why it is harmless>` is let through.
Tests, benchmarks and fuzzers may use what simulations may not.
"""

import re

from repository import Problem

_EXEMPT_FILE = re.compile(r"_((test|benchmark|fuzz|canary)\.cc|benchmark\.h)$")
_EXEMPT_LINE = re.compile(r"//\s*determinism:\s*\S.*$")

_ELEMENTARY = ("acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc "
               "exp exp2 expm1 hypot lgamma log log10 log1p log2 pow sin "
               "sincos sinh tan tanh tgamma").replace(" ", "|")

# Each with why it is banned. Patterns see code without comments and strings.
_BANS = [
    (re.compile(pattern), why) for pattern, why in [
        (r"#\s*include\s*<(chrono|ctime|time\.h|sys/time\.h)>|\bstd::chrono\b|"
         r"\babsl::(Now|Time|GetCurrentTimeNanos)\b|"
         r"\b(clock_gettime|gettimeofday)\s*\(|(?<![\w.>:])(time|clock)\s*\(",
         "a clock differs in every run; simulated time is a Tick"),
        (r"#\s*include\s*<(thread|mutex|shared_mutex|condition_variable|future|"
         r"semaphore|barrier|latch|stop_token|pthread\.h)>|"
         r"\bstd::(thread|jthread|async|mutex|this_thread)\b|"
         r"\babsl::(Mutex|CondVar|Notification)\b|\bpthread_\w+",
         "threads end in another order every time"),
        (r"#\s*include\s*<(fstream|filesystem|unistd\.h|fcntl\.h|"
         r"sys/stat\.h)>|\bstd::(i|o)?fstream\b|\bstd::filesystem\b|"
         r"(?<![\w.>:])f?open\s*\(",
         "a simulation reads no file; the caller hands it bytes"),
        (r"\b(secure_)?(get|set|put)env\s*\(",
         "the environment differs between machines"),
        (r"#\s*include\s*<(locale|clocale|locale\.h)>|\bstd::locale\b|"
         r"\bsetlocale\s*\(|\b(strto(d|f|ld)|ato(f|i|l)|sscanf)\s*\(|"
         r"\bstd::sto(d|f|ld)\b",
         "the locale decides what this reads; use absl::SimpleAtod and the "
         "like"),
        (r"\bu?intptr_t\b|\bstd::(map|set|less)\s*<\s*(const\s+)?[\w:]+\s*\*",
         "an address differs in every run and must not become data or order"),
        (r"\bstd::hash\b|\babsl::Hash(Of)?\b",
         "this hash differs between libraries or runs; use sim/base/digest"),
        (r"\bunordered_(multi)?(map|set)\b|\b(flat|node)_hash_(map|set)\b",
         "the order of an unordered container is the library's; use a sorted "
         "one"),
        (r"\b\w+_distribution\b|\bstd::(shuffle|sample)\b",
         "standard libraries draw differently; use sim/base/random"),
        (r"\babsl::(Insecure)?BitGen\b|\brandom_device\b|(?<![\w.>:])s?rand"
         r"\s*\(|#\s*include\s*<random>",
         "this generator is not ours to save and restore; use "
         "sim/base/random"),
        (rf"(?<![\w.>])(?:std::|::)?\b({_ELEMENTARY})f?l?\s*\((?!\))",
         "libm's elementary functions differ between versions and CPUs; use "
         "sim/base/math"),
        (r"\b(throw|try|catch)\b\s*[({\w]",
         "no exceptions of our own: Status for input, CHECK for promises"),
        (r"#\s*pragma\s+(STDC|GCC\s+optimize|clang\s+fp)|"
         r"__attribute__\s*\(\(\s*optimize|\bstd::execution::",
         "this changes the arithmetic or its order"),
    ]
]

_SORT = re.compile(r"\bstd::(?:ranges::)?"
                   r"(sort|partial_sort|nth_element|\w+_heap)\s*\(")
_TOTAL_ORDER = re.compile(r"//.*\btotal order\b", re.IGNORECASE)

_DRAW = re.compile(r"\bNext(Uint64|Below|InRange|Unit|[A-Z]\w*)\s*\(")

_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_ROOMS = [
    (re.compile(r"^(bt[A-Z]\w*\.h|Bullet\w*/|LinearMath/)"),
     re.compile(r"sim/physics/"), "only sim/physics includes Bullet"),
    (re.compile(r"^(lua\w*|lauxlib)\.h(pp)?$"),
     re.compile(r"sim/script/"), "only sim/script includes Lua"),
    (re.compile(r"\.pb\.h$|^google/protobuf/"),
     re.compile(r"sim/compiler/|sim/systems/.*_compiler(_test)?\.(cc|h)$"),
     "only what compiles packs sees messages: it turns them into flat tables, "
     "once"),
]


def _blank(match):
  return re.sub(r"[^\n]", " ", match.group())


_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|'
    r'"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
_INCLUDE_LINE = re.compile(r"^\s*#\s*include\b.*$", re.MULTILINE)


def strip_comments_and_strings(text):
  """Returns the code with all else blank, line by line as long as before."""
  return _NOT_CODE.sub(
      lambda match: _blank(match) if not match.group().startswith('"') else
      '"' + _blank(match)[1:-1] + '"', text)


def check_text(path, text):
  """Returns the problems of one file."""
  problems = []
  lines = text.split("\n")
  code = strip_comments_and_strings(text)

  def report(offset, message):
    number = code.count("\n", 0, offset) + 1
    if not _EXEMPT_LINE.search(lines[number - 1]):
      problems.append(Problem(path, number, message))

  for match in _INCLUDE.finditer(text):
    for pattern, room, message in _ROOMS:
      if pattern.search(match.group(1)) and not room.match(path):
        report(match.start(1), f"<{match.group(1)}>: {message}")
  if _EXEMPT_FILE.search(path):
    return problems
  for pattern, why in _BANS:
    for match in pattern.finditer(code):
      name = " ".join(match.group().split()).rstrip("( ")
      report(match.start(), f"`{name}` is banned in sim/: {why}")
  for match in _SORT.finditer(code):
    number = code.count("\n", 0, match.start()) + 1
    near = lines[max(0, number - 4):number]
    if not any(_TOTAL_ORDER.search(line) for line in near):
      report(match.start(),
             f"`std::{match.group(1)}` puts equal elements in an order that "
             "is the library's: use std::stable_sort, or say in a comment "
             "above what makes it a total order")
  problems.extend(_find_double_draws(path, code, lines))
  return sorted(set(problems))


def _are_alternatives(statement, draws):
  """Whether only one of the draws is taken: `a ? Draw() : Draw()`."""
  between = statement[draws[0].end():draws[1].start()]
  return (len(draws) == 2 and "?" in statement[:draws[0].start()] and
          re.search(r"(?<!:):(?!:)", between) is not None)


def _find_double_draws(path, code, lines):
  """Finds two random draws in one expression."""
  problems = []
  for statement in re.finditer(r"[^;{}]+", _INCLUDE_LINE.sub(_blank, code)):
    draws = list(_DRAW.finditer(statement.group()))
    if len(draws) < 2 or _are_alternatives(statement.group(), draws):
      continue
    number = code.count("\n", 0, statement.start() + draws[1].start()) + 1
    if not _EXEMPT_LINE.search(lines[number - 1]):
      problems.append(
          Problem(
              path, number,
              "two random draws in one expression: which comes first is the "
              "compiler's choice; draw into variables first"))
  return problems


def check(repository):
  """Returns the problems of all files of sim/."""
  problems = []
  for path in repository.cpp_files():
    if path.startswith("sim/"):
      problems.extend(check_text(path, repository.read(path)))
  return problems
