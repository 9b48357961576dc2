/* Which records go. */
#include "jobs/retain/plan.h"

#include "base/alloc.h"
#include "base/file.h"
#include "jobs/judge/past_marks.h"
#include "jobs/retain/reached.h"
#include "jobs/rewritten/rewritten.h"
#include "storage/retain/full.h"
#include "storage/retain/tombstone.h"
#include "vcs/notes/cached.h"

#include <stdlib.h>
#include <string.h>

#define DAY_NS ((int64_t)86400 * 1000000000)
#define PASTS_MAX 1000 /* of 300 measured commits each, for change points */

struct planning {
	struct pn_retain_plan *out;
	int64_t old_ns;	      /* bodies from before that may go */
	struct pn_oid *trees; /* of the commits, where they were measured */
	size_t tree_cap;
	struct pn_buf named;   /* ids of commits */
	struct pn_buf changes; /* of those that a change point names */
	struct pn_buf kept;    /* of those that a line of kind `keep` names */
	bool *is_new; /* of each commit: it is to be named by such a line */
	size_t at;    /* the commit whose note comes next, for take_items() */
};

static int by_id(const void *a, const void *b)
{
	const struct pn_retain_commit *x = a, *y = b;

	return pn_oid_cmp(&x->id, &y->id);
}

static struct pn_retain_commit *find(const struct planning *p,
				     const struct pn_oid *id)
{
	const struct pn_retain_commit key = {.id = *id};

	return p->out->count ? bsearch(&key, p->out->commits, p->out->count,
				       sizeof(key), by_id)
			     : NULL;
}

static void name(struct pn_buf *list, const struct pn_oid *id)
{
	pn_buf_add(list, id->bytes, PN_OID_BYTES);
}

/* Whether its figures could stay without its body. */
static bool is_old_body(const struct planning *p, const struct pn_entry *e)
{
	return e->has_body && pn_entry_has_figures(e) && e->time_ns < p->old_ns;
}

static void take_entry(struct planning *p, struct pn_retain_commit *c,
		       const struct pn_entry *e)
{
	struct pn_oid since;

	if (!strcmp(e->kind_text, PN_ENTRY_KIND_KEEP))
		name(&p->kept, &c->id);
	if (!strcmp(e->kind_text, "accept") ||
	    !strcmp(e->kind_text, PN_ENTRY_KIND_KEEP)) {
		name(&p->named, &c->id);
		if (!pn_oid_parse(&since, pn_entry_field(e, "since")))
			name(&p->named, &since);
	}
	c->profiles += e->kind == PN_ENTRY_PROFILE;
	c->old_body |= is_old_body(p, e);
	if (e->time_ns > c->newest_ns)
		c->newest_ns = e->time_ns;
}

static int take_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	struct planning *p = arg;
	struct pn_retain_plan *out = p->out;
	struct pn_retain_commit *c;
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t i, count;

	(void)err;
	pn_entries_parse(&entries, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	if (count) {
		out->commits = pn_grow(out->commits, &out->cap, out->count + 1,
				       sizeof(*out->commits));
		p->trees = pn_grow(p->trees, &p->tree_cap, out->count + 1,
				   sizeof(*p->trees));
		p->trees[out->count] = entries[0].tree;
		c = &out->commits[out->count++];
		memset(c, 0, sizeof(*c));
		c->id = *commit;
		for (i = 0; i < count; i++)
			take_entry(p, c, &entries[i]);
		c->time_s = c->newest_ns / 1000000000;
	}
	pn_arena_release(&arena);
	return 0;
}

/* The commits where a level begins, and those between which it began. */
static void name_marks(struct planning *p, const struct pn_past_marks *past)
{
	size_t i;

	for (i = 0; i < past->marks.count; i++) {
		const struct pn_mark *m = &past->marks.items[i];

		name(&p->changes, &past->gathered.commits[m->commit].id);
		name(&p->changes, &past->gathered.commits[m->from].id);
		name(&p->changes, &past->gathered.commits[m->to].id);
		if (m->commit + 1 < past->gathered.count)
			name(&p->changes,
			     &past->gathered.commits[m->commit + 1].id);
	}
}

/* From HEAD on, as far as measured commits go: pasts overlap by a half, so that
 * none ends where a level begins. */
static int find_marks(struct planning *p, struct pn_repo *repo,
		      struct pn_notes *notes, struct pn_error *err)
{
	const struct pn_log_filter all = {0};
	struct pn_past_marks past = {0};
	struct pn_head head;
	struct pn_oid at;
	bool more;
	int i = 0, code = pn_repo_head(&head, repo, err);

