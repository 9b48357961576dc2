/*
 * Getting what a remote has. All in one connection where nothing is wrong; an
 * inbox that git's own check refuses would fail the whole of it, so then the
 * notes come alone, and the inboxes by halves until the bad ones are known.
 */
#include "base/alloc.h"
#include "base/escape.h"
#include "storage/exchange/again.h"
#include "storage/exchange/exchange.h"
#include "storage/exchange/tracked.h"
#include "storage/sync.h"
#include "vcs/transport/transport.h"
#include "vcs/walk/reach.h"

#include <stdlib.h>
#include <string.h>

/* Connections to find bad inboxes with; what is not tried by then is set
 * aside, too. Of 10,000 inboxes one bad one takes 28. */
#define TRIES_MAX 64
#define ROUNDS_MAX 20 /* of fetches that others were ahead of */
#define HALF_MAX 1000 /* inboxes in one connection then: words of an argv */

/* Inboxes of the remote that are not here. */
struct search {
	const struct pn_transport *transport;
	const char *remote; /* whose they are, by whatever way */
	const char **names;
	size_t count;
	size_t tries;
	size_t aside, first; /* that cannot be fetched; one of them */
	struct pn_error why; /* of that one */
};

/* What only says that something in there is bad. */
static bool is_bad_object(const struct pn_error *err)
{
	static const char *const words[] = {"fsck error", "index-pack",
					    "unpack-objects", "not our ref"};
	size_t i;

	if (pn_transport_failed_here(err))
		return false;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(err->message, words[i]))
			return true;
	return pn_reach_lacks(err->message);
}

static int fetch_named(const struct search *s, size_t from, size_t to,
		       struct pn_error *err)
{
	const char **refspecs, *at;
	struct pn_buf texts = {0};
	size_t i;
	int code;

	refspecs = pn_calloc(to - from, sizeof(*refspecs));
	for (i = from; i < to; i++) {
		pn_buf_printf(&texts, "+" PN_INBOX_REF "%s:", s->names[i]);
		pn_buf_printf(&texts, PN_INBOX_TRACKING "%s", s->remote,
			      s->names[i]);
		pn_buf_add_byte(&texts, '\0');
	}
	at = pn_buf_text(&texts);
	for (i = 0; i < to - from; i++, at += strlen(at) + 1)
		refspecs[i] = at;
	code = pn_transport_fetch(s->transport, refspecs, to - from, err);
	free(refspecs);
	pn_buf_release(&texts);
	return code;
}

static void set_aside(struct search *s, size_t i, const struct pn_error *why)
{
	if (s->aside++)
		return;
	s->why = *why;
	s->first = i;
}

/* A connection that breaks, or a disk that is full, is no inbox's fault: that
 * ends the search. */
static int fetch_halves(struct search *s, size_t from, size_t to,
			struct pn_error *err)
{
	const struct pn_error untried = {
		PN_ELIMIT, "too many inboxes that cannot be fetched"};
	struct pn_error why = {0};
	size_t i, half = from + (to - from) / 2;
	int code;

	if (s->tries >= TRIES_MAX) {
		for (i = from; i < to; i++)
			set_aside(s, i, &untried);
		return 0;
	}
	if (to - from <= HALF_MAX) {
		s->tries++;
		code = fetch_named(s, from, to, &why);
		if (code && !is_bad_object(&why))
			return pn_error_set(err, code, "%s", why.message);
		if (code && to - from == 1)
			set_aside(s, from, &why);
		if (!code || to - from == 1)
			return 0;
	}
	code = fetch_halves(s, from, half, err);
	return code ? code : fetch_halves(s, half, to, err);
}

