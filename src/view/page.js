/* SPDX-License-Identifier: Apache-2.0 */
/* view/page.js - draws the figures of a page and lets people look around in them.
 *
 * Each figure's data is JSON beside it: layers, legend, and typed arrays in base64, deflated
 * where the writer could.  Layers with few items in sight are drawn as smooth paths, those
 * with very many as pixels, solid figures as shaded balls with a depth buffer, all without a
 * graphics card.  `window.cleave.figures` is for scripts and tests. */
(function () {
'use strict';
var PATH_ITEMS = 30000, TURN = [-0.62, 0.42], figures = [];
var GUTTER = 58, GAP = 5; /* pixels: left of the rows of a chart, between its labels */
var INK_NAMES = ['', 'strong', 'muted', 'faint', 'paper', 'accent'];

/* ---- Data ------------------------------------------------------------------------------ */

function bytesOf(base64) {
  var text = atob(base64), bytes = new Uint8Array(text.length);
  for (var i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

var TYPES = {u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, i32: Int32Array,
  f32: Float32Array, f64: Float64Array};

/* Differences to the value before, the sign in the lowest bit, seven bits per byte. */
function differences(bytes, from, count) {
  var out = new Int32Array(count), value = 0;
  for (var i = 0; i < count; i++) {
    var byte = bytes[from++], code = byte & 127, unit = 128;
    while (byte & 128) {
      byte = bytes[from++];
      code += (byte & 127) * unit;
      unit *= 128;
    }
    value += code % 2 ? -(code + 1) / 2 : code / 2;
    out[i] = value;
  }
  return out;
}

function arrayOf(bytes, ref) {
  if (!ref) return null;
  if (ref.t === 'd') return differences(bytes, ref.o, ref.n);
  return new TYPES[ref.t](bytes.buffer, bytes.byteOffset + ref.o, ref.n);
}

function positionsOf(spec, bytes, given) {
  var raw = arrayOf(bytes, given.at), dim = spec.ndim, n = spec.npositions;
  var p = [new Float64Array(n), new Float64Array(n), dim > 2 ? new Float64Array(n) : null];
  for (var d = 0; d < dim; d++) {
    var cut = given.at.t === 'u16', base = cut ? given.lo[d] : 0;
    var step = cut ? (given.hi[d] - given.lo[d]) / 65535 : 1;
    for (var i = 0; i < n; i++) p[d][i] = base + step * raw[i * dim + d];
  }
  return {p: p, lo: given.lo, hi: given.hi};
}

function usePositions(spec, which) {
  spec.p = which.p;
  spec.lo = which.lo;
  spec.hi = which.hi;
}

function unpack(spec, bytes) {
  spec.given = positionsOf(spec, bytes, spec.position);
  spec.even = spec.evened ? positionsOf(spec, bytes, spec.evened) : null;
  usePositions(spec, spec.even || spec.given);
  spec.layers.forEach(function (layer) {
    ['at', 'offset', 'color', 'sizes'].forEach(function (key) {
      layer[key] = arrayOf(bytes, layer[key]);
    });
    layer.fields.forEach(function (field) {
      field.values = field.texts || arrayOf(bytes, field.v);
    });
    layer.shown = !layer.hidden;
  });
}

/* ---- Theme ----------------------------------------------------------------------------- */

function rgbOf(text) {
  var probe = document.createElement('canvas').getContext('2d');
  probe.fillStyle = text;
  var hex = probe.fillStyle;
  return [parseInt(hex.slice(1, 3), 16), parseInt(hex.slice(3, 5), 16), parseInt(hex.slice(5, 7), 16)];
}

function readTheme() {
  var style = getComputedStyle(document.documentElement), inks = [];
  for (var i = 1; i < INK_NAMES.length; i++)
    inks[i] = rgbOf(style.getPropertyValue('--' + INK_NAMES[i]).trim());
  return inks;
}

function css(rgb, alpha) {
  return 'rgba(' + rgb[0] + ',' + rgb[1] + ',' + rgb[2] + ',' + alpha + ')';
}

/* ---- A figure -------------------------------------------------------------------------- */

function Figure(root, spec) {
  this.root = root;
  this.spec = spec;
  this.canvas = root.querySelector('canvas');
  this.tip = root.querySelector('.tip');
  this.status = root.querySelector('.status');
  this.context = this.canvas.getContext('2d');
  this.solid = spec.ndim === 3;
  this.palette = spec.palette.map(function (hex) { return rgbOf('#' + hex); });
  this.only = null;     /* the palette entry shown alone */
  this.picked = null;   /* {layer, item} */
  this.apart = 0;
  this.x = new Float32Array(spec.npositions);
  this.y = new Float32Array(spec.npositions);
  this.z = this.solid ? new Float32Array(spec.npositions) : null;
  this.reset();
}

Figure.prototype.reset = function () {
  this.zoom = 1;
  this.moveX = this.moveY = 0;
  this.turn = TURN.slice(); /* about the vertical, then towards the reader */
  this.apart = 0;
  var slider = this.root.querySelector('.apart');
  if (slider) slider.value = 0;
};

Figure.prototype.colorOf = function (index) {
  return index < 0 ? this.inks[-index] : this.palette[index % this.palette.length];
};

Figure.prototype.faded = function (color) {
  return this.only !== null && color !== this.only;
};

Figure.prototype.resize = function () {
  var box = this.canvas.getBoundingClientRect();
  this.ratio = Math.min(window.devicePixelRatio || 1, 2);
  this.width = Math.max(50, box.width);
  this.height = Math.max(50, box.height);
  this.canvas.width = Math.round(this.width * this.ratio);
  this.canvas.height = Math.round(this.height * this.ratio);
};

/* ---- Projection: x, y (and z towards the reader) in pixels ------------------------------- */

Figure.prototype.project = function () {
  if (this.solid) this.projectSolid();
  else this.projectFlat();
};

Figure.prototype.projectFlat = function () {
  var s = this.spec, n = s.npositions, room = s.stretch ? 8 : 18;
  var w = s.hi[0] - s.lo[0] || 1, h = s.hi[1] - s.lo[1] || 1;
  var fx = (this.width - 2 * room) / w, fy = (this.height - 2 * room) / h;
  if (!s.stretch) fx = fy = Math.min(fx, fy);
  fx *= this.zoom;
  if (!s.stretch) fy *= this.zoom; /* charts are zoomed along their axis */
  var cx = (s.lo[0] + s.hi[0]) / 2, cy = (s.lo[1] + s.hi[1]) / 2, sign = s.yDown ? 1 : -1;
  var ox = this.width / 2 + this.moveX, oy = this.height / 2 + this.moveY;
  var px = s.p[0], py = s.p[1], x = this.x, y = this.y;
  for (var i = 0; i < n; i++) {
    x[i] = ox + (px[i] - cx) * fx;
    y[i] = oy + sign * (py[i] - cy) * fy;
  }
  this.scale = Math.min(fx, fy);
  if (s.stretch) this.widenGutter(room);
};

/* The names of rows stand left of 0; in a narrow picture they get as much as they need. */
Figure.prototype.widenGutter = function (room) {
  var s = this.spec, all = this.width - 2 * room, gutter = all * -s.lo[0] / (s.hi[0] - s.lo[0] || 1);
  if (s.lo[0] >= 0 || s.hi[0] <= 0 || gutter >= GUTTER) return;
  for (var i = 0; i < s.npositions; i++) {
    var p = s.p[0][i], plain = p < 0 ? GUTTER * (1 - p / s.lo[0]) : GUTTER + (all - GUTTER) * p / s.hi[0];
    this.x[i] = this.width / 2 + this.moveX + (room + plain - this.width / 2) * this.zoom;
  }
};

/* What a solid figure takes at the angle at which it is shown first. */
Figure.prototype.extent = function () {
  var s = this.spec, lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
  var a = Math.cos(TURN[0]), b = Math.sin(TURN[0]), e = Math.cos(TURN[1]), g = Math.sin(TURN[1]);
  for (var i = 0; i < s.npositions; i++) {
    var x = s.p[0][i] - (s.lo[0] + s.hi[0]) / 2, y = s.p[1][i] - (s.lo[1] + s.hi[1]) / 2;
    var z = s.p[2][i] - (s.lo[2] + s.hi[2]) / 2, u = a * x - b * y, w = -(e * z + g * (b * x + a * y));
    lo = [Math.min(lo[0], u), Math.min(lo[1], w)];
    hi = [Math.max(hi[0], u), Math.max(hi[1], w)];
  }
  return {width: hi[0] - lo[0] || 1, height: hi[1] - lo[1] || 1,
    x: (lo[0] + hi[0]) / 2 || 0, y: (lo[1] + hi[1]) / 2 || 0};
};

Figure.prototype.projectSolid = function () {
  var s = this.spec, n = s.npositions, p = s.p, c = [];
  for (var d = 0; d < 3; d++) c[d] = (s.lo[d] + s.hi[d]) / 2;
  var fit = this.fit || (this.fit = this.extent());
  var f = 0.96 * Math.min((this.width - 36) / fit.width, (this.height - 36) / fit.height) * this.zoom;
  f /= 1 + this.apart * 0.7;
  var a = Math.cos(this.turn[0]), b = Math.sin(this.turn[0]);
  var e = Math.cos(this.turn[1]), g = Math.sin(this.turn[1]);
  var ox = this.width / 2 + this.moveX - f * fit.x, oy = this.height / 2 + this.moveY - f * fit.y;
  var shift = this.apart ? this.shifts() : null, group = shift ? this.groups() : null;
  for (var i = 0; i < n; i++) {
    var x = p[0][i] - c[0], y = p[1][i] - c[1], z = p[2][i] - c[2];
    if (shift && i < group.length) {
      x += shift[3 * group[i]];
      y += shift[3 * group[i] + 1];
      z += shift[3 * group[i] + 2];
    }
    var u = a * x - b * y, v = b * x + a * y; /* z is up */
    this.x[i] = ox + f * u;
    this.y[i] = oy - f * (e * z + g * v);
    this.z[i] = f * (g * z - e * v);
  }
  this.scale = f;
};

Figure.prototype.groups = function () {
  var s = this.spec;
  for (var l = 0; l < s.layers.length; l++)
    if (s.layers[l].kind === 'points' && s.group >= 0 && s.layers[l].fields[s.group])
      return s.layers[l].fields[s.group].values;
  return null;
};

/* By how much each group moves away from the middle. */
Figure.prototype.shifts = function () {
  var s = this.spec, group = this.groups(), most = 0, i, d;
  for (i = 0; i < group.length; i++) most = Math.max(most, group[i]);
  var sum = new Float64Array(3 * (most + 1)), count = new Float64Array(most + 1);
  for (i = 0; i < group.length; i++) {
    count[group[i]]++;
    for (d = 0; d < 3; d++) sum[3 * group[i] + d] += s.p[d][i];
  }
  for (i = 0; i <= most; i++)
    for (d = 0; d < 3; d++)
      sum[3 * i + d] = count[i] ? (sum[3 * i + d] / count[i] - (s.lo[d] + s.hi[d]) / 2) * this.apart : 0;
  return sum;
};

/* ---- Drawing ----------------------------------------------------------------------------- */

Figure.prototype.draw = function () {
  if (this.asked) return;
  var self = this;
  this.asked = true;
  requestAnimationFrame(function () {
    self.asked = false;
    self.drawNow();
  });
};

Figure.prototype.drawNow = function () {
  var c = this.context, self = this;
  this.inks = readTheme();
  this.resize();
  this.project();
  c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  c.clearRect(0, 0, this.width, this.height);
  this.labels = []; /* boxes of the labels of a chart */
  if (this.solid) this.drawSolid();
  this.spec.layers.forEach(function (layer) {
    if (!layer.shown || layer.dropped) return;
    if (layer.kind === 'texts') self.drawTexts(layer);
    else if (!self.solid) self.drawFlat(layer);
  });
  this.markPicked();
  this.drawn = (this.drawn || 0) + 1;
};

Figure.prototype.lineWidth = function (layer, i) {
  var base = layer.sizes ? layer.sizes[i] : layer.size || 1;
  return base * Math.min(2.5, Math.max(0.6, Math.pow(this.zoom, 0.35)));
};

Figure.prototype.radius = function (layer, i) {
  if (layer.balls)
    return Math.max(0.5, Math.min(this.solid ? 1e4 : 5, (layer.sizes ? layer.sizes[i] : layer.size) * this.scale));
  var base = layer.sizes ? layer.sizes[i] : layer.size || 3;
  return base * Math.min(2.5, Math.max(0.5, Math.pow(this.zoom, 0.5)));
};

/* Items in sight, or null when they are more than paths should draw. */
Figure.prototype.sight = function (layer) {
  var per = layer.kind === 'points' ? 1 : 2, x = this.x, y = this.y, at = layer.at;
  var found = [], w = this.width, h = this.height, least = PATH_ITEMS;
  if (layer.kind === 'rects') least = Infinity;
  for (var i = 0; i < layer.count; i++) {
    var a = at ? at[per * i] : i, b = per > 1 ? at[per * i + 1] : a;
    if (layer.kind === 'areas') { /* two corners that are opposite, more or less */
      a = at[layer.offset[i]];
      b = at[layer.offset[i] + layer.offset[i + 1] >> 1];
    }
    if ((x[a] < -20 && x[b] < -20) || (x[a] > w + 20 && x[b] > w + 20) ||
        (y[a] < -20 && y[b] < -20) || (y[a] > h + 20 && y[b] > h + 20)) continue;
    if (found.length >= least) return null;
    found.push(i);
  }
  return found;
};

/* Items of one colour and width are one path. */
Figure.prototype.batches = function (layer, items) {
  var batches = new Map();
  for (var k = 0; k < items.length; k++) {
    var i = items[k], color = layer.color ? layer.color[i] : layer.ink;
    var size = layer.sizes && layer.kind === 'segments' ? Math.round(layer.sizes[i] * 2) : 0;
    var key = color * 4096 + size, list = batches.get(key);
    if (!list) batches.set(key, list = {color: color, items: []});
    list.items.push(i);
  }
  return batches;
};

Figure.prototype.drawFlat = function (layer) {
  var items = this.sight(layer), self = this, c = this.context;
  if (!items) {
    this.drawPixels(layer);
    return;
  }
  this.batches(layer, items).forEach(function (batch) {
    var alpha = layer.opacity * (self.faded(batch.color) ? 0.1 : 1);
    var color = css(self.colorOf(batch.color), alpha);
    c.beginPath();
    self['path_' + layer.kind](layer, batch.items, c);
    if (layer.kind === 'segments') {
      c.strokeStyle = color;
      c.lineWidth = self.lineWidth(layer, batch.items[0]);
      c.lineCap = 'round';
      c.setLineDash(layer.dashed ? [5, 4] : []);
      c.stroke();
      c.setLineDash([]);
      if (layer.arrows) self.drawHeads(layer, batch.items, color);
      return;
    }
    c.fillStyle = color;
    c.fill();
    if (layer.kind === 'points') return;
    /* The outline, or as wide a stroke as hides the seams between neighbours. */
    c.strokeStyle = layer.size ? css(self.inks[4], 1) : color;
    c.lineWidth = layer.size || 0.6;
    if (layer.size || layer.opacity === 1) c.stroke();
  });
  if (layer.kind === 'rects' && layer.texts) this.drawInside(layer, items);
};

Figure.prototype.path_points = function (layer, items, c) {
  for (var k = 0; k < items.length; k++) {
    var p = layer.at ? layer.at[items[k]] : items[k], r = this.radius(layer, items[k]);
    c.moveTo(this.x[p] + r, this.y[p]);
    c.arc(this.x[p], this.y[p], r, 0, 6.2832);
  }
};

Figure.prototype.path_segments = function (layer, items, c) {
  for (var k = 0; k < items.length; k++) {
    var a = layer.at[2 * items[k]], b = layer.at[2 * items[k] + 1];
    c.moveTo(this.x[a], this.y[a]);
    c.lineTo(this.x[b], this.y[b]);
  }
};

Figure.prototype.path_rects = function (layer, items, c) {
  for (var k = 0; k < items.length; k++) {
    var a = layer.at[2 * items[k]], b = layer.at[2 * items[k] + 1];
    c.rect(Math.min(this.x[a], this.x[b]), Math.min(this.y[a], this.y[b]),
      Math.abs(this.x[b] - this.x[a]), Math.abs(this.y[b] - this.y[a]));
  }
};

Figure.prototype.path_areas = function (layer, items, c) {
  for (var k = 0; k < items.length; k++) {
    var from = layer.offset[items[k]], to = layer.offset[items[k] + 1];
    for (var i = from; i < to; i++) {
      var p = layer.at[i];
      if (i === from) c.moveTo(this.x[p], this.y[p]);
      else c.lineTo(this.x[p], this.y[p]);
    }
    c.closePath();
  }
};

Figure.prototype.drawHeads = function (layer, items, color) {
  var c = this.context;
  c.fillStyle = color;
  c.beginPath();
  for (var k = 0; k < items.length; k++) {
    var a = layer.at[2 * items[k]], b = layer.at[2 * items[k] + 1];
    var dx = this.x[b] - this.x[a], dy = this.y[b] - this.y[a], length = Math.hypot(dx, dy);
    if (length < 4) continue;
    var s = Math.min(length / 2, 3 + 2 * this.lineWidth(layer, items[k]));
    dx *= s / length;
    dy *= s / length;
    c.moveTo(this.x[b], this.y[b]);
    c.lineTo(this.x[b] - dx - dy / 2, this.y[b] - dy + dx / 2);
    c.lineTo(this.x[b] - dx + dy / 2, this.y[b] - dy - dx / 2);
    c.closePath();
  }
  c.fill();
};

Figure.prototype.font = function (size) {
  return size + 'px ' + getComputedStyle(document.body).fontFamily;
};

Figure.prototype.drawTexts = function (layer) {
  var c = this.context, size = layer.size || 12;
  c.font = this.font(size);
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.lineJoin = 'round';
  for (var i = 0; i < layer.count; i++) {
    var p = layer.at ? layer.at[i] : i, color = layer.color ? layer.color[i] : layer.ink;
    var text = layer.texts[i] || '', x = this.x[p];
    if (layer.sizes) c.font = this.font(layer.sizes[i]);
    if (this.spec.stretch) x = this.legible(text, x, this.y[p], layer.sizes ? layer.sizes[i] : size);
    if (x === null) continue;
    c.lineWidth = 3;
    c.strokeStyle = css(this.inks[4], 0.9);
    c.strokeText(text, x, this.y[p]);
    c.fillStyle = css(this.colorOf(color), this.faded(color) && color >= 0 ? 0.3 : 1);
    c.fillText(text, x, this.y[p]);
  }
};

/* Where a label of a chart goes: within the picture if what it names is, and null if it would
 * cover an earlier one. */
Figure.prototype.legible = function (text, x, y, size) {
  var half = this.context.measureText(text).width / 2;
  if (x >= 0 && x <= this.width) x = Math.max(half + 1, Math.min(this.width - half - 1, x));
  var box = [x - half, y - size / 2, x + half, y + size / 2];
  var covers = this.labels.some(function (other) {
    return box[0] < other[2] + GAP && other[0] < box[2] + GAP && box[1] < other[3] && other[1] < box[3];
  });
  if (covers) return null;
  this.labels.push(box);
  return x;
};

/* Texts of rectangles, where they fit; black or white, whatever reads better. */
Figure.prototype.drawInside = function (layer, items) {
  var c = this.context;
  c.font = this.font(11);
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (var k = 0; k < items.length; k++) {
    var i = items[k], a = layer.at[2 * i], b = layer.at[2 * i + 1], text = layer.texts[i];
    var w = Math.abs(this.x[b] - this.x[a]), h = Math.abs(this.y[b] - this.y[a]);
    if (!text || h < 13 || w < 8 || c.measureText(text).width > w - 4) continue;
    var rgb = this.colorOf(layer.color ? layer.color[i] : layer.ink);
    c.fillStyle = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2] > 140 ? '#111' : '#fff';
    c.fillText(text, (this.x[a] + this.x[b]) / 2, (this.y[a] + this.y[b]) / 2);
  }
};

/* ---- Pixels ------------------------------------------------------------------------------ */

/* A picture of its own that is put over what was drawn before. */
function Raster(width, height, deep) {
  this.width = width;
  this.height = height;
  this.image = new ImageData(width, height);
  this.pixel = new Uint32Array(this.image.data.buffer);
  this.depth = deep ? new Float32Array(width * height).fill(-Infinity) : null;
  this.id = deep ? new Int32Array(width * height).fill(-1) : null;
}

Raster.prototype.put = function (figure) {
  var sheet = document.createElement('canvas');
  sheet.width = this.width;
  sheet.height = this.height;
  sheet.getContext('2d').putImageData(this.image, 0, 0);
  figure.context.imageSmoothingQuality = 'high';
  figure.context.drawImage(sheet, 0, 0, figure.width, figure.height);
};

function packed(rgb, alpha, shade) {
  var a = Math.round(255 * alpha);
  return (a << 24 | Math.min(255, rgb[2] * shade) << 16 | Math.min(255, rgb[1] * shade) << 8 |
    Math.min(255, rgb[0] * shade)) >>> 0;
}

Raster.prototype.square = function (x, y, r, color) {
  var x0 = Math.max(0, Math.round(x - r)), x1 = Math.min(this.width, Math.round(x + r) + (r < 1));
  var y0 = Math.max(0, Math.round(y - r)), y1 = Math.min(this.height, Math.round(y + r) + (r < 1));
  for (var j = y0; j < y1; j++)
    for (var i = x0; i < x1; i++) this.pixel[j * this.width + i] = color;
};

/* Even-odd, by the middles of pixels: shapes side by side leave no seam. */
Raster.prototype.polygon = function (px, py, at, from, to, k, color) {
  var top = Infinity, bottom = -Infinity, i, j, cross = [];
  for (i = from; i < to; i++) {
    top = Math.min(top, py[at[i]]);
    bottom = Math.max(bottom, py[at[i]]);
  }
  var last = Math.min(this.height - 1, Math.ceil(bottom * k - 0.5));
  for (var row = Math.max(0, Math.ceil(top * k - 0.5)); row <= last; row++) {
    var y = row + 0.5;
    cross.length = 0;
    for (i = from, j = to - 1; i < to; j = i++) {
      var ya = py[at[i]] * k, yb = py[at[j]] * k;
      if (ya > y !== yb > y) {
        var xa = px[at[i]] * k;
        cross.push(xa + (y - ya) / (yb - ya) * (px[at[j]] * k - xa));
      }
    }
    if (cross.length > 2) cross.sort(function (a, b) { return a - b; });
    for (i = 0; i + 1 < cross.length; i += 2) {
      var x0 = Math.max(0, Math.ceil(Math.min(cross[i], cross[i + 1]) - 0.5));
      var x1 = Math.min(this.width - 1, Math.ceil(Math.max(cross[i], cross[i + 1]) - 0.5) - 1);
      if (x0 <= x1) this.pixel.fill(color, row * this.width + x0, row * this.width + x1 + 1);
    }
  }
};

/* z grows towards the reader; za, zb: depths of the ends, ignored without a depth buffer. */
Raster.prototype.line = function (xa, ya, za, xb, yb, zb, color) {
  var w = this.width - 1, h = this.height - 1, from = 0, to = 1, dx = xb - xa, dy = yb - ya;
  var edges = [[-dx, xa], [dx, w - xa], [-dy, ya], [dy, h - ya]];
  for (var e = 0; e < 4; e++) { /* Liang and Barsky */
    var p = edges[e][0], q = edges[e][1];
    if (p === 0 && q < 0) return;
    if (p < 0) from = Math.max(from, q / p);
    if (p > 0) to = Math.min(to, q / p);
  }
  if (from > to) return;
  var steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from)));
  for (var s = 0; s <= steps; s++) {
    var t = from + (to - from) * s / steps;
    var at = Math.round(ya + t * dy) * this.width + Math.round(xa + t * dx);
    if (this.depth) {
      if (this.depth[at] > za + t * (zb - za)) continue;
    }
    this.pixel[at] = color;
  }
};

