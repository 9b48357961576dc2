/* What somebody does with a flame graph: zoom, search, walk, turn, go back. The
 * picture, the page, that of a difference, a large one. */
'use strict';

/* Elements are there as soon as no sketch stands for them any more. */
const SETTLED = `new Promise(r => { const look = () => document.querySelector('.live canvas') ? setTimeout(look, 10) : r(); look(); })`;
/* Labels that are drawn, by row from the top. */
const LABELS = `${SETTLED}.then(() => { const rows = {};
	for (const t of document.querySelectorAll('.live text'))
		(rows[t.getAttribute('y')] = rows[t.getAttribute('y')] || []).push([+t.getAttribute('x'), t.textContent]);
	return Object.keys(rows).sort((a, b) => a - b).map(y => rows[y].sort((a, b) => a[0] - b[0]).map(t => t[1]).join(' ')).join(' | '); })`;
const STATUS = `document.querySelector('[role=status]').textContent`;
const COVERED = `${SETTLED}.then(() => [...document.querySelectorAll('.hit')].map(p => p.getAttribute('d').split('M').length - 1).reduce((a, b) => a + b, 0))`;

async function where(page, label) {
	return page.run(`${SETTLED}.then(() => { for (const t of document.querySelectorAll('.live text'))
		if (t.textContent === ${JSON.stringify(label)}) { const r = t.getBoundingClientRect(); return [r.left + 5, r.top + 5]; } })`);
}

async function picture(page, file) {
	await page.open(file);
	page.say('drawn', await page.run(LABELS));
	await page.mouse(...await where(page, 'apply'), true);
	page.say('zoomed', await page.run(LABELS));
	page.say('address', await page.run('location.hash'));
	await page.key('Escape');
	page.say('reset', await page.run(LABELS));
	await page.run('history.back()');
	await page.run('new Promise(r => setTimeout(r, 200))');
	page.say('back', await page.run(LABELS));
	await page.key('Escape');
	await page.mouse(...await where(page, 'gc'));
	page.say('tip', await page.run(`[...document.querySelectorAll('.tip text')].map(t => t.textContent).join('; ')`));
	await page.key('/');
	await page.type('EV.L');
	page.say('found', await page.run(STATUS));
	page.say('marked', await page.run(COVERED));
	await page.key('Escape');
	page.say('unmarked', await page.run(COVERED));
	await page.key('i');
	page.say('flipped', await page.run(LABELS));
	await page.key('i');
	await page.key('r');
	page.say('reversed', await page.run(LABELS));
	await page.key('r');
	for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight'])
		await page.key(key);
	page.say('walked', await page.run(STATUS));
	await page.key('Enter');
	page.say('entered', await page.run(LABELS));
	await page.key('Backspace');
	page.say('out', await page.run(LABELS));
	await page.key('Escape');
	await page.open(file, '#zoom=0.4');
	page.say('from the address', await page.run(LABELS));
	await page.size(100, 900);
	await page.open(file);
	page.say('narrow', await page.run(`(() => { const head = document.querySelector('.head'), tip = head.querySelector('title');
		return head.firstChild.data.length < 10 && head.firstChild.data.endsWith('…') && tip.textContent.startsWith('old'); })()`));
	await page.size(1400, 900);
	page.say('wide again', await page.run(`new Promise(r => { const look = () => document.querySelector('.head title') ? setTimeout(look, 20) : r('whole'); look(); })`));
}

async function sandwich(page, file) {
	await page.open(file);
	await page.mouse(...await where(page, 'apply'), true);
	await page.key('s');
	page.say('sandwich', await page.run(LABELS));
}

async function themes(page, file) {
	const paper = `getComputedStyle(document.querySelector('.pn-flame')).backgroundColor`;
	await page.media(false);
	await page.open(file);
	page.say('light', await page.run(paper));
	await page.key('t');
	page.say('dark', await page.run(paper));
	await page.media(true);
	await page.open(file);
	page.say('dark by itself', await page.run(paper));
	await page.media(false);
}

/* The complaint about it, which may come late, is as wanted. */
async function policy(page) {
	for (let i = 0; i < 500; i++) {
		const at = page.complaints.findIndex(c => /Content.Security.Policy/.test(c));
		if (at >= 0)
			return page.complaints.splice(at, 1).length === 1;
		await new Promise(r => setTimeout(r, 20));
	}
	return false;
}

async function tables(page, file) {
	await page.open(file);
	const names = `[...document.querySelectorAll('tbody tr:not([hidden])')].map(r => r.cells[r.cells.length - 1].textContent).join(' ')`;
	page.say('rows', await page.run(names));
	await page.run(`document.querySelectorAll('thead button')[2].click()`);
	page.say('sorted', await page.run(names));
	await page.run(`document.querySelectorAll('thead button')[2].click()`);
	page.say('turned', await page.run(names));
	await page.run(`{ const f = document.querySelector('#pn-filter input'); f.value = 'E'; f.dispatchEvent(new Event('input')); }`);
	page.say('filtered', await page.run(names));
	await page.run(`[...document.querySelectorAll('td button')].find(b => b.textContent === 'lex').click()`);
	page.say('chosen', await page.run(LABELS));
	page.say('injected', await page.run(`(() => { const s = document.createElement('script');
		s.textContent = 'window.harm = 1'; document.body.append(s); return window.harm || 'not run'; })()`));
	page.say('refused', await policy(page));
}