	if (code || head.unborn)
		return code;
	at = head.commit;
	do {
		code = pn_past_marks_read(&past, repo, notes, &at, &all, false,
					  err);
		if (!code)
			name_marks(p, &past);
		more = !code && past.gathered.count > 150;
		if (more)
			at = past.gathered.commits[past.gathered.count / 2].id;
		pn_past_marks_release(&past);
		memset(&past, 0, sizeof(past));
	} while (more && ++i < PASTS_MAX);
	return code;
}

static void add_item(struct pn_retain_plan *out, const struct pn_oid *commit,
		     const struct pn_entry *e, enum pn_prune_what what)
{
	struct pn_prune_item item = {.commit = *commit, .what = what};

	memcpy(item.id, e->id, sizeof(item.id));
	out->items = pn_grow(out->items, &out->item_cap, out->item_count + 1,
			     sizeof(item));
	out->items[out->item_count++] = item;
}

/* Commits that were rewritten are named with those that stand for them, where
 * their records are; with `any` those of other branches than HEAD's, too. */
static int add_measured(struct planning *p, struct pn_buf *list, bool any,
			struct pn_repo *repo, struct pn_notes *notes,
			struct pn_error *err)
{
	struct pn_rewritten *walk = pn_rewritten_new(repo, notes);
	const struct pn_retain_commit *c;
	struct pn_commit_facts facts;
	struct pn_oid id, from;
	struct pn_head head;
	size_t at, len = list->len;
	bool same_tree;
	int code = pn_repo_head(&head, repo, err);

	if (!code && !head.unborn)
		pn_rewritten_begin(walk, &head.commit);
	for (at = 0; !code && at < len; at += PN_OID_BYTES) {
		memcpy(id.bytes, list->data + at, PN_OID_BYTES);
		c = find(p, &id);
		if ((c && c->profiles) || !pn_repo_has_object(repo, &id) ||
		    pn_notes_commit_facts(&facts, notes, &id, NULL))
			continue;
		if (pn_rewritten_find(&from, &same_tree, walk, &id, &facts) ||
		    (any && pn_rewritten_find_alone(&from, &same_tree, repo,
						    notes, &id)))
			name(list, &from);
	}
	pn_rewritten_free(walk);
	return code;
}

/* Of each commit of the list that has records a flag (NULL: `named`). */
static void mark(struct planning *p, bool *flags, const struct pn_buf *list,
		 bool value)
{
	struct pn_retain_commit *c;
	struct pn_oid id;
	size_t at;

	for (at = 0; at < list->len; at += PN_OID_BYTES) {
		memcpy(id.bytes, list->data + at, PN_OID_BYTES);
		c = find(p, &id);
		if (c && flags)
			flags[c - p->out->commits] = value;
		else if (c)
			c->named = value;
	}
}

static bool has_items(const struct planning *p, size_t commit)
{
	const struct pn_retain_commit *c = &p->out->commits[commit];

	return c->why != PN_RETAIN_STAYS || p->is_new[commit] ||
	       (c->old_body && !c->named);
}

