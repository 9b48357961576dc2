/* Milliseconds that a zoom of a flame graph takes, with the layout: median of
 * 60, by performance.now. */
'use strict';
module.exports = async function (page, [file]) {
	await page.open(file);
	page.say('zoom', await page.run(`(() => {
		const times = [];
		for (let i = 0; i < 60; i++) {
			const t = performance.now();
			pnFlame.zoomTo({index: 0, i: i % 2 ? i : 0});
			document.querySelector('svg').getBoundingClientRect();
			times.push(performance.now() - t);
		}
		return times.sort((a, b) => a - b)[30].toFixed(2); })()`));
};
