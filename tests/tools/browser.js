/*
 * Drives a page in a headless browser:
 *
 *	node browser.js STEPS.js PAGE...
 *
 * STEPS.js exports an async function that gets a browser page as below, and
 * prints what it finds; what the page itself complains about and asks the
 * network for is printed at its end. BROWSER is chromium (that is also what it
 * is by itself) or firefox.
 */
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
const {pathToFileURL} = require('url');

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'browser-'));
const complaints = [], requests = [];
const name = process.env.BROWSER === 'firefox' ? 'firefox' : 'chromium';
let browser;

async function main() {
	const started = await require('./' + name).start(home, complaints, requests);
	browser = started.browser;
	const page = Object.assign({
		complaints,
		browser: name,
		say: (what, value) => console.log(what + ': ' + (typeof value === 'string' ? value : JSON.stringify(value))),
		async open(file, hash) {
			await started.page.go('about:blank');
			await started.page.go(pathToFileURL(file).href + (hash || ''));
		}
	}, started.page);
	await page.size(1400, 900);
	await require(path.resolve(process.argv[2]))(page, process.argv.slice(3));
	page.say('complaints', complaints);
	page.say('requests', requests);
}

function end(code) {
	const leave = () => {
		/* what a process of the browser's still writes goes with TMPDIR */
		try {
			fs.rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
		} catch (error) {
			if (error.code !== 'ENOTEMPTY')
				throw error;
		}
		process.exit(code);
	};
	if (!browser || browser.exitCode !== null)
		return leave();
	browser.on('exit', leave);
	browser.kill();
}

setTimeout(() => { console.log('gave up'); end(2); }, (name === 'firefox' ? 900 : 240) * 1000).unref();
main().then(() => end(0), error => { console.log('failed: ' + error.stack); end(1); });
