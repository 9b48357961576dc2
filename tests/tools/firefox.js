/*
 * Drives headless Firefox by WebDriver BiDi for browser.js. Node has no client
 * of WebSocket before version 22, so the little of it that is needed is here.
 */
'use strict';
const {spawn} = require('child_process'), crypto = require('crypto'), fs = require('fs'), net = require('net'), path = require('path');

/* Text frames of one connection: returns a function that sends. */
function connect(port, receive) {
	return new Promise((done, failed) => {
		const socket = net.connect(port, '127.0.0.1');
		let rest = Buffer.alloc(0), open = false, parts = [];

		function frame() {
			if (rest.length < 2)
				return false;
			let length = rest[1] & 127, at = 2;
			if (length > 125) {
				at = length === 126 ? 4 : 10;
				if (rest.length < at)
					return false;
				length = at === 4 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
			}
			if (rest.length < at + length)
				return false;
			if ((rest[0] & 15) <= 2)
				parts.push(rest.subarray(at, at + length));
			if (rest[0] & 128 && parts.length) {
				receive(JSON.parse(Buffer.concat(parts).toString()));
				parts = [];
			}
			rest = rest.subarray(at + length);
			return true;
		}

		function write(message) {
			const text = Buffer.from(JSON.stringify(message)), mask = crypto.randomBytes(4);
			const size = text.length < 126 ? 0 : text.length < 65536 ? 2 : 8, head = Buffer.alloc(2 + size);
			head[0] = 0x81;
			head[1] = 0x80 | (size === 8 ? 127 : size ? 126 : text.length);
			if (size)
				head.writeUIntBE(text.length, size === 8 ? 4 : 2, size === 8 ? 6 : 2);
			for (let i = 0; i < text.length; i++)
				text[i] ^= mask[i & 3];
			socket.write(Buffer.concat([head, mask, text]));
		}

		socket.on('error', failed);
		socket.on('connect', () => socket.write('GET /session HTTP/1.1\r\nHost: 127.0.0.1:' + port +
			'\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ' +
			crypto.randomBytes(16).toString('base64') + '\r\n\r\n'));
		socket.on('data', data => {
			rest = Buffer.concat([rest, data]);
			const end = open ? 0 : rest.indexOf('\r\n\r\n');
			if (!open && end < 0)
				return;
			if (!open) {
				if (!/^HTTP\/1.1 101/.test(rest.toString('latin1', 0, end)))
					return failed(new Error(rest.toString('latin1', 0, end)));
				rest = rest.subarray(end + 4);
				open = true;
				done(write);
			}
			while (frame())
				;
		});
	});
}

/* A value as the protocol writes it. */
function plain(v) {
	if (v.type === 'array')
		return v.value.map(plain);
	if (v.type === 'object')
		return Object.fromEntries(v.value.map(([key, value]) => [key, plain(value)]));
	return v.value;
}

const NAMED = {Enter: '\ue006', Escape: '\ue00c', Backspace: '\ue003', ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015'};

/* Nothing is asked of the network by the browser itself; pages are light. */
const PREFERENCES = {'layout.css.prefers-color-scheme.content-override': 1, 'app.update.enabled': false,
	'datareporting.policy.dataSubmissionEnabled': false, 'browser.shell.checkDefaultBrowser': false, 'network.captive-portal-service.enabled': false,
	'network.connectivity-service.enabled': false, 'browser.startup.page': 0, 'remote.active-protocols': 1};

exports.start = async function (home, complaints, requests) {
	fs.writeFileSync(path.join(home, 'user.js'), Object.entries(PREFERENCES).map(([key, value]) =>
		'user_pref(' + JSON.stringify(key) + ', ' + JSON.stringify(value) + ');\n').join(''));
	const browser = spawn(process.env.FIREFOX || 'firefox-esr', ['--headless', '--no-remote', '--profile', home,
		'--remote-debugging-port', '0'], {stdio: ['ignore', 'ignore', 'pipe'], env: Object.assign({}, process.env, {HOME: home})});
	const port = await new Promise((done, failed) => {
		let said = '';
		browser.stderr.on('data', data => {
			said += data;
			const found = /BiDi listening on ws:\/\/[^:]+:(\d+)/.exec(said);
			if (found)
				done(+found[1]);
		});
		browser.on('exit', () => failed(new Error('Firefox ended: ' + said)));
	});
	const waiting = new Map();
	let last = 0;
	const write = await connect(port, m => {
		if (m.id) {
			const [done, failed] = waiting.get(m.id);
			waiting.delete(m.id);
			return m.type === 'error' ? failed(new Error(m.error + ': ' + m.message)) : done(m.result);
		}
		if (m.method === 'log.entryAdded' && /error|warn/.test(m.params.level))
			complaints.push(m.params.text);
		if (m.method === 'network.beforeRequestSent' && !/^(file|data|about|chrome|resource|blob):/.test(m.params.request.url))
			requests.push(m.params.request.url);
	});
	const send = (method, params) => new Promise((done, failed) => {
		waiting.set(++last, [done, failed]);
		write({id: last, method, params});
	});
	await send('session.new', {capabilities: {}});
	await send('session.subscribe', {events: ['log.entryAdded', 'network.beforeRequestSent']});
	const {context} = (await send('browsingContext.getTree', {})).contexts[0];
	const keys = (...values) => send('input.performActions', {context, actions: [{type: 'key', id: 'keys',
		actions: values.flatMap(value => [{type: 'keyDown', value}, {type: 'keyUp', value}])}]});
	const pointer = actions => send('input.performActions', {context, actions: [{type: 'pointer', id: 'mouse', actions}]});
	const to = (x, y) => ({type: 'pointerMove', x: Math.round(x), y: Math.round(y)});
	const DOWN = {type: 'pointerDown', button: 0}, UP = {type: 'pointerUp', button: 0};

	return {
		browser,
		page: {
			go: url => send('browsingContext.navigate', {context, url, wait: 'complete'}),
			async run(expression) {
				const r = await send('script.evaluate', {expression, target: {context}, awaitPromise: true});
				if (r.type === 'exception')
					throw new Error(expression + ': ' + r.exceptionDetails.text);
				return plain(r.result);
			},
			key: key => keys(NAMED[key] || key),
			type: text => keys(...text),
			mouse: (x, y, click) => pointer([to(x, y)].concat(click ? [DOWN, UP] : [])),
			drag: ([x, y], [end, bottom]) => pointer([to(x, y), DOWN, to((x + end) / 2, (y + bottom) / 2), to(end, bottom), UP]),
			size: (width, height) => send('browsingContext.setViewport', {context, viewport: {width, height}}),
			/* It has no such command yet: pages keep the theme of the system. */
			media: async () => {},
			async picture(file) {
				const {data} = await send('browsingContext.captureScreenshot', {context});
				fs.writeFileSync(file, Buffer.from(data, 'base64'));
			}
		}
	};
};
