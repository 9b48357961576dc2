/*
 * Sending: straight to the remote's notes while nobody else is first, else
 * fetch, unite and try again; into an inbox when that goes on.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "storage/exchange/again.h"
#include "storage/exchange/cut.h"
#include "storage/exchange/exchange.h"
#include "storage/exchange/tracked.h"
#include "storage/sync.h"
#include "vcs/lock.h"
#include "vcs/notes/epoch.h"
#include "vcs/notes/unite.h"
#include "vcs/objects/gone.h"
#include "vcs/ref/list.h"
#include "vcs/transport/transport.h"
#include "vcs/walk/reach.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MS                                                               \
	50 /* at most, before the first try again; doubled each time           \
	    */

/* What git push does with n refs takes more than n times one: measured beside
 * 4,400 others, 100 take 2 s, 500 take 10 s. */
#define INBOXES_AT_ONCE 200
#define ROUNDS_MAX 1000

/* At random, longer after each loss: writers that lost the same race would meet
 * again if all of them waited equally long. */
static void pause_after(unsigned int losses)
{
	uint64_t ms = pn_hash_random() % ((uint64_t)PAUSE_MS << losses);
	struct timespec time = {.tv_sec = (time_t)(ms / 1000),
				.tv_nsec = (long)(ms % 1000) * 1000000};

	nanosleep(&time, NULL);
}

static int set_tracking(const struct pn_exchange *x, const struct pn_oid *tip,
			struct pn_error *err)
{
	struct pn_buf ref = {0};
	struct pn_oid now;
	int code;

	pn_buf_printf(&ref, PN_TRACKING_REF, x->remote);
	code = pn_repo_ref(&now, x->repo, pn_buf_text(&ref), err);
	if (!code && !pn_oid_equal(&now, tip))
		code = pn_notes_point(x->repo, pn_buf_text(&ref), tip, NULL,
				      err);
	pn_buf_release(&ref);
	return code;
}

/* The remote has our tip, and the inboxes that are part of it are gone. */
static int note_pushed(struct pn_pushed *out, const struct pn_exchange *x,
		       const struct pn_oid *tip,
		       const struct pn_tracked *inboxes, struct pn_error *err)
{
	struct pn_buf gone = {0};
	const char *ref;
	size_t i;
	int code = set_tracking(x, tip, err);

	for (i = 0; !code && !out->kept.code && i < inboxes->count; i++) {
		if (!inboxes->items[i].merged)
			continue;
		ref = inboxes->items[i].ref;
		pn_buf_add(&gone, ref, strlen(ref) + 1);
		out->inboxes++;
	}
	if (!code && gone.len)
		code = pn_refs_delete(x->repo, &gone, err);
	pn_buf_release(&gone);
	return code;
}

/* What is on its way. */
struct going {
	struct pn_oid tip;
	/* Of an earlier epoch, and all of it is part of the tip: the remote
	 * moves from there, and from nowhere else. Zero: forward only. */
	struct pn_oid was;
};

/* Our tip, and away with the inboxes that it has, as many as go at once; *rest
 * says whether there are more. */
static int send(enum pn_sent_state *state, bool *rest, struct pn_pushed *out,
		const struct pn_exchange *x, const struct going *going,
		struct pn_error *err)
{
	const struct pn_transport transport = {.repo = x->repo,
					       .remote = x->remote,
					       .progress = x->progress,
					       .dry_run = x->dry_run};
	struct pn_tracked inboxes = {0};
	struct pn_sent *refs;
	struct pn_buf name = {0};
	size_t i, n = 1;
	int code =
		pn_tracked_read(&inboxes, x->repo, x->remote, &going->tip, err);

	/* not our ref: others unite beside us what does not go yet */
	if (!code)
		pn_tracked_find_taken(&inboxes, x->repo, &going->tip);
	refs = pn_calloc(inboxes.count + 1, sizeof(*refs));
	refs[0] = (struct pn_sent){PN_NOTES_REF, going->tip, going->was};
	*rest = false;
	for (i = 0; !code && i < inboxes.count; i++) {
		if (n > INBOXES_AT_ONCE) {
			*rest |= inboxes.items[i].merged;
			inboxes.items[i].merged = false;
		}
		if (!inboxes.items[i].merged)
			continue;
		pn_buf_clear(&name);
		pn_buf_printf(&name, PN_INBOX_REF "%s", inboxes.items[i].name);
		refs[n].ref = pn_arena_copy(&inboxes.arena, pn_buf_text(&name),
					    name.len);
		refs[n++].was = inboxes.items[i].id;
	}
	if (!code)
		code = pn_transport_push(state, &out->kept, &transport, refs, n,
					 err);
	if (!code && *state != PN_SENT_LOST && !x->dry_run)
		code = note_pushed(out, x, &going->tip, &inboxes, err);
	pn_buf_release(&name);
	pn_tracked_release(&inboxes);
	free(refs);
	return code;
}