/* A shaded ball, lit from the upper left. */
Raster.prototype.ball = function (x, y, z, r, rgb, id, haze, alpha) {
  var x0 = Math.max(0, Math.ceil(x - r)), x1 = Math.min(this.width - 1, Math.floor(x + r));
  var y0 = Math.max(0, Math.ceil(y - r)), y1 = Math.min(this.height - 1, Math.floor(y + r));
  var width = this.width, depth = this.depth, inverse = 1 / r;
  for (var j = y0; j <= y1; j++) {
    var dy = (j - y) * inverse;
    for (var i = x0; i <= x1; i++) {
      var dx = (i - x) * inverse, left = 1 - dx * dx - dy * dy;
      if (left <= 0) continue;
      var up = Math.sqrt(left), at = j * width + i, near = z + up * r;
      if (near <= depth[at]) continue;
      depth[at] = near;
      this.id[at] = id;
      var light = Math.max(0, 0.78 * up - 0.38 * dx - 0.5 * dy);
      this.pixel[at] = packed(rgb, alpha, (0.6 + 0.5 * light) * haze);
    }
  }
};

Figure.prototype.drawPixels = function (layer) {
  var k = this.ratio, raster = new Raster(this.canvas.width, this.canvas.height, false);
  var colors = new Map(), x = this.x, y = this.y, at = layer.at;
  for (var i = 0; i < layer.count; i++) {
    var index = layer.color ? layer.color[i] : layer.ink, color = colors.get(index);
    if (color === undefined) {
      color = packed(this.colorOf(index), layer.opacity * (this.faded(index) ? 0.12 : 1), 1);
      colors.set(index, color);
    }
    if (layer.kind === 'areas') {
      raster.polygon(x, y, at, layer.offset[i], layer.offset[i + 1], k, color);
    } else if (layer.kind === 'points') {
      var p = at ? at[i] : i;
      if (x[p] > -9 && x[p] < this.width + 9 && y[p] > -9 && y[p] < this.height + 9)
        raster.square(x[p] * k, y[p] * k, this.radius(layer, i) * k, color);
    } else {
      var a = at[2 * i], b = at[2 * i + 1];
      raster.line(x[a] * k, y[a] * k, 0, x[b] * k, y[b] * k, 0, color);
    }
  }
  raster.put(this);
};

