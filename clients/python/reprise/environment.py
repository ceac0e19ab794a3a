# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Sessions as environments with Gymnasium's API, of which they are subclasses
where it is installed."""

import contextlib

import numpy as np

from reprise import spaces
from reprise.actions import ActionSet
from reprise.client import Client, SessionGroup
from reprise.errors import RepriseError
from reprise.observations import Decoder, Group
from reprise.v1 import input_pb2
from reprise.v1 import observation_pb2 as observation
from reprise.v1 import run_end_pb2

if spaces.HAS_GYMNASIUM:
  import gymnasium
  _EnvBase = gymnasium.Env
  _VectorEnvBase = gymnasium.vector.VectorEnv
else:
  _EnvBase = object
  _VectorEnvBase = object

_SEEDS = 2**63


@contextlib.contextmanager
def _closed_on_error(closeable):
  """Closes what a constructor can't finish; its error is the one that counts."""
  try:
    yield
  except BaseException:
    with contextlib.suppress(RepriseError):
      closeable.close()
    raise


class Env(_EnvBase):
  """One player's game.

  server: an address, or a Client.
  pack: the pack's name.
  observe: fields of one row, a list of expressions of the query language, for an
    observation that is an array; or groups by name, for one that is a
    dictionary. A group of objects has the rows of `objects`, or `rows_max`; its
    observation `NAME` is (rows, values), and `NAME_present` says which of the
    rows there are. Seen is the state in which a step ends.
  reward: an expression, summed over the ticks of a step. Empty: 0.
  terminated: a condition; a step ends at the tick at which it holds. The end of
    a game always terminates.
  truncated: a condition, looked at behind each step; ticks_max: as many ticks.
  action_masks: conditions by action, whose truth `info["action_mask"]` has.
  ticks_per_step: as many ticks hold the action of a step.
  actions: the names of those that there are; None: all with a space.
  player: whom it plays.
  record: whether each run is recorded; `info["replay"]` of a reset names the
    replay of the run before.
  events: the names of those that `info["events"]` has.
  """

  metadata = {"render_modes": []}
  render_mode = None

  def __init__(self, server, pack, observe, reward="", terminated="",
               truncated="", ticks_max=0, action_masks=None, ticks_per_step=1,
               actions=None, player=0, record=False, events=()):
    self.session = None
    self._owned_client = None if isinstance(server, Client) else Client(server)
    self._client = self._owned_client or server
    self._player = player
    self._ticks_per_step = ticks_per_step
    self._ticks_max = ticks_max
    self._until = observation.Until(outcome=True, condition=terminated)
    self._is_array = not isinstance(observe, dict)
    self._groups = {"observation": Group(list(observe))} if self._is_array else (
        dict(observe))
    self._reward = reward
    self._truncated = truncated
    self._masks = dict(action_masks or {})
    self._needs_reset = True
    if not spaces.HAS_GYMNASIUM:
      self.np_random = np.random.default_rng()
    with _closed_on_error(self):
      self._observe = self._make_observe(events)
      self.actions = ActionSet(
          self._client.get_pack(pack).description.players, actions)
      self.action_space = self.actions.space
      self.session = self._client.create_session(pack, record=record)
      self._decoder = Decoder()
      self.observation_space = self._make_observation_space(self._declare())

  def reset(self, *, seed=None, options=None):
    """Goes back to tick 0. The run follows from `seed`; without one, from a
    random number."""
    replay = self._go_back(seed)
    return self._begin(self._declare(), replay)

  def _go_back(self, seed):
    if spaces.HAS_GYMNASIUM:
      super().reset(seed=seed)
    elif seed is not None:
      self.np_random = np.random.default_rng(seed)
    if seed is None:
      seed = int(self.np_random.integers(_SEEDS))
    return self.session.reset(int(seed))

  def _begin(self, response, replay):
    """What `reset` returns, of the response to what `_declaration` says."""
    result = self._read(response)
    self._needs_reset = False
    info = result[-1]
    if replay:
      info["replay"] = replay
    return result[0], info

  def step(self, action):
    """Returns observation, reward, terminated, truncated, info."""
    self.send(action)
    return self.receive()

  def send(self, action):
    """Asks for a step without waiting: `receive` returns what came of it."""
    self.session.send_step(**self._step(action))

  def _step(self, action):
    if self._needs_reset:
      raise RuntimeError("reset() first")
    inputs = [input_pb2.TickInputs(
        tick=self.session.tick,
        frames=[self.actions.to_frame(self._player, action)])]
    return {"tick_count": self._ticks_per_step, "inputs": inputs,
            "until": self._until}

  def receive(self):
    """As `step` returns. RuntimeError: what the step shows is too much for one
    message, so that it was cut short."""
    self._needs_reset = True  # unless all goes well
    return self._end(self.session.receive_step())

  def _end(self, response):
    self._needs_reset = True
    if response.stop_reason == observation.STOP_REASON_MESSAGE_FULL:
      raise RuntimeError(
          "a message is full of what the step shows, and the step has ended at "
          f"tick {response.tick}: ticks_per_step has to be less than "
          f"{self._ticks_per_step}, or groups smaller")
    result = self._read(response)
    self._needs_reset = result[2] or result[3]
    return result

  def render(self):
    """There is none: `reprise view` shows the replay of a recorded run."""

  def close(self):
    """Ends the session."""
    try:
      if self.session is not None:
        self.session.delete()
    finally:
      self.session = None
      if self._owned_client is not None:
        self._owned_client.close()
        self._owned_client = None

  def _make_observe(self, events):
    for name, group in self._groups.items():
      if group.every_ticks:
        raise ValueError(f"group {name} has every_ticks, and an environment "
                         "sees the state in which a step ends")
    groups = [group.to_message() for group in self._groups.values()]
    # What rewards and ends is seen beside what the player sees.
    if self._reward:
      groups.append(observation.ObservedGroup(
          fields=[self._reward], every_ticks=1))
    at_end = ([self._truncated] if self._truncated else []) + list(
        self._masks.values())
    if at_end:
      groups.append(observation.ObservedGroup(fields=at_end))
    return observation.Observe(
        groups=groups, events=observation.EventFilter(types=events))

  def _declaration(self):
    return {"tick_count": 0, "observe": self._observe}

  def _declare(self):
    return self.session.step(**self._declaration())

  def _make_observation_space(self, response):
    """What the server says of the columns of its first response."""
    result = {}
    self._decoder.read(response)
    for (name, group), layout in zip(self._groups.items(),
                                     self._decoder.layout.groups):
      if len(set(group.fields)) < len(group.fields):
        raise ValueError(f"group {name} has a field twice")
      width = sum(len(column.parts) or 1 for column in layout.columns)
      if any(column.kind == observation.ObservedColumnLayout.KIND_TEXT
             for column in layout.columns):
        raise ValueError(f"group {name} has a text, which no array holds")
      rows = len(group.objects) or group.rows_max
      if layout.has_keys and not rows:
        raise ValueError(f"group {name} needs objects or rows_max")
      shape = (rows, width) if layout.has_keys else (width,)
      result[name] = spaces.Box(-np.inf, np.inf, shape=shape, dtype=np.float64)
      if layout.has_keys:
        result[name + "_present"] = spaces.MultiBinary(rows)
    return result["observation"] if self._is_array else spaces.Dict(result)

  def _read(self, response):
    last = {}
    reward = 0.0
    reward_group = len(self._groups) if self._reward else None
    for block in self._decoder.read(response):
      last[block.group] = block
      if block.group == reward_group:
        reward += float(np.sum(block.columns[self._reward]))
    values = {}
    for index, (name, group) in enumerate(self._groups.items()):
      self._add_values(name, group, last[index],
                       self._decoder.layout.groups[index].has_keys, values)
    at_end = last.get(len(self._groups) + (1 if self._reward else 0))
    outcome = response.outcome
    is_decided = outcome != run_end_pb2.RunEnd.OUTCOME_RUNNING
    terminated = is_decided or (
        response.stop_reason == observation.STOP_REASON_CONDITION)
    truncated = bool(self._ticks_max and response.tick >= self._ticks_max)
    if self._truncated:
      truncated |= bool(at_end.columns[self._truncated][-1, 0])
    info = {
        "tick": response.tick,
        "digest": f"{response.digest:016x}",
        "outcome": run_end_pb2.RunEnd.Outcome.Name(
            outcome).removeprefix("OUTCOME_").lower(),
        "outcome_reason": response.outcome_reason,
        "events": list(response.events),
    }
    if response.HasField("decided_tick"):
      info["decided_tick"] = response.decided_tick
    if self._masks:
      info["action_mask"] = {
          action: bool(at_end.columns[condition][-1, 0])
          for action, condition in self._masks.items()}
    seen = values["observation"] if self._is_array else values
    return seen, reward, terminated, truncated, info

  def _add_values(self, name, group, block, has_keys, values):
    # Of the last tick: a row an object, its fields beside each other. There may
    # be no rows, so the width isn't what is left.
    rows = np.concatenate(
        [column[-1].reshape(column.shape[1], int(np.prod(column.shape[2:])))
         .astype(np.float64) for column in block.columns.values()], axis=1)
    if not has_keys:
      values[name] = rows[0]
      return
    count = len(group.objects) or group.rows_max
    seen = np.zeros((count, rows.shape[1]))
    present = np.zeros(count, dtype=np.int8)
    for row, object_name in enumerate(block.names[:count]):
      place = group.objects.index(object_name) if group.objects else row
      seen[place] = rows[row]
      present[place] = 1
    values[name] = seen
    values[name + "_present"] = present


