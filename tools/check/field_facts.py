# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What the comment of a field says of its unit, range and default.

Comments are prose, and say these in a few fixed ways, which are read here:

unit     by the end of the name (mass_kg), or a unit in the comment (m/s)
range    "0 to 10", "above 0 to 10", "at most 64", "at least 1", "0 or more",
         "up to 10,000 either way", "less than every_ticks", "any number"
default  "Unset: 45." for an optional field, "0: 60." for another; "Required";
         none where 0 itself is in the range
"""

import dataclasses
import re

_SUFFIX_UNITS = {
    "_s": "s", "_kg": "kg", "_n": "N", "_nm": "N m", "_ns": "N s",
    "_nms": "N m s", "_w": "W", "_rpm": "1/min", "_degrees": "degrees",
    "_m2": "m^2", "_per_ns": "1/(N s)", "_ticks": "ticks",
}

# The longer ones first: what one of them matches is that unit.
_UNITS = [
    (r"newton metre seconds per radian", "N m s/rad"),
    (r"newtons per metre, or newton metres per radian", "N/m or N m/rad"),
    (r"newton seconds per metre, or newton metre seconds per radian",
     "N s/m or N m s/rad"),
    (r"metres, or degrees about an axis", "m or degrees"),
    (r"newton seconds \(newton metre seconds about an axis\)", "N s or N m s"),
    (r"newton seconds per metre", "N s/m"), (r"newtons per metre", "N/m"),
    (r"kilograms per cubic metre", "kg/m^3"), (r"kg/m\^3", "kg/m^3"),
    (r"square metres", "m^2"), (r"degrees (?:per|a) second", "degrees/s"),
    (r"radians per second", "rad/s"),
    (r"m/s\^2", "m/s^2"), (r"m/s", "m/s"), (r"N s/m", "N s/m"),
    (r"N/m", "N/m"), (r"1/s", "1/s"), (r"newton seconds", "N s"),
    (r"newtons", "N"), (r"metres", "m"), (r"seconds", "s"),
    (r"degrees", "degrees"), (r"turns a minute", "1/min"),
    (r"in (?:its|the|the property's) unit\b", "that of what it is for"),
    (r"as the first", "m"),
    (r"parts? of|bounce|resistance to rolling|coulomb friction|health|"
     r"how much of gravity|turns of the|reverse gear|of any length|"
     r"how many times as|how likely|scores?\b", ""),
]

_NUMBER = r"-?\d[\d,.]*(?:e-?\d+)?(?<![,.])"
_BOUND = (rf"(?:{_NUMBER}|its height|the (?:player|wheel) count - 1|"
          r"every_ticks|lower(?:_degrees)?\b|bottom \+ 1e-6)")
_RANGES = [
    rf"above {_BOUND} to {_BOUND}",
    rf"{_BOUND} to {_BOUND}(?: ticks)?",
    rf"up to {_NUMBER} (?:either way|along each axis)",
    rf"at least {_BOUND}(?:,? (?:and )?at most {_BOUND})?",
    rf"(?:within {_NUMBER} (?:m|km))",
    rf"(?:above|below|less than|at most) {_BOUND}",
    rf"{_NUMBER} or more",
    r"any (?:whole )?number",
    r"(?:a number, )?finite",
]

_DEFAULT = re.compile(r"(?:^|\. )(Unset|0): ([^.;]*(?:\.\d[^.;]*)*)")


@dataclasses.dataclass(frozen=True)
class Facts:
  """What is known of a number; None: its comment doesn't say it."""
  unit: str | None
  range: str | None
  default: str | None


def _unit(field):
  for pattern, unit in _UNITS[:5]:
    if re.search(pattern, field.comment, re.IGNORECASE):
      return unit
  if field.name.endswith(("velocity_degrees", "rate_degrees")):
    return "degrees/s"
  for suffix in sorted(_SUFFIX_UNITS, key=len, reverse=True):
    if field.name.endswith(suffix):
      return _SUFFIX_UNITS[suffix]
  if "int" in field.type:
    return ""
  for pattern, unit in _UNITS:
    if re.search(rf"(?<![\w/]){pattern}(?![\w/^])", field.comment,
                 re.IGNORECASE):
      return unit
  return None


def _range(field):
  text = _DEFAULT.sub("", field.comment)
  for pattern in _RANGES:
    match = re.search(pattern, text, re.IGNORECASE)
    if match:
      return match.group()[0].lower() + match.group()[1:]
  return None


def _default(field, allowed):
  match = _DEFAULT.search(field.comment)
  may_be_unset = field.label == "optional" or not field.is_number
  if match and (match.group(1) == "Unset") == may_be_unset:
    return " ".join(match.group(2).split())
  if "Required" in field.comment or field.label == "repeated" or field.oneof:
    return ""  # there is none
  if field.label == "optional":
    return None
  excludes_zero = re.match(
      r"above (?:0|[a-z])|at least [1-9]|[1-9]\S* to|0\.\d+ to", allowed or "")
  if excludes_zero:
    return ""
  return {"Vector2": "(0, 0)", "Vector3": "(0, 0, 0)"}.get(field.type, "0")


def facts_of(field):
  """Returns the facts of a number."""
  allowed = _range(field)
  return Facts(_unit(field), allowed, _default(field, allowed))
