# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Calls of a server, and sessions: a call that fails raises RepriseError."""

import collections
import ipaddress
import json
import pathlib
import queue
import threading
import time
import uuid

import grpc

from reprise.errors import RepriseError
from reprise.packs import PackCalls
from reprise.playing import PlayCalls
from reprise.replays import ReplayCalls
from reprise.v1 import catalog_service_pb2 as catalog
from reprise.v1 import catalog_service_pb2_grpc as catalog_grpc
from reprise.v1 import operation_service_pb2_grpc as operations_grpc
from reprise.v1 import replay_service_pb2_grpc as replays_grpc
from reprise.v1 import simulation_service_pb2 as simulation
from reprise.v1 import simulation_service_pb2_grpc as simulation_grpc

# As the server's: meshes and observations may be large.
_MESSAGE_BYTES_MAX = 64 << 20
# Only what can be repeated without harm, and only what UNAVAILABLE says.
_SERVICE_CONFIG = {
    "methodConfig": [{
        "name": [
            {"service": "reprise.v1.CatalogService"},
            *({"service": "reprise.v1.SimulationService", "method": method}
              for method in ("CreateSession", "GetSession", "ListSessions",
                             "DeleteSession", "ResetSession", "ForkSession",
                             "SnapshotSession", "DeleteSnapshot",
                             "RestoreSession")),
            {"service": "reprise.v1.ReplayService", "method": "GetReplay"},
            {"service": "reprise.v1.ReplayService", "method": "ListReplays"},
            {"service": "reprise.v1.ReplayService", "method": "DeleteReplay"},
            {"service": "reprise.v1.ReplayService",
             "method": "UpdateReplayTags"},
            {"service": "reprise.v1.ReplayService", "method": "GetUpload"},
            {"service": "reprise.v1.OperationService"},
        ],
        "retryPolicy": {
            "maxAttempts": 4,
            "initialBackoff": "0.1s",
            "maxBackoff": "2s",
            "backoffMultiplier": 2,
            "retryableStatusCodes": ["UNAVAILABLE"],
        },
    }],
}


def _new_id():
  """Of an order, so that it can be repeated."""
  return str(uuid.uuid4())


class _TokenInterceptor(grpc.UnaryUnaryClientInterceptor,
                        grpc.UnaryStreamClientInterceptor,
                        grpc.StreamUnaryClientInterceptor,
                        grpc.StreamStreamClientInterceptor):
  """Sends a token with each call, with TLS or without."""

  def __init__(self, token):
    self._header = ("authorization", f"Bearer {token}")

  def _with_token(self, details):
    metadata = tuple(details.metadata or ()) + (self._header,)
    return _CallDetails(details.method, details.timeout, metadata,
                        details.credentials, details.wait_for_ready,
                        details.compression)

  def intercept_unary_unary(self, continuation, details, request):
    return continuation(self._with_token(details), request)

  def intercept_unary_stream(self, continuation, details, request):
    return continuation(self._with_token(details), request)

  def intercept_stream_unary(self, continuation, details, requests):
    return continuation(self._with_token(details), requests)

  def intercept_stream_stream(self, continuation, details, requests):
    return continuation(self._with_token(details), requests)


class _CallDetails(
    collections.namedtuple("_CallDetails", (
        "method", "timeout", "metadata", "credentials", "wait_for_ready",
        "compression")),
    grpc.ClientCallDetails):
  pass


def _read_pem(pem):
  """Bytes as they are, of a path what is there, of nothing nothing."""
  if pem is None or isinstance(pem, bytes):
    return pem
  return pathlib.Path(pem).read_bytes()


def _is_local(address):
  if address.startswith("unix:"):
    return True
  host = address.rpartition(":")[0].strip("[]")
  try:
    return ipaddress.ip_address(host).is_loopback
  except ValueError:
    return host == "localhost"


