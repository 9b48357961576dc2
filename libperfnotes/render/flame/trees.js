/*
 * The trees of a flame graph: arrays by frame, in pre-order; turned round, and
 * around one function. Goes before flame.js, in the same script; `var`, as a
 * page may have it twice.
 */
var pnTrees = (function () {
'use strict';

function finish(t) {
	const n = t.depth.length, path = [];
	t.count = n;
	t.parent = new Int32Array(n);
	t.end = new Int32Array(n).fill(n);
	t.sides = t.oldTotal ? [t.total, t.oldTotal] : [t.total];
	t.starts = t.sides.map(() => new Float64Array(n));
	const used = t.sides.map(() => new Float64Array(n));
	for (let i = 0; i < n; i++) {
		const d = t.depth[i];
		while (path.length > d)
			t.end[path.pop()] = i;
		const up = d ? path[d - 1] : -1;
		t.parent[i] = up;
		path.push(i);
		for (let s = 0; up >= 0 && s < t.sides.length; s++) {
			t.starts[s][i] = t.starts[s][up] + used[s][up];
			used[s][up] += t.sides[s][i];
		}
	}
	return t;
}

/* A tree of paths: add(names from the root on, values), then done(). */
function grower(from, root) {
	const keys = ['total', 'self', 'oldTotal', 'oldSelf'].filter(k => from[k]);
	const nodes = [{name: root, children: new Map(), v: zero()}];
	function zero() {
		const v = {};
		for (const k of keys)
			v[k] = 0;
		return v;
	}
	return {
		keys,
		add(names, totals, selfs) {
			let node = nodes[0];
			for (let i = -1; i < names.length; i++) {
				if (i >= 0) {
					let next = node.children.get(names[i]);
					if (!next) {
						next = {name: names[i], children: new Map(), v: zero()};
						node.children.set(names[i], next);
						nodes.push(next);
					}
					node = next;
				}
				for (const k of keys)
					if (/otal$/.test(k))
						node.v[k] += totals[k];
			}
			for (const k of keys)
				if (/elf$/.test(k))
					node.v[k] += selfs[k];
		},
		done() {
			const out = {names: from.names, modules: from.modules, of: from.of, depth: [], name: []};
			for (const k of keys)
				out[k] = [];
			const size = n => Math.max(n.v.total, n.v.oldTotal || 0);
			const work = [[nodes[0], 0]];
			while (work.length) {
				const [n, d] = work.pop();
				out.depth.push(d);
				out.name.push(n.name);
				for (const k of keys)
					out[k].push(n.v[k]);
				const below = [...n.children.values()].sort((a, b) => size(a) - size(b) ||
					(from.names[a.name] < from.names[b.name] ? 1 : -1));
				for (const b of below)
					work.push([b, d + 1]);
			}
			return finish(out);
		}
	};
}

function values(t, i, keys) {
	const v = {};
	for (const k of keys)
		v[k] = t[k][i];
	return v;
}

/* The own cost of each frame, with its callers as children. */
function reverse(t) {
	const g = grower(t, t.name[0]);
	for (let i = 0; i < t.count; i++) {
		const self = t.self[i], old = t.oldSelf ? t.oldSelf[i] : 0;
		if (!(self > 0) && !(old > 0))
			continue;
		const path = [];
		for (let j = i; t.parent[j] >= 0; j = t.parent[j])
			path.push(t.name[j]);
		const v = {total: self, self: 0, oldTotal: old, oldSelf: 0};
		g.add(path, v, v);
	}
	return g.done();
}

/* Callers and callees of a function, by its outermost call. */
function sandwich(t, name) {
	const up = grower(t, name), down = grower(t, name);
	for (let i = 0; i < t.count;) {
		if (t.name[i] !== name) {
			i++;
			continue;
		}
		const path = [];
		for (let j = t.parent[i]; t.parent[j] >= 0; j = t.parent[j])
			path.push(t.name[j]);
		up.add(path, values(t, i, up.keys), {self: 0, oldSelf: 0});
		const trail = [];
		for (let j = i; j < t.end[i]; j++) {
			trail.length = Math.max(0, t.depth[j] - t.depth[i] - 1);
			if (j > i)
				trail.push(t.name[j]);
			const own = {self: t.self[j], total: 0, oldTotal: 0, oldSelf: t.oldSelf ? t.oldSelf[j] : 0};
			down.add(trail, rest(t, j), own);
		}
		i = t.end[i];
	}
	return [up.done(), down.done()];
}

/* What of a frame is in none of its children. */
function rest(t, i) {
	const v = {total: t.total[i], oldTotal: t.oldTotal ? t.oldTotal[i] : 0};
	for (let j = i + 1; j < t.end[i]; j = t.end[j]) {
		v.total -= t.total[j];
		if (t.oldTotal)
			v.oldTotal -= t.oldTotal[j];
	}
	return v;
}

return {finish, reverse, sandwich};
})();
