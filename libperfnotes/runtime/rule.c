/*
 * One row of the unwind tables: DWARF 5, 6.4, in the dress of .eh_frame and
 * .eh_frame_hdr (Linux Standard Base Core 5.0, 10.6). Of all registers only
 * the stack pointer and the frame pointer of x86-64 are followed: gcc and
 * clang compute frame addresses from no other.
 */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "runtime/unwind.h"

#include <string.h>

/* Registers by their DWARF numbers (x86-64 psABI, 3.7.2). */
#define REG_FP 6
#define REG_SP 7

#define MAX_STATES 8	 /* nested remember_state; compilers nest 1 or 2 */
#define MAX_CODES 100000 /* instructions of one function */
#define TABLE_ENC 0x3b	 /* data-relative, four bytes, signed */

/* Pointer encodings. */
#define ENC_ABS 0x00
#define ENC_ULEB 0x01
#define ENC_U2 0x02
#define ENC_U4 0x03
#define ENC_U8 0x04
#define ENC_SLEB 0x09
#define ENC_S2 0x0a
#define ENC_S4 0x0b
#define ENC_S8 0x0c
#define ENC_PCREL 0x10
#define ENC_OMIT 0xff

struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

struct cie {
	struct cursor code; /* first instructions */
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;
	bool has_augmentation, is_signal;
};

static uint64_t take(struct cursor *c, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	memcpy(&value, c->at, size);
	c->at += size;
	return value;
}

static uint64_t take_uleb(struct cursor *c)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = take(c, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	return value;
}

