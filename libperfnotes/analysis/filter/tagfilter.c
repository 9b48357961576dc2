/* Which sets of labels a tag filter means. */
#include "analysis/filter/tagfilter.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/text/regex.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

#define EXPRESSIONS_MAX 64 /* of one filter; written by hand */
#define UNITS_SAID 4	   /* of one key, ... */
#define KEYS_SAID 4	   /* ... of which there may be many */

struct range {
	bool has_low, has_high;
	double low, high;
	char unit[16]; /* canonical: longest is "u*GCU" */
};

struct tagfilter {
	const char *key; /* NULL: any */
	size_t key_len;
	bool is_range;
	struct range range;
	struct pn_regex *expressions[EXPRESSIONS_MAX];
	size_t count;
	uint32_t *units;
};

uint32_t *pn_tag_units_new(const struct pn_profile *p)
{
	uint32_t *units = pn_calloc(p->strings.count + 1, sizeof(*units));
	size_t i;

	for (i = 0; i < p->label_count; i++) {
		const struct pn_label *label = &p->labels[i];

		if (label->unit && label->key < p->strings.count &&
		    !units[label->key] &&
		    (label->kind == PN_LABEL_INT ||
		     label->kind == PN_LABEL_DOUBLE))
			units[label->key] = label->unit;
	}
	return units;
}

const char *pn_tag_unit(const uint32_t *units, const struct pn_profile *profile,
			const struct pn_label *label)
{
	const char *name = pn_profile_text(profile, label->key);

	if (label->unit)
		return pn_profile_text(profile, label->unit);
	if (label->key < profile->strings.count && units[label->key])
		return pn_profile_text(profile, units[label->key]);
	if (!strcmp(name, "request") || !strcmp(name, "alignment"))
		return "bytes";
	return name;
}

/* The first units of a key's values. */
static void list_units(struct pn_buf *out, uint32_t key,
		       const struct pn_profile *p)
{
	uint32_t units[UNITS_SAID];
	size_t count = 0, i, k;

	for (i = 0; i < p->label_count && count < UNITS_SAID; i++) {
		uint32_t unit = p->labels[i].unit;

		for (k = 0; k < count && units[k] != unit; k++)
			;
		if (p->labels[i].key != key || !unit || k < count)
			continue;
		pn_buf_printf(out, "%s'%.40s'", count ? ", " : "",
			      pn_profile_text(p, unit));
		units[count++] = unit;
	}
}

