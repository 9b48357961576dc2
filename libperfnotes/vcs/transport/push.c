/* Sending refs to a remote: what to tell git push, and what it answers
 * (git-push(1), --porcelain). */
#include "base/alloc.h"
#include "vcs/child.h"
#include "vcs/transport/transport.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 3	 /* of a server that could not keep what came */
#define WORDS 15 /* that are not of a ref, with the end */

/* --verify would run pre-push, which may have started us. */
static const char *const begin[] = {"push", "--porcelain", "--no-verify",
				    "--no-follow-tags",
				    "--recurse-submodules=no"};
#define BEGIN (sizeof(begin) / sizeof(*begin))

/* "<id>:<ref>" or ":<ref>"; "--force-with-lease=<ref>:<id>" goes before. */
static void add_ref(struct pn_buf *texts, const struct pn_sent *ref, bool lease)
{
	char hex[PN_OID_HEX + 1] = "";

	pn_oid_hex(hex, lease ? &ref->was : &ref->id);
	if (lease)
		pn_buf_printf(texts, "--force-with-lease=%s:%s", ref->ref, hex);
	else
		pn_buf_printf(texts, "%s:%s",
			      pn_oid_is_zero(&ref->id) ? "" : hex, ref->ref);
	pn_buf_add_byte(texts, '\0');
}

/* argv, whose words are in `texts`. */
static const char **words(struct pn_buf *texts, const struct pn_transport *t,
			  const struct pn_sent *refs, size_t count, bool atomic)
{
	const char **argv = pn_calloc(WORDS + 2 * count, sizeof(*argv));
	const char *at;
	size_t i, n = 0, leases = 0;

	/* a name with "=" cannot be said this way */
	if (!strchr(t->remote, '='))
		pn_buf_printf(texts, "-remote.%s.mirror=false", t->remote);
	pn_buf_add_byte(texts, '\0');
	for (i = 0; i < count; i++)
		if (!pn_oid_is_zero(&refs[i].was)) {
			add_ref(texts, &refs[i], true);
			leases++;
		}
	for (i = 0; i < count; i++)
		add_ref(texts, &refs[i], false);
	at = pn_buf_text(texts);
	argv[n++] = "git";
	if (*at == '-') { /* of a configured mirror git pushes all or nothing */
		argv[n++] = "-c";
		argv[n++] = at + 1;
	}
	at += strlen(at) + 1;
	for (i = 0; i < BEGIN; i++)
		argv[n++] = begin[i];
	argv[n++] = t->progress ? "--progress" : "--no-progress";
	if (t->dry_run)
		argv[n++] = "--dry-run";
	if (atomic)
		argv[n++] = "--atomic";
	for (i = 0; i < leases; i++, at += strlen(at) + 1)
		argv[n++] = at;
	argv[n++] = "--";
	argv[n++] = t->remote;
	for (i = 0; i < count; i++, at += strlen(at) + 1)
		argv[n++] = at;
	return argv;
}

/* Reasons that git push and git receive-pack give, which only say that somebody
 * else was first. */
static bool is_lost(const char *reason)
{
	static const char *const lost[] = {
		"fetch first",
		"non-fast-forward",
		"stale info",
		"failed to update ref",
		"cannot lock ref",
		"failed to lock",
		"incorrect old value",
		"remote ref updated since checkout",
		"reference already exists",
		"missing necessary objects",
		"bad pack", /* a gc there took what came */
		"atomic push failed",
		"atomic transaction failed",
		"transaction failed",
	};
	size_t i;

	for (i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		if (strstr(reason, lost[i]))
			return true;
	return false;
}

struct answers {
	size_t done, nothing, lost, refused;
	struct pn_buf reason; /* of the first that was refused */
	struct pn_buf loss;   /* of the first that was lost */
};

static void add_reason(struct pn_buf *out, const struct pn_buf *text)
{
	const char *open = strchr(pn_buf_text(text), '(');

	pn_buf_add_text(out, open ? open + 1 : pn_buf_text(text));
	if (open && out->data[out->len - 1] == ')')
		pn_buf_cut(out, out->len - 1);
}

/* "<flag> TAB <from>:<to> TAB <summary>[ (<reason>)]" */
static void take_answer(struct answers *a, const char *line, size_t len)
{
	const char *tab = memchr(line + 2, '\t', len - 2), *end = line + len;
	struct pn_buf text = {0};

	if (!tab)
		return;
	pn_buf_add(&text, tab + 1, (size_t)(end - tab - 1));
	if (*line == '=') {
		a->nothing++;
	} else if (*line != '!') {
		a->done++;
	} else if (is_lost(pn_buf_text(&text))) {
		if (!a->lost++)
			add_reason(&a->loss, &text);
	} else if (!a->refused++) {
		add_reason(&a->reason, &text);
	}
	pn_buf_release(&text);
}

static void read_answers(struct answers *a, const struct pn_buf *out)
{
	const char *at = pn_buf_text(out);
	size_t len;

	while (*at) {
		len = strcspn(at, "\n");
		if (len > 3 && at[1] == '\t' && strchr(" +-*=!", *at))
			take_answer(a, at, len);
		at += len + (at[len] != '\0');
	}
}

/* Whether the other side does, besides the word that it has for each ref. */
static bool says_why(const struct pn_buf *said)
{
	return strstr(pn_buf_text(said), "remote: ") ||
	       strstr(pn_buf_text(said), "remote unpack failed: ");
}

/* The other side's words, and then its word of the ref. */
static void add_why(struct pn_buf *out, const struct pn_buf *said,
		    const struct pn_buf *reason)
{
	if (says_why(said) && pn_transport_reason(out, said))
		pn_buf_add_text(out, ": ");
	else
		pn_buf_clear(out);
	pn_buf_add(out, reason->data, reason->len);
}

/* Of what was lost, too, `err` says why. */
static int judge(enum pn_sent_state *out, const struct answers *a,
		 const struct pn_transport *t, const struct pn_buf *said,
		 int status, struct pn_error *err)
{
	struct pn_buf why = {0};
	int code = 0;

	if (a->refused) {
		add_why(&why, said, &a->reason);
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s' refuses the push: %s", t->remote,
				    pn_buf_text(&why));
	} else if (a->lost) {
		add_why(&why, said, &a->loss);
		pn_error_set(err, 0, "%s", pn_buf_text(&why));
		*out = PN_SENT_LOST;
	} else if (status) {
		pn_transport_reason(&why, said);
		code = pn_error_set(err, PN_EIO, "cannot push to '%s': %s",
				    t->remote, pn_buf_text(&why));
	} else {
		*out = a->done ? PN_SENT_DONE : PN_SENT_NOTHING;
	}
	pn_buf_release(&why);
	return code;
}

