/* What is taken of each page, light and dark. */
'use strict';
module.exports = async function (page, [from, to]) {
	const shots = [['flame', 900, 380, '#color=name'], ['difference', 900, 540, ''], ['report', 1000, 880, '#chart=0']];
	for (const dark of [false, true])
		for (const [name, width, height, hash] of shots) {
			await page.size(width, height);
			await page.media(dark);
			await page.open(from + '/' + name + '.html', hash);
			await page.run(`pnFlame.data() ? 0 : new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true}))`);
			if (name !== 'report')
				await page.run(`document.querySelector('#profiles').scrollIntoView()`);
			await page.run('new Promise(r => setTimeout(r, 300))');
			await page.picture(to + '/' + name + (dark ? '-dark' : '') + '.png');
		}
};
