# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What behaviours in C++ can do, scripts can.

Every public function of what behaviours work on, every function of a system
that takes it, and every kind of action of a pack is named below with the
functions of scripts that do the same, or with the reason why none has to. So
whoever adds to one side decides about the other, and a name that is gone is
found here as well.
"""

import re

from repository import Problem, line_of

_UPDATES = "sim/world/updates/"
_SCRIPTS = "sim/systems/scripts/"
_GRAMMAR = "sim/input/input_grammar.h"
_TABLE = "tools/check/parity.py"

# The classes whose public functions are looked at, and their headers.
_CLASSES = {
    "UpdateContext": _UPDATES + "update_context.h",
    "WorldQueries": _UPDATES + "world_queries.h",
    "PhysicsQueries": "sim/physics/queries/physics_queries.h",
}

_OF_THE_CALL = "a script is called for one object"
_OF_THE_WORLD = "the world's, around a call"
_IN_A_BATCH = "several at a time: a script asks one by one"
_ANY_TYPE = "own.get, own.set"
_OTHER = "other.get, other.now"

# What functions are given, field by field.
_STRUCTS = {
    "ObjectRequest": _UPDATES + "object_request.h",
    "AttachRequest": _UPDATES + "object_request.h",
    "ObjectCriteria": _UPDATES + "world_queries.h",
    "QueryFilter": "sim/physics/queries/physics_queries.h",
    "MotorChange": "sim/physics/bodies/joint_motors.h",
    "TimerStart": "sim/world/time/timers.h",
    "TimelineStart": "sim/world/time/timeline.h",
    "TimelineMark": "sim/world/time/timeline.h",
    "DriveCommand": "sim/systems/vehicles/driving.h",
    "Hooks": "sim/world/definition/behaviour.h",
}

# What there is in C++: functions of scripts, with commas, or a reason, which
# has a blank before any dot.
TWINS = {
    "UpdateContext.parts": "all that systems' own functions need",
    "UpdateContext.Begin": _OF_THE_WORLD,
    "UpdateContext.BeginLast": _OF_THE_WORLD,
    "UpdateContext.End": _OF_THE_WORLD,
    "UpdateContext.tick": "world.tick",
    "UpdateContext.dt_s": "world.step",
    "UpdateContext.device": "player.axis, player.holds, player.presses, "
                            "player.releases",
    "UpdateContext.keyboard": "player.holds, player.presses, player.releases",
    "UpdateContext.mouse": "player.holds, player.presses, player.releases, "
                           "player.pointer, "
                           "player.mouse_motion, player.wheel",
    "UpdateContext.motion_sensor": "player.acceleration, player.turning",
    "UpdateContext.Touches": "player.touches, player.touch, player.touch_id, "
                             "player.touch_phase",
    "UpdateContext.TextOf": "scripts have texts where C++ has their ids",
    "UpdateContext.KeepText": "scripts have texts where C++ has their ids",
    "UpdateContext.object_count": _OF_THE_CALL,
    "UpdateContext.rows": _OF_THE_CALL,
    "UpdateContext.are_going": "the hook `destroyed` is called then alone",
    "UpdateContext.object": "own.serial",
    "UpdateContext.handle": "own.handle",
    "UpdateContext.parent": "own.parent",
    "UpdateContext.Bool": _ANY_TYPE,
    "UpdateContext.Int": _ANY_TYPE,
    "UpdateContext.Number": _ANY_TYPE,
    "UpdateContext.Name": _ANY_TYPE,
    "UpdateContext.Vector2": _ANY_TYPE,
    "UpdateContext.Vector": _ANY_TYPE,
    "UpdateContext.Rotation": _ANY_TYPE,
    "UpdateContext.Reference": _ANY_TYPE,
    "UpdateContext.SetBool": _ANY_TYPE,
    "UpdateContext.SetInt": _ANY_TYPE,
    "UpdateContext.SetNumber": _ANY_TYPE,
    "UpdateContext.SetName": _ANY_TYPE,
    "UpdateContext.SetVector2": _ANY_TYPE,
    "UpdateContext.SetVector": _ANY_TYPE,
    "UpdateContext.SetRotation": _ANY_TYPE,
    "UpdateContext.SetReference": _ANY_TYPE,
    "UpdateContext.ListSize": "own.size",
    "UpdateContext.FindProperty": "a script names a property where it uses it",
    "UpdateContext.Get": "own.get",
    "UpdateContext.Set": "own.set, own.append, own.remove, own.clear",
    "UpdateContext.Place": "own.position, own.rotation, own.to_local, "
                           "own.to_world",
    "UpdateContext.SetPlace": "own.move_to",
    "UpdateContext.ApplyForce": "own.push",
    "UpdateContext.ApplyTorque": "own.twist",
    "UpdateContext.ApplyImpulse": "own.kick",
    "UpdateContext.ChangeMotors": "own.motor",
    "UpdateContext.ReadBool": _OTHER,
    "UpdateContext.ReadInt": _OTHER,
    "UpdateContext.ReadNumber": _OTHER,
    "UpdateContext.ReadName": _OTHER,
    "UpdateContext.ReadVector2": _OTHER,
    "UpdateContext.ReadVector": _OTHER,
    "UpdateContext.ReadRotation": _OTHER,
    "UpdateContext.ReadReference": _OTHER,
    "UpdateContext.ReadListSize": "other.size",
    "UpdateContext.ReadPlace": "other.position, other.position_now, "
                               "other.rotation, other.rotation_now",
    "UpdateContext.Read": _OTHER,
    "UpdateContext.UpdatedAt": "other.updated_at",
    "UpdateContext.queries": "the table `query`",
    "UpdateContext.RequestRay": "query.request_ray",
    "UpdateContext.Request": "of systems' own functions, which have their own",
    "UpdateContext.Find": "world.find",
    "UpdateContext.HandleOf": "world.by_serial",
    "UpdateContext.Participant": "event.get",
    "UpdateContext.Spawn": "world.spawn, world.give",
    "UpdateContext.Destroy": "world.destroy",
    "UpdateContext.Attach": "world.attach",
    "UpdateContext.Detach": "world.detach",
    "UpdateContext.Random": "world.random, world.random_integer",
    "UpdateContext.Post": "event.post, event.give",
    "UpdateContext.Send": "event.send",
    "UpdateContext.Listen": "event.listen",
    "UpdateContext.Ignore": "event.ignore",
    "UpdateContext.StartTimer": "timer.start",
    "UpdateContext.StopTimer": "timer.stop",
    "UpdateContext.TimerDueIn": "timer.due_in",
    "UpdateContext.Timer": "timer.period, timer.firings",
    "UpdateContext.StartTimeline": "timeline.start, timeline.mark",
    "UpdateContext.Timeline": "timeline.time, timeline.duration, "
                              "timeline.rate, timeline.is_paused",
    "UpdateContext.PauseTimeline": "timeline.pause",
    "UpdateContext.ResumeTimeline": "timeline.resume",
    "UpdateContext.SetTimelineRate": "timeline.set_rate",
    "UpdateContext.SeekTimeline": "timeline.seek",
    "UpdateContext.StopTimeline": "timeline.stop",
    "UpdateContext.SetGameRate": "world.set_rate",
    "UpdateContext.PauseGame": "world.pause",
    "UpdateContext.ResumeGame": "world.resume",
    "UpdateContext.Log": "log.debug, log.info, log.warning, log.error",
    "UpdateContext.wants_log": "the same whoever reads it, so scripts don't "
                               "ask",
    "UpdateContext.Fail": "own.fail",
    "UpdateContext.Tell": "what the world tells, no script does",
    "WorldQueries.Look": _OF_THE_WORLD,
    "WorldQueries.Find": "query.all, query.object",
    "WorldQueries.FindInSphere": "query.sphere, query.distance",
    "WorldQueries.FindInCone": "query.cone",
    "WorldQueries.FindInBox": "query.box",
    "WorldQueries.FindAlong": "query.along",
    "WorldQueries.FindNearest": "query.nearest",
    "WorldQueries.HasLineOfSight": "query.sees",
    "WorldQueries.HaveLinesOfSight": _IN_A_BATCH,
    "WorldQueries.bodies": "query.point, query.normal",
    "PhysicsQueries.Look": _OF_THE_WORLD,
    "PhysicsQueries.CastRay": "query.ray",
    "PhysicsQueries.CastRayThrough": "query.ray",
    "PhysicsQueries.CastSolid": "query.sweep, query.sweep_box, "
                                "query.sweep_solid, query.sweep_hull",
    "PhysicsQueries.CastSolidThrough": "query.sweep, query.sweep_box, "
                                       "query.sweep_solid, query.sweep_hull",
    "PhysicsQueries.FindOverlaps": "query.near, query.near_box, "
                                   "query.near_solid, query.near_hull",
    "PhysicsQueries.FindNear": "query.near, query.near_box, "
                               "query.near_solid, query.near_hull",
    "PhysicsQueries.FindClosestPoint": "query.closest",
    "PhysicsQueries.CastRays": _IN_A_BATCH,
    "PhysicsQueries.CastSolids": _IN_A_BATCH,
    "PhysicsQueries.FindOverlapsOfEach": _IN_A_BATCH,
    "PhysicsQueries.FindClosestPoints": _IN_A_BATCH,
    "systems.FlowNext": "flow.next",
    "systems.FlowCost": "flow.cost",
    "systems.FlowGoal": "flow.goal",
    "systems.CellWeight": "grid.weight",
    "systems.RequestPath": "navigator.request",
    "systems.RequestNearestPath": "navigator.request_nearest",
    "systems.PathOf": "navigator.count, navigator.point",
    "systems.Walk": "character.walk",
    "systems.Jump": "character.jump",
    "systems.CharacterOf": "character.stands, character.ground, "
                           "character.velocity",
    "systems.FindPath": "path.length, path.point, path.direction",
    "systems.SwitchLayer": "layer.switch",
    "systems.IsLayerOn": "layer.is_on",
    "systems.Drive": "vehicle.drive",
    "systems.VehicleOf": "vehicle.steering",
    "systems.DrivetrainOf": "vehicle.gear, vehicle.engine_speed",
    "ObjectRequest.archetype": "world.spawn",
    "ObjectRequest.name": "world.spawn",
    "ObjectRequest.place": "world.spawn",
    "ObjectRequest.linear_velocity_m_s": "world.spawn",
    "ObjectRequest.angular_velocity_rad_s": "world.spawn",
    "ObjectRequest.parent": "world.spawn",
    "ObjectRequest.is_attached": "world.spawn",
    "ObjectRequest.is_dormant": "world.spawn",
    "ObjectRequest.set": "world.give",
    "AttachRequest.object": "world.attach, world.detach",
    "AttachRequest.parent": "world.attach, world.detach",
    "AttachRequest.is_carried": "world.attach",
    "AttachRequest.place_on_parent": "world.attach",
    "ObjectCriteria.type": "query.all",
    "ObjectCriteria.component": "query.all",
    "ObjectCriteria.test": "a script asks whom it has found, by other .get",
    "ObjectCriteria.except": "the object itself is never found",
    "ObjectCriteria.includes_dormant": "query.all",
    "QueryFilter.layers": "query.layer",
    "QueryFilter.includes_triggers": "query.ray",
    "QueryFilter.ignored": "the object itself is never hit",
    "QueryFilter.ignored_too": "query.without",
    "QueryFilter.only": "query.only",
    "QueryFilter.layers_of_asker": "query.colliding",
    "MotorChange.target": "own.motor",
    "MotorChange.impulse_max": "own.motor",
    "TimerStart.object": _OF_THE_CALL,
    "TimerStart.name": "timer.start",
    "TimerStart.delay": "timer.start",
    "TimerStart.period": "timer.start",
    "TimerStart.firings": "timer.start",
    "TimerStart.event": "timer.start",
    "TimerStart.priority": "timer.start",
    "TimerStart.is_asleep": "filled in by the world",
    "TimelineStart.object": _OF_THE_CALL,
    "TimelineStart.name": "timeline.start",
    "TimelineStart.duration": "timeline.start",
    "TimelineStart.rate": "timeline.start",
    "TimelineStart.mode": "timeline.start",
    "TimelineStart.is_asleep": "filled in by the world",
    "TimelineMark.at_parts": "timeline.mark",
    "TimelineMark.event": "timeline.mark",
    "DriveCommand.throttle": "vehicle.drive",
    "DriveCommand.steer": "vehicle.drive",
    "DriveCommand.brake": "vehicle.drive",
    "DriveCommand.handbrake": "vehicle.drive",
    "Hooks.before_physics": "the script's hook `update`",
    "Hooks.after_physics": "the script's hook `after_physics`",
    "Hooks.on_event": "the script's table `on`",
    "Hooks.on_spawn": "the script's hook `spawn`",
    "Hooks.on_destroy": "the script's hook `destroyed`",
    "Hooks.reads_others": "the script's `reads_others`",
    "Hooks.queries": "the script's `queries`",
    "Hooks.marks_timelines": "the script's `marks_timelines`",
    "Action.kButton": "player.holds, player.presses",
    "Action.kAxis": "player.axis",
    "Action.kCommand": "an event, which `on` hears",
    "Action.kKey": "player.holds, player.presses",
    "Action.kMouseButton": "player.holds, player.presses",
    "Action.kPointer": "player.pointer",
    "Action.kMouseMotion": "player.mouse_motion",
    "Action.kWheel": "player.wheel",
    "Action.kTouch": "player.touches",
    "Action.kMotionSensor": "player.acceleration, player.turning",
    "Action.kText": "an event, which `on` hears",
}

# What scripts have, and C++ by other means.
SCRIPTS_ONLY = {
    "event.sender": "a member of WorldEvent",
    "event.type": "a member of WorldEvent",
    "own.velocity": "C++ reads the row of the body",
    "own.spin": "C++ reads the row of the body",
    "parameter.get": "of the behaviour's binder, BehaviourBinder::Parameter",
    "query.corner": "a corner of a HullPrimitive, made by MakeHull",
    "query.hull_of": "the definition's own HullPrimitive",
    "player.value": "of the system of controls, Controls::Find",
    "player.is_down": "of the system of controls, Controls::Find",
    "player.went_down": "of the system of controls, Controls::Find",
    "player.went_up": "of the system of controls, Controls::Find",
    "player.steps": "of the system of controls, Controls::Find",
    "state.go_to": "of scripts that have states",
    "state.name": "of scripts that have states",
    "state.step": "of scripts that have states",
    "state.ticks": "of scripts that have states",
    "steering.arrive": "sim/navigation/steering.h",
    "steering.avoid": "sim/navigation/steering.h",
    "steering.evade": "sim/navigation/steering.h",
    "steering.flee": "sim/navigation/steering.h",
    "steering.limit": "sim/navigation/steering.h",
    "steering.pursue": "sim/navigation/steering.h",
    "steering.seek": "sim/navigation/steering.h",
    "steering.separate": "sim/navigation/steering.h",
    "steering.wander": "sim/navigation/steering.h",
    "world.exists": "Objects::RowOf",
}

_NAME = re.compile(r"[a-z_]+\.[a-z_]+")


def without_comments(text):
  """Returns the text with blanks for comments, at the same offsets."""
  return re.sub(r"//[^\n]*", lambda match: " " * len(match.group()), text)


def public_functions(text, name):
  """Returns {function: line} of what is public in a class or struct."""
  text = without_comments(text)
  head = re.search(rf"^(?:class|struct) {name}(?: final)? {{$", text,
                   re.MULTILINE)
  if not head:
    return {}
  end = text.index("\n};", head.end())
  private = text.find("\n private:", head.end(), end)
  begin, end = head.end(), end if private < 0 else private
  body = text[begin:end]
  # What stands in braces says nothing of names, and structs have their own.
  while re.search(r"\{[^{}]*\}", body):
    body = re.sub(r"\{[^{}]*\}", lambda match: ";" + " " *
                  (len(match.group()) - 1), body)
  found = {}
  for match in re.finditer(r"[^;]+", body):
    called = re.search(r"(?<![:\w])(~?\w+)\s*\(", match.group())
    if called and called.group(1) not in (name, f"~{name}", "operator"):
      found.setdefault(called.group(1),
                       line_of(text, begin + match.start() + called.start(1)))
  return found


def fields(text, name):
  """Returns {field: line} of a struct, which may stand within a class."""
  text = without_comments(text)
  head = re.search(rf"^( *)struct {name} {{$", text, re.MULTILINE)
  if not head:
    return {}
  begin = head.end()
  end = text.index(f"\n{head.group(1)}}};", begin)
  body = text[begin:end]
  while re.search(r"\{[^{}]*\}", body):
    body = re.sub(r"\{[^{}]*\}", lambda match: " " * len(match.group()), body)
  found = {}
  for match in re.finditer(r"[^;]+", body):
    declared = match.group().partition("=")[0]
    field = re.search(r"\b([a-z]\w*)\s*$", declared)
    if field and "(" not in declared and " struct " not in f" {declared}":
      found[field.group(1)] = line_of(
          text, begin + match.start() + field.start(1))
  return found


def functions_taking_contexts(text):
  """Returns {function: line} of free functions that work on a context."""
  text = without_comments(text)
  found = {}
  for match in re.finditer(
      r"^[^\s#}][^;{}]*?\b(\w+)\(\s*(?:const )?UpdateContext&", text,
      re.MULTILINE):
    found.setdefault(match.group(1), line_of(text, match.start(1)))
  return found


def kinds_of_actions(text):
  """Returns {kind: line} of what an action of a pack can be."""
  text = without_comments(text)
  body = re.search(r"enum class Kind[^{]*\{([^}]*)\}", text)
  return {
      match.group(): line_of(text, body.start(1) + match.start())
      for match in re.finditer(r"\bk\w+", body.group(1))
  } if body else {}


def script_functions(text):
  """Returns {function: line} of what a source describes for scripts."""
  return {
      match.group(1): line_of(text, match.start(1))
      for match in re.finditer(
          r"functions\.Add\(\s*\"([a-z_]+\.[a-z_]+)\"", text)
  }


def _natives(repository):
  """Returns {name: (path, line)} of all that there is in C++."""
  found = {}
  for name, path in _CLASSES.items():
    for function, line in public_functions(repository.read(path), name).items():
      found[f"{name}.{function}"] = (path, line)
  for name, path in _STRUCTS.items():
    for field, line in fields(repository.read(path), name).items():
      found[f"{name}.{field}"] = (path, line)
  for path in repository.files(".h"):
    if path.startswith("sim/systems/") and not path.startswith(_SCRIPTS):
      functions = functions_taking_contexts(repository.read(path))
      for function, line in functions.items():
        found[f"systems.{function}"] = (path, line)
  for kind, line in kinds_of_actions(repository.read(_GRAMMAR)).items():
    found[f"Action.{kind}"] = (_GRAMMAR, line)
  return found


def _scripts(repository):
  """Returns {name: (path, line)} of all that scripts can call."""
  return {
      function: (path, line)
      for path in repository.files("_functions.cc")
      if path.startswith(_SCRIPTS)
      for function, line in script_functions(repository.read(path)).items()
  }


def compare(natives, scripts, twins, scripts_only):
  """Returns what one side has without the other, and what is gone."""
  problems = []
  named = set(scripts_only)
  for name, (path, line) in sorted(natives.items()):
    if name not in twins:
      problems.append(Problem(
          path, line, f"{name} has no function of scripts beside it: "
          f"{_TABLE} says which, or why none has to"))
  for name, twin in twins.items():
    if name not in natives:
      problems.append(Problem(_TABLE, 1, f"there is no {name} any more"))
    named.update(_NAME.findall(twin) if _is_list(twin) else ())
  for name in sorted(named - set(scripts)):
    problems.append(Problem(_TABLE, 1, f"scripts have no {name} any more"))
  for name in sorted(set(scripts) - named):
    path, line = scripts[name]
    problems.append(Problem(
        path, line, f"{name} stands beside nothing in C++: {_TABLE} says what, "
        "or by which other means C++ does it"))
  return problems


def _is_list(twin):
  """Whether it names functions, and is no reason."""
  return all(_NAME.fullmatch(name.strip()) for name in twin.split(","))


def check(repository):
  """Returns what one side can do and the other can't."""
  return compare(_natives(repository), _scripts(repository), TWINS,
                 SCRIPTS_ONLY)