/* What becomes of the lines of a commit; notes come in the commits' order. */
static int take_items(void *arg, const struct pn_oid *commit,
		      const struct pn_buf *text, struct pn_error *err)
{
	struct planning *p = arg;
	struct pn_retain_plan *out = p->out;
	const struct pn_retain_commit *c = &out->commits[p->at];
	const struct pn_entry *entries, *e;
	struct pn_arena arena = {0};
	bool is_new;
	size_t count;

	(void)err;
	if (p->at == out->count || !pn_oid_equal(&c->id, commit))
		return 0; /* no records */
	is_new = p->is_new[p->at];
	if (!has_items(p, p->at++))
		return 0;
	pn_entries_parse(&entries, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (e = entries; e < entries + count; e++) {
		if (c->why != PN_RETAIN_STAYS) {
			add_item(out, commit, e, PN_PRUNE_RECORD);
		} else if (is_new && e->kind == PN_ENTRY_PROFILE) {
			add_item(out, commit, e, PN_PRUNE_KEEP);
			is_new = false;
		} else if (!c->named && is_old_body(p, e)) {
			add_item(out, commit, e, PN_PRUNE_BODY);
		}
	}
	pn_arena_release(&arena);
	return 0;
}

/* A second look at the notes costs less than all their lines in memory. */
static int add_items(struct planning *p, struct pn_notes *notes,
		     struct pn_error *err)
{
	struct pn_retain_plan *out = p->out;
	bool has = false;
	size_t i;

	for (i = 0; i < out->count; i++) {
		const struct pn_retain_commit *c = &out->commits[i];

		has = has || has_items(p, i);
		out->vanished += c->why == PN_RETAIN_VANISHED;
		out->left_out += c->why == PN_RETAIN_LEFT_OUT;
		out->rewritten += c->rewritten;
		out->unsure += c->unsure;
	}
	return has ? pn_notes_each_text(notes, take_items, p, err) : 0;
}

static int check_days(int64_t days, const char *option, struct pn_error *err)
{
	return days <= PN_RETAIN_DAYS_MAX
		       ? 0
		       : pn_error_set(err, PN_ERANGE,
				      "%s=%lld: at most %d days can be asked "
				      "for",
				      option, (long long)days,
				      PN_RETAIN_DAYS_MAX);
}

/* The other policies name some commit wherever one is measured. */
static int check_choice(const struct pn_retain_plan *plan,
			const struct pn_retain_policy *policy,
			struct pn_error *err)
{
	size_t i, tagged = 0, past = 0;

	if (!policy->tagged || policy->last || policy->daily ||
	    policy->weekly || policy->monthly)
		return 0;
	for (i = 0; i < plan->count; i++) {
		const struct pn_retain_commit *c = &plan->commits[i];

		if (!c->in_past || !c->profiles)
			continue; /* why it was not measured, say */
		past++;
		tagged += c->tagged;
	}
	return tagged || !past
		       ? 0
		       : pn_error_set(err, PN_EREFUSED,
				      "--keep=tagged names no measured commit "
				      "of HEAD's past: nothing would be kept");
}

int pn_retain_plan(struct pn_retain_plan *out, struct pn_repo *repo,
		   struct pn_notes *notes,
		   const struct pn_retain_request *request,
		   struct pn_error *err)
{
	const struct pn_retain_policy *policy = &request->policy;
	bool thins = pn_retain_policy_is_set(policy);
	int64_t now_ns = pn_time_now_ns();
	struct planning p = {.out = out, .old_ns = INT64_MIN};
	struct pn_buf tips = {0}, tags = {0};
	int code = check_days(policy->body_days, "--bodies", err);

	if (!code)
		code = check_days(request->expire_days, "--expire", err);
	if (!code && policy->body_days >= 0)
		p.old_ns = now_ns - policy->body_days * DAY_NS;
	if (!code)
		code = pn_retain_check_full(repo, notes, err);
	if (!code && !request->offline)
		code = pn_retain_remote_tips(&tips, &tags, repo, err);
	if (!code)
		code = pn_notes_each_text(notes, take_note, &p, err);
	if (!code)
		code = pn_retain_reach(out->commits, out->count, p.trees, repo,
				       &tips, &tags, err);
	if (!code && (thins || policy->body_days >= 0))
		code = find_marks(&p, repo, notes, err);
	if (!code && p.changes.len)
		code = add_measured(&p, &p.changes, false, repo, notes, err);
	if (!code && p.named.len)
		code = add_measured(&p, &p.named, true, repo, notes, err);
	free(p.trees);
	p.is_new = pn_calloc(out->count + 1, sizeof(*p.is_new));
	if (!code) {
		mark(&p, NULL, &p.named, true);
		mark(&p, NULL, &p.changes, true);
		/* what stays for a change point is written down: what is
		 * around it goes, and then nobody sees the change any more */
		mark(&p, p.is_new, &p.changes, true);
		mark(&p, p.is_new, &p.kept, false);
		pn_retain_choose(out->commits, out->count, policy,
				 now_ns - request->expire_days * DAY_NS);
		code = check_choice(out, policy, err);
	}
	if (!code) {
		if (!thins) /* the figures stay, and so does the change */
			memset(p.is_new, 0, out->count * sizeof(*p.is_new));
		code = add_items(&p, notes, err);
	}
	free(p.is_new);
	pn_buf_release(&tips);
	pn_buf_release(&tags);
	pn_buf_release(&p.named);
	pn_buf_release(&p.changes);
	pn_buf_release(&p.kept);
	return code;
}

void pn_retain_plan_release(struct pn_retain_plan *plan)
{
	free(plan->commits);
	free(plan->items);
	memset(plan, 0, sizeof(*plan));
}