class Client(PackCalls, PlayCalls, ReplayCalls):
  """The server at an address. Any number of threads may use it."""

  def __init__(self, address, timeout_s=60.0, token=None,
               root_certificates=None, certificate=None, key=None):
    """Connects when it is first used; each call, and each wait for an answer of
    a stream, fails with DEADLINE_EXCEEDED after `timeout_s`. None: never.

    `token` is what `reprise token` printed. With `root_certificates` the client
    speaks TLS and trusts these authorities; `certificate` and `key` are its
    own, for a server that wants one. All three are PEM: bytes, or the path of a
    file. A token without TLS goes to a server on this machine only.
    """
    self.timeout_s = timeout_s
    options = [
        ("grpc.max_receive_message_length", _MESSAGE_BYTES_MAX),
        ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    ]
    if root_certificates is not None:
      self._channel = grpc.secure_channel(
          address, grpc.ssl_channel_credentials(
              _read_pem(root_certificates), _read_pem(key),
              _read_pem(certificate)), options=options)
    elif certificate is not None or key is not None:
      raise ValueError("a certificate takes root_certificates, too")
    elif token is not None and not _is_local(address):
      raise ValueError("a token is sent to another machine only by TLS: give "
                       "root_certificates")
    else:
      self._channel = grpc.insecure_channel(address, options=options)
    calls = self._channel
    if token is not None:
      calls = grpc.intercept_channel(calls, _TokenInterceptor(token))
    self.catalog = catalog_grpc.CatalogServiceStub(calls)
    self.simulations = simulation_grpc.SimulationServiceStub(calls)
    self.replays = replays_grpc.ReplayServiceStub(calls)
    self.operations = operations_grpc.OperationServiceStub(calls)

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.close()

  def close(self):
    """Ends the connection. Sessions stay."""
    self._channel.close()

  def call(self, method, request):
    """Makes a call with one answer, such as
    `client.call(client.catalog.GetPack, ...)`."""
    try:
      return method(request, timeout=self.timeout_s)
    except grpc.RpcError as error:
      raise RepriseError.of_call(error) from None

  def server_info(self):
    """What the server is, can do and allows."""
    return self.call(self.catalog.GetServerInfo,
                     catalog.GetServerInfoRequest()).server

  def create_session(self, pack="", seed=0, record=False, labels=None,
                     branch=None, pack_digest="", lockstep=None):
    """Starts a session of a pack, which has `pack_digest` unless that is empty;
    or, with `branch` and no pack, of a replay at a tick: a pair of both. With a
    `lockstep`, a Lockstep, clients may `join` it."""
    request = simulation.CreateSessionRequest(
        pack=pack, seed=seed, record=record, labels=labels or {},
        pack_digest=pack_digest, lockstep=lockstep, request_id=_new_id())
    if branch is not None:
      request.branch.replay, request.branch.tick = branch
    return Session(self, self.call(self.simulations.CreateSession,
                                   request).session)

  def follow(self, replay, tick=0, labels=None, lockstep=None):
    """A session that plays a replay, from a tick on. Its steps end where the
    replay does (STOP_REASON_REPLAY_END), or where it has come to so far if it is
    still being recorded; `seek` goes elsewhere. With a `lockstep`, of which only
    `pace` is said, any number of clients watch it: they `join`."""
    request = simulation.CreateSessionRequest(
        labels=labels or {}, lockstep=lockstep, request_id=_new_id())
    request.branch.replay = replay
    request.branch.tick = tick
    request.branch.follow = True
    return Session(self, self.call(self.simulations.CreateSession,
                                   request).session)

  def get_session(self, name):
    """The session of a name, which somebody may have created elsewhere."""
    return Session(self, self.call(self.simulations.GetSession,
                                   simulation.GetSessionRequest(
                                       name=name)).session)

  def list_sessions(self):
    """All sessions, as messages."""
    return self._list(self.simulations.ListSessions,
                      simulation.ListSessionsRequest,
                      lambda page: page.sessions)

  def _list(self, method, make_request, items_of):
    items = []
    token = ""
    while True:
      page = self.call(method, make_request(page_token=token))
      items.extend(items_of(page))
      token = page.next_page_token
      if not token:
        return items


class _Watchdog:
  """Cancels a call that lets somebody wait for longer than `timeout_s`, or up
  to a tenth more: it looks so often, and a wait costs it nothing."""

  def __init__(self, call, timeout_s):
    self.has_cancelled = False
    self._call = call
    self._timeout_s = timeout_s
    self._deadline = None
    self._over = threading.Event()
    if timeout_s is not None:
      threading.Thread(target=self._watch, daemon=True).start()

  def __enter__(self):
    """Somebody begins to wait."""
    if self._timeout_s is not None:
      self._deadline = time.monotonic() + self._timeout_s

  def __exit__(self, *_):
    self._deadline = None

  def end(self):
    self._over.set()

  def _watch(self):
    while not self._over.wait(self._timeout_s / 10):
      deadline = self._deadline
      if deadline is not None and time.monotonic() >= deadline:
        self.has_cancelled = True
        self._call.cancel()
        return


class _Stream:
  """A call of StepSession or StepSessions: each request gets one response, in
  order."""

  def __init__(self, method, timeout_s):
    self._timeout_s = timeout_s
    self._requests = queue.SimpleQueue()
    self._call = method(iter(self._requests.get, None))
    self._watchdog = _Watchdog(self._call, timeout_s)

  def send(self, request):
    self._requests.put(request)

  def receive(self):
    """After an error the stream is of no more use."""
    try:
      with self._watchdog:
        return next(self._call)
    except StopIteration:
      self._end()
      raise RepriseError(grpc.StatusCode.ABORTED, "ABORTED",
                         "the stream has ended", {}) from None
    except grpc.RpcError as error:
      self._end()
      if self._watchdog.has_cancelled:
        raise RepriseError(
            grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED",
            f"no response in {self._timeout_s} s", {}) from None
      raise RepriseError.of_call(error) from None

  def close(self):
    """Ends the stream; then the session is free."""
    self._requests.put(None)
    try:
      with self._watchdog:
        for _ in self._call:
          pass
    except grpc.RpcError:
      pass
    self._watchdog.end()

  def _end(self):
    # gRPC's thread waits for requests until this one.
    self._requests.put(None)
    self._watchdog.end()


