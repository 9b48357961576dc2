/*
 * What is seen of a flame graph, as elements: some rows at a time, so that a
 * browser does not have to look through all of a path for each tile of the
 * screen, and what stays on it while it scrolls stays as it is. Goes before
 * flame.js, in the same script.
 */
var pnPaint = (function () {
'use strict';
const {ROW, LABEL, MOVED, make, visit, rowsIn, slivers, box, labelOf} = pnLayout;
const BAND = 8 * ROW; /* what is drawn at once; a tile is about twice as high */

const bandOf = y => Math.max(0, Math.floor(y / BAND));
/* The row that is seen at `top` begins above. */
const firstBand = top => bandOf(top - ROW);

function newBand() {
	const paths = new Map();
	return {paths, hits: '', texts: [], add: (cls, path) => paths.set(cls, (paths.get(cls) || '') + path)};
}

/* look: {classOf(tree, frame), isHit(index, frame)} */
function collect(p, range, look, bandAt) {
	const {t, index} = p;
	const narrow = slivers((d, x, w) => {
		const y = p.y(d), band = bandAt(y);
		if (band)
			band.add('s', box(x, y, w));
	});
	visit(t, p, range, (i, x, w, faded) => {
		const y = p.y(t.depth[i]), band = bandAt(y);
		/* the function of a sandwich is drawn once */
		if (!band || index && i === 0)
			return;
		band.add(look.classOf(t, i) + (faded ? ' faded' : ''), box(x, y, w));
		if (look.isHit(index, i))
			band.hits += box(x, y, w);
		if (w > LABEL)
			band.texts.push({x: (x + 3).toFixed(1), y: y + 13, text: labelOf(t, i, w)});
	}, narrow.add);
	narrow.close();
}

function painter(live) {
	const layer = make('g', MOVED, live), marks = make('g', MOVED, live), labels = make('g', {}, live);
	const drawn = new Map(); /* the elements of each band */

	function put({paths, hits, texts}) {
		const nodes = [];
		for (const [cls, d] of paths)
			nodes.push(make('path', {'class': cls, d}, layer));
		if (hits)
			nodes.push(make('path', {'class': 'hit', d: hits}, marks));
		for (const {x, y, text} of texts) {
			const e = make('text', {x, y}, labels);
			e.textContent = text;
			nodes.push(e);
		}
		return nodes;
	}

	return {
		clear() {
			for (const g of [layer, marks, labels])
				g.textContent = '';
			drawn.clear();
		},
		has(top, bottom) {
			for (let n = firstBand(top); n <= bandOf(bottom); n++)
				if (!drawn.has(n))
					return false;
			return true;
		},
		/* From `top` to `bottom`, and nothing that is far from there. */
		show(pictures, top, bottom, look) {
			const a = firstBand(top), b = bandOf(bottom), more = (b - a) / 2, missing = [], fresh = new Map();
			for (const [n, nodes] of drawn)
				if (n < a - more || n > b + more) {
					nodes.forEach(e => e.remove());
					drawn.delete(n);
				}
			for (let n = a; n <= b; n++)
				if (!drawn.has(n)) {
					missing.push(n);
					fresh.set(n, newBand());
				}
			if (!missing.length)
				return;
			for (const p of pictures)
				collect(p, rowsIn(p, missing[0] * BAND, (missing[missing.length - 1] + 1) * BAND), look, y => fresh.get(bandOf(y)));
			for (const [n, band] of fresh)
				drawn.set(n, put(band));
		}
	};
}

return {painter};
})();
