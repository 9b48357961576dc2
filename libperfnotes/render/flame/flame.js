/*
 * Flame graphs in a browser: draws the picture anew from the data beside it, so
 * that it can be zoomed, searched, turned round and read. No network, no
 * library; every text of the profile goes through textContent.
 */
(function () {
'use strict';
const SVG = 'http://www.w3.org/2000/svg', XHTML = 'http://www.w3.org/1999/xhtml';
/* Browsers bound how often a page may change its address (one of them to 100
 * times in 30 s): this many at once, and one more each so many milliseconds. */
const WRITES = 20, WRITE_AGAIN = 400;
const svg = document.querySelector('svg.pn-flame');
const holder = document.getElementById('pn-data');
/* A page of several graphs has no data of its own: it loads one. */
const several = document.getElementById('graph');
if (!svg || !(holder || several))
	return;
let data = holder && !several ? JSON.parse(holder.textContent) : null;
const page = document.documentElement !== svg, TOP = page ? 4 : 92;
const {finish, reverse, sandwich} = pnTrees;
const {PAD, ROW, COLUMN, CLASSES, make, fit, rowsOf} = pnLayout;
const still = svg.querySelector('.still'), gone = svg.querySelector('.gone');

/* ---- state: in the fragment of the address ---- */

let given = [], pair = false;
const state = {}, start = {zoom: null, find: '', flip: 0, turn: 0, focus: '', color: '', old: 0, theme: ''};
let shown = [], cursor = null, hits = null, hitShare = 0, places = [], width = 0;

/* The address that is as `state` is: the browser tells of our own changes of it
 * later, when something else may be on the way. */
let written = null, spent = -Infinity, due = 0, pushed = false;

/* Now, or with the last of very many in succession. */
function write(push) {
	pushed = pushed || !!push;
	if (due)
		return;
	const now = performance.now();
	spent = Math.max(spent, now - WRITES * WRITE_AGAIN);
	if (spent + WRITE_AGAIN <= now)
		address();
	else
		due = setTimeout(() => { due = 0; address(); }, spent + WRITE_AGAIN - now);
}

function address() {
	const push = pushed;
	pushed = false;
	const p = new URLSearchParams(several ? location.hash.slice(1) : '');
	for (const k in state)
		p.delete(k);
	for (const k in state)
		if (state[k] !== start[k] && state[k] !== null)
			p.set(k, Array.isArray(state[k]) ? state[k].join('.') : state[k]);
	const hash = '#' + p;
	if (hash === (location.hash || '#'))
		return;
	written = hash;
	spent += WRITE_AGAIN;
	if (push)
		location.hash = hash;
	else
		location.replace(hash);
}

function read() {
	const p = new URLSearchParams(location.hash.slice(1));
	Object.assign(state, start);
	for (const k of ['flip', 'turn', 'old'])
		if (p.has(k))
			state[k] = +p.get(k) ? 1 : 0;
	for (const k of ['find', 'focus'])
		state[k] = p.get(k) || '';
	if (['name', 'module', 'change'].includes(p.get('color')) && (data.two || p.get('color') !== 'change'))
		state.color = p.get('color');
	if (['light', 'dark'].includes(p.get('theme')))
		state.theme = p.get('theme');
	const zoom = /^(\d+)\.(\d+)$/.exec(p.get('zoom') || '');
	state.zoom = zoom ? [+zoom[1], +zoom[2]] : null;
}

const made = new Map();

/* Show this graph from now on, as the address says. */
function load(graph) {
	data = graph;
	given = data.trees.map(finish);
	pair = given.length > 1;
	made.clear();
	cursor = null;
	Object.assign(start, {color: data.color, old: data.old});
	buttons.old.hidden = !data.two;
	buttons.turn.hidden = pair || data.time;
	buttons.flip.hidden = pair;
	read();
	draw();
}

function trees() {
	const key = state.turn + '\n' + state.focus;
	const main = given[0];
	if (pair)
		return given;
	if (!made.has(key)) {
		const name = main.names.indexOf(state.focus);
		made.set(key, state.focus && name >= 0 ? sandwich(main, name)
			: state.turn ? [reverse(main)] : [main]);
	}
	return made.get(key);
}

/* ---- figures ---- */

function figure(v) {
	let [unit, factor] = data.units[0];
	for (const [name, f] of data.units)
		if (Math.abs(v * f) >= 1)
			[unit, factor] = [name, f];
	const x = v * factor, digits = Number.isInteger(x) ? 0 : 2;
	return x.toLocaleString('en-US', {minimumFractionDigits: 0, maximumFractionDigits: digits}) + unit;
}

const share = (v, all) => (all > 0 ? 100 * v / all : 0).toFixed(2) + '%';
const signed = (v, text) => (v < 0 ? '-' : '+') + text;

function describe(t, i) {
	const v = t.total[i], all = t.total[0], lines = [t.names[t.name[i]]];
	const module = t.modules[t.of[3 * t.name[i]]];
	if (!data.two) {
		lines.push(figure(v) + ', ' + share(v, all) + (t.self[i] > 0 ? '; self ' + figure(t.self[i]) : ''));
	} else {
		const old = t.oldTotal[i], d = v - old;
		lines.push('new ' + figure(v) + ', ' + share(v, all) + '; old ' + figure(old) + ', ' + share(old, t.oldTotal[0]));
		lines.push('delta ' + signed(d, figure(Math.abs(d))) + ', ' +
			(old > 0 ? signed(d, share(Math.abs(d), old)) : 'not there before') + ', ' +
			signed(d, (t.oldTotal[0] > 0 ? Math.abs(100 * d / t.oldTotal[0]) : 0).toFixed(2)) + ' points of the old total');
	}
	if (module)
		lines.push('in ' + module);
	return lines;
}

/* ---- drawing ---- */

function colorOf(t, i) {
	const n = t.name[i];
	if (state.color === 'change') {
		const a = t.total[i], b = t.oldTotal[i], most = Math.max(a, b);
		const c = most > 0 ? (a - b) / most / data.scale : 0;
		return CLASSES.d[8 + Math.round(8 * Math.max(-1, Math.min(1, c)))];
	}
	if (t.parent[i] < 0 && shown.length < 2)
		return 'root';
	return state.color === 'module' ? CLASSES.m[t.of[3 * n + 2]] : CLASSES.n[t.of[3 * n + 1]];
}

const live = make('g', {'class': 'live'}), canvas = pnPaint.painter(live), sketch = pnSketch.sketcher(live);
const edge = make('rect', {'class': 'cursor', visibility: 'hidden'}, live);
const tip = make('g', {'class': 'tip', visibility: 'hidden'});
const tipBox = make('rect', {rx: 3}, tip);
svg.replaceChild(live, still);
svg.appendChild(tip);

/* Of a tall picture what can be seen is drawn, and a part of a screen around. */
let printing = false;
const AROUND = 0.25, SETTLED = 120; /* ms */
const look = {classOf: colorOf, isHit: (index, i) => hits && hits[index][shown[index].name[i]]};

function seen() {
	const top = -svg.getBoundingClientRect().top;
	return [top, top + window.innerHeight];
}

const endOf = pictures => Math.max(...pictures.map(p => p.top + ROW * p.rows));

/* Where the pictures are, as far as it is drawn: one that a window has room for
 * at once, so that a picture of the whole page has it. */
function paint([top, bottom], around) {
	const end = endOf(places), more = around * (bottom - top);
	const whole = printing || !(bottom > top) || end <= bottom - top;
	sketch.hide();
	canvas.show(places, whole ? 0 : top - more, whole ? end : Math.min(end, bottom + more), look);
}

function onScroll() {
	const [top, bottom] = seen();
	if (data && !canvas.has(top, Math.min(bottom, endOf(places))))
		paint([top, bottom], AROUND);
}

/* A picture that follows another one at once is a sketch. Elements, and what is
 * around, come once nothing moves any more. */
let settling = 0, drawn = -Infinity;

function paintNow(range) {
	const top = Math.max(0, Math.floor(range[0])), bottom = Math.ceil(Math.min(range[1], endOf(places)));
	if (performance.now() - drawn < SETTLED && bottom > top && !printing)
		sketch.show(places, top, bottom, look);
	else
		paint(range, 0);
	clearTimeout(settling);
	settling = setTimeout(() => paint(seen(), AROUND), SETTLED);
	drawn = performance.now();
}

function zoomOf(index) {
	return state.zoom && state.zoom[0] === index && state.zoom[1] < shown[index].count ? state.zoom[1] : 0;
}

function place(t, index, top, up) {
	const side = data.two && state.old ? 1 : 0, zoom = zoomOf(index), view = {side, zoom, width}, rows = rowsOf(t, view);
	places.push({t, index, top, up, rows, side, zoom, width, y: d => top + ROW * (up ? rows - 1 - d : d)});
	return top + rows * ROW;
}

function draw() {
	width = Math.max(200, page ? svg.parentNode.clientWidth : window.innerWidth || 1200);
	shown = trees();
	search();
	places = [];
	let bottom = TOP;
	if (shown.length > 1) {
		bottom = place(shown[0], 0, TOP, true);
		bottom = place(shown[1], 1, bottom - ROW, false);
	} else {
		bottom = place(shown[0], 0, TOP, !data.icicle !== !!state.flip);
	}
	const range = seen(); /* before elements go: else the page is laid out again */
	canvas.clear();
	paintNow(range);
	const height = bottom + 24 + 16 * gone.children.length;
	gone.setAttribute('transform', 'translate(0 ' + (bottom - gone.dataset.y) + ')');
	svg.removeAttribute('viewBox');
	svg.setAttribute('width', width);
	svg.setAttribute('height', height);
	if (tools.parentNode !== null && tools.parentNode.localName === 'foreignObject')
		tools.parentNode.setAttribute('width', width - 2 * PAD);
	showCursor(false);
	report();
}

/* ---- search ---- */

function search() {
	hits = null;
	hitShare = 0;
	if (!state.find)
		return;
	let test;
	try {
		const re = new RegExp(state.find, 'i');
		test = s => re.test(s);
	} catch (e) {
		const low = state.find.toLowerCase();
		test = s => s.toLowerCase().includes(low);
	}
	/* In a sandwich the callees say it: all stacks go through them. */
	const t = shown[shown.length - 1], side = data.two && state.old ? 1 : 0;
	hits = shown.map(s => s.names.map(n => test(n) ? 1 : 0));
	let sum = 0;
	for (let i = 0; i < t.count;)
		if (hits[shown.length - 1][t.name[i]]) {
			sum += t.sides[side][i];
			i = t.end[i];
		} else
			i++;
	hitShare = t.sides[side][0] > 0 ? sum / t.sides[side][0] : 0;
}

/* ---- what is under a point ---- */

function find(x, y) {
	for (const p of places) {
		const row = Math.floor((y - p.top) / ROW);
		if (row < 0 || row >= p.rows)
			continue;
		const depth = p.up ? p.rows - 1 - row : row, t = p.t;
		let i = p.zoom;
		if (depth < t.depth[i]) {
			while (t.depth[i] > depth)
				i = t.parent[i];
			return {index: p.index, i};
		}
		const inner = width - 2 * PAD, starts = t.starts[p.side], totals = t.sides[p.side];
		const v = starts[i] + (x - PAD) / inner * totals[i];
		if (x < PAD || x > PAD + inner)
			return null;
		while (t.depth[i] < depth) {
			let j = i + 1;
			while (j < t.end[i] && v >= starts[j] + totals[j])
				j = t.end[j];
			if (j >= t.end[i] || v < starts[j])
				return null;
			i = j;
		}
		return {index: p.index, i};
	}
	return null;
}

function placeOf(index, i) {
	const p = places.find(q => q.index === index);
	if (!p || !p.t)
		return null;
	const t = p.t, inner = width - 2 * PAD;
	if (t.depth[i] < t.depth[p.zoom])
		return {x: PAD, y: p.y(t.depth[i]), w: inner};
	const all = t.sides[p.side][p.zoom], scale = all > 0 ? inner / all : 0;
	return {x: PAD + (t.starts[p.side][i] - t.starts[p.side][p.zoom]) * scale, y: p.y(t.depth[i]), w: t.sides[p.side][i] * scale};
}

function showTip(at, x, y) {
	if (!at) {
		tip.setAttribute('visibility', 'hidden');
		return;
	}
	const lines = describe(shown[at.index], at.i).map(l => fit(l, Math.max(20, (width - 40) / COLUMN | 0)));
	const w = Math.max(...lines.map(l => l.length)) * COLUMN + 12, h = 16 * lines.length + 8;
	while (tip.childNodes.length > 1)
		tip.removeChild(tip.lastChild);
	tipBox.setAttribute('width', w);
	tipBox.setAttribute('height', h);
	lines.forEach((l, i) => { make('text', {x: 6, y: 16 * i + 16}, tip).textContent = l; });
	const bottom = +svg.getAttribute('height');
	const left = Math.max(2, Math.min(x + 12, width - w - 2)), above = y + 20 + h > bottom ? y - h - 8 : y + 20;
	tip.setAttribute('transform', 'translate(' + left + ' ' + Math.max(2, above) + ')');
	tip.setAttribute('visibility', 'visible');
}

function showCursor(scroll) {
	const b = cursor && placeOf(cursor.index, cursor.i);
	edge.setAttribute('visibility', b ? 'visible' : 'hidden');
	if (!b)
		return;
	edge.setAttribute('x', b.x);
	edge.setAttribute('y', b.y);
	edge.setAttribute('width', Math.max(2, b.w - 1));
	edge.setAttribute('height', ROW - 1);
	if (scroll && edge.scrollIntoView)
		edge.scrollIntoView({block: 'nearest', inline: 'nearest'});
}

/* ---- tools ---- */

const tools = document.createElementNS(XHTML, 'div');
const buttons = {};

function add(name, label, title, act) {
	const b = document.createElementNS(XHTML, 'button');
	b.setAttribute('type', 'button');
	b.setAttribute('title', title);
	b.textContent = label;
	b.addEventListener('click', act);
	tools.appendChild(b);
	buttons[name] = b;
}

const field = document.createElementNS(XHTML, 'input'), said = document.createElementNS(XHTML, 'span');

function setUpTools() {
	tools.setAttribute('class', 'pn-tools');
	field.setAttribute('type', 'search');
	field.setAttribute('placeholder', 'search: / ');
	field.setAttribute('aria-label', 'search functions by regular expression');
	tools.appendChild(field);
	add('reset', 'reset', 'Escape: the whole graph again', reset);
	add('flip', 'flip', 'i: root at the other end', () => change('flip', +!state.flip));
	add('turn', 'reverse', 'r: the innermost functions first', () => { change('turn', +!state.turn); });
	add('color', 'colours', 'c: by name, module or difference', nextColor);
	add('old', 'old width', 'w: as wide as it was', () => change('old', +!state.old));
	add('theme', 'theme', 't: light or dark', nextTheme);
	add('help', '?', '?: keys', help);
	buttons.theme.hidden = !!several; /* the page has one */
	said.setAttribute('role', 'status');
	tools.appendChild(said);
	if (page) {
		svg.parentNode.insertBefore(tools, svg);
	} else {
		const f = make('foreignObject', {x: PAD, y: 52, width: 1180, height: 34});
		f.appendChild(tools);
		svg.insertBefore(f, live);
	}
	field.addEventListener('input', () => change('find', field.value));
}

const KEYS = 'arrows: walk · Enter: zoom · Escape: reset · Backspace: zoom out · /: search · s: sandwich · i: flip · r: reverse · c: colours · w: old width · t: theme';

function help() {
	said.textContent = KEYS;
}

function report() {
	let text = '';
	if (state.focus)
		text += 'sandwich of ' + fit(state.focus, 40) + '. ';
	if (state.find)
		text += 'found: ' + (100 * hitShare).toFixed(2) + '%';
	said.textContent = text;
	if (field.value !== state.find)
		field.value = state.find;
	buttons.flip.setAttribute('aria-pressed', !!state.flip);
	buttons.turn.setAttribute('aria-pressed', !!state.turn);
	buttons.old.setAttribute('aria-pressed', !!state.old);
	buttons.color.textContent = 'colours: ' + state.color;
	buttons.reset.disabled = !state.zoom && !state.find && !state.focus;
	if (state.theme)
		document.documentElement.dataset.theme = state.theme;
	else
		delete document.documentElement.dataset.theme;
}

function change(key, value, push) {
	if (key === 'turn' || key === 'focus') {
		state.zoom = null;
		cursor = null;
	}
	state[key] = value;
	showTip(null);
	draw();
	write(push);
}

function zoomTo(at) {
	cursor = at;
	change('zoom', at.i ? [at.index, at.i] : null, true);
}

function reset() {
	state.find = state.focus = '';
	cursor = null;
	change('zoom', null, true);
}

function nextColor() {
	const all = data.two ? ['change', 'name', 'module'] : ['name', 'module'];
	change('color', all[(all.indexOf(state.color) + 1) % all.length]);
}

function nextTheme() {
	const dark = state.theme ? state.theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
	change('theme', dark ? 'light' : 'dark');
}

function focusOn(name) {
	if (!pair && name)
		change('focus', name, true);
}

/* ---- keyboard and mouse ---- */

function sibling(t, i, step) {
	const up = t.parent[i];
	let before = -1;
	if (up < 0)
		return i;
	for (let j = up + 1; j < t.end[up]; j = t.end[j]) {
		if (j === i)
			return step < 0 ? (before < 0 ? i : before) : (t.end[j] < t.end[up] ? t.end[j] : i);
		before = j;
	}
	return i;
}

function walk(key) {
	if (!cursor)
		cursor = {index: 0, i: places[0].zoom};
	else {
		const p = places.find(q => q.index === cursor.index), t = shown[cursor.index];
		const out = (key === 'ArrowUp') === p.up;
		if (key === 'ArrowLeft' || key === 'ArrowRight')
			cursor.i = sibling(t, cursor.i, key === 'ArrowLeft' ? -1 : 1);
		else if (out && cursor.i + 1 < t.end[cursor.i])
			cursor.i++;
		else if (!out && t.parent[cursor.i] >= 0)
			cursor.i = t.parent[cursor.i];
		else if (!out && shown.length > 1)
			cursor = {index: 1 - cursor.index, i: 0};
	}
	showCursor(true);
	const b = placeOf(cursor.index, cursor.i);
	showTip(cursor, b.x, b.y);
	said.textContent = describe(shown[cursor.index], cursor.i).join(' ');
}

function onKey(e) {
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	const typing = /^(input|select|textarea)$/i.test(e.target.localName || '');
	if (e.key === 'Escape') {
		field.blur();
		reset();
	} else if (typing || (e.target.localName === 'button' && (e.key === 'Enter' || e.key === ' '))) {
		return;
	} else if (e.key.startsWith('Arrow')) {
		walk(e.key);
	} else if (e.key === 'Enter' && cursor) {
		zoomTo(cursor);
	} else if (e.key === 'Backspace' && state.zoom) {
		zoomTo({index: state.zoom[0], i: Math.max(0, shown[state.zoom[0]].parent[state.zoom[1]])});
	} else if (e.key === '/') {
		field.focus();
		field.select();
	} else if (e.key === 's' && cursor) {
		focusOn(shown[cursor.index].names[shown[cursor.index].name[cursor.i]]);
	} else {
		const b = {i: 'flip', r: 'turn', c: 'color', w: 'old', t: 'theme', '?': 'help'}[e.key];
		if (!b || buttons[b].hidden)
			return;
		buttons[b].click();
	}
	e.preventDefault();
}

function point(e) {
	const r = svg.getBoundingClientRect();
	return [e.clientX - r.left, e.clientY - r.top];
}

function setUp() {
	setUpTools();
	svg.setAttribute('tabindex', '0');
	svg.setAttribute('role', 'application');
	svg.setAttribute('aria-label', svg.querySelector('title').textContent + '. ' + KEYS);
	if (page)
		svg.querySelector('title').remove();
	live.addEventListener('click', e => {
		const at = find(...point(e));
		if (at)
			zoomTo(at);
	});
	svg.addEventListener('mousemove', e => {
		const p = point(e);
		showTip(live.contains(e.target) ? find(...p) : null, ...p);
	});
	svg.addEventListener('mouseleave', () => showTip(null));
	/* Beside other things keys are the graph's only where it has the focus. */
	(several || document).addEventListener('keydown', onKey);
	window.addEventListener('hashchange', () => {
		if (!data || (location.hash || '#') === written)
			return;
		written = null;
		clearTimeout(due);
		due = pushed = 0;
		read();
		draw();
	});
	window.addEventListener('resize', () => data && draw());
	/* A sheet of paper has all of it. */
	for (const [event, whole] of [['beforeprint', true], ['afterprint', false]])
		window.addEventListener(event, () => {
			printing = whole;
			if (data)
				draw();
		});
	document.addEventListener('scroll', onScroll, {capture: true, passive: true});
	if (data)
		load(data);
}

setUp();
/* The name by which the tables of a page, and whoever drives it, call this. */
window.pnFlame = {state, change, zoomTo, focusOn, find: text => change('find', text), figure, draw, load, data: () => data};
})();
