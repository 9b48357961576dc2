/* Bodies in the repository. */
#include "storage/body_store.h"

#include "base/file.h"
#include "base/number.h"
#include "base/trace2.h"
#include "codec/codec.h"
#include "storage/body_fetch.h"
#include "storage/record.h"
#include "vcs/objects/gone.h"

#include <stdlib.h>
#include <string.h>

int pn_body_store_read(struct pn_buf *out, struct pn_repo *repo,
		       const struct pn_entry *entry, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	int code;

	if (!entry->has_body)
		return pn_error_set(err, PN_ENOTFOUND,
				    "profile %s has figures only, no body",
				    entry->id);
	code = pn_repo_read_blob(out, repo, &entry->body, PN_BODY_MAX_BYTES,
				 err);
	if (code == PN_ENOTFOUND && err && pn_gone_is(err->message)) {
		pn_gone_advise(err);
		return pn_error_context(err, "profile %s", entry->id);
	}
	if (code == PN_ENOTFOUND) {
		pn_oid_hex(hex, &entry->body);
		return pn_error_set(err, code,
				    "body %s of profile %s is not in this "
				    "repository: 'git fetch --refetch <remote> "
				    "refs/notes/perf' gets it from a clone "
				    "that has it",
				    hex, entry->id);
	}
	return code;
}

/* A body on the way to a state, and what is at hand already. */
struct chain {
	struct pn_buf bytes[PN_BODY_CHAIN_MAX + 2]; /* the body's own first */
	size_t count;
	struct pn_oid near_oid;
	const struct pn_body_state *near;  /* or NULL */
	const struct pn_body_state *begin; /* what the last one builds on */
	bool lean;
};

static const struct pn_body_state *at_hand(const struct chain *c,
					   const struct pn_oid *oid)
{
	if (!c->near || pn_oid_equal(&c->near_oid, oid))
		return c->near;
	return pn_body_state_find(c->near, oid);
}

/*
 * Bodies from `body` back to its key, or to what is at hand. The depth that
 * each claims must fall by one, so hostile loops end.
 */
static int read_chain(struct chain *c, struct pn_repo *repo,
		      const struct pn_oid *body, struct pn_error *err)
{
	struct pn_body_info info;
	struct pn_oid at = *body;
	unsigned int depth = 0;
	char hex[PN_OID_HEX + 1];
	size_t n;
	int code;

	for (n = 0;; n++) {
		pn_oid_hex(hex, &at);
		if (n > PN_BODY_CHAIN_MAX)
			return pn_error_set(err, PN_EINVAL,
					    "body %s: a chain of more than %d "
					    "deltas",
					    hex, PN_BODY_CHAIN_MAX);
		c->count = n + 1;
		if (n && !pn_repo_has_object(repo, &at))
			pn_bodies_fetch_chain(repo, &at);
		code = pn_repo_read_blob(&c->bytes[n], repo, &at,
					 PN_BODY_MAX_BYTES, err);
		if (!code)
			code = pn_body_info(&info, c->bytes[n].data,
					    c->bytes[n].len, err);
		if (!code && n && info.depth + 1 != depth)
			code = pn_error_set(err, PN_EINVAL,
					    "depth %u where %u was expected",
					    info.depth, depth - 1);
		if (code) {
			pn_gone_advise(err);
			return pn_error_context(err, "body %s", hex);
		}
		depth = info.depth;
		c->begin = info.is_delta ? at_hand(c, &info.base) : NULL;
		if (!info.is_delta || c->begin)
			break;
		at = info.base;
	}
	return 0;
}

static int decode_chain(struct pn_body_state **out, struct chain *c,
			const struct pn_oid *body, struct pn_error *err)
{
	const struct pn_body_state *base = c->begin;
	struct pn_body_state *state = NULL, *next;
	char hex[PN_OID_HEX + 1];
	struct pn_buf *bytes;
	size_t i;
	int code = 0;

	for (i = c->count; !code && i-- > 0;) {
		bytes = &c->bytes[i];
		next = NULL;
		code = c->lean ? pn_body_decode_lean(&next, bytes->data,
						     bytes->len, base, err)
			       : pn_body_decode(&next, bytes->data, bytes->len,
						base, err);
		pn_buf_release(bytes);
		pn_body_state_free(state);
		base = state = next;
	}
	if (code) {
		pn_oid_hex(hex, body);
		return pn_error_context(err, "body %s", hex);
	}
	*out = state;
	return 0;
}

static int read_state(struct pn_body_state **out, struct chain *chain,
		      struct pn_repo *repo, const struct pn_oid *body,
		      struct pn_error *err)
{
	int code = read_chain(chain, repo, body, err);
	size_t i;

	if (!code)
		code = decode_chain(out, chain, body, err);
	for (i = 0; i < chain->count; i++)
		pn_buf_release(&chain->bytes[i]);
	return code;
}

int pn_body_store_state_near(struct pn_body_state **out, struct pn_repo *repo,
			     const struct pn_oid *body,
			     const struct pn_oid *near_oid,
			     const struct pn_body_state *near,
			     struct pn_error *err)
{
	struct chain chain = {.near = near};
	const struct pn_body_state *known;

