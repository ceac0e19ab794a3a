// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Expressions in the language of queries (docs/query.md), answered by what the
// page has recorded: poses, fields to five digits, events that are marked. A
// field without an object is that of the object chosen, or of the world.

'use strict';

// As deep as queries may be.
const WATCH_DEPTH_MAX = 64;
const WATCH_TOKEN =
    /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|('[^']*'|"[^"]*")|([A-Za-z_][\w#]*)|(==|!=|<=|>=|[-+*\/<>().,[\]]))/y;
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);

const WATCH_FUNCTIONS = {
  abs: [1, 1, Math.abs],
  sqrt: [1, 1, Math.sqrt],
  min: [1, Infinity, Math.min],
  max: [1, Infinity, Math.max],
};

// What of a body poses say, and fields don't say again.
const POSE_FIELDS = new Map([
  ['bodies.position.x', 'x'], ['bodies.position.y', 'y'],
  ['bodies.position.z', 'z'], ['bodies.rotation.x', 'qx'],
  ['bodies.rotation.y', 'qy'], ['bodies.rotation.z', 'qz'],
  ['bodies.rotation.w', 'qw']
]);

// A tree of {kind, ...}. Throws an Error that says where the text is wrong.
function parseWatch(text) {
  const tokens = [];
  for (let at = 0; text.slice(at).trim() !== '';) {
    WATCH_TOKEN.lastIndex = at;
    const found = WATCH_TOKEN.exec(text);
    if (!found) throw new Error(`column ${at + 1}: nothing known begins here`);
    const [, number, quoted, name, sign] = found;
    tokens.push({
      at: WATCH_TOKEN.lastIndex,
      number,
      quoted: quoted && quoted.slice(1, -1),
      name,
      sign,
    });
    at = WATCH_TOKEN.lastIndex;
  }
  return new WatchParser(tokens).parse();
}

class WatchParser {
  constructor(tokens) {
    this.tokens = tokens;
    this.next = 0;
    this.depth = 0;
  }

  parse() {
    const tree = this.or();
    if (this.next < this.tokens.length) this.fail('an operator is missing');
    return tree;
  }

  fail(what) {
    const {at} = this.tokens[Math.min(this.next, this.tokens.length - 1)] ||
        {at: 0};
    throw new Error(`column ${at}: ${what}`);
  }

  // Whether the next token is this word or sign, which is taken then.
  take(text) {
    const token = this.tokens[this.next];
    if (!token || token.name !== text && token.sign !== text) return false;
    ++this.next;
    return true;
  }
  expect(sign) {
    if (!this.take(sign)) this.fail(`'${sign}' is missing`);
  }

  // Operators of one rank, from left to right.
  chain(signs, operand) {
    let tree = operand();
    for (;;) {
      const sign = signs.find(one => this.take(one));
      if (!sign) return tree;
      tree = {kind: 'operator', sign, sides: [tree, operand()]};
    }
  }
  or() {
    if (++this.depth > WATCH_DEPTH_MAX) this.fail('too many levels');
    const tree =
        this.chain(['or'], () => this.chain(['and'], () => this.not()));
    --this.depth;
    return tree;
  }
  not() {
    let count = 0;
    while (this.take('not')) ++count;
    let tree = this.comparison();
    for (; count > 0; --count) tree = {kind: 'not', side: tree};
    return tree;
  }
  comparison() {
    const left = this.sum();
    const token = this.tokens[this.next];
    if (!token || !COMPARISONS.has(token.sign)) return left;
    ++this.next;
    return {kind: 'operator', sign: token.sign, sides: [left, this.sum()]};
  }
  sum() {
    return this.chain(
        ['+', '-'], () => this.chain(['*', '/'], () => this.unary()));
  }
  unary() {
    let count = 0;
    while (this.take('-')) ++count;
    const tree = this.primary();
    return count % 2 === 0 ? tree : {kind: 'minus', side: tree};
  }

