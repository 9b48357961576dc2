/* Choosing the base of a body. */
#include "storage/chain.h"

#include "base/alloc.h"
#include "body/body.h"
#include "model/entry.h"
#include "storage/body_store.h"
#include "vcs/notes/stage.h"

#include <stdlib.h>
#include <string.h>

/* Bodies with fewer rows than this are not worth a base: a key body of them
 * has about 1 kB, which git packs as well as a delta. */
#define MIN_ROWS 48

/* States kept for the jobs of one batch: a state takes a few megabytes at
 * most in practice, and a job matrix has few jobs. */
#define MAX_STATES 16

/* With more frames than this memory is what counts: 16 bytes for each of them,
 * twice, and as much again for a base. No state is kept for the next of the
 * batch. */
#define LEAN_FRAMES ((size_t)1 << 20)

/* Ancestors read in one batch, whatever the number of jobs. */
#define MAX_LOOKUPS 1024

struct slot {
	struct pn_buf job;
	struct pn_oid body;
	struct pn_body_state *state;
	uint64_t used; /* clock of the last use; 0: free */
};

struct pn_chain {
	struct pn_repo *repo;
	struct slot slots[MAX_STATES];
	uint64_t clock;
	size_t lookups;
	/* What was encoded last, and where it belongs once it is stored. */
	struct pn_body_state *fresh;
	struct slot *last;
};

static const char *const job_keys[] = {"format",   "cmd",	"args",
				       "workload", "collector", "posts"};

#define JOB_KEYS (sizeof(job_keys) / sizeof(*job_keys))

struct pn_chain *pn_chain_new(struct pn_repo *repo)
{
	struct pn_chain *chain = pn_calloc(1, sizeof(*chain));

	chain->repo = repo;
	return chain;
}

void pn_chain_free(struct pn_chain *chain)
{
	size_t i;

	if (!chain)
		return;
	for (i = 0; i < MAX_STATES; i++) {
		pn_buf_release(&chain->slots[i].job);
		pn_body_state_free(chain->slots[i].state);
	}
	pn_body_state_free(chain->fresh);
	free(chain);
}

static void add_part(struct pn_buf *job, const char *text)
{
	pn_buf_add(job, text, strlen(text) + 1);
}

static void add_metrics(struct pn_buf *job, const struct pn_entry_metric *m,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		add_part(job, m[i].name);
}

static void job_of_record(struct pn_buf *job, const struct pn_record *r)
{
	size_t i;

	for (i = 0; i < JOB_KEYS; i++)
		add_part(job, pn_record_field(r, job_keys[i]));
	add_metrics(job, r->metrics, r->metric_count);
}

static bool is_job(const struct pn_buf *job, const struct pn_entry *e)
{
	struct pn_buf other = {0};
	bool same;
	size_t i;

	for (i = 0; i < JOB_KEYS; i++)
		add_part(&other, pn_entry_field(e, job_keys[i]));
	add_metrics(&other, e->metrics, e->metric_count);
	same = other.len == job->len &&
	       !memcmp(other.data, job->data, job->len);
	pn_buf_release(&other);
	return same;
}

/* The slot of a job, else the one that was not used for longest, emptied. */
static struct slot *slot_of(struct pn_chain *chain, const struct pn_buf *job)
{
	struct slot *oldest = &chain->slots[0];
	size_t i;

	for (i = 0; i < MAX_STATES; i++) {
		struct slot *s = &chain->slots[i];

		if (s->used && s->job.len == job->len &&
		    !memcmp(s->job.data, job->data, job->len)) {
			s->used = ++chain->clock;
			return s;
		}
		if (s->used < oldest->used)
			oldest = s;
	}
	pn_body_state_free(oldest->state);
	oldest->state = NULL;
	pn_buf_clear(&oldest->job);
	pn_buf_add(&oldest->job, job->data, job->len);
	oldest->used = ++chain->clock;
	return oldest;
}

struct line {
	const char *at;
	size_t len;
};

static struct line *list_lines(size_t *count, const struct pn_buf *text)
{
	const char *at = pn_buf_text(text), *end = at + text->len;
	struct line *lines = NULL, line;
	size_t cap = 0;

	*count = 0;
	while (pn_note_line(&line.at, &line.len, &at, end)) {
		lines = pn_grow(lines, &cap, *count + 1, sizeof(*lines));
		lines[(*count)++] = line;
	}
	return lines;
}

/*
 * The last canonical body of the job in one commit's note. Lines come in order
 * of time, so that it is the newest, and mostly the first that is parsed. One
 * that was taken out does as well while it is anchored.
 */
static bool find_in_commit(struct pn_oid *body, struct pn_notes *notes,
			   const struct pn_oid *commit,
			   const struct pn_buf *job)
{
	struct pn_arena arena = {0};
	struct line *lines = NULL;
	struct pn_buf text = {0};
	struct pn_entry e;
	bool found = false;
	size_t i = 0;

	if (!pn_notes_read(&text, notes, commit, NULL) && text.len)
		lines = list_lines(&i, &text);
	while (!found && i-- > 0)
		if (!pn_entry_parse(&e, &arena, lines[i].at, lines[i].len,
				    NULL) &&
		    e.kind != PN_ENTRY_DEL && e.has_body &&
		    !strcmp(pn_entry_field(&e, "body"), "canonical") &&
		    is_job(job, &e)) {
			*body = e.body;
			found = true;
		}
	free(lines);
	pn_arena_release(&arena);
	pn_buf_release(&text);
	return found;
}