Figure.prototype.drawSolid = function () {
  var s = this.spec, many = s.npositions > 150000 && !this.still;
  var k = this.ratio * (many || this.ratio > 1 ? 1 : 2), self = this, far = Infinity, near = -Infinity;
  var raster = new Raster(Math.round(this.width * k), Math.round(this.height * k), true);
  for (var i = 0; i < s.npositions; i++) {
    far = Math.min(far, this.z[i]);
    near = Math.max(near, this.z[i]);
  }
  var span = near - far || 1, lift = 1; /* lines run over balls, not through them */
  s.layers.forEach(function (layer) {
    if (layer.balls && layer.shown) lift = Math.max(lift, k * layer.size * self.scale);
  });
  s.layers.forEach(function (layer) {
    if (layer.shown && layer.kind === 'points') self.drawBalls(layer, raster, k, far, span);
  });
  s.layers.forEach(function (layer) {
    if (!layer.shown || layer.dropped || layer.kind !== 'segments') return;
    for (var i = 0; i < layer.count; i++) {
      var a = layer.at[2 * i], b = layer.at[2 * i + 1], index = layer.color ? layer.color[i] : layer.ink;
      if (self.faded(index)) continue;
      var color = packed(self.colorOf(index), layer.opacity, 1);
      for (var d = 0; d < Math.max(1, Math.round(k * (layer.size || 1))); d++)
        raster.line(self.x[a] * k + d % 2, self.y[a] * k + (d >> 1), self.z[a] * k + lift, self.x[b] * k + d % 2,
          self.y[b] * k + (d >> 1), self.z[b] * k + lift, color);
    }
  });
  raster.put(this);
  this.seen = {id: raster.id, width: raster.width, height: raster.height, k: k};
};