	if (near)
		chain.near_oid = *near_oid;
	known = at_hand(&chain, body);
	if (known) {
		*out = pn_body_state_share(known);
		return 0;
	}
	return read_state(out, &chain, repo, body, err);
}

int pn_body_store_state_lean(struct pn_body_state **out, struct pn_repo *repo,
			     const struct pn_oid *body, struct pn_error *err)
{
	struct chain chain = {.lean = true};

	return read_state(out, &chain, repo, body, err);
}

int pn_body_store_state(struct pn_body_state **out, struct pn_repo *repo,
			const struct pn_oid *body, struct pn_error *err)
{
	return pn_body_store_state_near(out, repo, body, NULL, NULL, err);
}

static uint32_t add_text(struct pn_profile *p, const char *text)
{
	return pn_strtab_add_text(&p->strings, text);
}

static void fill(uint32_t *slot, struct pn_profile *p, const char *text)
{
	if (!*slot && *text)
		*slot = add_text(p, text);
}

static void read_int(int64_t *slot, const char *text)
{
	if (*text)
		pn_number_int(slot, text, strlen(text));
}

void pn_body_store_label(struct pn_profile *p, const struct pn_entry *e)
{
	size_t i;

	for (i = 0; i < e->field_count; i++) {
		const char *key = e->fields[i].key;

		if (!strncmp(key, "l.", 2) &&
		    strcmp(key + 2, PN_RECORD_IMPORT_LABEL) != 0)
			pn_profile_set_label(p, key + 2, e->fields[i].value);
	}
}

void pn_body_store_describe(struct pn_profile *p, const struct pn_entry *e)
{
	const char *time;
	size_t i;

	fill(&p->header.kind, p, pn_entry_field(e, "kind"));
	fill(&p->header.cmd, p, pn_entry_field(e, "cmd"));
	fill(&p->header.args, p, pn_entry_field(e, "args"));
	fill(&p->header.workload, p, pn_entry_field(e, "workload"));
	fill(&p->header.collector.name, p, pn_entry_field(e, "collector"));
	fill(&p->header.collector.params, p, pn_entry_field(e, "params"));
	read_int(&p->duration_ns, pn_entry_field(e, "duration"));
	read_int(&p->header.exit_status, pn_entry_field(e, "exit"));
	p->header.dirty = *pn_entry_field(e, "dirty") != '\0';
	time = pn_entry_field(e, "t");
	if (*time && !p->time_ns)
		pn_time_parse(&p->time_ns, time, strlen(time));
	for (i = 0; i < e->field_count; i++) {
		const struct pn_field *f = &e->fields[i];

		if (!strcmp(f->key, "env"))
			pn_profile_set_environment(p, "env", f->value);
		else if (!strncmp(f->key, "e.", 2))
			pn_profile_set_environment(p, f->key + 2, f->value);
	}
	pn_body_store_label(p, e);
}

static void profile_of_line(struct pn_profile *out, const struct pn_entry *e)
{
	size_t i;

	pn_profile_init(out);
	for (i = 0; i < e->metric_count; i++) {
		const struct pn_entry_metric *from = &e->metrics[i];

		pn_profile_add_metric(out, from->name, from->unit, from->better,
				      from->values, from->value_count)
			->summary = from->summary;
	}
	pn_body_store_describe(out, e);
}

static int load_verbatim(struct pn_profile *out, struct pn_repo *repo,
			 const struct pn_entry *entry, struct pn_error *err)
{
	const struct pn_codec *codec;
	struct pn_buf bytes = {0};
	int code;

	codec = pn_codec_find(pn_entry_field(entry, "format"), err);
	code = codec ? pn_body_store_read(&bytes, repo, entry, err)
		     : PN_ENOTFOUND;
	if (!code)
		code = pn_codec_read_memory(out, codec, bytes.data, bytes.len,
					    entry->id, err);
	pn_buf_release(&bytes);
	if (code)
		return code;
	out->header.origin = 0;
	pn_body_store_describe(out, entry);
	return 0;
}

int pn_body_store_load(struct pn_profile *out, struct pn_repo *repo,
		       const struct pn_entry *entry, struct pn_error *err)
{
	struct pn_body_state *state = NULL;
	struct pn_trace2_region region;
	struct pn_profile p;
	int code;

	if (!entry->has_body) {
		profile_of_line(out, entry);
		return 0;
	}
	if (!strcmp(pn_entry_field(entry, "body"), "verbatim"))
		return load_verbatim(out, repo, entry, err);
	if (*pn_entry_field(entry, "base") &&
	    !pn_repo_has_object(repo, &entry->body))
		pn_bodies_fetch(repo, &entry, 1);
	pn_profile_init(&p);
	region = pn_trace2_enter(PN_TRACE2_HERE, "decode", "body");
	code = pn_body_store_state(&state, repo, &entry->body, err);
	if (!code)
		code = pn_body_profile(&p, state, err);
	pn_body_state_free(state);
	pn_trace2_leave(PN_TRACE2_HERE, &region);
	if (code) {
		pn_profile_release(&p);
		return pn_error_context(err, "profile %s", entry->id);
	}
	*out = p;
	return 0;
}
