/*
 * Where the frames of a flame graph are: rows, boxes and the text that fits
 * them. Goes before flame.js, in the same script.
 */
var pnLayout = (function () {
'use strict';
const PAD = 10, ROW = 18, SLIVER = 1, COLUMN = 7.3; /* pixels; a column's are of a character */
const LABEL = 28; /* pixels: the narrowest frame with a name */

/* The names of classes, made once: there may be a hundred thousand frames. */
const CLASSES = {};
for (const letter of 'dmn')
	CLASSES[letter] = Array.from({length: 24}, (_, i) => letter + i);

/* How wide characters are: two columns for those of East Asia. */
function fit(text, columns) {
	let used = 0, i = 0;
	for (const c of text) {
		used += c.codePointAt(0) >= 0x1100 ? 2 : 1;
		if (used > columns)
			return text.slice(0, Math.max(0, i - 1)) + '…';
		i += c.length;
	}
	return text;
}

/* Pixels that a unit of cost is wide. */
function scaleOf(t, {side, zoom, width}) {
	const all = t.sides[side][zoom];
	return all > 0 ? (width - 2 * PAD) / all : 0;
}

/* The frames of a tree that are a pixel wide, deeper than `above` and less deep
 * than `below`: call(frame, x, width, faded). What is narrower becomes one sliver
 * a run. */
function visit(t, view, {above, below}, call, sliver) {
	const {side, zoom, width} = view, {depth, end} = t, starts = t.starts[side], totals = t.sides[side];
	const scale = scaleOf(t, view), x0 = starts[zoom], last = end[zoom];
	for (let i = t.parent[zoom]; i >= 0; i = t.parent[i])
		if (depth[i] > above && depth[i] < below)
			call(i, PAD, width - 2 * PAD, true);
	for (let i = zoom; i < last;) {
		const w = totals[i] * scale, d = depth[i];
		if (d > above && d < below && w > 0) {
			const x = PAD + (starts[i] - x0) * scale;
			if (w < SLIVER)
				sliver(d, x, w);
			else
				call(i, x, w, false);
		}
		i = w < SLIVER || d + 1 >= below ? end[i] : i + 1;
	}
}

/* How many rows a tree has when it is zoomed so. A frame a step, of a hundred
 * thousand at most: without calls. */
function rowsOf(t, view) {
	const key = view.side + ' ' + view.zoom + ' ' + view.width;
	if (t.rows && t.rows.key === key)
		return t.rows.count;
	const {depth, end} = t, totals = t.sides[view.side], scale = scaleOf(t, view), last = end[view.zoom];
	let rows = Math.max(1, depth[view.zoom]);
	for (let i = view.zoom; i < last;) {
		const w = totals[i] * scale;
		if (w > 0 && depth[i] >= rows)
			rows = depth[i] + 1;
		i = w < SLIVER ? end[i] : i + 1;
	}
	t.rows = {key, count: rows};
	return rows;
}

/* Whole pixels, so that edges need no shades (.live in flame.css): a browser
 * without a graphics card fills such paths in about half the time. The gap of
 * two boxes is one of them, wherever they are. A group that is moved keeps what
 * is painted when elements join it: scrolling is faster by a third. */
const MOVED = {transform: 'translate(' + PAD + ')'};

function wideOf(x, w) {
	return Math.max(1, Math.round(x + w) - Math.round(x) - (w > 3 ? 1 : 0));
}

function box(x, y, w) {
	const wide = wideOf(x, w);
	return 'M' + (Math.round(x) - PAD) + ' ' + y + 'h' + wide + 'v' + (ROW - 1) + 'h-' + wide + 'z';
}

function labelOf(t, i, w) {
	return fit(t.names[t.name[i]], (w - 6) / COLUMN | 0);
}

/* Those rows of a picture that begin from `from` on, before `end`. */
function rowsIn({top, up, rows}, from, end) {
	const first = Math.ceil((from - top) / ROW), stop = Math.ceil((end - top) / ROW);
	return up ? {above: rows - 1 - stop, below: rows - first} : {above: first - 1, below: stop};
}

/* What is narrower than a pixel, side by side in one row: add(depth, x, width)
 * each, then close(). */
function slivers(call) {
	const open = [];
	function close(s, d) {
		if (s.end - s.start > 0.3)
			call(d, s.start, s.end - s.start);
	}
	return {
		add(d, x, w) {
			const last = open[d];
			if (last && x - last.end < 0.5) {
				last.end = x + w;
				return;
			}
			if (last)
				close(last, d);
			open[d] = {start: x, end: x + w};
		},
		close() {
			open.forEach(close);
		}
	};
}

/* The lines above a picture end where the window does; all of one is its tip. */
const HEAD = 9.1, NOTE = 7.3; /* pixels of a character */

function cutLines() {
	for (const e of document.querySelectorAll('svg.pn-flame:root > :is(.head, .note)')) {
		const whole = e.dataset.whole || e.textContent, tip = document.createElementNS(e.namespaceURI, 'title');
		e.dataset.whole = tip.textContent = whole;
		e.textContent = fit(whole, (window.innerWidth - 2 * PAD) / (e.matches('.head') ? HEAD : NOTE) | 0);
		if (e.textContent !== whole)
			e.append(tip);
	}
}

cutLines();
window.addEventListener('resize', cutLines);

function make(name, attributes, parent) {
	const e = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const key in attributes)
		e.setAttribute(key, attributes[key]);
	if (parent)
		parent.appendChild(e);
	return e;
}

return {PAD, ROW, LABEL, COLUMN, MOVED, CLASSES, make, fit, visit, rowsOf, rowsIn, slivers, wideOf, box, labelOf};
})();