void pn_tag_units_note(struct pn_buf *lines, const struct pn_profile *profile)
{
	uint32_t *units = pn_tag_units_new(profile);
	size_t i, said = 0;

	for (i = 0; i < profile->label_count && said < KEYS_SAID; i++) {
		const struct pn_label *label = &profile->labels[i];
		uint32_t *unit = &units[label->key];

		if (!label->unit || !*unit || *unit == label->unit)
			continue;
		pn_buf_printf(lines, "label '%.200s' has several units (",
			      pn_profile_text(profile, label->key));
		list_units(lines, label->key, profile);
		pn_buf_add_text(lines, "): each value is taken in its own\n");
		*unit = 0;
		said++;
	}
	free(units);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* [+-]digits[letters] at *at; false leaves *at. */
static bool read_amount(double *value, char unit[16], const char **at)
{
	const char *p = *at, *digits;
	int64_t number;
	size_t len = 0;

	digits = p + (*p == '+' || *p == '-');
	for (p = digits; *p >= '0' && *p <= '9'; p++)
		;
	if (p == digits || !pn_number_int(&number, *at, (size_t)(p - *at)))
		return false;
	while (is_letter(p[len]))
		len++;
	if (len > 15)
		return false;
	memcpy(unit, p, len);
	unit[len] = '\0';
	*value = (double)number;
	*at = p + len;
	return true;
}

/* Bring an amount to the canonical name of `to`; false: another family. */
static bool to_canonical(double *value, char unit[16], const char *to)
{
	const char *name;

	*value = pn_unit_scale(&name, *value, unit, to);
	if (strlen(name) > 15)
		return false;
	memmove(unit, name, strlen(name) + 1);
	return true;
}

static bool read_range(struct range *out, const char *text)
{
	char unit[16], to[16];

	memset(out, 0, sizeof(*out));
	if (*text == ':') {
		text++;
		out->has_high = true;
		if (!read_amount(&out->high, unit, &text) || *text)
			return false;
		memcpy(to, unit, sizeof(to));
		memcpy(out->unit, unit, sizeof(unit));
		return to_canonical(&out->high, out->unit, to);
	}
	out->has_low = true;
	if (!read_amount(&out->low, out->unit, &text))
		return false;
	memcpy(to, out->unit, sizeof(to));
	if (!to_canonical(&out->low, out->unit, to))
		return false;
	if (!*text) {
		out->has_high = true;
		out->high = out->low;
		return true;
	}
	if (*text++ != ':')
		return false;
	if (!*text)
		return true;
	out->has_high = true;
	return read_amount(&out->high, unit, &text) && !*text &&
	       to_canonical(&out->high, unit, out->unit) &&
	       !strcmp(unit, out->unit);
}

static bool in_range(const struct range *range, double value, const char *unit)
{
	const char *name;

	value = pn_unit_scale(&name, value, unit, range->unit);
	return !strcmp(name, range->unit) &&
	       (!range->has_low || value >= range->low) &&
	       (!range->has_high || value <= range->high);
}

static void release(struct tagfilter *filter)
{
	while (filter->count)
		pn_regex_free(filter->expressions[--filter->count]);
}

static int compile(struct tagfilter *out, const char *text,
		   struct pn_error *err)
{
	const char *equals = strchr(text, '=');
	int code = 0;

	memset(out, 0, sizeof(*out));
	if (equals) {
		out->key = text;
		out->key_len = (size_t)(equals - text);
		text = equals + 1;
		if (!out->key_len)
			out->key = NULL;
	}
	out->is_range = read_range(&out->range, text);
	while (!out->is_range && !code) {
		size_t len = strcspn(text, ",");
		char *one;

		if (out->count == EXPRESSIONS_MAX) {
			code = pn_error_set(err, PN_ELIMIT,
					    "more than %d expressions",
					    EXPRESSIONS_MAX);
			break;
		}
		one = pn_strndup(text, len);
		code = pn_regex_new(&out->expressions[out->count], one, err);
		free(one);
		out->count += !code;
		if (!text[len])
			break;
		text += len + 1;
	}
	if (code)
		release(out);
	return code;
}

static bool key_fits(const struct tagfilter *filter, const struct pn_profile *p,
		     const struct pn_label *label)
{
	return !filter->key ||
	       (pn_strtab_len(&p->strings, label->key) == filter->key_len &&
		!memcmp(pn_profile_text(p, label->key), filter->key,
			filter->key_len));
}

static bool expression_fits(const struct pn_regex *regex, bool with_key,
			    const struct pn_profile *p,
			    const struct pn_label *label)
{
	struct pn_buf text = {0};
	bool fits;

	if (with_key)
		pn_buf_printf(&text, "%s:", pn_profile_text(p, label->key));
	pn_buf_add(&text, pn_profile_text(p, label->value.s),
		   pn_strtab_len(&p->strings, label->value.s));
	fits = pn_regex_match(regex, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	return fits;
}

static bool number_fits(const struct tagfilter *filter,
			const struct pn_profile *p,
			const struct pn_label *label)
{
	double value = label->kind == PN_LABEL_INT ? (double)label->value.i
						   : label->value.d;

	return in_range(&filter->range, value,
			pn_tag_unit(filter->units, p, label));
}

static bool set_fits(const struct tagfilter *filter, const struct pn_profile *p,
		     size_t set)
{
	size_t i, found = 0;
	uint32_t at, end;

	if (set >= p->label_set_count)
		return false;
	end = p->label_set_start[set + 1];
	for (i = 0; i < (filter->is_range ? 1 : filter->count); i++)
		for (at = p->label_set_start[set]; at < end; at++) {
			const struct pn_label *label = &p->labels[at];
			bool number = label->kind == PN_LABEL_INT ||
				      label->kind == PN_LABEL_DOUBLE;

			if (number != filter->is_range ||
			    !key_fits(filter, p, label))
				continue;
			if (number ? number_fits(filter, p, label)
				   : expression_fits(filter->expressions[i],
						     !filter->key, p, label)) {
				found++;
				break;
			}
		}
	return filter->is_range || filter->key ? found > 0
					       : found == filter->count;
}

int pn_tagfilter_match(unsigned char *matches, const struct pn_profile *profile,
		       const char *text, struct pn_error *err)
{
	struct tagfilter filter;
	size_t set;
	int code = compile(&filter, text, err);

	if (code)
		return code;
	filter.units = pn_tag_units_new(profile);
	matches[0] = set_fits(&filter, profile, 0);
	for (set = 1; set < profile->label_set_count; set++)
		matches[set] = set_fits(&filter, profile, set);
	free(filter.units);
	release(&filter);
	return 0;
}
