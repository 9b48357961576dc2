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

static bool step(struct pn_unwind_at *a, const struct pn_unwind_window *w)
{
	struct pn_rule rule = get_rule(a->pc);
	uintptr_t cfa, slot;

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
	return true;
}

size_t pn_unwind(uintptr_t *out, size_t max, const struct pn_unwind_at *at,
		 const struct pn_unwind_window *window)
{
	struct pn_unwind_at a = *at;
	size_t n = 0;

	while (n < max && a.pc) {
		out[n++] = a.pc;
		if (!step(&a, window))
			break;
	}
	return n;
}
