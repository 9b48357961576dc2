/*
 * Histories: one chart over the page's width, chosen by a click on a row of a
 * table or on a small picture. Changes are shaded, what was not measured has a
 * cross; two commits that are clicked are compared. Without dygraphs the
 * pictures stay what is seen.
 */
(function () {
'use strict';
const holder = document.getElementById('history-data');
if (!holder)
	return;
const {get, set, listeners, isDark, element} = window.pnReport;
const data = JSON.parse(holder.textContent), commits = data.commits;
const box = document.getElementById('chart'), compared = document.getElementById('compare');
const COLORS = [['#0072b2', '#56b4e9'], ['#b35900', '#e69f00'], ['#00795a', '#009e73'], ['#a3457d', '#cc79a7'],
	['#8a5a00', '#f0e442'], ['#2f6f9f', '#7fc4ee'], ['#b8430a', '#ff8a5c'], ['#555555', '#bbbbbb']];
/* At first what is judged worse, else what got worse last, else what comes first. */
const worst = document.querySelector('#verdicts tr.worse[data-chart]') || document.querySelector('#changes tr.worse[data-chart]') ||
	document.querySelector('#verdicts tr[data-chart]'), first = worst ? +worst.dataset.chart : 0;
let graph = null, shown = -1, picked = [], places = [];

/* ---- figures ---- */

function digits(v) {
	if (Math.abs(v) >= 1e6)
		return v.toLocaleString('en-US', {notation: 'compact', maximumSignificantDigits: 4}).replace(/([A-Z])$/, ' $1');
	return Number(v.toPrecision(v >= 1e4 || Number.isInteger(v) ? 6 : 4)).toLocaleString('en-US', {maximumFractionDigits: 6});
}

function figure(chart, v) {
	const x = v * chart.scale;
	return digits(x) + (chart.unit ? ' ' + chart.unit : '');
}

function percent(v) {
	return (v < 0 ? '−' : '+') + (100 * Math.abs(v)).toFixed(Math.abs(v) < 0.01 ? 2 : 1) + '%';
}

const day = s => new Date(1000 * s).toISOString().slice(0, 10);

function commitLink(i) {
	const [id] = commits[i], code = element('code', id.slice(0, 10));
	if (!data.url)
		return code;
	const a = element('a', null, {href: data.url + id, rel: 'noreferrer'});
	a.append(code);
	return a;
}

/* ---- the chart ---- */

function rows(chart) {
	const at = new Map(), empty = () => chart.lines.map(() => null);
	chart.lines.forEach((line, k) => line.c.forEach((c, i) => {
		if (!at.has(c))
			at.set(c, empty());
		at.get(c)[k] = [line.low[i], line.v[i], line.high[i]].map(v => v * chart.scale);
	}));
	for (let i = 0; i < commits.length; i++)
		if (!at.has(i))
			at.set(i, empty());
	return [...at.keys()].sort((a, b) => a - b).map(i => [i, ...at.get(i)]);
}

function shade(chart) {
	const dark = isDark(), fill = {'1': dark ? '#ff8a5c' : '#c8501e', '-1': dark ? '#6db3f2' : '#1f6fb2', '0': '#888888'};
	return (context, area, g) => {
		const x = v => g.toDomXCoord(v);
		for (const [commit, oldest, newest, direction, , accepted] of chart.marks) {
			const left = x(oldest - 0.5), right = Math.max(left + 2, x(newest + 0.5));
			context.fillStyle = accepted ? '#888888' : fill[direction];
			context.globalAlpha = 0.16;
			context.fillRect(left, area.y, right - left, area.h);
			context.globalAlpha = 1;
			context.font = '12px sans-serif';
			context.fillText(accepted ? '✓' : direction > 0 ? '▲' : direction < 0 ? '▼' : '◆', Math.max(area.x, x(commit) - 5), area.y + 11);
		}
		context.fillStyle = dark ? '#a9a9a5' : '#595959';
		commits.forEach((c, i) => {
			if (c[4] && x(i) >= area.x && x(i) <= area.x + area.w)
				context.fillText('×', x(i) - 3, area.y + area.h - 3);
		});
		context.fillStyle = dark ? '#e6e6e3' : '#222222';
		for (const i of picked)
			context.fillRect(x(i) - 0.5, area.y, 1, area.h);
	};
}

function tickOf(i) {
	const c = commits[Math.round(i)];
	return c && Math.abs(i - Math.round(i)) < 0.01 ? c[0].slice(0, 7) : '';
}

function draw() {
	const chart = data.charts[shown], dark = isDark() ? 1 : 0, ink = dark ? '#a9a9a5' : '#595959';
	if (graph)
		graph.destroy();
	graph = null;
	if (typeof Dygraph === 'undefined') {
		drawPicture();
		return;
	}
	/* The legend is ours: that one writes styles, which the policy forbids. */
	Dygraph.PLUGINS = Dygraph.PLUGINS.filter(p => p !== Dygraph.Plugins.Legend);
	graph = new Dygraph(places[0], rows(chart), {
		labels: ['commit', ...chart.lines.map((l, i) => 'line ' + i)],
		colors: chart.lines.map((l, i) => COLORS[i % COLORS.length][dark]),
		customBars: true, connectSeparatedPoints: true, drawPoints: true, pointSize: 2.5, strokeWidth: 1.5,
		highlightCircleSize: 4, legend: 'never', animatedZooms: false, fillAlpha: 0.18,
		showRangeSelector: commits.length > 10, rangeSelectorHeight: 30,
		rangeSelectorPlotStrokeColor: ink, rangeSelectorPlotFillColor: dark ? '#3a3d42' : '#d5d5d0',
		axisLineColor: ink, gridLineColor: dark ? '#2a2d31' : '#e8e8e4', axisLabelFontSize: 12,
		axes: {
			x: {axisLabelFormatter: tickOf, axisLabelWidth: 64, pixelsPerLabel: 90},
			y: {axisLabelFormatter: v => digits(v) + (chart.unit ? ' ' + chart.unit : ''), axisLabelWidth: 72}
		},
		/* else dragging moves what the selector below shows */
		interactionModel: Dygraph.defaultInteractionModel,
		dateWindow: windowOf(),
		underlayCallback: shade(chart),
		highlightCallback: (e, x) => tell(x),
		unhighlightCallback: () => tell(picked.length ? picked[picked.length - 1] : commits.length - 1),
		clickCallback: (e, x) => pick(x),
		zoomCallback: (from, to) => zoomed(from, to)
	});
	for (const c of places[0].querySelectorAll('canvas'))
		c.setAttribute('aria-hidden', 'true');
	for (const handle of places[0].querySelectorAll('img'))
		handle.alt = '';
}

/* The small picture, large: commits lie at equal distances from its pad on. */
function drawPicture() {
	const small = document.querySelector('figure[data-chart="' + shown + '"] svg'), large = small.cloneNode(true);
	const pad = 4 / small.viewBox.baseVal.width;
	large.addEventListener('click', e => {
		const r = large.getBoundingClientRect(), at = ((e.clientX - r.left) / r.width - pad) / (1 - 2 * pad);
		pick(Math.max(0, Math.min(commits.length - 1, at * (commits.length - 1))));
	});
	places[0].replaceChildren(large);
}

/* ---- zoom ---- */

function windowOf() {
	const m = /^(\d+)-(\d+)$/.exec(get('range') || '');
	const [from, to] = m && +m[2] > +m[1] ? [+m[1], Math.min(+m[2], commits.length - 1)] : [0, commits.length - 1];
	return [from - 0.4, to + 0.4];
}

function zoomed(from, to) {
	from = Math.max(0, Math.round(from));
	to = Math.min(commits.length - 1, Math.round(to));
	set({range: from <= 0 && to >= commits.length - 1 ? null : from + '-' + to});
}

/* ---- what is said of a commit ---- */

function valuesAt(chart, i) {
	const out = [];
	chart.lines.forEach((line, k) => {
		const at = line.c.indexOf(i);
		if (at >= 0)
			out.push({line, k, at, v: line.v[at]});
	});
	return out;
}

function tell(i) {
	const chart = data.charts[shown], c = commits[i], said = places[1];
	if (!c)
		return;
	said.replaceChildren(commitLink(i), ' ' + day(c[1]) + ' ' + c[2] + ': ' + c[3]);
	for (const {line, at, v, k} of valuesAt(chart, i)) {
		const p = element('span', (chart.lines.length > 1 ? line.machine + ' ' : '') + figure(chart, v) +
			(line.n[at] > 1 ? ' [' + digits(line.low[at] * chart.scale) + ', ' + digits(line.high[at] * chart.scale) + '], n ' + line.n[at] : '') +
			(line.q[at] ? ', noisy' : ''), {'class': 'figure c' + k % COLORS.length});
		said.append(' ', p);
	}
	if (c[4])
		said.append(element('span', ' not measured: ' + c[4]));
	if (c[5])
		said.append(element('span', ' accepted by ' + c[5]));
}

/* ---- two commits ---- */

function pick(i) {
	i = Math.round(i);
	picked = picked.length === 1 && picked[0] !== i ? [picked[0], i].sort((a, b) => a - b) : [i];
	set({commits: picked.join('-')});
	if (graph)
		graph.updateOptions({});
	tell(i);
	compare();
}

function compare() {
	compared.replaceChildren();
	if (picked.length < 2) {
		if (picked.length)
			compared.append(element('p', 'A second commit compares both.'));
		return;
	}
	const [a, b] = picked, table = element('table', null, {id: 'compared'}), head = table.createTHead().insertRow();
	const caption = table.createCaption();
	caption.append(commitLink(a), ' to ', commitLink(b), ' ');
	for (const name of ['figure', 'before', 'after', 'change'])
		head.append(element('th', name, {scope: 'col'}));
	const body = table.createTBody();
	for (const chart of data.charts)
		for (const {line, v} of valuesAt(chart, a)) {
			const at = line.c.indexOf(b);
			if (at < 0)
				continue;
			const ratio = v > 0 ? line.v[at] / v - 1 : NaN, tr = body.insertRow();
			const worse = ratio && chart.better ? (ratio > 0) === (chart.better === 1) : null;
			tr.append(element('th', chart.name + (chart.lines.length > 1 ? ' ' + line.machine : ''), {scope: 'row'}),
				element('td', figure(chart, v), {'class': 'n'}), element('td', figure(chart, line.v[at]), {'class': 'n'}),
				element('td', isNaN(ratio) ? '' : ratio ? percent(ratio) : '=', {'class': 'n ' + (worse === null ? '' : worse ? 'worse' : 'better')}));
		}
	compared.append(table);
	const both = element('button', 'their profiles', {type: 'button'});
	both.addEventListener('click', () => window.pnReport.openProfiles(a, b));
	if (window.pnReport.hasProfiles && window.pnReport.hasProfiles(a, b))
		caption.append(both);
}

/* ---- choosing a chart ---- */

function choose(i, push) {
	if (!(i >= 0 && i < data.charts.length))
		return;
	set({chart: i === first ? null : i}, push);
	show(i);
}

function show(i) {
	shown = i;
	box.hidden = false;
	selector.value = i;
	draw();
	for (const f of document.querySelectorAll('figure[data-chart]'))
		f.classList.toggle('chosen', +f.dataset.chart === i);
	tell(picked.length ? picked[picked.length - 1] : commits.length - 1);
}

const selector = element('select', null, {'aria-label': 'figure that is drawn'});
data.charts.forEach((c, i) => selector.append(element('option', c.name, {value: i})));
selector.addEventListener('change', () => choose(+selector.value, true));

function setUp() {
	const tools = element('p', null, {'class': 'tools'}), whole = element('button', 'whole history', {type: 'button'});
	whole.addEventListener('click', () => { set({range: null}); draw(); });
	tools.append(selector, ' ');
	const zooms = typeof Dygraph !== 'undefined';
	if (zooms)
		tools.append(whole, ' ');
	tools.append(element('span', (zooms ? 'drag to zoom, ' : '') + 'click two commits to compare them; with the keyboard: arrows and Enter'));
	places = [element('div', null, {id: 'plot', tabindex: 0, role: 'application',
		'aria-label': 'chart: arrows walk from commit to commit, Enter picks one, two are compared'}),
		element('p', null, {id: 'told', role: 'status'})];
	box.append(tools, ...places);
	places[0].addEventListener('keydown', onKey);
	for (const e of document.querySelectorAll('[data-chart]'))
		clickable(e);
}

function clickable(e) {
	const i = +e.dataset.chart, act = () => {
		choose(i, true);
		box.scrollIntoView({block: 'nearest'});
	};
	const name = e.querySelector('th, figcaption span'), b = element('button', name.textContent, {type: 'button', title: 'its history'});
	name.textContent = '';
	name.append(b);
	if (e.localName === 'figure') {
		e.classList.add('chooses');
		e.addEventListener('click', act);
		return;
	}
	b.addEventListener('click', () => { choose(i, true); document.getElementById('history').scrollIntoView(); });
}

/* Arrows go over the commits that have a figure. */
let at = null;

function onKey(e) {
	const chart = data.charts[shown], all = [...new Set(chart.lines.flatMap(l => l.c))].sort((a, b) => a - b);
	const step = {ArrowLeft: -1, ArrowRight: 1}[e.key];
	if (step) {
		const k = at === null ? all.length : all.indexOf(at);
		at = all[Math.max(0, Math.min(all.length - 1, (k < 0 ? all.length - 1 : k) + step))];
		if (graph)
			graph.setSelection(rows(chart).findIndex(r => r[0] === at));
		tell(at);
	} else if (e.key === 'Enter' && at !== null) {
		pick(at);
	} else if (e.key === 'Escape') {
		picked = [];
		set({commits: null, range: null});
		compare();
		draw();
	} else {
		return;
	}
	e.preventDefault();
}

let theme = null;

function read() {
	const chart = +(get('chart') || first), want = (get('commits') || '').split('-').filter(t => /^\d+$/.test(t)).map(Number).filter(i => i < commits.length).slice(0, 2);
	const changed = want.join() !== picked.join();
	picked = want;
	if (chart !== shown || theme !== isDark() || changed) {
		theme = isDark();
		show(chart < data.charts.length ? chart : first);
	}
	if (changed)
		compare();
}

setUp();
listeners.push(read);
window.pnReport.history = {data, pick, choose, graph: () => graph, tell, compare};
read();
})();
