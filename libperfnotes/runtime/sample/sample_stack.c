/*
 * Frame pointers: each function saves its caller's where its own points to,
 * beside the return address (System V ABI for x86-64, figure 3.3; AAPCS64,
 * 6.4.6). Nothing of the stack is read directly: what looks like a frame
 * pointer may point anywhere.
 */
#define _GNU_SOURCE /* REG_RIP and its likes */
#include "runtime/modules.h"
#include "runtime/sample/sample.h"

#include <string.h>
#include <ucontext.h>

#define WALK_WINDOW 2048 /* bytes: some ten frames for one system call */

struct place {
	uint64_t pc, sp, fp;
};

#if defined(__x86_64__)

static struct place get_place(const ucontext_t *u)
{
	const greg_t *r = u->uc_mcontext.gregs;

	return (struct place){(uint64_t)r[REG_RIP], (uint64_t)r[REG_RSP],
			      (uint64_t)r[REG_RBP]};
}

size_t pn_sampler_registers(uint64_t out[PN_RUNTIME_REGISTERS],
			    const void *context)
{
	/* System V ABI for x86-64, figure 3.36 */
	static const int order[PN_RUNTIME_REGISTERS] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
		REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	const ucontext_t *u = context;
	size_t i;

	for (i = 0; i < PN_RUNTIME_REGISTERS; i++)
		out[i] = (uint64_t)u->uc_mcontext.gregs[order[i]];
	return PN_RUNTIME_REGISTERS;
}

/*
 * How far from the stack pointer the return address is while the frame is not
 * complete: at the function's first instructions, at its last one, and in a
 * stub of the linker. -1: the frame pointer is the function's own.
 */
static int frameless(uint64_t pc)
{
	unsigned char code[8] = {0}, before = 0;

	if (!pn_modules_peek(code, pc, sizeof(code)) ||
	    !pn_modules_peek(&before, pc - 1, 1))
		return -1;
	if (code[0] == 0xc3 || code[0] == 0xc2) /* ret */
		return 0;
	if (code[0] == 0xf3 && code[1] == 0xc3) /* rep ret */
		return 0;
	if (!memcmp(code, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
		return 0;
	if (code[0] == 0x55 && !memcmp(code + 1, "\x48\x89\xe5", 3)) /* push */
		return 0;
	if (before == 0x55 && !memcmp(code, "\x48\x89\xe5", 3)) /* mov */
		return 8;
	if (code[0] == 0xff && code[1] == 0x25) /* jmp *GOT */
		return 0;
	if (code[0] == 0xf2 && code[1] == 0xff && code[2] == 0x25)
		return 0;
	return -1;
}

#else
#error "the sampler knows the registers of x86-64 only"
#endif

uint64_t pn_sampler_stack_pointer(const void *context)
{
	return get_place(context).sp;
}

bool pn_sampler_in_call(const void *context)
{
	unsigned char code[2];

	return pn_modules_peek(code, get_place(context).pc - sizeof(code),
			       sizeof(code)) &&
	       code[0] == 0x0f && code[1] == 0x05; /* syscall */
}

/* Bytes from `from` on into the window, up to a page that is not there. */
static void read_window(struct pn_sampled_thread *t, uint64_t from,
			uint64_t size)
{
	if (from < t->base && t->base - from < size)
		size = t->base - from;
	t->window_from = from;
	while (size && !pn_modules_peek(t->window, from, size))
		/* up to the page before the last one */
		size = size > 4096
			       ? ((from + size - 1) & ~UINT64_C(4095)) - from
			       : 0;
	t->window_size = (uint32_t)size;
}

/* Two words of the stack; the window follows where the walk goes. */
static bool read_pair(uint64_t out[2], struct pn_sampled_thread *t, uint64_t at)
{
	const size_t size = 2 * sizeof(*out);

	if (at < t->window_from || at - t->window_from > t->window_size ||
	    t->window_size - (at - t->window_from) < size)
		read_window(t, at, WALK_WINDOW);
	if (t->window_size < size)
		return false;
	memcpy(out, t->window + (at - t->window_from), size);
	return true;
}

static bool keeps_pointers(struct pn_sampled_thread *t, uint64_t pc)
{
	const struct pn_module *module = pn_modules_find(pc);

	t->unknown |= !module;
	return module && module->frame_pointers;
}

/* Whether a call ends where this address begins. */
static bool follows_call(uint64_t address)
{
	unsigned char code[7];

	if (!pn_modules_find(address) ||
	    !pn_modules_peek(code, address - sizeof(code), sizeof(code)))
		return false;
	return code[2] == 0xe8 ||
	       (code[5] == 0xff && (code[6] & 0x38) == 0x10) ||
	       (code[4] == 0xff && (code[5] & 0x38) == 0x10) ||
	       (code[1] == 0xff && (code[2] & 0x38) == 0x10) ||
	       (code[0] == 0xff && (code[1] & 0x38) == 0x10);
}

/*
 * The caller of a function whose frame is not complete, or that has none.
 * *sure says that there is no doubt.
 */
static size_t add_hidden_caller(struct pn_sampled_thread *t,
				const struct place *p, size_t count, bool *sure)
{
	const struct pn_module *module = pn_modules_find(p->pc);
	int offset = frameless(p->pc);
	uint64_t words[2];

	if (offset < 0 && t->looked_at != p->pc) {
		t->looked_at = p->pc;
		t->sets_pointer =
			module && pn_modules_sets_pointer(module, p->pc);
	}
	*sure = offset >= 0 || t->sets_pointer;
	if (offset < 0 && t->sets_pointer)
		return count;
	if (!read_pair(words, t, p->sp + (offset < 0 ? 0 : (uint64_t)offset)) ||
	    !follows_call(words[0]))
		return count;
	t->frames[count++] = words[0];
	return count;
}

/* The callers by frame pointers, behind the first frame: its function is one
 * that keeps them. *whole: so do all others, up to where the thread began. */
static size_t follow_pointers(struct pn_sampled_thread *t,
			      const struct place *p, bool *whole)
{
	uint64_t fp = p->fp, frame[2];
	bool good;
	size_t count = add_hidden_caller(t, p, 1, &good);

	while (count < PN_RUNTIME_MAX_FRAMES) {
		if (fp == t->start) {
			*whole = good;
			return count;
		}
		if (fp < p->sp || fp >= t->base || fp % 8 ||
		    !read_pair(frame, t, fp) || frame[0] <= fp)
			return count;
		good = good && keeps_pointers(t, frame[1]);
		if (!pn_modules_find(frame[1]))
			return count;
		t->frames[count++] = frame[1];
		fp = frame[0];
	}
	return count;
}

size_t pn_sampler_walk(struct pn_sampled_thread *t, const void *context,
		       bool pointers, bool *whole)
{
	struct place p = get_place(context);
	size_t count = 1;

	*whole = t->unknown = false;
	t->frames[0] = p.pc;
	t->window_from = p.sp;
	t->window_size = 0;
	if (keeps_pointers(t, p.pc) && pointers)
		count = follow_pointers(t, &p, whole);
	if (!*whole)
		read_window(t, p.sp, PN_RUNTIME_MAX_STACK);
	return count;
}