class VectorEnv(_VectorEnvBase):
  """Several environments at once, all of which are stepped by one message.

  Arguments as of Env, behind their number. An environment that has ended goes
  back by itself in the next step, whose reward is 0 and whose action isn't
  looked at (Gymnasium's AutoresetMode.NEXT_STEP).
  """

  def __init__(self, num_envs, server, pack, observe, **arguments):
    self._owned_client = None if isinstance(server, Client) else Client(server)
    client = self._owned_client or server
    self.num_envs = num_envs
    self.envs = []
    self._group = SessionGroup(client)
    self._is_begun = False
    with _closed_on_error(self):
      for _ in range(num_envs):
        self.envs.append(Env(client, pack, observe, **arguments))
        self.envs[-1].session.release()
    self.single_observation_space = self.envs[0].observation_space
    self.single_action_space = self.envs[0].action_space
    if spaces.HAS_GYMNASIUM:
      batch = gymnasium.vector.utils.batch_space
      self.observation_space = batch(self.single_observation_space, num_envs)
      self.action_space = batch(self.single_action_space, num_envs)
      self.metadata = dict(Env.metadata)
      if hasattr(gymnasium.vector, "AutoresetMode"):
        self.metadata["autoreset_mode"] = (
            gymnasium.vector.AutoresetMode.NEXT_STEP)
    self._has_ended = np.zeros(num_envs, dtype=np.bool_)

  def reset(self, *, seed=None, options=None):
    """A seed of each, or one from which those of all count upwards."""
    if seed is None or np.ndim(seed) == 0:
      seed = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
    if self._is_begun:
      self._group.exchange([], release=[env.session for env in self.envs])
    results = self._reset(self.envs, seed)
    self._is_begun = True
    self._has_ended[:] = False
    return (_stack([seen for seen, _ in results]),
            {"infos": [info for _, info in results]})

  def step(self, actions):
    """`actions`: a list of actions, or arrays of each by name."""
    actions = self._separate(actions)
    going = [(env, action) for env, action, has_ended in zip(
        self.envs, actions, self._has_ended) if not has_ended]
    ended = [env for env, has_ended in zip(self.envs, self._has_ended)
             if has_ended]
    responses = self._group.exchange(
        [env.session.order(**env._step(action)) for env, action in going],
        release=[env.session for env in ended])
    results = {}
    for (env, _), response in zip(going, responses):
      results[env] = env._end(env.session.take(response))
    for env, (seen, info) in zip(ended, self._reset(ended, [None] * len(ended))):
      results[env] = (seen, 0.0, False, False, info)
    results = [results[env] for env in self.envs]
    seen, rewards, terminated, truncated, infos = zip(*results)
    terminated = np.array(terminated, dtype=np.bool_)
    truncated = np.array(truncated, dtype=np.bool_)
    self._has_ended = terminated | truncated
    return (_stack(seen), np.array(rewards), terminated, truncated,
            {"infos": list(infos)})

  def close(self, **_):
    """Ends all sessions."""
    try:
      self._group.close()
      while self.envs:
        self.envs.pop().close()
    finally:
      if self._owned_client is not None:
        self._owned_client.close()
        self._owned_client = None

  def _reset(self, envs, seeds):
    """What `reset` of each returns; none of them is the group's."""
    if not envs:
      return []
    replays = [env._go_back(seed) for env, seed in zip(envs, seeds)]
    responses = self._group.exchange(
        [env.session.order(**env._declaration()) for env in envs])
    return [env._begin(env.session.take(response), replay)
            for env, response, replay in zip(envs, responses, replays)]

  def _separate(self, actions):
    if isinstance(actions, dict):
      return [_at(actions, i) for i in range(self.num_envs)]
    return list(actions)


def _at(values, index):
  if isinstance(values, dict):
    return {name: _at(value, index) for name, value in values.items()}
  return values[index]


def _stack(values):
  if isinstance(values[0], dict):
    return {name: _stack([value[name] for value in values])
            for name in values[0]}
  return np.stack(values)
