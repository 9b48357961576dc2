/* What each label of the samples weighs. */
#include "analysis/tags.h"

#include "analysis/filter/tagfilter.h"
#include "base/alloc.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

/* One label of one set, with the weight of the set's samples. */
struct entry {
	const char *key, *text;
	int64_t weight;
};

void pn_tag_text(struct pn_buf *out, const struct pn_report *report,
		 const struct pn_label *label, const char *to)
{
	const struct pn_profile *p = report->profile;
	const char *unit;

	if (label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON) {
		pn_buf_add_text(out, pn_profile_text(p, label->value.s));
		return;
	}
	unit = pn_tag_unit(report->tag_units, p, label);
	pn_unit_label(out,
		      label->kind == PN_LABEL_INT ? (double)label->value.i
						  : label->value.d,
		      unit, to);
}

static int by_key_and_text(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->key, b->key);

	return order ? order : strcmp(a->text, b->text);
}

static int by_weight(const void *left, const void *right)
{
	const struct pn_tag *a = left, *b = right;
	uint64_t x = (uint64_t)pn_weight_abs(a->weight);
	uint64_t y = (uint64_t)pn_weight_abs(b->weight);

	if (x != y)
		return x < y ? 1 : -1;
	return strcmp(a->text, b->text);
}

static int64_t *weigh_sets(bool **used, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	int64_t *sums = pn_calloc(p->label_set_count + 1, sizeof(*sums));
	size_t i;

	*used = pn_calloc(p->label_set_count + 1, sizeof(**used));
	for (i = 0; i < p->sample_count; i++) {
		uint32_t set = p->samples[i].labels;
		const union pn_value *row = p->values + i * p->type_count;

		sums[set] = pn_weight_add(
			sums[set], pn_weight_value(&report->weight, p, row));
		(*used)[set] = true;
	}
	return sums;
}

/* Labels of all sets that a sample has, sorted by key and text. */
static struct entry *list_entries(size_t *count, struct pn_strtab *strings,
				  const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	struct entry *list =
		pn_realloc_array(NULL, p->label_count + 1, sizeof(*list));
	bool *used;
	int64_t *sums = weigh_sets(&used, report);
	struct pn_buf text = {0};
	size_t set, n = 0;
	uint32_t at;

	for (set = 0; set < p->label_set_count; set++) {
		if (!used[set])
			continue;
		for (at = p->label_set_start[set];
		     at < p->label_set_start[set + 1]; at++) {
			struct entry *e = &list[n++];

			pn_buf_clear(&text);
			pn_tag_text(&text, report, &p->labels[at],
				    report->to_unit);
			e->key = pn_profile_text(p, p->labels[at].key);
			e->text = pn_strtab_text(
				strings,
				pn_strtab_add(strings, pn_buf_text(&text),
					      text.len));
			e->weight = sums[set];
		}
	}
	pn_buf_release(&text);
	free(sums);
	free(used);
	qsort(list, n, sizeof(*list), by_key_and_text);
	*count = n;
	return list;
}

void pn_tags_init(struct pn_tags *out, const struct pn_report *report)
{
	struct entry *list;
	size_t count, i;

	memset(out, 0, sizeof(*out));
	list = list_entries(&count, &out->strings, report);
	out->keys = pn_calloc(count + 1, sizeof(*out->keys));
	out->tags = pn_calloc(count + 1, sizeof(*out->tags));
	for (i = 0; i < count; i++) {
		bool new_key = !i || strcmp(list[i].key, list[i - 1].key);
		struct pn_tag_key *key;

		if (new_key) {
			key = &out->keys[out->key_count++];
			key->name = list[i].key;
			key->first = out->tag_count;
		}
		key = &out->keys[out->key_count - 1];
		if (new_key || strcmp(list[i].text, list[i - 1].text)) {
			out->tags[out->tag_count++].text = list[i].text;
			key->count++;
		}
		out->tags[out->tag_count - 1].weight = pn_weight_add(
			out->tags[out->tag_count - 1].weight, list[i].weight);
		key->total = pn_weight_add(key->total, list[i].weight);
	}
	for (i = 0; i < out->key_count; i++)
		qsort(out->tags + out->keys[i].first, out->keys[i].count,
		      sizeof(*out->tags), by_weight);
	free(list);
}

void pn_tags_release(struct pn_tags *tags)
{
	if (!tags)
		return;
	free(tags->keys);
	free(tags->tags);
	pn_strtab_release(&tags->strings);
	memset(tags, 0, sizeof(*tags));
}