  primary() {
    if (this.take('(')) {
      const tree = this.or();
      this.expect(')');
      return tree;
    }
    const token = this.tokens[this.next++];
    if (!token || token.sign || ['and', 'or', 'not'].includes(token.name)) {
      this.next = Math.max(0, this.next - 1);
      this.fail('a value is missing');
    }
    if (token.number !== undefined) {
      return {kind: 'value', value: Number(token.number)};
    }
    const next = this.tokens[this.next];
    if (token.quoted !== undefined) {
      return next && next.sign === '.' ?
          this.field(token.quoted) :
          {kind: 'value', value: token.quoted};
    }
    if (token.name === 'true' || token.name === 'false') {
      return {kind: 'value', value: token.name === 'true'};
    }
    if (next && next.sign === '(') return this.call(token.name);
    return this.field(token.name);
  }

  // What stands before a dot may be an object; a part of an array is behind.
  field(first) {
    const path = [first];
    while (this.take('.')) {
      const token = this.tokens[this.next++];
      if (!token || !token.name) this.fail('the name of a field is missing');
      path.push(token.name);
    }
    if (this.take('[')) {
      const token = this.tokens[this.next++];
      if (!token || token.number === undefined) this.fail('a number is missing');
      path.push(`${path.pop()}[${token.number}]`);
      this.expect(']');
    }
    return {kind: 'field', path};
  }

  call(name) {
    this.expect('(');
    const sides = [];
    if (!this.take(')')) {
      do {
        sides.push(this.or());
      } while (this.take(','));
      this.expect(')');
    }
    const [least, most] = WATCH_FUNCTIONS[name] || [1, 1];
    const isKnown = name in WATCH_FUNCTIONS ||
        ['count', 'event', 'exists'].includes(name);
    if (!isKnown) this.fail(`there is no function '${name}'`);
    if (sides.length < least || sides.length > most) {
      this.fail(`'${name}' takes another number of values`);
    }
    return {kind: 'call', name, sides};
  }
}

// Numbers, booleans, texts; null is unknown.
class WatchEvaluation {
  // `object` is the name of the one that is chosen, or empty.
  constructor(recording, frame, object) {
    this.recording = recording;
    this.frame = frame;
    this.object = object;
  }

  of(tree) {
    switch (tree.kind) {
      case 'value': return tree.value;
      case 'field': return this.field(tree.path);
      case 'call': return this.call(tree);
      case 'not': {
        const value = this.of(tree.side);
        return typeof value === 'boolean' ? !value : null;
      }
      case 'minus': return this.number(this.of(tree.side), value => -value);
      default: return this.operator(tree);
    }
  }

  number(value, then) {
    if (typeof value !== 'number') return null;
    const result = then(value);
    return Number.isFinite(result) ? result : null;
  }

  operator({sign, sides: [left, right]}) {
    const a = this.of(left);
    if (sign === 'and' || sign === 'or') {
      // What decides alone, whatever the other is.
      const decisive = sign === 'or';
      if (a === decisive) return decisive;
      const b = this.of(right);
      if (b === decisive) return decisive;
      return typeof a === 'boolean' && typeof b === 'boolean' ? !decisive :
                                                                null;
    }
    const b = this.of(right);
    if (a === null || b === null || typeof a !== typeof b) return null;
    switch (sign) {
      case '==': return a === b;
      case '!=': return a !== b;
    }
    if (typeof a !== 'number') return null;
    switch (sign) {
      case '<': return a < b;
      case '<=': return a <= b;
      case '>': return a > b;
      case '>=': return a >= b;
      case '+': return this.number(a, value => value + b);
      case '-': return this.number(a, value => value - b);
      case '*': return this.number(a, value => value * b);
      default: return this.number(a, value => value / b);
    }
  }

  call({name, sides}) {
    const {recording, frame} = this;
    if (name === 'count') {
      let count = 0;
      for (const index of recording.objectsAt(frame)) {
        const inner = new WatchEvaluation(
            recording, frame, recording.objects[index].name);
        if (inner.of(sides[0]) === true) ++count;
      }
      return count;
    }
    const [side] = sides;
    const text = side.kind === 'field' ? side.path.join('.') : side.value;
    if (name === 'exists') return recording.indexOf(String(text), frame) >= 0;
    if (name === 'event') {
      const tick = recording.tickOf(frame);
      return [...recording.events, ...recording.objectives]
          .filter(([at, type]) => at === tick && type === text)
          .length;
    }
    const values = sides.map(one => this.of(one));
    if (values.some(value => typeof value !== 'number')) return null;
    return this.number(WATCH_FUNCTIONS[name][2](...values), value => value);
  }

