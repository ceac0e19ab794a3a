// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What stands around the picture: the timeline, the tree of objects, the
// inspector. Texts of a run are only ever set as text.

'use strict';

const DIFFERENT = '#e5383b';
const SIDES = ['#5aa9e6', '#f4a259'];

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

function hueOf(text) {
  let hash = 0;
  for (const c of text) hash = (hash * 31 + c.codePointAt(0)) % 360;
  return hash;
}

// A canvas as wide as its place, in pixels of the screen; nothing where it
// isn't shown.
function fit(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (width === 0 || height === 0) return null;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, width, height);
  return {context, width, height, ratio};
}

function formatNumber(value) {
  if (typeof value !== 'number') return value === null ? '' : String(value);
  return Number.isInteger(value) ? String(value) : value.toPrecision(6);
}

// Opened, done, lost.
const OBJECTIVES = {
  objective_active: '#7fd1ff',
  objective_complete: '#6fdc8c',
  objective_failed: '#f4a259',
};

class Timeline {
  constructor(canvas, viewer) {
    this.canvas = canvas;
    this.viewer = viewer;
    const scrub = event => {
      const box = canvas.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      viewer.pause();
      viewer.goToFrame(Math.round(part * (viewer.frameCount - 1)));
    };
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener('pointermove', event => {
      if (event.buttons === 1) scrub(event);
      this.tell(event);
    });
  }

  // The events within two pixels of the pointer.
  tell(event) {
    const box = this.canvas.getBoundingClientRect();
    const near = 2 / box.width;
    const part = (event.clientX - box.left) / box.width;
    const names = new Set();
    for (const recording of this.viewer.recordings) {
      for (const [tick, type, object] of
               [...recording.objectives, ...recording.events]) {
        if (Math.abs(this.placeOf(tick) - part) < near) {
          names.add(`${tick}: ${type}${object ? ` ${object}` : ''}`);
        }
      }
    }
    this.canvas.title = [...names].slice(0, 8).join('\n');
  }

  placeOf(tick) {
    const {source} = this.viewer.recordings[0];
    const frames = (tick - source.first_tick) / source.every;
    return frames / Math.max(1, this.viewer.frameCount - 1);
  }

  draw() {
    const fitted = fit(this.canvas);
    if (!fitted) return;
    const {context, width, height, ratio} = fitted;
    const {viewer} = this;
    const row = height / viewer.recordings.length;
    viewer.recordings.forEach((recording, i) => {
      for (const [tick, type] of recording.events) {
        context.fillStyle = `hsl(${hueOf(type)} 60% 60%)`;
        context.fillRect(
            this.placeOf(tick) * width, i * row + 0.25 * row, ratio,
            0.5 * row);
      }
    });
    // What becomes of objectives, as flags above them.
    viewer.recordings.forEach((recording, i) => {
      for (const [tick, type] of recording.objectives) {
        const x = this.placeOf(tick) * width;
        context.fillStyle = OBJECTIVES[type];
        context.fillRect(x, i * row, ratio, 0.75 * row);
        context.fillRect(x, i * row, 5 * ratio, 0.2 * row);
      }
    });
    // What players press, below the events.
    viewer.recordings.forEach((recording, i) => {
      context.fillStyle = '#dde';
      for (const frame of recording.inputMarks) {
        const x = frame / Math.max(1, viewer.frameCount - 1) * width;
        context.fillRect(x, (i + 0.85) * row, ratio, 0.15 * row);
      }
    });
    if (viewer.difference) {
      const x = this.placeOf(viewer.difference.tick) * width;
      context.fillStyle = DIFFERENT;
      context.fillRect(x - ratio, 0, 2 * ratio, height);
      context.globalAlpha = 0.15;
      context.fillRect(x, 0, width - x, height);
      context.globalAlpha = 1;
    }
    const x = viewer.frame / Math.max(1, viewer.frameCount - 1) * width;
    context.fillStyle = '#fff';
    context.fillRect(x - ratio, 0, 2 * ratio, height);
  }
}

class Tree {
  constructor(element, viewer) {
    this.element = element;
    this.viewer = viewer;
    this.filter = '';
    this.shown = '';
  }

  // Made anew when other objects are there, or another is chosen.
  update() {
    const {viewer} = this;
    const names = new Map();  // by type
    for (const recording of viewer.recordings) {
      for (const index of recording.objectsAt(viewer.wholeFrame())) {
        const {name, type} = recording.objects[index];
        if (this.filter && !name.includes(this.filter)) continue;
        if (!names.has(type)) names.set(type, new Set());
        names.get(type).add(name);
      }
    }
    const key = JSON.stringify([
      this.filter, viewer.selected, viewer.differentNow().size,
      [...names].map(([type, list]) => [type, [...list]])
    ]);
    if (key === this.shown) return;
    this.shown = key;
    const open = new Set(
        [...this.element.querySelectorAll('details[open]')].map(
            details => details.dataset.type));
    const isFirst = this.element.childElementCount === 0;
    this.element.replaceChildren(...[...names].sort().map(
        ([type, list]) => this.makeType(
            type, [...list].sort(),
            open.has(type) || isFirst && list.size < 8 || this.filter !== '' ||
                list.has(viewer.selected))));
  }

