// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the players give at the frame, as their devices look: buttons that are
// down, sticks, the pointer and fingers, and commands.

'use strict';

const AXIS_MAX = 32767;
const VIEW_EDGE = 65535;
const STICK_PX = 22;
const VIEW_PX = [64, 36];

// The browser knows how the language of drawings is called.
const DRAWINGS = make('div', {innerHTML: '<svg></svg>'}).firstChild.namespaceURI;

function drawn(tag, attributes, ...children) {
  const element = document.createElementNS(DRAWINGS, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Of a frame's inputs: which kind of control lies where.
const HELD_IN = {button: 'buttons', key: 'keys', mouse_button: 'mouse_buttons'};

function isDown(control, given) {
  return (given[HELD_IN[control.kind]] || []).includes(control.index);
}

class Pads {
  constructor(element, viewer) {
    this.element = element;
    this.viewer = viewer;
    this.shown = '';
  }

  update() {
    const {viewer} = this;
    const isShown = viewer.layers.has('inputs');
    this.element.hidden = !isShown;
    if (!isShown) return;
    const frame = viewer.wholeFrame();
    const all = viewer.recordings.map(
        recording => Array.from(
            {length: recording.inputs.player_count},
            (_, player) => recording.inputsAt(frame, player)));
    const key = JSON.stringify(all);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren(...viewer.recordings.flatMap(
        (recording, side) => all[side].map(
            (given, player) => this.makePad(recording, side, player, given))));
  }

  makePad(recording, side, player, given) {
    const {controls, player_count: players} = recording.inputs;
    const isOne = this.viewer.recordings.length === 1;
    const names = [isOne ? '' : 'AB'[side], players > 1 ? `player ${player}` : '']
                      .filter(text => text !== '');
    const pad = make('div', {className: 'pad'});
    pad.dataset.player = player;
    if (names.length > 0) {
      pad.append(make('b', {
        textContent: names.join(' '),
        style: isOne ? '' : `color: ${SIDES[side]}`,
      }));
    }
    pad.append(...this.makeSticks(controls, given),
               ...this.makeViews(controls, given),
               this.makeButtons(controls, given), ...this.makeTexts(given));
    return pad;
  }

  // Two axes that follow each other are a stick, as on a pad: down is positive.
  makeSticks(controls, given) {
    const axes = controls.filter(({kind}) => kind === 'axis')
                     .sort((a, b) => a.index - b.index);
    const sticks = [];
    const valueOf = axis => ((given.axes || {})[axis.index] || 0) / AXIS_MAX;
    for (let i = 0; i < axes.length; ++i) {
      const pair = [axes[i]];
      if (axes[i].index % 2 === 0 && axes[i + 1] &&
          axes[i + 1].index === axes[i].index + 1) {
        pair.push(axes[++i]);
      }
      sticks.push(this.makeStick(pair, pair.map(valueOf)));
    }
    return sticks;
  }

  makeStick(pair, values) {
    const size = 2 * STICK_PX + 12;
    const middle = size / 2;
    const x = middle + STICK_PX * values[0];
    const y = middle + STICK_PX * (values[1] || 0);
    const ground = pair.length === 2 ?
        drawn('circle', {cx: middle, cy: middle, r: STICK_PX + 4}) :
        drawn('rect', {x: 1, y: middle - 8, width: size - 2, height: 16, rx: 8});
    const picture = drawn(
        'svg', {width: size, height: size}, ground,
        drawn('line', {x1: middle, y1: middle, x2: x, y2: y}),
        drawn('circle', {cx: x, cy: y, r: 6, class: 'knob'}));
    const text = pair.map((axis, i) => `${axis.name} ${values[i].toFixed(2)}`);
    return make('span', {className: 'stick', title: text.join('\n')}, picture,
                ...text.map(line => make('small', {textContent: line})));
  }

  // The player's view, with what points at it.
  makeViews(controls, given) {
    const has = kind => controls.some(control => control.kind === kind);
    if (!has('pointer') && !has('touch')) return [];
    const [width, height] = VIEW_PX;
    const place = (x, y) =>
        ({cx: x / VIEW_EDGE * width, cy: y / VIEW_EDGE * height});
    const picture = drawn(
        'svg', {width: width + 8, height: height + 8, viewBox:
                `-4 -4 ${width + 8} ${height + 8}`},
        drawn('rect', {width, height, rx: 2}));
    if (has('pointer')) {
      const [x, y] = given.pointer || [0, 0];
      picture.append(drawn('circle', {...place(x, y), r: 3.5, class: 'knob'}));
    }
    for (const [, x, y, pressure] of given.touches || []) {
      picture.append(drawn(
          'circle',
          {...place(x, y), r: 3 + 3 * pressure / VIEW_EDGE, class: 'touch'}));
    }
    return [make('span', {className: 'stick'}, picture)];
  }

  makeButtons(controls, given) {
    const buttons = controls.filter(({kind}) => HELD_IN[kind]);
    return make('span', {className: 'buttons'}, ...buttons.map(
        control => make('i', {
          textContent: control.name,
          className: isDown(control, given) ? 'down' : '',
        })));
  }

  makeTexts(given) {
    const texts = [...given.commands || []];
    if (given.text) texts.push(JSON.stringify(given.text));
    if (given.moved) texts.push(`mouse ${given.moved.join(', ')}`);
    if (given.wheel) texts.push(`wheel ${given.wheel.join(', ')}`);
    if (given.sensor) texts.push(`sensor ${given.sensor.flat().join(', ')}`);
    return texts.map(text => make('code', {textContent: text}));
  }
}