class SessionGroup:
  """Steps many sessions by one message. Each is the group's from the first
  order for it on, until it is released. One thread at a time."""

  def __init__(self, client):
    self._client = client
    self._stream = None

  def exchange(self, orders, release=()):
    """What came of each of `orders` (`Session.order`), as `Session.take` takes
    it. Sessions of `release` are given back first."""
    if self._stream is None:
      self._stream = _Stream(self._client.simulations.StepSessions,
                             self._client.timeout_s)
    self._stream.send(simulation.StepSessionsRequest(
        orders=orders, release=[session.name for session in release]))
    try:
      return self._stream.receive().results
    except RepriseError:
      self._stream = None
      raise

  def close(self):
    """Gives all sessions back."""
    if self._stream is not None:
      self._stream.close()
      self._stream = None


class Session:
  """A session. Its steps go over one stream, which is opened by the first and
  keeps others from stepping it until `release`. One thread at a time."""

  def __init__(self, client, message):
    self._client = client
    self._stream = None
    # As the server described it last; `tick` and `digest` go on here.
    self.message = message
    self.name = message.name
    self.tick = message.tick

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.delete()

  @property
  def digest(self):
    """Of the state that the session was last described or stepped to, 16
    hexadecimal digits."""
    return self.message.digest

  @property
  def seed(self):
    return self.message.seed

  def order(self, tick_count=1, inputs=(), observe=None, until=None,
            want_frame=False, frame_acknowledged=0):
    """A StepSessionRequest for ticks from where it stands. `inputs` are
    TickInputs, `observe` an Observe, which goes on for later steps, `until` an
    Until, `frame_acknowledged` is a Scene's."""
    return simulation.StepSessionRequest(
        session=self.name, tick=self.tick, tick_count=tick_count,
        inputs=inputs, observe=observe, until=until, want_frame=want_frame,
        frame_acknowledged=frame_acknowledged)

  def take(self, response):
    """Notes how the session stands behind a StepSessionResponse, and returns
    that."""
    self.tick = response.tick
    self.message.tick = response.tick
    self.message.digest = f"{response.digest:016x}"
    if response.HasField("status"):
      raise RepriseError.of_status(response.status)
    return response

  def send_step(self, tick_count=1, **arguments):
    """Asks for ticks without waiting for them: `receive_step` does. Arguments
    as of `order`."""
    if self._stream is None:
      self._stream = _Stream(self._client.simulations.StepSession,
                             self._client.timeout_s)
    self._stream.send(self.order(tick_count, **arguments))

  def receive_step(self):
    """The StepSessionResponse of the oldest step that was asked for."""
    try:
      response = self._stream.receive()
    except RepriseError:
      self._stream = None
      raise
    return self.take(response)

  def step(self, tick_count=1, **arguments):
    """Makes ticks; arguments as of `order`."""
    self.send_step(tick_count, **arguments)
    return self.receive_step()

  def release(self):
    """Lets others step the session. What was declared to be seen is forgotten:
    the next step declares it again."""
    if self._stream is not None:
      self._stream.close()
      self._stream = None

  def reset(self, seed=None):
    """Goes back to tick 0, with this seed or the one that it has. Returns the
    name of the replay of the run before; empty when nothing was recorded."""
    self.release()
    request = simulation.ResetSessionRequest(
        name=self.name, request_id=_new_id())
    if seed is not None:
      request.seed = seed
    response = self._client.call(self._client.simulations.ResetSession, request)
    self._take(response.session)
    return response.replay

  def seek(self, tick):
    """Goes to a tick of the replay that it plays."""
    self.release()
    response = self._client.call(
        self._client.simulations.ResetSession,
        simulation.ResetSessionRequest(
            name=self.name, tick=tick, request_id=_new_id()))
    self._take(response.session)

  def snapshot(self):
    """Keeps how it stands; returns the name that `restore` takes."""
    return self._client.call(
        self._client.simulations.SnapshotSession,
        simulation.SnapshotSessionRequest(
            name=self.name, request_id=_new_id())).snapshot.name

  def delete_snapshot(self, snapshot):
    self._client.call(self._client.simulations.DeleteSnapshot,
                      simulation.DeleteSnapshotRequest(
                          name=snapshot, request_id=_new_id()))

  def restore(self, snapshot):
    """Goes back to a snapshot; returns as `reset`."""
    self.release()
    response = self._client.call(
        self._client.simulations.RestoreSession,
        simulation.RestoreSessionRequest(
            snapshot=snapshot, request_id=_new_id()))
    self._take(response.session)
    return response.replay

  def fork(self, snapshot="", record=False):
    """Another session that goes on from here, or from a snapshot."""
    if record:
      self.release()
    return Session(self._client, self._client.call(
        self._client.simulations.ForkSession, simulation.ForkSessionRequest(
            name=self.name, snapshot=snapshot, record=record,
            request_id=_new_id())).session)

  def delete(self):
    """Ends it; returns the name of its replay, empty when not recorded."""
    self.release()
    return self._client.call(
        self._client.simulations.DeleteSession,
        simulation.DeleteSessionRequest(
            name=self.name, request_id=_new_id())).replay

  def _take(self, message):
    self.message = message
    self.tick = message.tick
