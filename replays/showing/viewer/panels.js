// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What stands around the picture: the timeline, the tree of objects, the
// inspector and the plots. Texts of a run are only ever set as text.

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

// How often a plot that is being gathered is drawn.
const DRAW_EVERY_MS = 200;

// Of several lines at once, each its own; two runs are told by dashes.
const LINE_COLOURS =
    ['#7fd1ff', '#f4a259', '#6fdc8c', '#e58fd8', '#f2e06b', '#a99cf5'];

// As many as are told apart.
const LINES_MAX = 12;

// Fields of objects, and watches (`=` before their text), over all frames.
// Chunks are decoded one after the other. Lines of one unit share a scale.
class Plot {
  constructor(canvas, legend, viewer) {
    this.canvas = canvas;
    this.legend = legend;
    this.viewer = viewer;
    this.lines = [];  // {object, field, unit, series: one a recording}
    this.request = 0;
    canvas.addEventListener('pointerdown', event => {
      const box = canvas.getBoundingClientRect();
      viewer.pause();
      viewer.goToFrame(Math.round(
          (event.clientX - box.left) / box.width * (viewer.frameCount - 1)));
    });
  }

  has(object, field) {
    return this.lines.some(
        line => line.object === object && line.field === field);
  }

  // Of the first line, for who looks at one.
  get series() {
    return this.lines.length > 0 ? this.lines[0].series : [];
  }

  // One more line, of the object that is chosen if none is named; the same
  // again: one less.
  choose(field, object = this.viewer.selected) {
    if (this.has(object, field)) {
      this.remove(object, field);
      return Promise.resolve();
    }
    const done = this.add(object, field);
    this.viewer.inspector.update();
    this.viewer.watches.update();
    this.viewer.writeLink();
    return done;
  }

  add(object, field) {
    if (this.has(object, field) || this.lines.length === LINES_MAX) {
      return Promise.resolve();
    }
    const {recordings} = this.viewer;
    const line = {
      object,
      field,
      unit: this.unitOf(object, field),
      // A watch goes by the object that was chosen when it was asked for.
      chosen: object || this.viewer.selected,
      tree: field.startsWith('=') ? parseWatch(field.slice(1)) : null,
      series: recordings.map(
          recording => new Float64Array(recording.frameCount).fill(NaN)),
    };
    this.lines.push(line);
    this.canvas.parentElement.hidden = false;
    return this.gather(line);
  }

  remove(object, field) {
    this.lines = this.lines.filter(
        line => line.object !== object || line.field !== field);
    this.canvas.parentElement.hidden = this.lines.length === 0;
    this.viewer.inspector.update();
    this.viewer.watches.update();
    this.viewer.writeLink();
    this.draw();
  }

  unitOf(object, field) {
    for (const recording of this.viewer.recordings) {
      const column =
          recording.columnsOfName(object).find(one => one.name === field);
      if (column) return column.unit;
    }
    return POSE_UNITS[field] || '';
  }

  async gather(line) {
    const {viewer} = this;
    const isWanted = () => this.lines.includes(line);
    let drawn = performance.now();
    for (const [side, recording] of viewer.recordings.entries()) {
      const stride = viewer.page.chunk_frames;
      for (let from = 0; from < recording.frameCount; from += stride) {
        const chunk = await recording.load(from);
        if (!isWanted()) return;
        this.take(line, recording, from, chunk, line.series[side]);
        // An hour has thousands of chunks, and nobody sees that many pictures.
        if (performance.now() - drawn < DRAW_EVERY_MS) continue;
        this.draw();
        drawn = performance.now();
      }
    }
    this.draw();
  }

