/* Frames a second that a flame graph reaches while it is zoomed and scrolled,
 * by performance.now: 90 zooms into wide frames and out, one a frame of the
 * browser; from the top to the bottom and back. */
'use strict';
const RATE = (step, times) => `(async () => {
	const frame = () => new Promise(r => requestAnimationFrame(r));
	const depth = pnFlame.data().trees[0].depth, wide = [0];
	for (let i = 1; i < depth.length; i++)
		if (depth[i] <= 2)
			wide.push(i);
	await frame();
	const start = performance.now();
	for (let i = 0; i < ${times}; i++) {
		${step};
		await frame();
	}
	return (${times} * 1000 / (performance.now() - start)).toFixed(1);
})()`;

module.exports = async function (page, [file]) {
	await page.open(file);
	page.say('frames', await page.run('pnFlame.data().trees[0].depth.length'));
	page.say('zoom', await page.run(RATE('pnFlame.zoomTo({index: 0, i: i % 2 ? 0 : wide[(i >> 1) % wide.length]})', 90)));
	await page.run('pnFlame.zoomTo({index: 0, i: 0})');
	page.say('scroll', await page.run(RATE(`window.scrollTo(0, (i < 100 ? i : 200 - i) / 100 *
		(document.documentElement.scrollHeight - window.innerHeight))`, 200)));
};
