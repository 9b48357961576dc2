/*
 * Stacks by cached rules. An entry of the cache is two words, the rule and the
 * rule xor the address, so that one that two threads wrote at once is told
 * from a good one without a lock (Hyatt & Mann, A lockless transposition table
 * implementation for parallel search, ICGA Journal 25 (2002)).
 */
#include "runtime/unwind.h"

#include "runtime/tables.h"

#include <string.h>

#define SETS 16384 /* of one cache line: 65,536 addresses in 1 MB */
#define WAYS 4

/* Where a signal's context has them, behind the frame's address: Linux,
 * arch/x86/include/uapi/asm/sigcontext.h in a ucontext. */
#define CONTEXT_FP 120
#define CONTEXT_SP 160
#define CONTEXT_PC 168

#ifdef __x86_64__
#define HAS_RULES true
#else
#define HAS_RULES false /* rule.c knows registers of x86-64 only */
#endif

struct entry {
	uint64_t rule, check;
};

static struct entry cache[SETS][WAYS] __attribute__((aligned(64)));
static uint64_t generation; /* of what is loaded, in the upper 16 bits */

static uint64_t pack(const struct pn_rule *rule)
{
	uint64_t bits = 0;

	memcpy(&bits, rule, sizeof(*rule));
	return bits;
}

static struct pn_rule unpack(uint64_t bits)
{
	struct pn_rule rule;

	memcpy(&rule, &bits, sizeof(rule));
	return rule;
}

_Static_assert(sizeof(struct pn_rule) == sizeof(uint64_t),
	       "a rule is a word of the cache");

static struct pn_rule find_rule(uintptr_t pc)
{
	struct pn_rule rule = {.kind = PN_RULE_NONE};
	struct pn_tables tables = pn_tables_find(pc - 1);

	if (HAS_RULES && tables.hdr)
		rule = pn_rule_read(pc, tables.hdr, tables.size);
	return rule;
}

static struct pn_rule miss(struct entry *set, uint64_t key, uintptr_t pc)
{
	struct pn_rule rule = find_rule(pc);
	size_t way = (pc >> 3 ^ pc >> 17) % WAYS, i;

	for (i = 0; i < WAYS; i++)
		if (!set[i].check)
			way = i;
	__atomic_store_n(&set[way].rule, pack(&rule), __ATOMIC_RELAXED);
	__atomic_store_n(&set[way].check, pack(&rule) ^ key, __ATOMIC_RELAXED);
	return rule;
}

static inline struct pn_rule get_rule(uintptr_t pc)
{
	uint64_t key = pc ^ __atomic_load_n(&generation, __ATOMIC_RELAXED);
	struct entry *set = cache[(pc ^ pc >> 14) % SETS];
	size_t i;

	for (i = 0; i < WAYS; i++) {
		uint64_t rule = __atomic_load_n(&set[i].rule, __ATOMIC_RELAXED);

		if ((rule ^ __atomic_load_n(&set[i].check, __ATOMIC_RELAXED)) ==
		    key)
			return unpack(rule);
	}
	return miss(set, key, pc);
}

void pn_unwind_forget(void)
{
	pn_tables_changed();
	__atomic_fetch_add(&generation, UINT64_C(1) << 48, __ATOMIC_RELAXED);
}

static inline bool is_inside(const struct pn_unwind_window *w, uintptr_t at)
{
	return at >= w->low && at < w->high && w->high - at >= sizeof(at) &&
	       at % sizeof(at) == 0;
}

static inline bool peek(uintptr_t *out, const struct pn_unwind_window *w,
			uintptr_t at)
{
	if (!is_inside(w, at))
		return false;
	*out = *(const uintptr_t *)(at + w->shift);
	return true;
}

static bool step_signal(struct pn_unwind_at *a,
			const struct pn_unwind_window *w)
{
	uintptr_t sp = a->sp;

	return peek(&a->fp, w, sp + CONTEXT_FP) &&
	       peek(&a->pc, w, sp + CONTEXT_PC) &&
	       peek(&a->sp, w, sp + CONTEXT_SP) && a->sp > sp;
}

/* fp, return address: what a function that keeps frame pointers pushes. */
static bool step_fp(struct pn_unwind_at *a, const struct pn_unwind_window *w)
{
	uintptr_t fp = a->fp;

	if (fp < a->sp || !peek(&a->pc, w, fp + sizeof(fp)) ||
	    !peek(&a->fp, w, fp))
		return false;
	a->sp = fp + 2 * sizeof(fp);
	return true;
}

/* No addresses of a slot: what leads on are other words, or nothing does. */
#define OTHER_WORDS 1
#define ENDS 3

/* *by is the slot of the frame pointer, as pn_unwind_step has it. */
static inline bool step(struct pn_unwind_at *a, uintptr_t *by,
			const struct pn_unwind_window *w)
{
	struct pn_rule rule = get_rule(a->pc);
	uintptr_t cfa, slot;

	*by = OTHER_WORDS;
	switch (rule.kind) {
	case PN_RULE_SP:
		cfa = a->sp + (uintptr_t)rule.offset;
		break;
	case PN_RULE_FP:
		cfa = a->fp + (uintptr_t)rule.offset;
		break;
	case PN_RULE_FP_SLOT:
		if (!peek(&cfa, w, a->fp + (uintptr_t)rule.offset))
			return false;
		break;
	case PN_RULE_SIGNAL:
		return step_signal(a, w);
	case PN_RULE_END:
		*by = ENDS;
		return false;
	default:
		return step_fp(a, w);
	}
	slot = cfa + (uintptr_t)((intptr_t)rule.fp_offset * 8);
	if (rule.fp_offset == PN_RULE_AT_FP)
		slot = a->fp;
	if (cfa <= a->sp || !peek(&a->pc, w, cfa - sizeof(cfa)))
		return false;
	if (rule.saves_fp && !peek(&a->fp, w, slot))
		return false;
	a->sp = cfa;
	if (rule.kind != PN_RULE_FP_SLOT)
		*by = rule.saves_fp ? slot : 0;
	return true;
}

