/*
 * Where the frames of a flame graph are: rows, boxes and the text that fits
 * them. Goes before flame.js, in the same script.
 */
var pnLayout = (function () {
'use strict';
const PAD = 10, ROW = 18, SLIVER = 1;

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

/* The frames of a tree that are a pixel wide and at most `deepest` deep:
 * call(frame, x, width, above). What is narrower becomes one sliver a run. */
function visit(t, {side, zoom, width}, deepest, call, sliver) {
	const starts = t.starts[side], totals = t.sides[side], all = totals[zoom];
	const inner = width - 2 * PAD, scale = all > 0 ? inner / all : 0, x0 = starts[zoom];
	for (let i = t.parent[zoom]; i >= 0; i = t.parent[i])
		call(i, PAD, inner, true);
	for (let i = zoom; i < t.end[zoom];) {
		const w = totals[i] * scale, x = PAD + (starts[i] - x0) * scale;
		if (w < SLIVER) {
			if (w > 0)
				sliver(t.depth[i], x, w);
			i = t.end[i];
		} else {
			call(i, x, w, false);
			i = t.depth[i] < deepest ? i + 1 : t.end[i];
		}
	}
}

/* How many rows a tree has when it is zoomed so. */
function rowsOf(t, view) {
	const key = view.side + ' ' + view.zoom + ' ' + view.width;
	if (t.rows && t.rows.key === key)
		return t.rows.count;
	let rows = 1;
	visit(t, view, Infinity, i => { rows = Math.max(rows, t.depth[i] + 1); }, d => { rows = Math.max(rows, d + 1); });
	t.rows = {key, count: rows};
	return rows;
}

/* In tenths of a pixel: whole numbers become text several times as fast. */
const TENTH = {transform: 'scale(.1)'};

function box(x, y, w) {
	const wide = Math.round(10 * (w > 3 ? w - 1 : w));
	return 'M' + Math.round(10 * x) + ' ' + 10 * y + 'h' + wide + 'v' + 10 * (ROW - 1) + 'h-' + wide + 'z';
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

return {PAD, ROW, TENTH, CLASSES, fit, visit, rowsOf, box};
})();