static bool is_known(const struct pn_tracked *tracked, const char *name,
		     const struct pn_oid *id)
{
	size_t low = 0, high = tracked->count, middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(tracked->items[middle].name, name);
		if (!order)
			return pn_oid_equal(&tracked->items[middle].id, id);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* The inboxes that are there and not here, as many as are looked at. */
static int list_missing(struct search *s, struct pn_buf *refs,
			const struct pn_exchange *x, struct pn_error *err)
{
	struct pn_tracked tracked = {0};
	const unsigned char *at, *end;
	struct pn_oid id;
	const char *name;
	int code = pn_tracked_read(&tracked, x->repo, x->remote, NULL, err);

	if (!code)
		code = pn_transport_list(refs, s->transport, PN_INBOX_REF "*",
					 err);
	end = refs->data + refs->len;
	s->names = pn_calloc(PN_TRACKED_MAX, sizeof(*s->names));
	for (at = refs->data; !code && at < end && s->count < PN_TRACKED_MAX;) {
		memcpy(id.bytes, at, PN_OID_BYTES);
		name = (const char *)at + PN_OID_BYTES;
		at = (const unsigned char *)name + strlen(name) + 1;
		if (strncmp(name, PN_INBOX_REF, strlen(PN_INBOX_REF)) != 0)
			continue;
		name += strlen(PN_INBOX_REF);
		if (!is_known(&tracked, name, &id))
			s->names[s->count++] = name;
	}
	pn_tracked_release(&tracked);
	return code;
}

static void tell_aside(struct pn_error *out, const struct search *s)
{
	const char *remote = s->remote;
	struct pn_buf ref = {0}, text = {0};

	pn_buf_printf(&ref, ":" PN_INBOX_REF "%s", s->names[s->first]);
	if (s->aside > 1)
		pn_buf_printf(&text,
			      "%zu inboxes of '%s' are set aside, among them "
			      "'%s': ",
			      s->aside, remote, pn_buf_text(&ref) + 1);
	else
		pn_buf_printf(&text, "'%s' of '%s' is set aside: ",
			      pn_buf_text(&ref) + 1, remote);
	pn_buf_printf(&text, "%s; it goes by: git push %s ", s->why.message,
		      remote);
	pn_escape_shell(&text, pn_buf_text(&ref));
	pn_error_set(out, PN_EINVAL, "%s", pn_buf_text(&text));
	pn_buf_release(&ref);
	pn_buf_release(&text);
}

/* *aside is filled when some cannot be fetched. */
static int fetch_apart(struct pn_error *aside,
		       const struct pn_transport *transport,
		       const struct pn_exchange *x, struct pn_error *err)
{
	struct search s = {.transport = transport, .remote = x->remote};
	struct pn_buf refs = {0};
	int code = list_missing(&s, &refs, x, err);

	if (!code && s.count)
		code = fetch_halves(&s, 0, s.count, err);
	if (!code && s.aside)
		tell_aside(aside, &s);
	pn_buf_release(&refs);
	free(s.names);
	return code;
}

/* A partial clone may lack a body beside which a new one came: git cannot do
 * without it where the remote is none that promised it. */
static bool lacks_beside(const struct pn_exchange *x,
			 const struct pn_error *err)
{
	return !x->lean.filter && pn_repo_is_partial(x->repo) &&
	       strstr(err->message, "did not receive expected object");
}

/*
 * A pattern, because git fails where a ref that is named whole is not there.
 * Other tools' notes have names that begin the same way.
 */
static int fetch_all(struct pn_error *aside, const struct pn_exchange *x,
		     struct pn_error *err)
{
	struct pn_transport transport = {
		.repo = x->repo,
		.remote = x->lean.remote ? x->lean.remote : x->remote,
		.progress = x->progress,
		.dry_run = x->dry_run,
		.filter = x->lean.filter};
	struct pn_buf notes = {0}, inbox = {0};
	struct pn_lean whole = {0};
	const char *refspecs[] = {NULL, "^" PN_NOTES_REF "-*",
				  "^" PN_NOTES_REF "_*", NULL};
	int code;

	aside->code = 0;
	pn_buf_printf(&notes, "+" PN_NOTES_REF "*:" PN_TRACKING_REF "*",
		      x->remote);
	pn_buf_printf(&inbox, "+" PN_INBOX_REF "*:" PN_INBOX_TRACKING "*",
		      x->remote);
	refspecs[0] = pn_buf_text(&notes);
	refspecs[3] = pn_buf_text(&inbox);
	code = pn_transport_fetch(&transport, refspecs, 4, err);
	if (code && lacks_beside(x, err) &&
	    !pn_lean_whole(&whole, x->repo, x->remote, NULL)) {
		transport.remote = whole.remote;
		transport.filter = whole.filter;
		code = pn_transport_fetch(&transport, refspecs, 4, err);
	}
	if (code && !x->dry_run && is_bad_object(err) &&
	    !pn_transport_fetch(&transport, refspecs, 3, NULL))
		code = fetch_apart(aside, &transport, x, err);
	pn_lean_release(&whole);
	pn_buf_release(&notes);
	pn_buf_release(&inbox);
	return code;
}

/* Another fetch in this clone was first: the next one begins where that ended,
 * with less to bring. */
static bool was_second(const struct pn_error *why)
{
	return strstr(why->message, "cannot lock ref 'refs/perf/") &&
	       (strstr(why->message, "but expected") ||
		strstr(why->message, "reference already exists"));
}

int pn_exchange_fetch(struct pn_error *aside, const struct pn_exchange *x,
		      struct pn_error *err)
{
	struct pn_error why = {0};
	struct pn_again again;
	int rounds = 0, code = pn_tracked_clear_dead(x, &why);

	aside->code = 0;
	if (!code)
		code = fetch_all(aside, x, &why);
	while (code && was_second(&why) && rounds++ < ROUNDS_MAX)
		code = fetch_all(aside, x, &why);
	if (pn_reach_lacks(code ? why.message : aside->message) &&
	    pn_again_begin(&again, x)) {
		code = fetch_all(aside, x, &why);
		pn_again_end(&again, code);
	}
	if (code && err)
		*err = why;
	return code;
}
