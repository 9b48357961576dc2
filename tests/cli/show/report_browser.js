/* What somebody does with a report: sort, filter, choose a chart, zoom, compare
 * two commits, look at profiles and their difference, by mouse and keyboard. */
'use strict';

const rest = page => page.run('new Promise(r => setTimeout(r, 150))');
const cells = (id, i) => `[...document.querySelectorAll('#${id} tbody tr:not([hidden])')].map(r => r.cells[${i}].textContent.trim())`;

/* The profile is inflated asynchronously; the event says when it is shown. */
async function shown(page, act) {
	await page.run(`window.profilesShown = new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true})); 0`);
	await act();
	await page.run('window.profilesShown');
}

async function overview(page) {
	page.say('verdicts', await page.run(cells('verdicts', 0)));
	page.say('verdicts fit', await page.run(`(e => e.scrollWidth <= e.clientWidth)(document.querySelector('#verdicts').closest('.scroll'))`));
	await page.run(`document.querySelectorAll('#verdicts thead button')[3].click()`);
	const values = `[...document.querySelectorAll('#verdicts tbody tr')].map(r => r.cells[3].dataset.v).filter(v => v !== undefined).map(Number)`;
	page.say('sorted down', await page.run(`(v => v.every((x, i) => !i || x <= v[i - 1]))(${values})`));
	await page.run(`document.querySelectorAll('#verdicts thead button')[3].click()`);
	page.say('sorted up', await page.run(`(v => v.every((x, i) => !i || x >= v[i - 1]))(${values})`));
	page.say('said', await page.run(`document.querySelectorAll('#verdicts thead th')[3].getAttribute('aria-sort')`));
	const type = (id, value) => page.run(`{ const e = document.getElementById('${id}'); e.value = '${value}'; e.dispatchEvent(new Event('input')); }`);
	await type('filter', 'WALL');
	page.say('filtered', await page.run(cells('verdicts', 2)));
	await type('filter', '');
	await page.run(`document.getElementById('changed').click()`);
	page.say('changed only', await page.run(`${cells('verdicts', 0)}.every(t => !/NoChange/.test(t))`));
	await page.run(`document.getElementById('changed').click()`);
	await type('least', '100');
	page.say('large ones', await page.run(`[...document.querySelectorAll('#verdicts tbody tr:not([hidden])')].every(r => Math.abs(r.cells[3].dataset.v) >= 1)`));
	await type('least', '0');
	page.say('listed', await page.run(`document.getElementById('listed').textContent`));
}

async function history(page) {
	const title = `document.querySelector('#chart select').selectedOptions[0].textContent`;
	await page.run(`[...document.querySelectorAll('#changes tbody th button')].find(b => / Ir$/.test(b.textContent)).click()`);
	page.say('chosen', await page.run(title));
	page.say('drawn', await page.run(`pnReport.history.graph() ? pnReport.history.graph().numRows() : 'a picture'`));
	page.say('address', await page.run(`/(^|[#&])chart=\\d/.test(location.hash)`));
	if (await page.run(`pnReport.history.graph() !== null`))
		await mouse(page);
	else
		await page.run(`pnReport.history.pick(3), pnReport.history.pick(9)`);
	page.say('with', await page.run(`(r => [...r.cells].map(c => c.textContent))([...document.querySelectorAll('#compared tbody tr')].find(r => / Ir$/.test(r.cells[0].textContent)))`));
	await keys(page);
}