  take({object, field, tree, chosen}, recording, from, chunk, series) {
    const column = recording.columnsOfName(object).find(c => c.name === field);
    for (let i = 0; i < chunk.frames; ++i) {
      let value = null;
      if (tree) {
        value = evaluateWatch(tree, recording, from + i, chosen);
      } else if (column) {
        value = recording.fieldAt(column, from + i);
      } else if (object) {
        const row = poseFields(recording, object, from + i)
                        .find(([name]) => name === field);
        if (row) [, , value] = row;
      }
      if (typeof value === 'string' || value === null) continue;
      series[from + i] = Number(value);
    }
  }

  // All of them or, of more than four a pixel, the least and the greatest of
  // each pixel.
  points(series, width) {
    const stride = Math.ceil(series.length / width);
    if (stride <= 4) return series.entries();
    const points = [];
    for (let from = 0; from < series.length; from += stride) {
      const part = series.subarray(from, from + stride);
      const known = part.filter(value => !Number.isNaN(value));
      if (known.length === 0) {
        points.push([from, NaN]);
      } else {
        points.push([from, Math.min(...known)], [from, Math.max(...known)]);
      }
    }
    return points;
  }

  // By unit, the least and the greatest value of all its lines. What has no
  // unit may be anything, and has a scale of its own.
  ranges() {
    const ranges = new Map();
    for (const line of this.lines) {
      const key = line.unit || line;
      if (!ranges.has(key)) ranges.set(key, [Infinity, -Infinity]);
      const range = ranges.get(key);
      for (const series of line.series) {
        for (const value of series) {
          if (value < range[0]) range[0] = value;
          if (value > range[1]) range[1] = value;
        }
      }
    }
    return ranges;
  }

  colourOf(number, side) {
    return this.lines.length === 1 ? SIDES[side] :
                                     LINE_COLOURS[number % LINE_COLOURS.length];
  }

  draw() {
    if (this.lines.length === 0) return;
    const ranges = this.ranges();
    this.updateLegend(ranges);
    const fitted = fit(this.canvas);
    if (!fitted) return;
    const {context, width, height, ratio} = fitted;
    const x = frame => frame / Math.max(1, this.viewer.frameCount - 1) * width;
    this.lines.forEach((line, number) => {
      const [low, high] = ranges.get(line.unit || line);
      if (low > high) return;
      const margin = 0.08 * (high - low) || 1;
      const y = value =>
          height * (1 - (value - low + margin) / (high - low + 2 * margin));
      line.series.forEach((series, side) => {
        context.strokeStyle = this.colourOf(number, side);
        context.setLineDash(
            side > 0 && this.lines.length > 1 ? [4 * ratio, 3 * ratio] : []);
        context.lineWidth = 1.5 * ratio;
        context.beginPath();
        let isDown = false;
        for (const [frame, value] of this.points(series, width)) {
          if (Number.isNaN(value)) {
            isDown = false;
          } else if (isDown) {
            context.lineTo(x(frame), y(value));
          } else {
            context.moveTo(x(frame), y(value));
            isDown = true;
          }
        }
        context.stroke();
      });
    });
    context.setLineDash([]);
    context.fillStyle = '#fff8';
    context.fillRect(x(this.viewer.frame), 0, ratio, height);
  }

  // What each line is, its value now and its range; a click takes it away.
  updateLegend(ranges) {
    const frame = this.viewer.wholeFrame();
    this.legend.replaceChildren(...this.lines.map((line, number) => {
      const {object, field, unit, series, tree} = line;
      const name =
          tree ? field.slice(1) : `${object || 'the world'}: ${field}`;
      const now = series.map(
          values => Number.isNaN(values[frame]) ? '' :
                                                  formatNumber(values[frame]));
      const [low, high] = ranges.get(unit || line).map(formatNumber);
      const range = low === 'Infinity' ? '' : ` (${low} to ${high})`;
      return make('button', {
        textContent:
            `${name}${unit ? ` [${unit}]` : ''} ${now.join(' | ')}${range}`,
        title: 'plot it no more',
        style: `color: ${this.colourOf(number, 0)}`,
        onclick: () => this.remove(object, field),
      });
    }));
  }
}