Figure.prototype.drawBalls = function (layer, raster, k, far, span) {
  for (var i = 0; i < layer.count; i++) {
    var p = layer.at ? layer.at[i] : i, index = layer.color ? layer.color[i] : layer.ink;
    if (this.faded(index)) continue;
    var haze = 0.8 + 0.2 * (this.z[p] - far) / span;
    raster.ball(this.x[p] * k, this.y[p] * k, this.z[p] * k, Math.max(1.1, this.radius(layer, i) * k),
      this.colorOf(index), i, haze, 1);
  }
};

/* ---- Identifying ------------------------------------------------------------------------- */

/* The item at a place of the canvas: {layer, item}, or null. */
Figure.prototype.pick = function (x, y) {
  var layers = this.spec.layers, best = null;
  for (var l = layers.length - 1; l >= 0 && !best; l--) {
    var layer = layers[l];
    /* Vertices can be asked for even while only the faces between them are shown. */
    var there = layer.shown || (layer.kind === 'points' && !this.solid);
    if (!there || layer.dropped || !layer.noun) continue;
    var item = this['pick_' + layer.kind] ? this['pick_' + layer.kind](layer, x, y) : -1;
    if (item >= 0) best = {layer: layer, item: item};
  }
  return best;
};

Figure.prototype.pick_points = function (layer, x, y) {
  if (this.solid) return this.pickSolid(x, y);
  var best = -1, least = 15 * 15;
  for (var i = 0; i < layer.count; i++) {
    var p = layer.at ? layer.at[i] : i, dx = this.x[p] - x, dy = this.y[p] - y;
    var d = dx * dx + dy * dy, r = this.radius(layer, i);
    if (layer.sizes && d > r * r + 9) continue;
    if (d < least && !this.faded(layer.color ? layer.color[i] : layer.ink)) {
      least = d;
      best = i;
    }
  }
  return best;
};