/* Fills the slot from the nearest ancestor; leaves it empty when none has the
 * job or its body cannot be read: a base is a gain, never a need. */
static void find_base(struct slot *slot, struct pn_chain *chain,
		      struct pn_notes *notes, const struct pn_oid *from,
		      bool lean)
{
	int (*read_state)(struct pn_body_state **, struct pn_repo *,
			  const struct pn_oid *, struct pn_error *) =
		lean ? pn_body_store_state_lean : pn_body_store_state;
	struct pn_commit_facts facts;
	struct pn_oid commit = *from, body;
	bool anchored;
	int i;

	for (i = 0; i < PN_CHAIN_ANCESTORS; i++) {
		if (chain->lookups++ >= MAX_LOOKUPS)
			return;
		if (find_in_commit(&body, notes, &commit, &slot->job)) {
			if (!pn_notes_has_body(&anchored, notes, &body, NULL) &&
			    anchored &&
			    !read_state(&slot->state, chain->repo, &body, NULL))
				slot->body = body;
			return;
		}
		if (pn_repo_commit_facts(&facts, chain->repo, &commit, NULL) ||
		    !facts.parent_count)
			return;
		commit = facts.first_parent;
	}
}

/* *out (may be NULL) is the state of what was read back. */
static int verify(struct pn_body_state **out, const struct pn_buf *bytes,
		  const struct pn_body_state *base,
		  const struct pn_profile *profile, struct pn_error *err)
{
	struct pn_body_state *state = NULL;
	struct pn_profile back;
	char why[256] = "";
	int code;

	pn_profile_init(&back);
	code = pn_body_decode(&state, bytes->data, bytes->len, base, err);
	if (!code)
		code = pn_body_profile_again(&back, state, err);
	if (!code && !pn_profile_equal(profile, &back, why, sizeof(why)))
		code = pn_error_set(err, PN_EINVAL, "%s", why);
	if (out && !code)
		*out = state;
	else
		pn_body_state_free(state);
	pn_profile_release(&back);
	return code ? pn_error_context(err, "the canonical body does not give "
					    "back the profile")
		    : 0;
}

static bool is_large(const struct pn_profile *profile)
{
	return profile->frame_count > LEAN_FRAMES;
}

static bool is_lean(const struct slot *slot)
{
	return slot->state && pn_body_state_is_lean(slot->state);
}

static void drop_state(struct slot *slot)
{
	pn_body_state_free(slot->state);
	slot->state = NULL;
}

/* As a delta where that is not too large; nothing of the base is there when
 * the profile has to stand alone. */
static int encode_large(struct pn_buf *out, const struct pn_profile *p,
			struct slot *slot, struct pn_error *err)
{
	int code = 0;

	if (slot->state)
		code = pn_body_encode_lean(out, p, slot->state, &slot->body,
					   err);
	if (code || out->len)
		return code;
	drop_state(slot);
	return pn_body_encode_lean(out, p, NULL, NULL, err);
}

/* On the slot's state, without one as a key body; verified. The state is what
 * that has read: of a large profile a second one would take as much again. */
static int encode_on(struct pn_buf *out, struct pn_body_state **state,
		     const struct pn_profile *p, struct slot *slot,
		     struct pn_error *err)
{
	const struct pn_body_state *base = slot->state;
	int code;

	if (is_large(p) && (!base || is_lean(slot)))
		return encode_large(out, p, slot, err);
	code = pn_body_encode(out, NULL, p, base, base ? &slot->body : NULL,
			      err);
	return code ? code : verify(state, out, base, p, err);
}

bool pn_chain_is_alone(const struct pn_record *record)
{
	const struct pn_profile *p = &record->profile;

	return p->sample_count + p->graph.edge_count + p->graph.cost_count <
	       MIN_ROWS;
}

int pn_chain_encode_alone(struct pn_buf *out, const struct pn_record *record,
			  struct pn_error *err)
{
	int code = pn_body_encode(out, NULL, &record->profile, NULL, NULL, err);

	return code ? code : verify(NULL, out, NULL, &record->profile, err);
}

int pn_chain_encode(struct pn_buf *out, bool *is_delta, struct pn_oid *base,
		    struct pn_chain *chain, struct pn_notes *notes,
		    const struct pn_record *record, struct pn_error *err)
{
	const struct pn_profile *p = &record->profile;
	struct pn_body_state *state = NULL;
	struct pn_body_info info;
	struct pn_buf job = {0};
	struct slot *slot;
	int code;

	job_of_record(&job, record);
	slot = slot_of(chain, &job);
	pn_buf_release(&job);
	if (is_lean(slot))
		drop_state(slot);
	if (!slot->state)
		find_base(slot, chain, notes, &record->commit, is_large(p));
	code = encode_on(out, &state, p, slot, err);
	if (code && slot->state) {
		/* an odd body that others stored must not stop this one */
		drop_state(slot);
		pn_buf_clear(out);
		code = encode_on(out, &state, p, slot, err);
	}
	if (!code)
		code = pn_body_info(&info, out->data, out->len, err);
	if (code) {
		pn_body_state_free(state);
		return code;
	}
	*is_delta = info.is_delta;
	if (info.is_delta)
		*base = info.base;
	pn_body_state_free(chain->fresh);
	chain->fresh = state;
	chain->last = slot;
	return 0;
}

void pn_chain_stored(struct pn_chain *chain, const struct pn_oid *body)
{
	struct slot *slot = chain->last;

	pn_body_state_free(slot->state);
	slot->state = chain->fresh;
	slot->body = *body;
	chain->fresh = NULL;
}