static int push_once(enum pn_sent_state *out, bool *no_atomic,
		     const struct pn_transport *t, const struct pn_sent *refs,
		     size_t count, bool atomic, struct pn_error *err)
{
	struct pn_buf texts = {0}, answer = {0}, said = {0};
	const char **argv = words(&texts, t, refs, count, atomic);
	struct answers answers = {0};
	int status = 0, code;

	code = pn_transport_run(&answer, &said, &status, t, argv, err);
	*no_atomic = !code && status && atomic &&
		     strstr(pn_buf_text(&said), "does not support --atomic");
	if (!code && !*no_atomic) {
		read_answers(&answers, &answer);
		code = judge(out, &answers, t, &said, status, err);
	}
	pn_buf_release(&answers.reason);
	pn_buf_release(&answers.loss);
	pn_buf_release(&texts);
	pn_buf_release(&answer);
	pn_buf_release(&said);
	free(argv);
	return code;
}

/* A server that cannot keep what came may have a gc at work beside it, which
 * takes its temporary files away. */
static int push_again(enum pn_sent_state *out, bool *no_atomic,
		      const struct pn_transport *t, const struct pn_sent *refs,
		      size_t count, bool atomic, struct pn_error *err)
{
	int tries = 0, code;

	do {
		code = push_once(out, no_atomic, t, refs, count, atomic, err);
	} while (code == PN_EREFUSED && ++tries < TRIES &&
		 strstr(err->message, "unpacker error"));
	return code;
}

/* What goes, after what stays: that is done by now. */
static void push_rest(struct pn_error *kept, const struct pn_transport *t,
		      const struct pn_sent *refs, size_t count)
{
	enum pn_sent_state state = PN_SENT_NOTHING;
	bool no_atomic = false;

	kept->code =
		push_again(&state, &no_atomic, t, refs, count, false, kept);
	if (!kept->code && state == PN_SENT_LOST)
		pn_error_set(kept, PN_ECONFLICT,
			     "somebody else has changed '%s' or others",
			     refs->ref);
}

/* Where not all can move at once, what goes does it after what stays. */
int pn_transport_push(enum pn_sent_state *out, struct pn_error *kept,
		      const struct pn_transport *t, const struct pn_sent *refs,
		      size_t count, struct pn_error *err)
{
	enum pn_sent_state first = PN_SENT_NOTHING;
	struct pn_error refused = {0};
	bool no_atomic = false, ignored;
	int code = push_again(&first, &no_atomic, t, refs, count, count > 1,
			      &refused);
	bool alone = code == PN_EREFUSED && count > 1;

	kept->code = 0;
	if (alone || (!code && no_atomic))
		code = push_again(&first, &ignored, t, refs, 1, false,
				  &refused);
	if (code)
		return pn_error_set(err, code, "%s", refused.message);
	if (alone || first == PN_SENT_LOST)
		*kept = refused;
	if (first == PN_SENT_LOST)
		kept->code = 0;
	else if (!alone && no_atomic)
		push_rest(kept, t, refs + 1, count - 1);
	*out = first;
	return 0;
}

static int urls(struct pn_buf *out, const struct pn_transport *t,
		const char *which, struct pn_error *err)
{
	const char *const argv[] = {"git",   "remote", "get-url", which,
				    "--all", "--",     t->remote, NULL};
	char said[1024] = "";
	int status = 0;
	int code = pn_child_run(out, said, &status, t->repo, argv, err);

	if (!code && status)
		code = pn_error_set(err, PN_EIO, "no URL of '%s': %s",
				    t->remote, pn_child_said(said));
	return code;
}

int pn_transport_is_apart(bool *out, const struct pn_transport *t,
			  struct pn_error *err)
{
	struct pn_buf from = {0}, to = {0};
	int code = urls(&from, t, "--no-push", err);

	if (!code)
		code = urls(&to, t, "--push", err);
	*out = strcmp(pn_buf_text(&from), pn_buf_text(&to)) != 0 ||
	       /* it is fetched from the first, and pushed to all */
	       strchr(pn_buf_text(&to), '\n') !=
		       strrchr(pn_buf_text(&to), '\n');
	pn_buf_release(&from);
	pn_buf_release(&to);
	return code;
}