  field(path) {
    const {recording, frame} = this;
    const whole = path.join('.');
    if (whole === 'tick') return recording.tickOf(frame);
    if (whole === 'running' || whole === 'won' || whole === 'lost') return whole;
    if (whole === 'outcome') return this.valueOf('', 'run.outcome');
    if (path.length > 1 && recording.serials.has(path[0])) {
      return this.valueOf(path[0], path.slice(1).join('.'));
    }
    const own = this.object ? this.valueOf(this.object, whole) : null;
    return own === null ? this.valueOf('', whole) : own;
  }

  // By its name, or by the end of it where only one has that.
  valueOf(object, field) {
    const {recording, frame} = this;
    const columns = recording.columnsOfName(object);
    let column = columns.find(one => one.name === field);
    if (!column) {
      const wanted = POSE_FIELDS.get(field) || field;
      const pose = object &&
          poseFields(recording, object, frame)
              .find(([name]) => name === wanted);
      if (pose) return pose[2];
      const ending = columns.filter(one => one.name.endsWith(`.${field}`));
      if (ending.length === 1) [column] = ending;
    }
    return column ? recording.fieldAt(column, frame) : null;
  }
}

// What a text comes to at a frame that is decoded.
function evaluateWatch(tree, recording, frame, object) {
  return new WatchEvaluation(recording, frame, object).of(tree);
}

// The expressions that are watched: their values at the frame, a plot of each.
class Watches {
  constructor(element, viewer) {
    this.element = element;
    this.viewer = viewer;
    this.list = [];  // {text, tree}
    this.rows = make('table', {});
    this.trouble = make('p', {className: 'trouble'});
    this.input = make('input', {
      id: 'watch',
      placeholder: 'watch: player.bodies.position.y > 1',
      title: 'an expression of the language of queries; Enter adds it',
      onkeydown: event => {
        if (event.key === 'Enter' && this.add(this.input.value)) {
          this.input.value = '';
          this.viewer.writeLink();
        }
      },
    });
    element.append(this.input, this.trouble, this.rows);
  }

  // False: it is no expression, and a line says why.
  add(text) {
    this.trouble.textContent = '';
    try {
      const tree = parseWatch(text);
      if (!this.list.some(watch => watch.text === text)) {
        this.list.push({text, tree});
      }
    } catch (error) {
      this.trouble.textContent = error.message;
      return false;
    }
    this.update();
    return true;
  }

  remove(text) {
    this.list = this.list.filter(watch => watch.text !== text);
    this.viewer.plot.remove('', `=${text}`);
    this.update();
    this.viewer.writeLink();
  }

  update() {
    const {viewer} = this;
    const frame = viewer.wholeFrame();
    this.rows.replaceChildren(...this.list.map(({text, tree}) => {
      const values = viewer.recordings.map(
          recording => frame < recording.frameCount ?
              evaluateWatch(tree, recording, frame, viewer.selected) :
              null);
      const isDifferent = values.some(value => value !== values[0]);
      return make(
          'tr', {
            title: 'plot it',
            onclick: () => viewer.plot.choose(`=${text}`, ''),
            className: viewer.plot.has('', `=${text}`) ? 'selected' : '',
          },
          make('th', {textContent: text}),
          ...values.map(value => make('td', {
            textContent: value === null ? 'unknown' : formatNumber(value),
            style: isDifferent ? `color: ${DIFFERENT}` : '',
          })),
          make('td', {className: 'remove'}, make('button', {
            textContent: '✕',
            title: 'watch it no more',
            onclick: event => {
              event.stopPropagation();
              this.remove(text);
            },
          })));
    }));
  }
}
