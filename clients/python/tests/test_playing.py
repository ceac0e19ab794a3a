# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that players on streams of their own play one session, against a real
server: it is the run of one client that has all inputs, whoever gives first; who
breaks off comes back to the seat, who leaves frees it, and whoever watches a
session or a replay is told each tick."""

import threading
import time

import grpc
import pytest

import reprise
from reprise.v1 import input_pb2
from reprise.v1 import lockstep_pb2 as lockstep_messages
from reprise.v1 import observation_pb2 as observation

_TICKS = 60
_DELAY = 2


def _push(player, tick):
  """What a player, who does another thing at each tick, does."""
  axis = (tick * 7919 + player * 104729) % 60001 - 30000
  return input_pb2.InputFrame(device=input_pb2.DeviceState(axes=[axis]))


def _pushes(player, first, count):
  return [input_pb2.TickInputs(tick=tick, frames=[_push(player, tick)])
          for tick in range(first, first + count)]


def _create(client, record=False, **lockstep):
  return client.create_session(
      "pong", seed=3, record=record,
      lockstep=lockstep_messages.Lockstep(**lockstep))


def _play_alone(client, ticks, first=_DELAY):
  """The digest of a run of one client, who has the inputs of both."""
  inputs = []
  for tick in range(first, ticks):
    frames = [_push(player, tick) for player in (0, 1)]
    frames[1].player = 1
    inputs.append(input_pb2.TickInputs(tick=tick, frames=frames))
  with client.create_session("pong", seed=3) as session:
    session.step(ticks, inputs=inputs)
    return session.digest


def _receive_to(stream, tick):
  while stream.tick < tick:
    response = stream.receive(timeout_s=60)
    assert response is not None
  assert stream.tick == tick
  return response


@pytest.fixture
def joined(reprise_client):
  """A session that is played with a delay, and the streams of its players."""
  with _create(reprise_client, record=True, input_delay_ticks=_DELAY,
               seat_hold={"seconds": 3000}) as session:
    streams = [reprise_client.join(session, player) for player in (0, 1)]
    yield streams
    for stream in streams:
      stream.close()
    # The server sees soon that nobody is there.
    while session.message.state == session.message.STATE_PLAYED:
      time.sleep(0.01)
      session.message = reprise_client.get_session(session.name).message


def test_players_make_the_run_of_one_who_has_all_inputs(
    reprise_client, joined):
  assert [stream.player for stream in joined] == [0, 1]
  assert [stream.input_tick for stream in joined] == [_DELAY, _DELAY]
  assert joined[0].lockstep.input_delay_ticks == _DELAY
  # The first one is far ahead; the second one's come in pieces.
  joined[0].give(_TICKS - _DELAY, _pushes(0, _DELAY, _TICKS - _DELAY))
  while joined[1].input_tick < _TICKS:
    count = min(7, _TICKS - joined[1].input_tick)
    joined[1].give(count, _pushes(1, joined[1].input_tick, count))

  for stream in joined:
    _receive_to(stream, _TICKS)
  expected = _play_alone(reprise_client, _TICKS)
  assert [stream.digest for stream in joined] == [expected, expected]
  for stream in joined:
    stream.leave()
    assert stream.has_ended


def test_players_of_threads_of_their_own_answer_what_they_see(reprise_client):
  seen = {}

  def play(session, player):
    observe = observation.Observe(groups=[observation.ObservedGroup(
        fields=["bodies.position"], type="ball", every_ticks=1)])
    decoder = reprise.Decoder()
    with reprise_client.join(session, player, observe=observe) as stream:
      (start,) = decoder.read(stream.first.result)
      places = [start.columns["bodies.position"][0, 0]]
      while stream.tick < _TICKS:
        stream.give(1, _pushes(player, stream.input_tick, 1))
        response = stream.receive(timeout_s=60)
        (block,) = decoder.read(response.result)
        places.append(block.columns["bodies.position"][0, 0])
      seen[player] = (stream.digest, [tuple(place) for place in places])

  with _create(reprise_client) as session:
    threads = [threading.Thread(target=play, args=(session, player))
               for player in (0, 1)]
    for thread in threads:
      thread.start()
    for thread in threads:
      thread.join()
  assert seen[0] == seen[1]
  assert seen[0][0] == _play_alone(reprise_client, _TICKS, first=0)
  assert len(set(seen[0][1])) > 1 and len(seen[0][1]) == _TICKS + 1


def test_what_is_refused_is_told_and_given_again(reprise_client, joined):
  joined[1].give(_TICKS - _DELAY, _pushes(1, _DELAY, _TICKS - _DELAY))
  wrong = input_pb2.TickInputs(tick=5, frames=[input_pb2.InputFrame(
      commands=[input_pb2.Command(name="fly")])])
  # The ticks of the delay have no inputs, and are made.
  _receive_to(joined[0], _DELAY)
  joined[0].give(10, [wrong])
  with pytest.raises(reprise.RepriseError) as raised:
    while joined[0].receive(timeout_s=60):
      pass
  assert raised.value.reason == "INPUT_REFUSED"
  assert joined[0].tick == _DELAY and not joined[0].has_ended

  joined[0].give(_TICKS - _DELAY, _pushes(0, _DELAY, _TICKS - _DELAY),
                 tick=_DELAY)
  _receive_to(joined[0], _TICKS)
  assert joined[0].digest == _play_alone(reprise_client, _TICKS)
  with pytest.raises(ValueError, match="inputs for tick 5 are not within"):
    joined[0].give(1, [wrong])


def test_who_breaks_off_comes_back_to_the_seat(reprise_client, joined):
  stays, goes = joined
  stays.give(_TICKS - _DELAY, _pushes(0, _DELAY, _TICKS - _DELAY))
  goes.give(18, _pushes(1, _DELAY, 18))
  _receive_to(goes, 20)
  key = goes.seat_key
  goes.close()
  assert goes.has_ended
  with pytest.raises(reprise.RepriseError) as raised:
    goes.receive()
  assert raised.value.code == grpc.StatusCode.CANCELLED
  with pytest.raises(reprise.RepriseError) as raised:
    reprise_client.join(reprise_client.list_sessions()[0].name, 1, "guessed")
  assert raised.value.reason == "SEAT_TAKEN"

  goes.come_back()
  assert (goes.input_tick, goes.seat_key) == (20, key)
  goes.give(_TICKS - 20, _pushes(1, 20, _TICKS - 20))
  _receive_to(goes, _TICKS)
  assert goes.digest == _play_alone(reprise_client, _TICKS)


def test_the_key_takes_the_seat_over(reprise_client, joined):
  session = reprise_client.list_sessions()[0].name
  with reprise_client.join(session, 0, joined[0].seat_key) as taken:
    assert taken.player == 0
    with pytest.raises(reprise.RepriseError) as raised:
      while joined[0].receive(timeout_s=60):
        pass
    assert raised.value.reason == "SEAT_TAKEN_OVER"


def test_who_leaves_frees_the_seat(reprise_client):
  with _create(reprise_client) as session:
    streams = [reprise_client.join(session, player) for player in (0, 1)]
    streams[0].give(20, _pushes(0, 0, 20))
    streams[1].give(5, _pushes(1, 0, 5))
    _receive_to(streams[0], 5)
    streams[1].leave()
    # Nobody waits any more.
    _receive_to(streams[0], 20)
    with reprise_client.join(session, 1) as other:
      assert other.input_tick == 20
    streams[0].leave()


def test_observers_are_told_of_ticks_and_the_pace(reprise_client):
  with _create(reprise_client) as session:
    with reprise_client.join(session) as watcher:
      assert watcher.player is None and not watcher.seat_key
      assert not watcher.pace.paused
      with pytest.raises(ValueError, match="observer"):
        watcher.give(1)
      players = [reprise_client.join(session, player) for player in (0, 1)]
      players[0].set_pace(paused=True)
      assert watcher.receive(timeout_s=60).pace.paused
      for player in (0, 1):
        players[player].give(20, _pushes(player, 0, 20))
      with pytest.raises(reprise.RepriseError) as raised:
        watcher.receive(timeout_s=0.05)
      assert raised.value.code == grpc.StatusCode.DEADLINE_EXCEEDED
      assert not watcher.has_ended
      players[1].set_pace(step_ticks=3)
      _receive_to(watcher, 3)
      players[1].set_pace(factor=0, paused=False)
      _receive_to(watcher, 20)
      assert watcher.digest == _play_alone(reprise_client, 20, first=0)
      for player in players:
        player.leave()


def test_many_watch_a_replay_to_its_end(reprise_client):
  session = reprise_client.create_session("pong", seed=3, record=True)
  digests = {0: session.digest}
  for tick in range(1, _TICKS + 1):
    session.step(1)
    digests[tick] = session.digest
  replay = session.delete()
  with reprise_client.follow(
      replay, lockstep=lockstep_messages.Lockstep(pace=0.001)) as shared:
    observe = observation.Observe(frames=observation.ObservedFrames(
        every_ticks=1, differences=True))
    watchers = [reprise_client.join(shared, observe=observe) for _ in range(2)]
    scene = reprise.Scene()
    scene.take(watchers[0].first.result)
    watchers[1].set_pace(factor=0)
    ends = []
    for watcher in watchers:
      for response in watcher:
        if not response.HasField("result"):
          continue
        assert watcher.digest == digests[watcher.tick]
        if watcher is watchers[0]:
          scene.take(response.result)
          watcher.acknowledge(scene.acknowledged)
      ends.append((watcher.tick, response.result.stop_reason))
      assert watcher.has_ended and watcher.receive() is None
    assert ends == [(_TICKS, observation.STOP_REASON_REPLAY_END)] * 2
    assert scene.objects


def test_what_cannot_be_joined_says_why(reprise_client):
  with reprise_client.create_session("pong") as alone:
    with pytest.raises(reprise.RepriseError) as raised:
      reprise_client.join(alone, 0)
    assert raised.value.reason == "SESSION_NOT_SHARED"
  with pytest.raises(reprise.RepriseError) as raised:
    reprise_client.join("sessions/none")
  assert raised.value.reason == "SESSION_NOT_FOUND"
