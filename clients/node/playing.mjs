// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Sessions that several clients play or watch together, each on a stream of its
// own: a player gives inputs by tick, and is told of each tick that is made.

import grpc from "@grpc/grpc-js";

import { errors, RepriseError } from "./errors.mjs";

const TOO_LATE = Symbol("nothing was told in time");

// One PlaySession call.
class PlayCall {
  hasEnded = false;
  #call;
  #messages;
  // The response that is waited for: whoever gives up leaves it to the next.
  #next = null;
  // What is told once it has ended: a promise of null, or of its error.
  #end = null;

  constructor(call, request) {
    this.#call = call;
    this.#messages = call[Symbol.asyncIterator]();
    // Nobody waits for that of a call that is cancelled below.
    call.on("error", () => {});
    call.on("status", () => {
      this.hasEnded = true;
    });
    call.write(request);
  }

  send(request) {
    if (!this.hasEnded) this.#call.write(request);
  }

  // The next response; null when it has ended without an error.
  async receive(timeoutMs) {
    if (this.#end !== null) return this.#end;
    this.#next ??= this.#read();
    let timer;
    const tooLate = new Promise((resolve) => {
      if (timeoutMs !== null) timer = setTimeout(resolve, timeoutMs, TOO_LATE);
    });
    try {
      const response = await Promise.race([this.#next, tooLate]);
      if (response !== TOO_LATE) {
        this.#next = null;
        return response;
      }
    } finally {
      clearTimeout(timer);
    }
    throw new RepriseError(
      grpc.status.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED",
      `nothing was told in ${timeoutMs} ms`);
  }

  cancel() {
    this.#call.cancel();
  }

  async #read() {
    try {
      const { value, done } = await this.#messages.next();
      if (!done) return value;
      this.#end = Promise.resolve(null);
    } catch (error) {
      this.#end = Promise.reject(errors.ofCall(error));
      // Perhaps nobody asks for it.
      this.#end.catch(() => {});
    }
    this.hasEnded = true;
    return this.#end;
  }
}

// A player's place in a session, or an observer's. `Client.join` makes one. One
// `receive` at a time.
export class PlayStream {
  // The player; undefined of an observer.
  player;
  // What `Client.join` takes to come back from elsewhere. Empty of an observer.
  seatKey;
  // The PlaySessionResponse that it began with: `joined`, how the session stood,
  // and the layout of what was declared.
  first;
  // How the session stood when that was told: the tick, the digest of its state
  // (16 hexadecimal digits), and the Pace.
  tick;
  digest;
  pace;
  // The first tick that `give` has inputs for.
  inputTick;
  #client;
  #join;
  #call;

  // Of use to Client.
  static async open(client, join) {
    const stream = new PlayStream();
    stream.#client = client;
    stream.#join = join;
    stream.player = join.player;
    await stream.#open();
    return stream;
  }

  // How the session is played, a Lockstep.
  get lockstep() {
    return this.first.joined.lockstep;
  }

  // Whether there is no more to receive than what has come.
  get hasEnded() {
    return this.#call.hasEnded;
  }

  // What is told, until the stream ends.
  async *[Symbol.asyncIterator]() {
    for (let told; (told = await this.receive()) !== null;) yield told;
  }

  // Says all inputs of this player for so many ticks, and doesn't wait. They are
  // those from `inputTick` on, which goes on behind them. `inputs` are
  // TickInputs, ascending; their frames are this player's. What the pack doesn't
  // take is told by `receive`, and nothing of that call was taken: it is given
  // again with `tick`, as inputs are behind ticks that were made without this
  // player and are to be skipped.
  give(tickCount = 1, inputs = [], { tick = this.inputTick } = {}) {
    if (this.player === undefined) {
      throw new TypeError("an observer gives no inputs");
    }
    const first = BigInt(tick);
    const end = first + BigInt(tickCount);
    const own = inputs.map(({ tick: at, frames = [] }) => {
      if (BigInt(at) < first || BigInt(at) >= end) {
        throw new RangeError(`inputs for tick ${at} are not within ticks ` +
          `${first} to ${end - 1n}`);
      }
      return {
        tick: at,
        frames: frames.map((frame) => ({ ...frame, player: this.player })),
      };
    });
    this.inputTick = end;
    this.#call.send({ tick: first, tick_count: tickCount, inputs: own });
  }

  // Declares what to see of the ticks from now on, an Observe, in place of what
  // was declared before.
  observe(observe) {
    this.#join.observe = observe;
    this.#call.send({ observe });
  }

  // Has later frames be differences to one: `acknowledged` of a Scene.
  acknowledge(frame) {
    this.#call.send({ frame_acknowledged: frame });
  }

  // Changes how fast ticks are made, for all who play. `factor` 1 is real time, 0
  // as fast as possible; `stepTicks` are made although it is paused.
  setPace({ factor, paused, stepTicks = 0 }) {
    this.#call.send({ pace: { factor, paused, step_ticks: stepTicks } });
  }

  // The next PlaySessionResponse: a `result` for each tick, with `pace` where that
  // has changed. null: the stream has ended, as when a replay that is watched has
  // come to its end. It rejects where a request was refused, and the stream goes
  // on; where that has ended otherwise (`hasEnded`), as when the seat is lost; or
  // when nothing came in `timeoutMs` (DEADLINE_EXCEEDED), and it goes on. Without
  // that it waits for the others as long as they take.
  async receive({ timeoutMs = null } = {}) {
    const response = await this.#call.receive(timeoutMs);
    if (response !== null) this.#take(response);
    return response;
  }

  // Gives up the seat and ends the stream; what was yet to be told isn't. It
  // rejects where the stream had ended otherwise.
  async leave() {
    this.#call.send({ leave: true });
    while (await this.#call.receive(this.#client.timeoutMs) !== null);
  }

  // Breaks the stream off. The seat is held, as `Lockstep.seat_hold` says.
  close() {
    this.#call.cancel();
  }

  // Joins again on a new stream, in the same seat: it sees what was declared last,
  // and `inputTick` is behind what it had given.
  async comeBack() {
    this.close();
    await this.#open();
  }

  async #open() {
    this.#call = new PlayCall(this.#client.openPlayCall(), this.#join);
    let response;
    try {
      response = await this.#call.receive(this.#client.timeoutMs);
    } catch (error) {
      this.close();
      throw error;
    }
    if (response === null) {
      throw new RepriseError(
        grpc.status.ABORTED, "ABORTED", "the stream has ended");
    }
    this.#take(response);
    this.first = response;
    this.seatKey = response.joined.seat_key;
    this.#join.seat_key = this.seatKey;
    this.inputTick = response.joined.input_tick;
  }

  #take({ status, result, pace }) {
    if (status) throw errors.ofStatus(status);
    if (result) {
      this.tick = result.tick;
      this.digest = result.digest.toString(16).padStart(16, "0");
    }
    if (pace) this.pace = pace;
  }
}
