# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Sessions that several clients play or watch together, each on a stream of its
own: a player gives inputs by tick, and is told of each tick that is made."""

import queue
import threading

import grpc

from reprise.errors import RepriseError
from reprise.v1 import lockstep_pb2 as lockstep_messages

# Responses that nobody has taken yet; then the server is let wait, which tells
# a slow reader less and stalls nobody.
_INBOX_MAX = 4


class PlayCalls:
  """The part of Client that is about playing together."""

  def join(self, session, player=None, seat_key="", observe=None,
           want_frames=False):
    """Joins a session, or one of that name, that was created with a `lockstep`:
    as a player, whose seat is free or whose `seat_key` this is, or without one
    as an observer. `observe` is an Observe. Returns a PlayStream."""
    return PlayStream(self, lockstep_messages.PlaySessionRequest(
        session=getattr(session, "name", session), player=player,
        seat_key=seat_key, observe=observe, want_frames=want_frames))


class _PlayCall:
  """One PlaySession call, read by a thread of its own: so whoever waits for a
  response may give up without ending it."""

  def __init__(self, method, request):
    self._requests = queue.SimpleQueue()
    self._requests.put(request)
    self._inbox = queue.Queue(_INBOX_MAX)
    self.has_ended = False
    self._error = None  # that it has ended with
    self._call = method(iter(self._requests.get, None))
    threading.Thread(target=self._read, daemon=True).start()

  def send(self, request):
    self._requests.put(request)

  def receive(self, timeout_s):
    """The next response; None when it has ended without an error."""
    try:
      response = self._inbox.get(timeout=timeout_s)
    except queue.Empty:
      raise RepriseError(
          grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED",
          f"nothing was told in {timeout_s} s", {}) from None
    if response is not None:
      return response
    # For whoever asks next.
    self._inbox.put(None)
    if self._error is not None:
      raise self._error
    return None

  def cancel(self):
    """Breaks it off, and waits for its end."""
    self._call.cancel()
    while self._inbox.get() is not None:
      pass
    self._inbox.put(None)

  def _read(self):
    try:
      for response in self._call:
        self._inbox.put(response)
    except grpc.RpcError as error:
      self._error = RepriseError.of_call(error)
    # gRPC's thread waits for requests until this one.
    self._requests.put(None)
    self.has_ended = True
    self._inbox.put(None)


class PlayStream:
  """A player's place in a session, or an observer's. `Client.join` makes one.

  One thread may give while another one receives. In a `with` it leaves at the
  end; where an error leaves that, it breaks off, so that the seat is held.
  """

  def __init__(self, client, request):
    self._client = client
    self._join = request
    self._call = None
    self._open()

  def __enter__(self):
    return self

  def __exit__(self, error, *_):
    if error is None and not self.has_ended:
      self.leave()
    else:
      self.close()

  def __iter__(self):
    """What is told, until the stream ends."""
    while (response := self.receive()) is not None:
      yield response

  @property
  def player(self):
    """None of an observer."""
    return self._join.player if self._join.HasField("player") else None

  @property
  def seat_key(self):
    """What `Client.join` takes to come back from elsewhere. Empty of an
    observer."""
    return self._join.seat_key

  @property
  def lockstep(self):
    """How the session is played, a Lockstep."""
    return self.first.joined.lockstep

  @property
  def has_ended(self):
    """Whether there is no more to receive than what has come."""
    return self._call.has_ended

  def give(self, tick_count=1, inputs=(), tick=None):
    """Says all inputs of this player for so many ticks, and doesn't wait.

    They are those from `input_tick` on, which goes on behind them. `inputs` are
    TickInputs, ascending; their frames are this player's. Inputs that the pack
    doesn't take are told by `receive`, and nothing of that call was taken: give
    them again with `tick`, as also where ticks were made without this player
    and are to be skipped.
    """
    if self.player is None:
      raise ValueError("an observer gives no inputs")
    first = self.input_tick if tick is None else tick
    request = lockstep_messages.PlaySessionRequest(
        tick=first, tick_count=tick_count, inputs=inputs)
    for given in request.inputs:
      if not first <= given.tick < first + tick_count:
        raise ValueError(f"inputs for tick {given.tick} are not within ticks "
                         f"{first} to {first + tick_count - 1}")
      for frame in given.frames:
        frame.player = self.player
    self.input_tick = first + tick_count
    self._call.send(request)

  def observe(self, observe):
    """Declares what to see of the ticks from now on, an Observe, in place of
    what was declared before."""
    self._join.observe.CopyFrom(observe)
    self._call.send(lockstep_messages.PlaySessionRequest(observe=observe))

  def acknowledge(self, frame):
    """Has later frames be differences to one: `acknowledged` of a Scene."""
    self._call.send(lockstep_messages.PlaySessionRequest(frame_acknowledged=frame))

  def set_pace(self, factor=None, paused=None, step_ticks=0):
    """Changes how fast ticks are made, for all who play. 1 is real time, 0 as
    fast as possible; `step_ticks` are made although it is paused."""
    self._call.send(lockstep_messages.PlaySessionRequest(
        pace=lockstep_messages.PaceControl(
            factor=factor, paused=paused, step_ticks=step_ticks)))

  def receive(self, timeout_s=None):
    """The next PlaySessionResponse: a `result` for each tick, with `pace` where
    that has changed. None: the stream has ended, as when a replay that is
    watched has come to its end. RepriseError: a request was refused, and the
    stream goes on; it has ended otherwise (`has_ended`), as when the seat is
    lost; or nothing came in `timeout_s` (DEADLINE_EXCEEDED), and it goes on.
    Without `timeout_s` it waits for the others as long as they take.
    """
    response = self._call.receive(timeout_s)
    if response is not None:
      self._take(response)
    return response

  def leave(self):
    """Gives up the seat and ends the stream; what was yet to be told isn't.
    RepriseError: it had ended otherwise."""
    self._call.send(lockstep_messages.PlaySessionRequest(leave=True))
    while self._call.receive(self._client.timeout_s) is not None:
      pass

  def close(self):
    """Breaks the stream off. The seat is held, as `Lockstep.seat_hold` says."""
    self._call.cancel()

  def come_back(self):
    """Joins again on a new stream, in the same seat: it sees what was declared
    last, and `input_tick` is behind what it had given."""
    self._call.cancel()
    self._open()

  def _open(self):
    self._call = _PlayCall(self._client.simulations.PlaySession, self._join)
    try:
      response = self._call.receive(self._client.timeout_s)
    except RepriseError:
      self._call.cancel()
      raise
    if response is None:
      raise RepriseError(grpc.StatusCode.ABORTED, "ABORTED",
                         "the stream has ended", {})
    # With `joined`, how the session stands, and the layout of what was declared.
    self.first = response
    self._join.seat_key = response.joined.seat_key
    # The first tick that `give` has inputs for.
    self.input_tick = response.joined.input_tick
    self._take(response)

  def _take(self, response):
    if response.HasField("status"):
      raise RepriseError.of_status(response.status)
    if response.HasField("result"):
      # How the session stood when that was told: the tick, and the digest of
      # its state, 16 hexadecimal digits.
      self.tick = response.result.tick
      self.digest = f"{response.result.digest:016x}"
    if response.HasField("pace"):
      self.pace = response.pace