/* Whether the remote is known to have this tip, by whatever way. */
static int is_there(bool *out, const struct pn_exchange *x,
		    const struct pn_oid *tip, struct pn_error *err)
{
	struct pn_tracked inboxes = {0};
	struct pn_buf ref = {0};
	struct pn_oid now;
	size_t i;
	int code;

	pn_buf_printf(&ref, PN_TRACKING_REF, x->remote);
	code = pn_repo_ref(&now, x->repo, pn_buf_text(&ref), err);
	*out = !code && pn_oid_equal(&now, tip);
	if (!code && !*out)
		code = pn_tracked_read(&inboxes, x->repo, x->remote, tip, err);
	for (i = 0; i < inboxes.count; i++)
		*out |= pn_oid_equal(&inboxes.items[i].id, tip);
	pn_tracked_release(&inboxes);
	pn_buf_release(&ref);
	return code;
}

/* The remote has our tip, and yet others were first each time: they were just
 * that much faster, or it is not asked where it is told. */
static int look_elsewhere(const struct pn_transport *t, struct pn_error *err)
{
	bool apart = false;
	int code = pn_transport_is_apart(&apart, t, err);

	if (!code && apart)
		code = pn_error_set(err, PN_ECONFLICT,
				    "'%s' has all profiles that are here where "
				    "it is fetched from, but where it is "
				    "pushed to others are in the way: look at "
				    "'git remote get-url --push --all %s', and "
				    "pull from each",
				    t->remote, t->remote);
	return code;
}

/* A name that nobody has: no one is in the way. */
static int send_inbox(struct pn_pushed *out, const struct pn_exchange *x,
		      const struct pn_oid *tip, struct pn_error *err)
{
	const struct pn_transport transport = {.repo = x->repo,
					       .remote = x->remote,
					       .progress = x->progress,
					       .dry_run = x->dry_run};
	struct pn_buf name = {0}, here = {0};
	struct pn_sent ref = {.id = *tip};
	enum pn_sent_state state = PN_SENT_NOTHING;
	uint64_t random = pn_hash_random();
	bool there = false;
	int code = is_there(&there, x, tip, err);

	out->state = PN_PUSHED_NOTHING;
	if (!code && there && out->losses)
		code = look_elsewhere(&transport, err);
	if (code || there)
		return code;
	pn_buf_printf(&name, PN_INBOX_REF "%016" PRIx64, random);
	pn_buf_printf(&here, PN_INBOX_TRACKING "%016" PRIx64, x->remote,
		      random);
	ref.ref = pn_buf_text(&name);
	code = pn_transport_push(&state, &out->kept, &transport, &ref, 1, err);
	if (!code && state == PN_SENT_LOST)
		code = pn_error_set(err, PN_ECONFLICT,
				    "'%s' does not take '%s': %s", x->remote,
				    ref.ref, out->kept.message);
	if (!code && !x->dry_run)
		code = pn_notes_point(x->repo, pn_buf_text(&here), tip, NULL,
				      err);
	out->state = PN_PUSHED_INBOX;
	pn_buf_release(&name);
	pn_buf_release(&here);
	return code;
}

/* What goes, and from where the remote is moved. A remote of an earlier epoch
 * whose tip is no part of our history leaves its own behind: all that it has
 * is taken in by the commit that is known of it, and no other is moved. */
static int prepare(struct going *out, const struct pn_exchange *x,
		   struct pn_error *err)
{
	struct pn_notes *ours = NULL, *theirs = NULL;
	struct pn_notes_epoch a = {0}, b = {0};
	struct pn_united united = {0};
	struct pn_buf ref = {0};
	struct pn_oid was;
	bool has = true;
	int code = pn_repo_ref(&out->tip, x->repo, PN_NOTES_REF, err);