static int64_t take_sleb(struct cursor *c)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = take(c, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	if (byte & 0x40 && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

static void skip(struct cursor *c, uint64_t size)
{
	if ((uint64_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return;
	}
	c->at += size;
}

static uint64_t take_encoded(struct cursor *c, uint8_t encoding)
{
	uint64_t base = (encoding & 0x70) == ENC_PCREL ? (uintptr_t)c->at : 0;

	switch (encoding & 0x0f) {
	case ENC_ABS:
	case ENC_U8:
	case ENC_S8:
		return base + take(c, 8);
	case ENC_ULEB:
		return base + take_uleb(c);
	case ENC_SLEB:
		return base + (uint64_t)take_sleb(c);
	case ENC_U2:
		return base + take(c, 2);
	case ENC_S2:
		return base + (uint64_t)(int64_t)(int16_t)take(c, 2);
	case ENC_U4:
		return base + take(c, 4);
	case ENC_S4:
		return base + (uint64_t)(int64_t)(int32_t)take(c, 4);
	}
	c->bad = true;
	return 0;
}

/* A length and as many bytes, which `out` then holds. */
static bool open_entry(struct cursor *out, const uint8_t *at)
{
	uint32_t size;

	memcpy(&size, at, sizeof(size));
	out->at = at + sizeof(size);
	out->end = out->at + size;
	out->bad = size == 0 || size == UINT32_MAX; /* 64-bit: nobody does */
	return !out->bad;
}

static void read_augmentation(struct cie *out, struct cursor *c,
			      const char *letters)
{
	for (; *letters && !c->bad; letters++)
		switch (*letters) {
		case 'R':
			out->encoding = (uint8_t)take(c, 1);
			break;
		case 'P':
			take_encoded(c, (uint8_t)take(c, 1));
			break;
		case 'L':
			take(c, 1);
			break;
		case 'S':
			out->is_signal = true;
			break;
		}
}

static bool read_cie(struct cie *out, const uint8_t *at)
{
	struct cursor c;
	const char *letters;
	const uint8_t *data;
	uint64_t size, version;

	*out = (struct cie){.encoding = ENC_ABS};
	if (!open_entry(&c, at) || take(&c, 4) != 0)
		return false;
	version = take(&c, 1);
	letters = (const char *)c.at;
	skip(&c, strnlen(letters, (size_t)(c.end - c.at)) + 1);
	out->code_align = take_uleb(&c);
	out->data_align = take_sleb(&c);
	if (version == 1)
		take(&c, 1);
	else
		take_uleb(&c);
	if (c.bad)
		return false;
	out->has_augmentation = *letters == 'z';
	if (out->has_augmentation) {
		size = take_uleb(&c);
		data = c.at;
		read_augmentation(out, &c, letters + 1);
		c.at = data;
		skip(&c, size);
	}
	out->code = c;
	return !c.bad;
}

/* Frame addresses that are not register + offset. Of the forms that
 * compilers write, one matters between calls: the address lies in a slot
 * below the frame pointer, where a function has aligned its stack. */
static void define_by_expression(struct pn_rule *rule, struct cursor *c)
{
	uint64_t size = take_uleb(c);
	struct cursor e = {c->at, c->at, c->bad};
	uint64_t op;

	skip(c, size);
	e.end = c->at;
	op = take(&e, 1);
	rule->kind = PN_RULE_NONE;
	rule->offset = (int32_t)take_sleb(&e);
	if (op == 0x70 + REG_FP && take(&e, 1) == 0x06 && e.at == e.end &&
	    !e.bad)
		rule->kind = PN_RULE_FP_SLOT;
}

static void define(struct pn_rule *rule, uint64_t reg, int64_t offset)
{
	rule->kind = reg == REG_SP   ? PN_RULE_SP
		     : reg == REG_FP ? PN_RULE_FP
				     : PN_RULE_NONE;
	rule->offset = (int32_t)offset;
}

static void save(struct pn_rule *rule, uint64_t reg, int64_t offset)
{
	if (reg != REG_FP)
		return;
	rule->saves_fp = true;
	rule->fp_offset = (int16_t)(offset / 8);
}

static void restore(struct pn_rule *rule, uint64_t reg,
		    const struct pn_rule *first)
{
	if (reg != REG_FP)
		return;
	rule->saves_fp = first->saves_fp;
	rule->fp_offset = first->fp_offset;
}

/* A register that lies where an expression says: a function that aligned its
 * stack pushes the frame pointer where the new one points to. */
static void save_by_expression(struct pn_rule *rule, struct cursor *c)
{
	uint64_t reg = take_uleb(c), size = take_uleb(c);
	struct cursor e = {c->at, c->at, c->bad};

	skip(c, size);
	e.end = c->at;
	if (reg != REG_FP)
		return;
	rule->saves_fp = true;
	rule->fp_offset = PN_RULE_AT_FP;
	if (take(&e, 1) != 0x70 + REG_FP || take_sleb(&e) || e.at != e.end)
		c->bad = true;
}

struct machine {
	const struct cie *cie;
	struct pn_rule rule, first, states[MAX_STATES];
	size_t depth;
	uintptr_t location;
};

#define REG_RA 16

/* Instructions with a number of their own; false: not one of them. */
static bool run_plain(struct machine *m, struct cursor *c, unsigned op)
{
	const int64_t align = m->cie->data_align;
	struct pn_rule *rule = &m->rule;
	uint64_t reg;

	switch (op) {
	case 0x00: /* nop */
		return true;
	case 0x05: /* offset_extended */
		reg = take_uleb(c);
		save(rule, reg, (int64_t)take_uleb(c) * align);
		return true;
	case 0x06: /* restore_extended */
		restore(rule, take_uleb(c), &m->first);
		return true;
	case 0x07: /* undefined */
		if (take_uleb(c) == REG_RA)
			rule->kind = PN_RULE_END;
		return true;
	case 0x08: /* same_value */
		if (take_uleb(c) == REG_FP)
			rule->saves_fp = false;
		return true;
	case 0x09: /* register */
		take_uleb(c);
		take_uleb(c);
		return true;
	case 0x0a: /* remember_state */
		c->bad |= m->depth == MAX_STATES;
		if (!c->bad)
			m->states[m->depth++] = *rule;
		return true;
	case 0x0b: /* restore_state */
		c->bad |= !m->depth;
		if (!c->bad)
			*rule = m->states[--m->depth];
		return true;
	case 0x2e: /* GNU_args_size */
		take_uleb(c);
		return true;
	}
	return false;
}

static bool run_frame(struct machine *m, struct cursor *c, unsigned op)
{
	const int64_t align = m->cie->data_align;
	struct pn_rule *rule = &m->rule;
	uint64_t reg;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = take_uleb(c);
		define(rule, reg, (int64_t)take_uleb(c));
		return true;
	case 0x0d: /* def_cfa_register */
		define(rule, take_uleb(c), rule->offset);
		return true;
	case 0x0e: /* def_cfa_offset */
		rule->offset = (int32_t)take_uleb(c);
		return true;
	case 0x0f: /* def_cfa_expression */
		define_by_expression(rule, c);
		return true;
	case 0x10: /* expression */
	case 0x16: /* val_expression */
		save_by_expression(rule, c);
		return true;
	case 0x11: /* offset_extended_sf */
		reg = take_uleb(c);
		save(rule, reg, take_sleb(c) * align);
		return true;
	case 0x12: /* def_cfa_sf */
		reg = take_uleb(c);
		define(rule, reg, take_sleb(c) * align);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		rule->offset = (int32_t)(take_sleb(c) * align);
		return true;
	}
	return false;
}

/* The bytes that a location moves by; 0 for other instructions. */
static uint64_t advance(struct machine *m, struct cursor *c, unsigned op,
			bool *is_advance)
{
	*is_advance = true;
	if (op >> 6 == 1)
		return (op & 0x3f) * m->cie->code_align;
	if (op == 0x02)
		return take(c, 1) * m->cie->code_align;
	if (op == 0x03)
		return take(c, 2) * m->cie->code_align;
	if (op == 0x04)
		return take(c, 4) * m->cie->code_align;
	*is_advance = false;
	if (op == 0x01) { /* set_loc */
		m->location = (uintptr_t)take_encoded(c, m->cie->encoding);
		return 0;
	}
	if (op >> 6 == 2)
		save(&m->rule, op & 0x3f,
		     (int64_t)take_uleb(c) * m->cie->data_align);
	else if (op >> 6 == 3)
		restore(&m->rule, op & 0x3f, &m->first);
	else if (!run_plain(m, c, op) && !run_frame(m, c, op))
		c->bad = true;
	return 0;
}

/* Run until the row that holds `pc` is complete. */
static bool run(struct machine *m, struct cursor *c, uintptr_t pc)
{
	unsigned codes = 0;
	bool is_advance;
	uint64_t step;

	while (c->at < c->end && !c->bad && codes++ < MAX_CODES) {
		step = advance(m, c, (unsigned)take(c, 1), &is_advance);
		if (is_advance && m->location + step > pc)
			return !c->bad;
		m->location += step;
	}
	return !c->bad;
}

/* The entry of the function that holds `pc`: the last that begins before. */
static const uint8_t *search(uintptr_t pc, const uint8_t *hdr, size_t size)
{
	struct cursor c = {hdr, hdr + size, false};
	uint8_t frame_enc, count_enc, table_enc;
	uint64_t low = 0, high, middle;
	int32_t entry[2];

	if (take(&c, 1) != 1)
		return NULL;
	frame_enc = (uint8_t)take(&c, 1);
	count_enc = (uint8_t)take(&c, 1);
	table_enc = (uint8_t)take(&c, 1);
	take_encoded(&c, frame_enc);
	if (count_enc == ENC_OMIT || table_enc != TABLE_ENC)
		return NULL;
	high = take_encoded(&c, count_enc);
	if (c.bad || high > (uint64_t)(c.end - c.at) / sizeof(entry))
		return NULL;
	while (low < high) {
		middle = low + (high - low) / 2;
		memcpy(entry, c.at + middle * sizeof(entry), sizeof(entry));
		if ((uintptr_t)(hdr + entry[0]) <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	memcpy(entry, c.at + (low - 1) * sizeof(entry), sizeof(entry));
	return hdr + entry[1];
}

struct pn_rule pn_rule_read(uintptr_t pc, const uint8_t *hdr, size_t size)
{
	struct pn_rule none = {.kind = PN_RULE_NONE};
	struct machine m = {.first = none};
	const uint8_t *fde, *link;
	struct cursor c;
	struct cie cie;
	uint64_t range;

	fde = search(pc - 1, hdr, size);
	if (!fde || !open_entry(&c, fde))
		return none;
	link = c.at;
	if (!read_cie(&cie, link - (uint32_t)take(&c, 4)))
		return none;
	m.cie = &cie;
	m.location = (uintptr_t)take_encoded(&c, cie.encoding);
	range = take_encoded(&c, cie.encoding & 0x0f);
	if (cie.has_augmentation)
		skip(&c, take_uleb(&c));
	/* the return address of a signal's frame is no call: the entry of the
	 * trampoline begins one byte early for that reason */
	if (c.bad || pc - 1 < m.location || pc - 1 - m.location >= range)
		return none;
	if (cie.is_signal)
		return (struct pn_rule){.kind = PN_RULE_SIGNAL};
	if (!run(&m, &cie.code, UINTPTR_MAX))
		return none;
	m.first = m.rule;
	return run(&m, &c, pc - 1) ? m.rule : none;
}
