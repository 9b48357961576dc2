/* Real text of perf script has the stacks and sums that FlameGraph's
 * stackcollapse-perf.pl found in it: the files *.folded. */
#include "codec/rows.h"
#include "shared.h"

#include "base/alloc.h"

/* Stacks as collapsed text, and what they sum up to. */
struct sums {
	struct pn_strtab stacks;
	int64_t *values;
	size_t cap;
};

static void take_line(struct sums *sums, const char *line, size_t len)
{
	size_t at = len, had = sums->cap, i;
	int64_t value = 0;
	uint32_t id;

	while (at && line[at - 1] != ' ')
		at--;
	assert_true(at > 0);
	for (i = at; i < len; i++)
		value = value * 10 + line[i] - '0';
	id = pn_strtab_add(&sums->stacks, line, at - 1);
	sums->values = pn_grow(sums->values, &sums->cap, (size_t)id + 1,
			       sizeof(*sums->values));
	if (sums->cap > had)
		memset(sums->values + had, 0,
		       (sums->cap - had) * sizeof(*sums->values));
	sums->values[id] += value;
}

static void read_sums(struct sums *out, const char *name)
{
	struct pn_profile p;
	struct pn_buf text = {0};
	struct pn_error err;
	const char *at, *lf;

	memset(out, 0, sizeof(*out));
	read_profile(&p, NULL, shared(name));
	if (pn_codec_collapsed.write(&text, &p, &err))
		fail_msg("%s", err.message);
	for (at = pn_buf_text(&text); (lf = strchr(at, '\n')); at = lf + 1)
		take_line(out, at, (size_t)(lf - at));
	pn_buf_release(&text);
	pn_profile_release(&p);
}

static void agree(const char *name)
{
	struct sums ours, theirs;
	char path[64];
	uint32_t i, at;

	snprintf(path, sizeof(path), "perf/%s.perf.txt", name);
	read_sums(&ours, path);
	snprintf(path, sizeof(path), "perf/%s.folded", name);
	read_sums(&theirs, path);
	assert_int_equal(ours.stacks.count, theirs.stacks.count);
	for (i = 1; i < theirs.stacks.count; i++) {
		const char *stack = pn_strtab_text(&theirs.stacks, i);

		if (!pn_strtab_find(&at, &ours.stacks, stack, strlen(stack)))
			fail_msg("no stack '%s'", stack);
		assert_int_equal(ours.values[at], theirs.values[i]);
	}
	pn_strtab_release(&ours.stacks);
	pn_strtab_release(&theirs.stacks);
	free(ours.values);
	free(theirs.values);
}

static void finds_the_stacks_that_flamegraph_finds(void **state)
{
	(void)state;
	agree("git-log-p");
	agree("gzip");
	agree("make-gcc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_stacks_that_flamegraph_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
