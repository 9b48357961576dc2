/*
 * The body of a profile with many frames: written without a table of its
 * paths, and read back section by section, so that besides the profile and the
 * bytes little has to be in memory.
 */
#include "body/body.h"

#include "body/column.h"
#include "body/paths.h"
#include "body/state.h"

#include <string.h>

/* What the columns stand for, its stacks lent by the profile. */
static int check_profile(const struct pn_body_state *s,
			 const struct pn_profile *profile, struct pn_error *err)
{
	struct pn_profile back;
	char why[256] = "";
	int code;

	pn_profile_init(&back);
	code = pn_body_profile_again(&back, s, err);
	if (!code && !pn_profile_equal(profile, &back, why, sizeof(why)))
		code = pn_error_set(err, PN_EINVAL, "%s", why);
	if (!code && !pn_body_paths_lead_back(s->paths))
		code = pn_error_set(err, PN_EINVAL,
				    "its stacks are not those of its paths");
	pn_body_paths_take_back(&back);
	pn_profile_release(&back);
	return code;
}

/* The bytes of one column are its words. */
static bool reads_column(const struct pn_body_state *s, unsigned int column,
			 const unsigned char *bytes, size_t len)
{
	const struct pn_body_words *want = s->columns[column];
	const struct pn_body_old old = pn_body_old_column(s->base, column);
	struct pn_body_block *block = NULL;
	struct pn_body_words *words = NULL;
	uint64_t budget = PN_BODY_MAX_RAW;
	bool same;

	if (column == PN_BODY_PATH_UP || column == PN_BODY_PATH_LOCATION)
		return pn_body_paths_reads(s->paths, column, bytes, len);
	if (pn_body_column_read(&words, &block, bytes, len, &old, &budget,
				NULL))
		return false;
	same = words && want ? words->count == want->count &&
				       !memcmp(words->at, want->at,
					       want->count * sizeof(*want->at))
			     : words == want;
	pn_body_words_drop(words);
	pn_body_block_drop(block);
	return same;
}

/* Of the text, those that the base does not have. */
static size_t text_had(const struct pn_body_state *s)
{
	return s->base && s->base->text ? s->base->text->len : 0;
}

static size_t sections_of(const struct pn_body_state *s)
{
	unsigned int i = 0, types = s->types;
	size_t n = s->text && s->text->len > text_had(s);

	if (s->base && s->base->types > types)
		types = s->base->types;
	while ((i = pn_body_next_column(i, types)) < PN_BODY_COLUMNS)
		n += pn_body_differs(s, i) ||
		     pn_body_paths_is_written(s->paths, i);
	return n;
}

/* As a decoder goes through them, behind the header. */
static bool reads_sections(const struct pn_body_state *s,
			   const unsigned char *at, const unsigned char *end)
{
	uint64_t tag, len;
	size_t n = 0, had = text_had(s);
	bool same = true;

	for (; same && at < end; at += len) {
		if (pn_varint_read(&tag, &at, end) ||
		    pn_varint_read(&len, &at, end) || len > (size_t)(end - at))
			return false;
		if (tag > PN_BODY_TAG_TEXT)
			continue; /* padding */
		n++;
		if (tag == PN_BODY_TAG_TEXT)
			same = s->text && had + len == s->text->len &&
			       !memcmp(at, s->text->bytes + had, (size_t)len);
		else
			same = tag % 2 == 0 &&
			       reads_column(s, (unsigned int)tag / 2, at,
					    (size_t)len);
	}
	return same && n == sections_of(s);
}

/* The header is six bytes and numbers; pn_body_info has read them. */
static bool skip_header(const unsigned char **at, const unsigned char *end,
			const struct pn_body_info *info)
{
	unsigned int numbers = info->is_delta ? 3 : 1;
	uint64_t number;

	*at += 6;
	while (numbers--)
		if (pn_varint_read(&number, at, end))
			return false;
	*at += info->is_delta ? PN_OID_BYTES : 0;
	return true;
}

static bool reads_back(const struct pn_body_state *s,
		       const unsigned char *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = bytes + len - 8;
	struct pn_body_info info;

	if (pn_body_info(&info, bytes, len, NULL) ||
	    info.is_delta != (s->base != NULL) ||
	    info.raw_bytes != s->raw_bytes)
		return false;
	if (info.is_delta &&
	    (info.serial != s->serial || info.depth != s->depth ||
	     !pn_oid_equal(&info.base, &s->base_oid)))
		return false;
	return skip_header(&at, end, &info) && reads_sections(s, at, end);
}

/* *code is 0 and `out` as it was: a delta would be too large. */
static bool write_bytes(struct pn_buf *out, int *code, struct pn_body_state *s,
			const struct pn_body_state *base,
			const struct pn_oid *oid, uint64_t serial,
			struct pn_error *err)
{
	if (base)
		return pn_body_write_delta(out, s, base, oid, serial);
	*code = pn_body_write_key(out, s, err);
	return !*code;
}

int pn_body_encode_lean(struct pn_buf *out, const struct pn_profile *profile,
			const struct pn_body_state *base,
			const struct pn_oid *base_oid, struct pn_error *err)
{
	uint64_t serial = base ? base->serial + 1 : 0;
	struct pn_body_state *s;
	size_t start = out->len;
	struct pn_oid oid;
	int code;

	if (base)
		base = pn_body_choose_base(&oid, base, base_oid);
	s = pn_body_gather_lean(profile, base);
	if (!s)
		return 0;
	code = pn_body_measure(s, err);
	if (!code)
		code = check_profile(s, profile, err);
	if (!code && write_bytes(out, &code, s, base, &oid, serial, err) &&
	    !reads_back(s, out->data + start, out->len - start))
		code = pn_error_set(err, PN_EINVAL,
				    "its bytes are not its columns");
	pn_body_state_free(s);
	return code ? pn_error_context(err, "the canonical body does not give "
					    "back the profile")
		    : 0;
}