/* Zoom and compare, as dygraphs lets one. */
async function mouse(page) {
	/* from the 5th commit to the 20th */
	const place = i => `(g => { const r = document.querySelector('#plot').getBoundingClientRect(); return [r.left + g.toDomXCoord(${i}), r.top + 120]; })(pnReport.history.graph())`;
	await page.run(`document.getElementById('plot').scrollIntoView()`);
	await page.drag(await page.run(place(5)), await page.run(place(20)));
	await rest(page);
	page.say('zoomed', await page.run(`location.hash.match(/range=([^&]*)/)[1]`));
	await page.run(`[...document.querySelectorAll('#chart button')].find(b => /whole/.test(b.textContent)).click()`);
	page.say('whole', await page.run(`/range=/.test(location.hash) ? 'zoomed' : pnReport.history.graph().xAxisRange().map(Math.round).map(Math.abs).join('-')`));
	await page.mouse(...await page.run(place(3)), true);
	await rest(page);
	await page.mouse(...await page.run(place(9)), true);
	await rest(page);
	page.say('compared', await page.run(`location.hash.match(/commits=([^&]*)/)[1]`));
}

async function keys(page) {
	await page.run(`document.getElementById('plot').focus()`);
	await page.key('Escape');
	page.say('given up', await page.run(`document.querySelector('#compared') === null && !/commits=/.test(location.hash)`));
	for (const key of ['ArrowLeft', 'ArrowLeft'])
		await page.key(key);
	page.say('walked', await page.run(`document.getElementById('told').textContent.slice(0, 10)`));
	await page.key('Enter');
	await page.key('ArrowLeft');
	await page.key('Enter');
	page.say('by keys', await page.run(`document.querySelector('#compared') !== null`));
	await page.key('Escape');
	await page.run(`document.querySelector('figure[data-chart]:not(.chosen) button').focus()`);
	await page.key('Enter');
	await rest(page);
	page.say('another', await page.run(`document.activeElement.closest('figure').classList.contains('chosen')`));
}

async function profiles(page, file) {
	page.say('first', await page.run(`document.querySelector('#function-table tbody tr').cells[4].textContent`));
	await page.run(`document.querySelectorAll('#function-table thead button')[2].click()`);
	page.say('by total', await page.run(`document.querySelector('#function-table tbody tr').cells[3].textContent`));
	await page.run(`{ const e = document.querySelector('#functions input'); e.value = 'checksum'; e.dispatchEvent(new Event('input')); }`);
	page.say('found', await page.run(`[...document.querySelectorAll('#function-table tbody tr')].length`));
	await page.run(`document.querySelector('#function-table tbody button').click()`);
	page.say('sandwich', await page.run(`/focus=checksum/.test(location.hash)`));
	page.say('source', await page.run(`document.querySelector('#source caption').textContent.split('/').pop()`));
	page.say('dearest line', await page.run(`[...document.querySelectorAll('#source tbody tr')].sort((a, b) =>
		+b.cells[0].textContent.replace(/,/g, '') - +a.cells[0].textContent.replace(/,/g, ''))[0].cells[3].textContent.trim()`));
	const all = `pnFlame.data().trees[0]`;
	await shown(page, () => page.run(`{ const s = document.getElementById('old'); s.value = '1'; s.dispatchEvent(new Event('change')); }`));
	page.say('difference', await page.run(`[pnFlame.data().two, ${all}.total[0], ${all}.oldTotal[0]]`));
	page.say('two columns of it', await page.run(`[...document.querySelectorAll('#function-table thead th')].map(t => t.textContent).join(' ')`));
	page.say('sums agree', await page.run(`(t => { const sum = a => a.reduce((x, y) => x + y, 0);
		return Math.abs(sum(t.self) - t.total[0]) < 1 && Math.abs(sum(t.oldSelf) - t.oldTotal[0]) < 1; })(${all})`));
	await shown(page, () => page.run('history.back()'));
	page.say('back', await page.run(`pnFlame.data().two`));
	await shown(page, () => page.run(`{ const td = [...document.querySelectorAll('#heat tbody td')].find(t => t.textContent === '+' &&
		pnReport.hasProfiles(...[-1, 0].map(k => +document.querySelector('#heat thead tr').cells[t.cellIndex + k].dataset.commit)));
		td.click(); }`));
	page.say('a cell opens both', await page.run(`pnFlame.data().two`));
	page.say('and finds the function', await page.run(`/find=/.test(location.hash)`));
	const hash = await page.run('location.hash');
	await page.open(file, hash);
	await page.run(`pnFlame.data() ? 0 : new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true}))`);
	page.say('a link opens the same', await page.run(`pnFlame.data().two === 1 && location.hash === ${JSON.stringify(hash)}`));
}

