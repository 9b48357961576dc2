/* What axe-core finds wrong with pages, wide and light, narrow and dark. */
'use strict';
const fs = require('fs');

module.exports = async function (page, [axe, ...files]) {
	for (const file of files)
		for (const [width, dark] of [[1400, false], [500, true]]) {
			await page.size(width, 900);
			await page.media(dark);
			await page.open(file);
			await page.run(`typeof pnFlame === 'undefined' || pnFlame.data() ? 0 : new Promise(r => document.addEventListener('profiles-shown', () => r(), {once: true}))`);
			await page.run(fs.readFileSync(axe, 'utf8') + '; 0');
			page.say('found', await page.run(`axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.impact + ' ' + v.id + ': ' + v.nodes[0].html.slice(0, 120)))`));
		}
};
