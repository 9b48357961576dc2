/*
 * What is seen of a flame graph that changes again at once, as pixels: making,
 * laying out and filling elements takes a browser twice as long. All lines of a
 * row of frames are the same, so that one is painted and copied. Goes before
 * flame.js, in the same script.
 */
var pnSketch = (function () {
'use strict';
const {ROW, LABEL, make, visit, rowsIn, slivers, wideOf, labelOf} = pnLayout;

/* The colours that the style gives to classes, as words of a picture's memory. */
function palette(live) {
	const probe = make('path', {}), known = new Map();

	function ask(cls) {
		probe.setAttribute('class', cls);
		live.append(probe);
		const {fill, opacity} = getComputedStyle(probe), parts = (fill.match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3);
		const word = new Uint32Array(Uint8Array.of(...parts, Math.round(255 * opacity)).buffer)[0];
		probe.remove();
		return word;
	}

	return cls => {
		if (!known.has(cls))
			known.set(cls, ask(cls));
		return known.get(cls);
	};
}

function sketcher(live) {
	const layer = make('g', {}, live), holder = make('foreignObject', {}), colorOf = palette(live);
	const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas'), pen = canvas.getContext('2d');
	let image, pixels, labels;
	holder.append(canvas);

	function resize(width, height) {
		for (const e of [holder, canvas]) {
			e.setAttribute('width', width);
			e.setAttribute('height', height);
		}
		image = pen.createImageData(width, height);
		pixels = new Uint32Array(image.data.buffer);
	}

	function fill(line, x, w, color) {
		const from = line * image.width + Math.round(x), to = from + wideOf(x, w);
		for (let i = from; i < to; i++)
			pixels[i] = color;
	}

	/* The first line that is seen of each row, and the names. */
	function draw(p, top, look) {
		const {t, index} = p, range = rowsIn(p, top - ROW + 2, top + image.height);
		const lineOf = d => Math.max(0, p.y(d) - top);
		const narrow = slivers((d, x, w) => fill(lineOf(d), x, w, colorOf('s')));
		visit(t, p, range, (i, x, w, faded) => {
			if (index && i === 0)
				return;
			const hit = look.isHit(index, i);
			fill(lineOf(t.depth[i]), x, w, colorOf(hit ? 'hit' : look.classOf(t, i) + (faded ? ' faded' : '')));
			if (w > LABEL)
				labels.push([labelOf(t, i, w), x + 3, p.y(t.depth[i]) + 13 - top]);
		}, narrow.add);
		narrow.close();
		for (let d = Math.max(0, range.above + 1); d < Math.min(p.rows, range.below); d++)
			copy(lineOf(d), Math.min(image.height, p.y(d) - top + ROW - 1));
	}

	function copy(line, end) {
		for (let to = line + 1; to < end; to++)
			pixels.copyWithin(to * image.width, line * image.width, (line + 1) * image.width);
	}

	function write() {
		const {fontSize, fontFamily} = getComputedStyle(live);
		pen.font = fontSize + ' ' + fontFamily;
		pen.fillStyle = '#1a1a1a';
		for (const label of labels)
			pen.fillText(...label);
	}

	return {
		hide() {
			holder.remove();
		},
		/* From `top` to `bottom`, whole pixels. */
		show(pictures, top, bottom, look) {
			const {width} = pictures[0], height = bottom - top;
			if (canvas.width !== width || canvas.height !== height || !image)
				resize(width, height);
			pixels.fill(0);
			labels = [];
			for (const p of pictures)
				draw(p, top, look);
			pen.putImageData(image, 0, 0);
			write();
			holder.setAttribute('y', top);
			layer.append(holder);
		}
	};
}

return {sketcher};
})();