  makeType(type, names, isOpen) {
    const {viewer} = this;
    const [r, g, b] = viewer.colourOf(type).map(c => Math.round(255 * c));
    const summary = make('summary', {}, make('i', {
      style: `background: rgb(${r}, ${g}, ${b})`,
    }), `${type} (${names.length})`);
    const different = viewer.differentNow();
    const details = make('details', {open: isOpen}, summary);
    details.dataset.type = type;
    const fill = () => {
      if (!details.open || details.childElementCount > 1) return;
      details.append(...names.map(name => {
        const button = make('button', {
          textContent: name,
          onclick: () => viewer.select(name),
          className: name === viewer.selected ? 'selected' : '',
        });
        if (different.has(name)) button.style.color = DIFFERENT;
        return button;
      }));
    };
    details.addEventListener('toggle', fill);
    fill();
    return details;
  }
}

const POSE_UNITS = {x: 'm', y: 'm', z: 'm', speed: 'm/s'};

// What an object does at the frame, beside its fields: names, units, values.
function poseFields(recording, name, frame) {
  const index = recording.indexOf(name, frame);
  const pose = new Float64Array(7);
  if (index < 0 || !recording.readPose(index, frame, pose)) return [];
  const before = new Float64Array(7);
  const {source} = recording;
  let speed = null;
  if (frame > 0 && recording.readPose(index, frame - 1, before)) {
    const way =
        Math.hypot(pose[0] - before[0], pose[1] - before[1],
                   pose[2] - before[2]);
    speed = way * source.tick_rate / source.every;
  }
  return [
    ['x', 'm', pose[0]], ['y', 'm', pose[1]], ['z', 'm', pose[2]],
    ['speed', 'm/s', speed], ['qx', '', pose[3]], ['qy', '', pose[4]],
    ['qz', '', pose[5]], ['qw', '', pose[6]]
  ];
}

// What touches an object at a frame: with which objects, and how hard in all.
function contactsOf(recording, name, frame) {
  const {pairs, values} = recording.contactsAt(frame);
  const sums = new Map();
  for (let i = 0; 2 * i < pairs.length; ++i) {
    const [a, b] = [0, 1].map(side => {
      const index = pairs[2 * i + side];
      return index < 0 ? '?' : recording.objects[index].name;
    });
    if (a !== name && b !== name) continue;
    const other = a === name ? b : a;
    const impulse = values[7 * i + 6];
    const {points, sum} = sums.get(other) || {points: 0, sum: 0};
    sums.set(other, {points: points + 1, sum: sum + impulse});
  }
  return [...sums].map(([other, {points, sum}]) => [
    `touches ${other} in ${points}`, 'N s', Number(sum.toPrecision(4))
  ]);
}

class Inspector {
  constructor(element, viewer) {
    this.element = element;
    this.viewer = viewer;
  }

  update() {
    const {viewer} = this;
    const frame = viewer.wholeFrame();
    const name = viewer.selected;
    const rows = new Map();  // by field: its unit, and the value of each side
    viewer.recordings.forEach((recording, side) => {
      const put = (field, unit, value) => {
        if (!rows.has(field)) {
          rows.set(field, {unit, values: viewer.recordings.map(() => null)});
        }
        rows.get(field).values[side] = value;
      };
      if (frame >= recording.frameCount) return;
      if (name) {
        for (const [field, unit, value] of poseFields(recording, name, frame)) {
          put(field, unit, value);
        }
        // Nobody asked for contacts that aren't shown: they take decoding.
        if (viewer.layers.has('contacts')) {
          for (const row of contactsOf(recording, name, frame)) put(...row);
        }
      }
      for (const column of recording.columnsOfName(name)) {
        const value = recording.fieldAt(column, frame);
        if (value !== null) put(column.name, column.unit, value);
      }
    });
    const title = name || 'the world';
    const type = name && viewer.typeOf(name);
    this.element.replaceChildren(
        make('h2', {textContent: title}),
        make('p', {textContent: type ? `of type ${type}` : ''}),
        ...this.makeDifference(),
        make('table', {},
             ...[...rows].map(([field, row]) => this.makeRow(field, row))));
  }

  // Beside the world, what two runs begin to differ in.
  makeDifference() {
    const {difference, selected} = this.viewer;
    if (!difference || selected) return [];
    const text = [`first difference: tick ${difference.tick}`];
    return [make('pre', {
      textContent: text.concat(difference.lines).join('\n'),
      style: `color: ${DIFFERENT}`,
    })];
  }

  makeRow(field, {unit, values}) {
    const {viewer} = this;
    const row = make('tr', {
      onclick: () => viewer.plot.choose(field),
      className: viewer.plot.has(viewer.selected, field) ? 'selected' : '',
      title: 'plot it',
    });
    row.append(make('th', {}, field,
                    make('span', {textContent: unit ? ` [${unit}]` : ''})));
    const isDifferent = values.some(value => value !== values[0]);
    for (const value of values) {
      const text = formatNumber(value);
      const cell = make('td', {textContent: text, title: text});
      if (isDifferent) cell.style.color = DIFFERENT;
      row.append(cell);
    }
    return row;
  }
}
