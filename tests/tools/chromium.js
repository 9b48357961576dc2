/*
 * Drives headless Chromium by the DevTools protocol over a pipe for browser.js.
 */
'use strict';
const {spawn} = require('child_process'), fs = require('fs');

exports.start = async function (home, complaints, requests) {
	const browser = spawn(process.env.CHROMIUM || 'chromium', ['--headless', '--no-sandbox', '--disable-gpu',
		'--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe', '--no-first-run',
		'--user-data-dir=' + home, 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
	const waiting = new Map();
	/* Documents that are loaded, by the navigation that asked for them: the event
	 * of an earlier one may come late. */
	const loads = new Set();
	let last = 0, rest = '', session, loaded = () => {};

	browser.stdio[4].setEncoding('utf8');
	browser.stdio[4].on('data', text => {
		const parts = (rest + text).split('\0');
		rest = parts.pop();
		parts.forEach(part => receive(JSON.parse(part)));
	});

	function receive(m) {
		if (m.id) {
			const [done, failed] = waiting.get(m.id);
			waiting.delete(m.id);
			return m.error ? failed(new Error(m.error.message)) : done(m.result);
		}
		if (m.method === 'Runtime.exceptionThrown')
			complaints.push(m.params.exceptionDetails.exception ? m.params.exceptionDetails.exception.description
				: m.params.exceptionDetails.text);
		if (m.method === 'Runtime.consoleAPICalled' && /error|warning/.test(m.params.type))
			complaints.push(JSON.stringify(m.params.args));
		if (m.method === 'Log.entryAdded' && m.params.entry.level !== 'verbose')
			complaints.push(m.params.entry.text);
		if (m.method === 'Network.requestWillBeSent' && !/^(file|data):/.test(m.params.request.url))
			requests.push(m.params.request.url);
		if (m.method === 'Page.lifecycleEvent' && m.params.name === 'load') {
			loads.add(m.params.loaderId);
			loaded();
		}
	}

	function send(method, params) {
		return new Promise((done, failed) => {
			waiting.set(++last, [done, failed]);
			browser.stdio[3].write(JSON.stringify({id: last, method, params: params || {}, sessionId: session}) + '\0');
		});
	}

	async function go(url) {
		const {loaderId, errorText} = await send('Page.navigate', {url});
		if (errorText)
			throw new Error(url + ': ' + errorText);
		while (!loads.has(loaderId))
			await new Promise(resolve => { loaded = resolve; });
	}

	const page = {
		go,
		async run(expression) {
			const r = await send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
			if (r.exceptionDetails)
				throw new Error(expression + ': ' + r.exceptionDetails.exception.description);
			return r.result.value;
		},
		async key(key, text) {
			const named = {Enter: 13, Escape: 27, Backspace: 8, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40};
			const e = {key, windowsVirtualKeyCode: named[key] || key.toUpperCase().charCodeAt(0)};
			if (!named[key])
				e.text = key;
			if (key === 'Enter')
				e.text = '\r';
			await send('Input.dispatchKeyEvent', Object.assign({type: 'keyDown'}, e));
			await send('Input.dispatchKeyEvent', Object.assign({type: 'keyUp'}, e, {text: undefined}));
		},
		async type(text) {
			for (const c of text)
				await send('Input.insertText', {text: c});
		},
		async mouse(x, y, click) {
			await send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
			for (const type of click ? ['mousePressed', 'mouseReleased'] : [])
				await send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
		},
		async drag([x, y], [to, end]) {
			await send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
			await send('Input.dispatchMouseEvent', {type: 'mousePressed', x, y, button: 'left', clickCount: 1});
			for (const part of [0.3, 0.7, 1])
				await send('Input.dispatchMouseEvent', {type: 'mouseMoved', x: x + part * (to - x), y: y + part * (end - y), button: 'left', buttons: 1});
			await send('Input.dispatchMouseEvent', {type: 'mouseReleased', x: to, y: end, button: 'left', clickCount: 1});
		},
		size: (width, height) => send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false}),
		media: dark => send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]}),
		async picture(file) {
			const r = await send('Page.captureScreenshot', {format: 'png'});
			fs.writeFileSync(file, Buffer.from(r.data, 'base64'));
		}
	};

	const {targetInfos} = await send('Target.getTargets');
	const target = targetInfos.find(t => t.type === 'page');
	session = (await send('Target.attachToTarget', {targetId: target.targetId, flatten: true})).sessionId;
	for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
		await send(domain + '.enable');
	await send('Page.setLifecycleEventsEnabled', {enabled: true});
	return {browser, page};
};