/* Each drawn frame has its class: how it changed. */
async function difference(page, file) {
	await page.open(file);
	const classes = `[...new Set([...document.querySelectorAll('.live > g:first-child path')].map(p => p.getAttribute('class')))].filter(c => c[0] === 'd').sort().join(' ')`;
	page.say('changes', await page.run(classes));
	page.say('difference', await page.run(LABELS));
	await page.key('w');
	page.say('old width', await page.run(LABELS));
	await page.mouse(...await where(page, 'eval'));
	page.say('figures', await page.run(`[...document.querySelectorAll('.tip text')].map(t => t.textContent).join('; ')`));
}

/* What is drawn is bound by the picture, not by the frames: at most a label each
 * 28 pixels of a row, and a path a colour in each eight rows. With a limit of frames a second it
 * would be a matter of the machine: tests/bench/flame.sh. */
async function large(page, file) {
	await page.open(file);
	page.say('elements', await page.run(`(() => {
		const rows = new Set([...document.querySelectorAll('.live text')].map(t => t.getAttribute('y'))).size;
		return document.querySelectorAll('.live *').length <= rows * 1400 / 28 + 60 * Math.ceil(rows / 8 + 1); })()`));
}

/* A change right behind another one is a sketch, without elements, until nothing
 * moves any more. It has the colours that the elements have then, but for the
 * rounding of what can be seen through: at points a pixel below the upper edge
 * of each row, where no character is. */
async function sketched(page, file) {
	await page.open(file);
	page.say('sketch', await page.run(`(async () => {
		pnFlame.find('f2');
		for (const i of [0, 1, 0, 5])
			pnFlame.zoomTo({index: 0, i});
		const canvas = document.querySelector('.live canvas'), {top} = canvas.getBoundingClientRect(), {width, height} = canvas;
		const pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data, bare = !document.querySelector('.live :is(path, text)');
		await ${SETTLED};
		const colors = new Set();
		let points = 0;
		for (let y = 93 + 18 * Math.ceil((top - 92) / 18); y < top + height; y += 18)
			for (let x = 12; x < width - 12; x += 31, points++) {
				const e = document.elementsFromPoint(x + 0.5, y + 0.5).find(e => e.matches('.live path'));
				const want = e ? getComputedStyle(e).fill.match(/[0-9]+/g) : [0, 0, 0];
				if (want.some((v, i) => Math.abs(v - pixels[4 * (width * (y - Math.floor(top)) + x) + i]) > 1))
					return 'not ' + want + ' at ' + x + ' ' + y;
				colors.add('' + want);
			}
		return [bare, points > 500, colors.size > 8];
	})()`));
}

/* What stays on the screen while it scrolls is not drawn anew, what comes is
 * drawn, and what is far goes. */
async function scrolled(page, boxes) {
	const at = y => page.run(`(async () => {
		window.scrollTo(0, ${y});
		await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
	})()`);
	const rows = `(() => {
		const own = [...document.querySelectorAll('.live path')].map(p => p.getBoundingClientRect());
		for (let y = 9; y < window.innerHeight; y += 18)
			if (!own.some(r => r.top <= y && r.bottom >= y))
				return 'nothing at ' + y;
		return 'all';
	})()`;
	await at(2000);
	await page.run(`window.kept = document.querySelector('.live path')`);
	await at(2100);
	page.say('what stays', await page.run(`document.contains(window.kept)`));
	page.say('rows on the screen', await page.run(rows));
	await at(2090);
	page.say('and upwards', await page.run(rows));
	for (let y = 2200; y < 5000; y += 140)
		await at(y);
	page.say('what goes', await page.run(`document.contains(window.kept)`));
	page.say('at most twice as much', await page.run(boxes) < 180 * 300);
	await page.run('window.scrollTo(0, 1e6)');
}

/* 340 rows of 18 pixels before a window of 900: what is near the window is
 * drawn, and all of it on paper. */
async function tall(page, file) {
	const boxes = `${SETTLED}.then(() => [...document.querySelectorAll('.live path')].map(p => (p.getAttribute('d') || '').split('M').length - 1).reduce((a, b) => a + b))`;
	await page.open(file);
	page.say('a part of it', await page.run(boxes) < 110 * 300);
	await page.run('window.scrollTo(0, 1e6)');
	await page.run('new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))');
	page.say('its root', /main \| all$/.test(await page.run(LABELS)));
	page.say('nor there', await page.run(boxes) < 110 * 300);
	await page.run(`window.dispatchEvent(new Event('beforeprint'))`);
	page.say('on paper', await page.run(boxes) === await page.run(`pnFlame.data().trees[0].depth.length`));
	await page.run(`window.dispatchEvent(new Event('afterprint'))`);
	page.say('after that', await page.run(boxes) < 110 * 300);
	await scrolled(page, boxes);
	/* The address changes a few times only, and has the last. */
	await page.run('for (let i = 0; i < 300; i++) pnFlame.zoomTo({index: 0, i: i % 7});');
	await page.run(`new Promise(r => { const look = () => location.hash === '#zoom=0.5' ? r() : setTimeout(look, 20); look(); })`);
	page.say('the last of many', await page.run('location.hash'));
}

module.exports = async function (page, [svg, html, change, hostile, many, deep]) {
	await picture(page, svg);
	await sandwich(page, svg);
	await themes(page, svg);
	await themes(page, html);
	await tables(page, html);
	await difference(page, change);
	await page.open(hostile);
	page.say('harm', await page.run(`window.harm || 'none'`));
	await large(page, many);
	await sketched(page, many);
	await tall(page, deep);
};