	memset(&out->was, 0, sizeof(out->was));
	pn_buf_printf(&ref, PN_TRACKING_REF, x->remote);
	if (!code)
		code = pn_repo_ref(&was, x->repo, pn_buf_text(&ref), err);
	if (code || pn_oid_is_zero(&out->tip) || pn_oid_is_zero(&was))
		goto out;
	code = pn_reach_from(&has, x->repo, &out->tip, &was, err);
	if (code || has)
		goto out;
	code = pn_notes_open_at(&ours, x->repo, PN_NOTES_REF, &out->tip, err);
	if (!code)
		code = pn_notes_open_at(&theirs, x->repo, pn_buf_text(&ref),
					&was, err);
	if (!code)
		code = pn_notes_epoch(&a, ours, err);
	if (!code)
		code = pn_notes_epoch(&b, theirs, err);
	if (code || a.number <= b.number)
		goto out; /* fetch and unite first */
	if (!x->dry_run)
		code = pn_unite_commit(&united, x->repo, pn_buf_text(&ref),
				       &was, err);
	if (!code && !x->dry_run)
		out->tip = united.tip;
	if (!code)
		code = pn_reach_from(&has, x->repo, &out->tip, &was, err);
	if (!code && !has)
		out->was = was;
out:
	pn_notes_free(ours);
	pn_notes_free(theirs);
	pn_buf_release(&ref);
	return code;
}

/* For a remote that lets its ref move forward only: it keeps the history before
 * the compaction, and what was compacted becomes the newest of it. */
static int keep_history(struct going *going, const struct pn_exchange *x,
			struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	struct pn_notes *notes = NULL;
	int rounds = 0, code = pn_lock_acquire(&lock, x->repo, err);

	if (code)
		return code;
	do {
		pn_notes_free(notes);
		notes = NULL;
		code = pn_notes_open(&notes, x->repo, PN_NOTES_REF, err);
		if (!code) {
			pn_notes_add_parent(notes, &going->was, false);
			code = pn_notes_commit(notes,
					       "perf: keep the history\n", err);
		}
	} while (code == PN_ECONFLICT && ++rounds < ROUNDS_MAX);
	pn_lock_release(&lock);
	if (!code)
		*going = (struct going){.tip = *pn_notes_tip(notes)};
	pn_notes_free(notes);
	return code;
}

static int send_or_keep(enum pn_sent_state *state, bool *rest,
			struct pn_pushed *out, const struct pn_exchange *x,
			struct going *going, struct pn_error *err)
{
	int code = prepare(going, x, err);

	if (code || pn_oid_is_zero(&going->tip))
		return code;
	if (x->keep_history && !pn_oid_is_zero(&going->was) && !x->dry_run)
		code = keep_history(going, x, err);
	if (!code)
		code = send(state, rest, out, x, going, err);
	if (code == PN_EREFUSED && !pn_oid_is_zero(&going->was))
		return pn_error_context(err,
					"a compaction does not go ('git perf "
					"push --keep-history' sends it with "
					"the history)");
	return code;
}

/* Others were first. */
static int catch_up(struct pn_pushed *out, const struct pn_exchange *x,
		    struct pn_error *err)
{
	struct pn_error aside;
	struct pn_united united;
	int code;

	if (out->losses)
		pause_after(out->losses);
	out->losses++;
	code = pn_exchange_fetch(&aside, x, err);
	if (!code)
		code = pn_exchange_unite(&united, x, err);
	if (!code) {
		out->united.commits += united.commits;
		out->united.bodies += united.bodies;
		out->united.why = aside.code ? aside : united.why;
	}
	return code;
}

/* What keeps a push from being made is told by a dry run, too. */
static int look_at_ours(const struct pn_exchange *x, struct pn_error *err)
{
	struct pn_notes *notes = NULL;
	int code = pn_notes_open(&notes, x->repo, PN_NOTES_REF, err);

	if (!code)
		code = pn_notes_check_format(notes, err);
	pn_notes_free(notes);
	return code;
}

#define LOCK ".lock'" /* "Unable to create '<path>.lock': <reason>" */
#define TAKEN ": File exists"