async function themes(page, file) {
	const paper = `getComputedStyle(document.body).backgroundColor`;
	await page.media(false);
	await page.open(file);
	page.say('light', await page.run(paper));
	await page.run(`document.getElementById('theme').click()`);
	await rest(page);
	page.say('dark', await page.run(paper));
	page.say('the graph, too', await page.run(`getComputedStyle(document.querySelector('.pn-flame')).backgroundColor`));
	await page.media(true);
	await page.open(file);
	page.say('dark by itself', await page.run(paper));
	await page.media(false);
}

/* Each control has a name, headings go down by one, ids are unique, text stands
 * out by 4.5 to 1 in both themes. */
const RULES = `(() => { const faults = [], ids = new Set();
	for (const e of document.querySelectorAll('[id]')) { if (ids.has(e.id)) faults.push('id ' + e.id); ids.add(e.id); }
	for (const e of document.querySelectorAll('button, a, input, select, [role=button], [role=application], [role=region], nav')) {
		if (!e.getClientRects().length) continue;
		const label = e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels[0] && e.labels[0].textContent.trim()) || e.title;
		if (!label) faults.push('no name: ' + e.outerHTML.slice(0, 80)); }
	let last = 0;
	for (const h of document.querySelectorAll('h1, h2, h3')) { const l = +h.localName[1]; if (l > last + 1) faults.push('heading ' + h.textContent); last = l; }
	if (document.querySelectorAll('h1').length !== 1 || document.querySelectorAll('main').length !== 1 || !document.documentElement.lang || !document.title)
		faults.push('landmarks');
	for (const t of document.querySelectorAll('table')) for (const h of t.querySelectorAll('th')) if (!h.scope) faults.push('scope ' + h.textContent);
	const channel = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4); };
	const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
	const paper = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$|transparent/.test(c)) return c; } return 'rgb(255,255,255)'; };
	const seen = new Set();
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('svg, script, style, canvas') || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), a = light(style.color), b = light(paper(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		const key = e.localName + '.' + e.className + ' ' + style.color + ' on ' + paper(e);
		if (ratio < 4.5 && !e.disabled && !seen.has(key)) { seen.add(key); faults.push(key + ' ' + ratio.toFixed(1)); } }
	return faults; })()`;

async function rules(page, file) {
	for (const dark of [false, true]) {
		await page.media(dark);
		await page.open(file);
		await page.run(`pnFlame.data() ? 0 : new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true}))`);
		page.say(dark ? 'faults in the dark' : 'faults', await page.run(RULES));
	}
	await page.media(false);
	await page.size(500, 900);
	await page.open(file);
	await rest(page);
	page.say('no wider than a telephone', await page.run('document.documentElement.scrollWidth <= 500'));
	await page.run(`pnFlame.data() ? 0 : new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true}))`);
	await shown(page, () => page.run(`{ const s = document.getElementById('old'); s.value = '1'; s.dispatchEvent(new Event('change')); }`));
	const inside = `(e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.left >= 0 && r.left < 400; })`;
	page.say('a change and its function', await page.run(`(row => [2, 7].every(i => ${inside}(row.cells[i])))(
		document.querySelector('#function-table tbody tr'))`));
	page.say('the newest commit', await page.run(`document.querySelector('#heat thead th:last-child').getBoundingClientRect().right <= 500`));
	await page.size(1400, 900);
}

module.exports = async function (page, [file, hostile]) {
	await page.open(file);
	await page.run(`pnFlame.data() ? 0 : new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true}))`);
	await overview(page);
	await history(page);
	await profiles(page, file);
	await themes(page, file);
	await rules(page, file);
	await page.open(hostile);
	await rest(page);
	page.say('harm', await page.run(`window.harm || 'none'`));
};
