/*
 * The table beside a flame graph: sorted by a click on a column's head, filtered
 * by the search, and a click on a function shows its callers and callees.
 */
(function () {
'use strict';
const table = document.querySelector('table.pn-functions');
if (!table)
	return;
const graph = window.pnFlame; /* a page without one has other rows */
const body = table.tBodies[0], rows = [...body.rows];
const cell = (row, i) => row.cells[i].dataset.v;

function sortBy(th, i) {
	const down = th.getAttribute('aria-sort') !== 'descending';
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute('aria-sort');
	th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
	const number = rows.some(row => cell(row, i) !== undefined);
	const before = number ? (a, b) => +cell(a, i) - +cell(b, i)
		: (a, b) => a.cells[i].textContent < b.cells[i].textContent ? 1 : -1;
	rows.sort((a, b) => (down ? -1 : 1) * before(a, b));
	body.append(...rows);
}

[...table.tHead.rows[0].cells].forEach((th, i) => {
	const b = document.createElement('button');
	b.type = 'button';
	b.textContent = th.textContent;
	th.textContent = '';
	th.append(b);
	b.addEventListener('click', () => sortBy(th, i));
});

const filter = document.getElementById('pn-filter');
filter.hidden = false;
filter.querySelector('input').addEventListener('input', e => {
	const text = e.target.value.toLowerCase();
	for (const row of rows)
		row.hidden = !(graph ? row.cells[row.cells.length - 1] : row).textContent.toLowerCase().includes(text);
});
if (!graph)
	return;

for (const row of rows) {
	const name = row.cells[row.cells.length - 1], b = document.createElement('button');
	b.type = 'button';
	b.className = 'name';
	b.textContent = name.textContent;
	b.title = 'callers and callees in the graph above';
	name.textContent = '';
	name.append(b);
	b.addEventListener('click', () => {
		window.pnFlame.focusOn(b.textContent);
		document.querySelector('svg.pn-flame').focus();
		window.scrollTo(0, 0);
	});
}
})();
