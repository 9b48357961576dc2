/*
 * Profiles of a report: one, or the difference of any two, as flame graph,
 * sandwich and table of functions, which choose each other. The profiles stand
 * deflated in the page.
 */
(function () {
'use strict';
const holders = [...document.querySelectorAll('script.profile')];
if (!holders.length || typeof DecompressionStream === 'undefined')
	return;
const {get, set, listeners, element, sortable} = window.pnReport;
const newer = document.getElementById('new'), older = document.getElementById('old');
const box = document.getElementById('functions'), graph = document.getElementById('graph');
const ROWS = 200;
/* What the page itself compares with, where the address says nothing. */
const beside = document.getElementById('profiles').dataset.base || '';
const read = new Map();
let shown = '', rows = [], turn = 0;

function profile(i) {
	if (!read.has(i)) {
		const packed = atob(holders[i].textContent), bytes = Uint8Array.from(packed, c => c.charCodeAt(0));
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
		read.set(i, new Response(stream).json());
	}
	return read.get(i);
}

/* ---- the difference of two graphs: frames of one path are one ---- */

function grow(root, graph, side) {
	const t = graph.trees[0], path = [];
	for (let i = 0; i < t.depth.length; i++) {
		const name = t.names[t.name[i]], up = t.depth[i] ? path[t.depth[i] - 1] : null;
		let node = up ? up.children.get(name) : root.top;
		if (!node) {
			node = {name, of: [t.modules[t.of[3 * t.name[i]]], t.of[3 * t.name[i] + 1], t.of[3 * t.name[i] + 2]],
				total: [0, 0], self: [0, 0], children: new Map()};
			if (up)
				up.children.set(name, node);
			else
				root.top = node;
		}
		node.total[side] += t.total[i];
		node.self[side] += t.self[i];
		path[t.depth[i]] = node;
	}
}

function difference(a, b) {
	const root = {top: null}, names = new Map(), modules = new Map();
	const t = {names: [], modules: [], of: [], depth: [], name: [], total: [], self: [], oldTotal: [], oldSelf: []};
	grow(root, b, 0);
	grow(root, a, 1);
	const work = [[root.top, 0]], sizes = [];
	while (work.length) {
		const [n, depth] = work.pop();
		if (!names.has(n.name)) {
			names.set(n.name, t.names.length);
			t.names.push(n.name);
			if (!modules.has(n.of[0])) {
				modules.set(n.of[0], t.modules.length);
				t.modules.push(n.of[0]);
			}
			t.of.push(modules.get(n.of[0]), n.of[1], n.of[2]);
		}
		t.depth.push(depth);
		t.name.push(names.get(n.name));
		t.total.push(n.total[0]);
		t.self.push(n.self[0]);
		t.oldTotal.push(n.total[1]);
		t.oldSelf.push(n.self[1]);
		const most = Math.max(...n.total);
		sizes.push(most > 0 ? Math.abs(n.total[0] - n.total[1]) / most : 0);
		for (const below of [...n.children.values()].sort((x, y) => Math.max(...x.total) - Math.max(...y.total)))
			work.push([below, depth + 1]);
	}
	sizes.sort((x, y) => x - y);
	return Object.assign({}, b, {two: 1, color: 'change', old: 0, trees: [t],
		scale: Math.max(0.1, sizes[Math.floor(0.95 * (sizes.length - 1))] || 0)});
}

/* ---- the table ---- */

const tools = element('p', null, {'class': 'tools'}), field = element('input', null, {type: 'search'});
const label = element('label', 'filter '), count = element('span', null, {role: 'status'});
label.append(field);
tools.append(label, ' ', count);

const share = (v, all) => (all > 0 ? 100 * v / all : 0).toFixed(2) + '%';

function cell(tr, value, text, cls) {
	tr.append(element('td', text, {'data-v': value, 'class': 'n ' + (cls || '')}));
}

function changeCells(tr, before, after, all) {
	const d = after - before, cls = d > 0 ? 'worse' : d < 0 ? 'better' : '', sign = d > 0 ? '+' : d < 0 ? '−' : '';
	cell(tr, d, sign + window.pnFlame.figure(Math.abs(d)), cls);
	cell(tr, before > 0 ? d / before : after > 0 ? 1e300 : 0, before > 0 ? sign + share(Math.abs(d), before) : after > 0 ? 'new' : '', cls);
	cell(tr, d / all, sign + share(Math.abs(d), all), cls);
}

let columns = [], order = 0, down = true, all = [0, 0];

function functionsOf(a, b) {
	const found = new Map(), blank = () => [0, 0, 0, 0];
	for (const [name, self, total] of b.functions) {
		const v = found.get(name) || blank();
		v[0] += self;
		v[1] += total;
		found.set(name, v);
	}
	for (const [name, self, total] of a ? a.functions : []) {
		const v = found.get(name) || blank();
		v[2] += self;
		v[3] += total;
		found.set(name, v);
	}
	return [...found].map(([name, v]) => ({name, v}));
}

const ONE = [['self', r => r.v[0]], ['self %', r => r.v[0]], ['total', r => r.v[1]], ['total %', r => r.v[1]], ['function', r => r.name]];
const TWO = [['old self', r => r.v[2]], ['new self', r => r.v[0]], ['delta', r => r.v[0] - r.v[2]],
	['relative', r => r.v[2] > 0 ? (r.v[0] - r.v[2]) / r.v[2] : r.v[0] > 0 ? 1e300 : 0], ['points', r => r.v[0] - r.v[2]],
	['old total', r => r.v[3]], ['new total', r => r.v[1]], ['function', r => r.name]];

function list() {
	const two = columns === TWO, fit = window.pnFlame.figure, text = field.value.toLowerCase();
	const key = columns[order][1], largest = two && order === 2 && down;
	const size = r => largest ? Math.abs(key(r)) : key(r);
	const kept = rows.filter(r => r.name.toLowerCase().includes(text));
	kept.sort((x, y) => {
		const a = size(x), b = size(y), c = a < b ? -1 : a > b ? 1 : 0;
		return (down ? -1 : 1) * c || (x.name < y.name ? -1 : 1);
	});
	const table = element('table', null, {id: 'function-table', 'class': two ? 'two' : ''}), head = table.createTHead().insertRow(), body = table.createTBody();
	columns.forEach(([name], i) => {
		const th = element('th', null, {scope: 'col', 'class': i < columns.length - 1 ? 'n' : ''}), b = element('button', name, {type: 'button'});
		if (i === order)
			th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
		b.addEventListener('click', () => {
			down = order === i ? !down : i < columns.length - 1;
			order = i;
			list();
			box.querySelectorAll('th button')[i].focus();
		});
		th.append(b);
		head.append(th);
	});
	for (const r of kept.slice(0, ROWS)) {
		const tr = body.insertRow();
		if (two) {
			cell(tr, r.v[2], fit(r.v[2]));
			cell(tr, r.v[0], fit(r.v[0]));
			changeCells(tr, r.v[2], r.v[0], all[1] || 1);
			cell(tr, r.v[3], fit(r.v[3]));
			cell(tr, r.v[1], fit(r.v[1]));
		} else {
			cell(tr, r.v[0], fit(r.v[0]));
			cell(tr, r.v[0] / all[0], share(r.v[0], all[0]));
			cell(tr, r.v[1], fit(r.v[1]));
			cell(tr, r.v[1] / all[0], share(r.v[1], all[0]));
		}
		const th = element('th', null, {scope: 'row', 'class': 'text'}), b = element('button', r.name, {type: 'button', title: 'callers and callees in the graph above'});
		b.addEventListener('click', () => {
			window.pnFlame.focusOn(r.name);
			listSource(r.name);
			graph.scrollIntoView({block: 'nearest'});
		});
		th.append(b);
		tr.append(th);
	}
	const scroll = element('div', null, {'class': 'scroll tall', tabindex: 0, role: 'region', 'aria-label': 'functions'});
	scroll.append(table);
	count.textContent = Math.min(kept.length, ROWS) + ' of ' + kept.length + (text ? ' that match' : '');
	box.replaceChildren(tools, scroll);
	if (document.activeElement === document.body && text)
		field.focus();
}

field.addEventListener('input', () => {
	list();
	field.focus();
});

/* ---- source ---- */

const source = document.getElementById('source');
let files = [];

/* Names of a call graph have their file behind them. Of two profiles both are
 * listed, the newer one first. */
function listSource(name) {
	const meant = files.filter(s => s.name === name || s.name + ' ' + s.file === name);
	source.hidden = !meant.length;
	source.replaceChildren(...meant.map(sourceOf));
}

function sourceOf(f) {
	const table = element('table', null, {'class': 'source'}), head = table.createTHead().insertRow(), body = table.createTBody();
	table.createCaption().textContent = f.name + ' in ' + f.file + (f.of ? ', ' + f.of : '');
	for (const [title, cls] of [['self', 'n'], ['total', 'n'], ['line', 'n'], ['source', '']])
		head.append(element('th', title, {scope: 'col', 'class': cls}));
	f.lines.forEach(([self, total, text], i) => {
		const tr = body.insertRow(), fit = window.pnFlame.figure, part = total / all[f.side];
		tr.className = part >= 0.05 ? 'hot' : part > 0 ? 'warm' : '';
		tr.append(element('td', self ? fit(self) : '', {'class': 'n'}), element('td', total ? fit(total) : '', {'class': 'n'}),
			element('td', f.first + i, {'class': 'n'}), element('td', text, {'class': 'code'}));
	});
	const label = 'source' + (f.of ? ', ' + f.of : '');
	const scroll = element('div', null, {'class': 'scroll tall', tabindex: 0, role: 'region', 'aria-label': label});
	scroll.append(table);
	return scroll;
}

function sided(profile, side, holder) {
	const of = holder === undefined ? '' : holders[holder].dataset.title;
	return profile.source.map(f => Object.assign({side, of}, f));
}

/* ---- choosing ---- */

/* Nanoseconds beside microseconds: the older profile in the newer one's unit. */
function inUnit(a, b) {
	const from = a.graph.units[0], to = b.graph.units[0], by = from[0] === to[0] ? from[1] / to[1] : 1;
	if (by === 1)
		return a;
	const t = a.graph.trees[0], times = list => list.map(v => v * by);
	const source = a.source.map(f => Object.assign({}, f, {lines: f.lines.map(([self, total, text]) => [self * by, total * by, text])}));
	return {source, all: a.all * by, functions: a.functions.map(([name, self, total]) => [name, self * by, total * by]),
		graph: Object.assign({}, a.graph, {trees: [Object.assign({}, t, {total: times(t.total), self: times(t.self)})]})};
}

function figures(a, b) {
	all = [b.all, a ? a.all : 0];
	rows = functionsOf(a, b);
	columns = a ? TWO : ONE;
	order = a ? 2 : 0;
	down = true;
}

async function show() {
	const i = Math.min(+(get('profile') || 0) || 0, holders.length - 1), j = get('base') || beside;
	const other = /^\d+$/.test(j) && +j < holders.length && +j !== i ? +j : -1, key = i + '-' + other;
	if (key === shown)
		return;
	shown = key;
	newer.value = i;
	older.value = other < 0 ? '' : other;
	const mine = ++turn, b = await profile(i), a = other < 0 ? null : await profile(other);
	if (mine !== turn)
		return;
	const c = a && inUnit(a, b);
	window.pnFlame.load(c ? difference(c.graph, b.graph) : b.graph);
	figures(c, b);
	files = c ? sided(b, 0, i).concat(sided(c, 1, other)) : sided(b, 0);
	listSource(get('focus') || '');
	list();
	document.dispatchEvent(new Event('profiles-shown'));
}

function nearest(commit) {
	let best = -1;
	holders.forEach((h, i) => {
		if (+h.dataset.commit === commit)
			best = i;
	});
	return best;
}

function open(a, b) {
	const i = nearest(b), j = nearest(a);
	if (i < 0)
		return;
	set({profile: i || null, base: j < 0 || j === i ? null : j, focus: null, zoom: null}, true);
	document.getElementById('profiles').scrollIntoView();
}

function setUp() {
	holders.forEach((h, i) => {
		newer.append(element('option', h.dataset.title, {value: i}));
		older.append(element('option', h.dataset.title, {value: i}));
	});
	const choose = () => set({profile: +newer.value || null, base: older.value === newer.value || !older.value ? (beside ? 'none' : null) : older.value, focus: null, zoom: null}, true);
	newer.addEventListener('change', choose);
	older.addEventListener('change', choose);
	document.querySelector('#profiles > .tools').hidden = holders.length < 2;
	for (const d of document.querySelectorAll('details.profile'))
		d.hidden = true;
	window.pnReport.openProfiles = open;
	window.pnReport.hasProfiles = (a, b) => nearest(a) >= 0 && nearest(b) >= 0;
	listeners.push(show);
	heat();
	show();
}

/* A cell of the heat map opens both of its commits, where the file has them. */
function heat() {
	const map = document.getElementById('heat');
	if (!map)
		return;
	map.closest('.scroll').scrollLeft = map.scrollWidth; /* the newest commit */
	const columns = [...map.tHead.rows[0].cells].map(c => +c.dataset.commit);
	map.addEventListener('click', e => {
		const td = e.target.closest('td');
		if (!td)
			return;
		const i = td.cellIndex, name = td.parentNode.cells[0].textContent;
		if (i > 1 && window.pnReport.hasProfiles(columns[i - 1], columns[i]))
			open(columns[i - 1], columns[i]);
		else if (nearest(columns[i]) >= 0)
			open(-1, columns[i]);
		else
			window.pnReport.history.pick(columns[i]);
		window.pnFlame.find('^' + name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '( |$)');
	});
}

setUp();
})();
