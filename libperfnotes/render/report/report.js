/*
 * A report in a browser: what its sections have in common. Tables are sorted by
 * a click on a column's head, the verdicts filtered; the state is in the
 * fragment of the address. No network; every text goes through textContent.
 */
(function () {
'use strict';

/* ---- state: #chart=2&profile=0&base=3&theme=dark ---- */

const listeners = [];

function parameters() {
	const text = location.hash.slice(1);
	return new URLSearchParams(text.includes('=') ? text : '');
}

function get(key) {
	return parameters().get(key);
}

function set(values, push) {
	const p = parameters();
	for (const key in values)
		if (values[key] === null || values[key] === '')
			p.delete(key);
		else
			p.set(key, values[key]);
	const hash = '#' + p;
	if (hash === location.hash || (hash === '#' && !location.hash))
		return;
	if (push)
		location.hash = hash;
	else
		location.replace(hash);
	told();
}

function told() {
	for (const f of listeners)
		f();
}

/* A link to a section is no state, and must not take the state away. */
document.querySelector('nav').addEventListener('click', e => {
	const section = e.target.hash && document.querySelector(e.target.hash);
	if (!section)
		return;
	e.preventDefault();
	section.scrollIntoView();
	const h = section.querySelector('h2');
	h.tabIndex = -1;
	h.focus({preventScroll: true});
});

/* ---- theme ---- */

const theme = document.getElementById('theme');

function isDark() {
	const chosen = document.documentElement.dataset.theme;
	return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function readTheme() {
	const chosen = get('theme');
	if (chosen === 'dark' || chosen === 'light')
		document.documentElement.dataset.theme = chosen;
	else
		delete document.documentElement.dataset.theme;
	theme.textContent = isDark() ? 'light theme' : 'dark theme';
}

theme.hidden = false;
theme.addEventListener('click', () => set({theme: isDark() ? 'light' : 'dark'}));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', told);
listeners.push(readTheme);
readTheme();

/* ---- tables ---- */

function valueOf(row, i) {
	const v = row.cells[i].dataset.v;
	return v === undefined ? row.cells[i].textContent : +v;
}

function sortable(table, keep) {
	const body = table.tBodies[0];
	[...table.tHead.rows[0].cells].forEach((th, i) => {
		const b = document.createElement('button');
		b.type = 'button';
		b.textContent = th.textContent;
		th.textContent = '';
		th.append(b);
		b.addEventListener('click', () => {
			const down = th.getAttribute('aria-sort') !== 'descending';
			for (const other of table.tHead.rows[0].cells)
				other.removeAttribute('aria-sort');
			th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * compare(valueOf(a, i), valueOf(b, i))));
			if (keep)
				keep();
		});
	});
}

/* What has no number comes last by whatever is sorted downwards. */
function compare(a, b) {
	if (typeof a === 'number' && typeof b === 'number')
		return a - b;
	if (typeof a !== typeof b)
		return typeof a === 'number' ? 1 : -1;
	return a < b ? 1 : a > b ? -1 : 0;
}

for (const id of ['verdicts', 'changes', 'commits']) {
	const table = document.getElementById(id);
	if (table)
		sortable(table);
}

/* ---- verdicts: filter by text, significance, size ---- */

const verdicts = document.getElementById('verdicts');

function filter() {
	const text = document.getElementById('filter').value.toLowerCase();
	const changed = document.getElementById('changed').checked;
	const least = +document.getElementById('least').value / 100 || 0;
	let n = 0;
	for (const row of verdicts.tBodies[0].rows) {
		const effect = row.cells[3].dataset.v;
		row.hidden = !row.textContent.toLowerCase().includes(text) ||
			(changed && !/^(worse|better|maybe)$/.test(row.className)) ||
			(least > 0 && !(Math.abs(effect) >= least));
		n += !row.hidden;
	}
	document.getElementById('listed').textContent = n + ' of ' + verdicts.tBodies[0].rows.length;
}

if (verdicts) {
	document.querySelector('#overview .tools').hidden = false;
	for (const id of ['filter', 'changed', 'least'])
		document.getElementById(id).addEventListener('input', filter);
	filter();
}

function element(name, text, attributes) {
	const e = document.createElement(name);
	if (text !== undefined && text !== null)
		e.textContent = text;
	for (const key in attributes)
		e.setAttribute(key, attributes[key]);
	return e;
}

window.addEventListener('hashchange', told);
/* The one name of the page, for its other scripts and for whoever drives it. */
window.pnReport = {get, set, listeners, isDark, sortable, element};
})();