size_t pn_unwind(uintptr_t *out, size_t max, const struct pn_unwind_at *at,
		 const struct pn_unwind_window *window)
{
	struct pn_unwind_at a = *at;
	uintptr_t by;
	size_t n = 0;

	while (n < max && a.pc) {
		out[n++] = a.pc;
		if (!step(&a, &by, window))
			break;
	}
	return n;
}

/* A walk that goes by the last one where it can. */
struct walk {
	const struct pn_unwind_window *window;
	struct pn_unwind_last *last;
	uintptr_t *out;
	size_t n, max;
	struct pn_unwind_at at;
	size_t old; /* a step of the last one, none of those before is met */
	/* what comes before the steps that both have in common */
	struct pn_unwind_step made[PN_UNWIND_KEPT];
	size_t made_count; /* more: there was no room */
};

static inline bool is_at(const struct pn_unwind_at *a,
			 const struct pn_unwind_at *b)
{
	return a->sp == b->sp && a->pc == b->pc && a->fp == b->fp;
}

static inline bool has_word(uintptr_t at, uintptr_t word)
{
	return *(const uintptr_t *)at == word;
}

/* Whether what leads from one step to the next is still in its place. */
static inline bool leads_on(const struct pn_unwind_step *from,
			    const struct pn_unwind_window *window)
{
	const struct pn_unwind_at *to = &from[1].at;

	return !(from->slot & OTHER_WORDS) &&
	       has_word(to->sp - sizeof(to->pc), to->pc) &&
	       (!from->slot ||
		(from->slot >= window->low && has_word(from->slot, to->fp)));
}

static inline void make(struct walk *w, const struct pn_unwind_at *at,
			uintptr_t by)
{
	if (w->made_count < PN_UNWIND_KEPT)
		w->made[w->made_count] = (struct pn_unwind_step){*at, by};
	w->made_count++;
}

/* One step by its rule; false at the end. */
static inline bool walk_on(struct walk *w)
{
	struct pn_unwind_at from = w->at;
	uintptr_t by;
	bool more;

	w->out[w->n++] = from.pc;
	more = step(&w->at, &by, w->window);
	make(w, &from, by);
	return more && w->n < w->max && w->at.pc;
}

/* Both stand at the same step: as far as they go together. True when that is
 * to the end, with the steps from `old` on as they were. */
static bool go_together(struct walk *w)
{
	const struct pn_unwind_step *steps = w->last->steps;
	size_t at = w->old, had = w->n, k;

	while (at + 1 < PN_UNWIND_KEPT && w->n < w->max &&
	       leads_on(&steps[at], w->window))
		w->out[w->n++] = steps[at++].at.pc;
	if (steps[at].slot == ENDS && w->n < w->max) {
		w->out[w->n++] = steps[at].at.pc;
		return true;
	}
	for (k = w->old; k < at; k++)
		make(w, &steps[k].at, steps[k].slot);
	w->at = steps[at].at;
	w->old = at + (w->n == had); /* it is made by its rule now */
	return false;
}

/* The steps that were made, before those of the last stack from `old` on. */
static void keep(struct walk *w, size_t old)
{
	struct pn_unwind_last *last = w->last;

	if (w->made_count > old) {
		last->left = PN_UNWIND_KEPT;
		return;
	}
	last->left = old - w->made_count;
	memcpy(&last->steps[last->left], w->made,
	       w->made_count * sizeof(*w->made));
}

/* Never that of a generation: of what no stack is known. */
static uint64_t now(void)
{
	return __atomic_load_n(&generation, __ATOMIC_RELAXED) + 1;
}

size_t pn_unwind_again(uintptr_t *out, size_t max,
		       const struct pn_unwind_at *at,
		       const struct pn_unwind_window *window,
		       struct pn_unwind_last *last)
{
	struct walk w;
	bool more = max && at->pc;

	w.window = window;
	w.last = last;
	w.out = out;
	w.n = w.made_count = 0;
	w.max = max;
	w.at = *at;
	w.old = last->generation == now() ? last->left : PN_UNWIND_KEPT;
	last->generation = now();
	while (more) {
		while (w.old < PN_UNWIND_KEPT &&
		       last->steps[w.old].at.sp < w.at.sp)
			w.old++;
		if (w.old < PN_UNWIND_KEPT &&
		    is_at(&last->steps[w.old].at, &w.at) && go_together(&w)) {
			keep(&w, w.old);
			return w.n;
		}
		more = w.n < max && w.at.pc && walk_on(&w);
	}
	keep(&w, PN_UNWIND_KEPT);
	return w.n;
}

bool pn_unwind_is_last(const struct pn_unwind_at *at,
		       const struct pn_unwind_window *window,
		       const struct pn_unwind_last *last)
{
	const struct pn_unwind_step *step = &last->steps[last->left];
	const struct pn_unwind_step *end = &last->steps[PN_UNWIND_KEPT - 1];

	if (last->generation != now() || last->left == PN_UNWIND_KEPT ||
	    !is_at(&step->at, at))
		return false;
	while (step < end && leads_on(step, window))
		step++;
	return step == end && end->slot == ENDS;
}