/* A lock of the remote at which all attempts ended. Where its git was killed it
 * stays there, and only who has access to it can take it away. One that could
 * not be made for another reason (rights, a full disk) is nothing to remove. */
static void tell_lock(struct pn_pushed *out, const struct pn_exchange *x,
		      const struct pn_error *lost)
{
	const char *end = strstr(lost->message, LOCK);
	bool taken;

	if (!end || out->united.why.code)
		return;
	end += strlen(LOCK);
	taken = !strncmp(end, TAKEN, strlen(TAKEN));
	pn_error_set(&out->united.why, PN_ELOCKED,
		     "'%s' does not move its ref: %.*s%s", x->remote,
		     taken ? (int)(end - lost->message) : INT_MAX,
		     lost->message,
		     taken ? "; remove that there when no git process is at "
			     "work"
			   : "");
}

static int push(struct pn_pushed *out, const struct pn_exchange *x,
		struct pn_error *err)
{
	enum pn_sent_state state = PN_SENT_LOST, again;
	struct pn_united united;
	struct pn_error lost = {0};
	struct going going = {0};
	bool rest = false;
	int code;

	if (x->dry_run)
		code = look_at_ours(x, err);
	else /* what a plain merge took out of the tree */
		code = pn_unite(&united, x->repo, NULL, 0, err);
	while (!code) {
		code = pn_repo_ref(&going.tip, x->repo, PN_NOTES_REF, err);
		if (code || pn_oid_is_zero(&going.tip)) {
			out->state = PN_PUSHED_EMPTY;
			return code;
		}
		if (x->inbox || out->losses >= PN_PUSH_LOSSES) {
			code = send_inbox(out, x, &going.tip, err);
			if (!code)
				tell_lock(out, x, &lost);
			return code;
		}
		code = send_or_keep(&state, &rest, out, x, &going, err);
		if (code || state != PN_SENT_LOST)
			break;
		if (x->dry_run)
			return pn_error_set(err, PN_ECONFLICT,
					    "'%s' has profiles that are not "
					    "here: a push would fetch and "
					    "unite them first",
					    x->remote);
		if (!out->losses || strstr(lost.message, LOCK))
			lost = out->kept;
		code = catch_up(out, x, err);
	}
	going.was = (struct pn_oid){{0}};
	while (!code && rest && !out->kept.code && !x->dry_run &&
	       state != PN_SENT_LOST) {
		code = send(&again, &rest, out, x, &going, err);
		if (again == PN_SENT_LOST) /* the next push does it */
			break;
	}
	out->state = state == PN_SENT_DONE ? PN_PUSHED : PN_PUSHED_NOTHING;
	return code;
}

/* A remote that was compacted may have taken away what this clone never got:
 * what is here is written on top of what is there, without that. */
static int push_on_theirs(struct pn_pushed *out, const struct pn_exchange *x,
			  struct pn_error *why)
{
	struct pn_error aside;
	int code;

	memset(out, 0, sizeof(*out));
	code = catch_up(out, x, &aside);
	if (code) {
		*why = aside;
		return code;
	}
	code = push(out, x, why);
	if (code && pn_gone_is(why->message))
		pn_error_set(why, PN_ENOTFOUND,
			     "profiles that this partial clone lacks are not "
			     "on '%s' any more: 'git perf fsck' names them",
			     x->remote);
	return code;
}

int pn_exchange_push(struct pn_pushed *out, const struct pn_exchange *x,
		     struct pn_error *err)
{
	struct pn_error why = {0};
	struct pn_again again;
	int fd = -1;
	int code = pn_lock_named(&fd, x->repo, "push", err);

	memset(out, 0, sizeof(*out));
	if (code)
		return code;
	code = pn_tracked_clear_dead(x, &why);
	if (!code)
		code = push(out, x, &why);
	if (code && pn_reach_lacks(why.message) && pn_again_begin(&again, x)) {
		memset(out, 0, sizeof(*out));
		code = push(out, x, &why);
		pn_again_end(&again, code);
	}
	if (code && !x->dry_run && pn_gone_is(why.message))
		code = push_on_theirs(out, x, &why);
	if (code && !x->dry_run && pn_cut_refused(&why)) {
		code = pn_cut_leave(x->repo, &why);
		if (!code)
			code = push(out, x, &why);
	}
	close(fd);
	if (code && err)
		*err = why;
	return code;
}