Figure.prototype.pickSolid = function (x, y) {
  var s = this.seen, i = Math.round(x * s.k), j = Math.round(y * s.k);
  return i < 0 || j < 0 || i >= s.width || j >= s.height ? -1 : s.id[j * s.width + i];
};

Figure.prototype.pick_rects = function (layer, x, y) {
  for (var i = layer.count - 1; i >= 0; i--) {
    var a = layer.at[2 * i], b = layer.at[2 * i + 1];
    if ((x - this.x[a]) * (x - this.x[b]) <= 0 && (y - this.y[a]) * (y - this.y[b]) <= 0) return i;
  }
  return -1;
};

Figure.prototype.pick_segments = function (layer, x, y) {
  var best = -1, least = 6;
  if (this.solid) return -1;
  for (var i = 0; i < layer.count; i++) {
    var a = layer.at[2 * i], b = layer.at[2 * i + 1];
    var dx = this.x[b] - this.x[a], dy = this.y[b] - this.y[a];
    var t = ((x - this.x[a]) * dx + (y - this.y[a]) * dy) / (dx * dx + dy * dy || 1);
    t = Math.max(0, Math.min(1, t));
    var d = Math.hypot(this.x[a] + t * dx - x, this.y[a] + t * dy - y);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
};

Figure.prototype.pick_areas = function (layer, x, y) {
  for (var k = 0; k < layer.count; k++) {
    var inside = false, from = layer.offset[k], to = layer.offset[k + 1];
    for (var i = from, j = to - 1; i < to; j = i++) {
      var a = layer.at[i], b = layer.at[j];
      if ((this.y[a] > y) !== (this.y[b] > y) &&
          x < (this.x[b] - this.x[a]) * (y - this.y[a]) / (this.y[b] - this.y[a]) + this.x[a]) inside = !inside;
    }
    if (inside) return k;
  }
  return -1;
};

/* Whole numbers as they are, others rounded to five digits. */
function shownValue(value) {
  return typeof value !== 'number' || Number.isInteger(value) ? value : +value.toPrecision(5);
}

Figure.prototype.describe = function (picked) {
  var lines = [picked.layer.noun + ' ' + picked.item];
  picked.layer.fields.forEach(function (field) {
    lines.push(field.name + ' ' + shownValue(field.values[picked.item]));
  });
  return lines;
};

Figure.prototype.place = function (picked) {
  var layer = picked.layer, i = picked.item;
  if (layer.kind === 'points') i = layer.at ? layer.at[i] : i;
  else if (layer.kind === 'areas') i = layer.at[layer.offset[i]];
  else return [(this.x[layer.at[2 * i]] + this.x[layer.at[2 * i + 1]]) / 2,
    (this.y[layer.at[2 * i]] + this.y[layer.at[2 * i + 1]]) / 2];
  return [this.x[i], this.y[i]];
};

Figure.prototype.show = function (picked, say) {
  var same = picked && this.picked && picked.layer === this.picked.layer && picked.item === this.picked.item;
  if (same || (!picked && !this.picked)) return;
  this.picked = picked;
  this.tip.hidden = !picked;
  if (picked) {
    var lines = this.describe(picked), at = this.place(picked);
    this.tip.textContent = '';
    lines.forEach(function (line, i) {
      var row = document.createElement(i ? 'span' : 'strong');
      row.textContent = line;
      this.tip.appendChild(row);
    }, this);
    this.tip.style.left = Math.min(Math.max(at[0] + 14, 4), this.width - this.tip.offsetWidth - 4) + 'px';
    this.tip.style.top = Math.min(Math.max(at[1] + 14, 4), this.height - this.tip.offsetHeight - 4) + 'px';
    if (say) this.status.textContent = lines.join(', ');
  }
  if (this.solid || this.spec.npositions > 50000) this.markLater();
  else this.draw();
};

/* Marking an item of a large figure must not draw all of it again. */
Figure.prototype.markLater = function () {
  var mark = this.root.querySelector('.mark');
  mark.hidden = !this.picked;
  if (!this.picked) return;
  var at = this.place(this.picked);
  mark.style.left = at[0] + 'px';
  mark.style.top = at[1] + 'px';
};

Figure.prototype.markPicked = function () {
  this.root.querySelector('.mark').hidden = true;
  if (!this.picked) return;
  this.markLater();
};

/* ---- Looking around ---------------------------------------------------------------------- */

Figure.prototype.zoomAt = function (factor, x, y) {
  var before = this.zoom;
  this.zoom = Math.min(2000, Math.max(0.2, this.zoom * factor));
  factor = this.zoom / before;
  this.moveX = x - this.width / 2 - (x - this.width / 2 - this.moveX) * factor;
  if (!this.spec.stretch) this.moveY = y - this.height / 2 - (y - this.height / 2 - this.moveY) * factor;
  this.changed();
};

Figure.prototype.changed = function () {
  this.picked = null;
  this.tip.hidden = true;
  this.draw();
};

Figure.prototype.drag = function (dx, dy, turn) {
  if (turn) {
    this.turn[0] += dx * 0.008;
    this.turn[1] = Math.min(1.57, Math.max(-1.57, this.turn[1] + dy * 0.008));
  } else {
    this.moveX += dx;
    this.moveY += dy;
  }
  this.changed();
};

/* Brings item i of the points into sight and names it. */
Figure.prototype.find = function (i) {
  var layer = this.spec.layers.filter(function (l) { return l.kind === 'points' && l.noun; })[0];
  if (!layer || !(i >= 0 && i < layer.count)) {
    this.status.textContent = 'there is no such ' + (layer ? layer.noun : 'item');
    return;
  }
  var p = layer.at ? layer.at[i] : i;
  if (this.x[p] < 20 || this.x[p] > this.width - 20 || this.y[p] < 20 || this.y[p] > this.height - 20) {
    this.moveX += this.width / 2 - this.x[p];
    this.moveY += this.height / 2 - this.y[p];
    this.drawNow();
  }
  this.show({layer: layer, item: i}, true);
};

Figure.prototype.key = function (event) {
  var step = 40, k = event.key, cx = this.width / 2, cy = this.height / 2;
  var turn = this.solid && !event.shiftKey;
  var at = this.picked && this.picked.layer.kind === 'points' ? this.picked.item : -1;
  if (k === '+' || k === '=') this.zoomAt(1.3, cx, cy);
  else if (k === '-') this.zoomAt(1 / 1.3, cx, cy);
  else if (k === '0' || k === 'Home') { this.reset(); this.changed(); }
  else if (k === 'ArrowLeft') this.drag(turn ? -step / 2 : step, 0, turn);
  else if (k === 'ArrowRight') this.drag(turn ? step / 2 : -step, 0, turn);
  else if (k === 'ArrowUp') this.drag(0, turn ? -step / 2 : step, turn);
  else if (k === 'ArrowDown') this.drag(0, turn ? step / 2 : -step, turn);
  else if (k === ']') this.find(at + 1);
  else if (k === '[') this.find(Math.max(0, at - 1));
  else if (k === 'Escape') { this.isolate(null); this.show(null); }
  else return;
  event.preventDefault();
};

Figure.prototype.isolate = function (color) {
  this.only = color;
  this.root.querySelectorAll('.legend button').forEach(function (button) {
    button.setAttribute('aria-pressed', String(color !== null && +button.dataset.color === color));
  });
  this.changed();
};

Figure.prototype.listen = function () {
  var self = this, c = this.canvas, from = null;
  function at(event) {
    var box = c.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  c.addEventListener('wheel', function (event) {
    var p = at(event);
    event.preventDefault();
    self.zoomAt(Math.pow(1.0015, -event.deltaY), p[0], p[1]);
  }, {passive: false});
  c.addEventListener('pointerdown', function (event) {
    from = [event.clientX, event.clientY];
    c.setPointerCapture(event.pointerId);
  });
  c.addEventListener('pointermove', function (event) {
    var p = at(event);
    if (from) {
      self.drag(event.clientX - from[0], event.clientY - from[1], self.solid && !event.shiftKey);
      from = [event.clientX, event.clientY];
    } else {
      self.show(self.pick(p[0], p[1]));
    }
  });
  c.addEventListener('pointerup', function () { from = null; });
  c.addEventListener('pointercancel', function () { from = null; });
  c.addEventListener('pointerleave', function () { if (!from) self.show(null); });
  c.addEventListener('dblclick', function (event) { var p = at(event); self.zoomAt(2, p[0], p[1]); });
  c.addEventListener('keydown', function (event) { self.key(event); });
  new ResizeObserver(function () { self.draw(); }).observe(c);
};

/* ---- The controls beside a figure ---------------------------------------------------------- */

function element(tag, attributes, text) {
  var e = document.createElement(tag);
  for (var key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  return e;
}

Figure.prototype.controls = function () {
  var self = this, tools = this.root.querySelector('.tools');
  [['+', 'zoom in', function () { self.zoomAt(1.4, self.width / 2, self.height / 2); }],
    ['\u2212', 'zoom out', function () { self.zoomAt(1 / 1.4, self.width / 2, self.height / 2); }],
    ['\u27f2', 'show all', function () { self.reset(); self.changed(); }]].forEach(function (tool) {
    var button = element('button', {type: 'button', title: tool[1], 'aria-label': tool[1]}, tool[0]);
    button.addEventListener('click', tool[2]);
    tools.appendChild(button);
  });
  if (this.spec.layers.some(function (l) { return l.kind === 'points' && l.noun; })) this.finder(tools);
  if (this.solid && this.groups()) this.pullApart(tools);
  if (this.spec.even) this.evener(tools);
  this.layerBoxes();
  this.legend();
};

Figure.prototype.finder = function (tools) {
  var self = this, label = element('label', {}, 'find ');
  var input = element('input', {type: 'number', min: 0, 'class': 'find', 'aria-label': 'number of the item to find'});
  input.addEventListener('change', function () { self.find(Math.round(+input.value)); });
  label.appendChild(input);
  tools.appendChild(label);
};

Figure.prototype.evener = function (tools) {
  var self = this, label = element('label', {title: 'enlarge where vertices are crowded'});
  var box = element('input', {type: 'checkbox', 'class': 'even'});
  box.checked = true;
  box.addEventListener('change', function () {
    usePositions(self.spec, box.checked ? self.spec.even : self.spec.given);
    self.changed();
  });
  label.appendChild(box);
  label.appendChild(document.createTextNode('evened out'));
  tools.appendChild(label);
};

Figure.prototype.pullApart = function (tools) {
  var self = this, label = element('label', {}, 'apart ');
  var slider = element('input', {type: 'range', min: 0, max: 100, value: 0, 'class': 'apart'});
  slider.addEventListener('input', function () {
    self.apart = slider.value / 100;
    self.changed();
  });
  label.appendChild(slider);
  tools.appendChild(label);
};

Figure.prototype.layerBoxes = function () {
  var self = this, box = this.root.querySelector('.layers');
  this.spec.layers.forEach(function (layer, i) {
    if (!layer.name) return;
    var label = element('label', {}), input = element('input', {type: 'checkbox', 'data-layer': i});
    input.checked = layer.shown && !layer.dropped;
    input.disabled = !!layer.dropped;
    input.addEventListener('change', function () {
      layer.shown = input.checked;
      self.changed();
    });
    label.appendChild(input);
    label.appendChild(document.createTextNode(' ' + layer.name + (layer.dropped ? ' (too many)' : '')));
    box.appendChild(label);
  });
  if (!box.querySelector('label')) box.remove();
};

Figure.prototype.legend = function () {
  var self = this, box = this.root.querySelector('.legend'), list = element('ul', {});
  if (!this.spec.legend.length) {
    box.remove();
    return;
  }
  box.appendChild(element('h3', {}, this.spec.legendTitle || 'Legend'));
  this.spec.legend.forEach(function (entry) {
    /* Where colours are groups, a click shows one of them alone. */
    var item = element('li', {}), button = self.spec.group < 0 ? element('div', {}) :
      element('button', {type: 'button', 'aria-pressed': 'false'});
    var swatch = element('span', {'class': 'swatch', 'aria-hidden': 'true'});
    button.dataset.color = entry.c;
    swatch.style.background = entry.c < 0 ? 'var(--' + INK_NAMES[-entry.c] + ')' : '#' + self.spec.palette[entry.c];
    button.appendChild(swatch);
    button.appendChild(element('span', {'class': 'name'}, entry.n));
    if (entry.v) button.appendChild(element('span', {'class': 'value'}, entry.v));
    if (self.spec.group >= 0) button.addEventListener('click', function () {
      self.isolate(self.only === entry.c ? null : entry.c);
    });
    item.appendChild(button);
    list.appendChild(item);
  });
  box.appendChild(list);
};

/* ---- The page ------------------------------------------------------------------------------ */

function themeButton() {
  var button = document.getElementById('theme'), root = document.documentElement;
  if (!button) return;
  button.addEventListener('click', function () {
    var dark = root.dataset.theme ? root.dataset.theme === 'dark' :
      matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    figures.forEach(function (f) { f.draw(); });
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () {
    figures.forEach(function (f) { f.draw(); });
  });
}

async function start() {
  var roots = document.querySelectorAll('figure.view');
  themeButton();
  for (var i = 0; i < roots.length; i++) {
    var spec = JSON.parse(roots[i].querySelector('script').textContent);
    var bytes = bytesOf(spec.data);
    spec.data = null;
    unpack(spec, spec.deflated ? await inflate(bytes) : bytes);
    var figure = new Figure(roots[i], spec);
    figure.controls();
    figure.listen();
    figures.push(figure);
    figure.drawNow();
  }
  document.documentElement.dataset.ready = 'yes';
}

window.cleave = {figures: figures};
start().catch(function (problem) {
  document.documentElement.dataset.ready = 'no';
  var note = element('p', {role: 'alert', 'class': 'problem'}, 'This browser cannot draw the figures: ' + problem);
  document.body.insertBefore(note, document.body.firstChild);
  throw problem;
});
})();
