/* Who changed functions. */
#include "jobs/functions/blamed.h"

int pn_blamed_read(struct pn_blamed *out, const char *pattern,
		   double min_effect,
		   const struct pn_functions_request *request,
		   struct pn_error *err)
{
	struct pn_functions_request asked = *request;
	const struct pn_functions_gathered *g = &out->gathered;
	int code = pattern ? pn_regex_new(&out->regex, pattern, err) : 0;

	asked.rule.name = out->regex;
	if (!code)
		code = pn_functions_gather(&out->gathered, &asked, err);
	if (code)
		return code;
	out->blame = (struct pn_blame){.commits = g->commits,
				       .commit_count = g->count,
				       .series = g->series,
				       .series_count = g->series_count,
				       .pattern = pattern};
	pn_blame_of(&out->blame, min_effect);
	return 0;
}

/* Whether there are some that match, and none with such a share. */
static bool are_small(const struct pn_blamed *b, bool *by_total)
{
	size_t i, n = 0;

	for (i = 0; i < b->gathered.series_count; i++) {
		n += b->gathered.series[i].small;
		*by_total = b->gathered.series[i].rule.by_total;
	}
	return n > 0;
}

void pn_blamed_why(struct pn_buf *out, const struct pn_blamed *b)
{
	bool by_total = false;

	if (b->gathered.faults)
		pn_buf_printf(out, "%zu profiles or notes are passed over: %s",
			      b->gathered.faults, b->gathered.fault);
	else if (!b->gathered.series_count)
		pn_buf_printf(out,
			      "no profile of these commits (%zu) has functions",
			      b->gathered.count);
	else if (!b->blame.count && b->blame.pattern && are_small(b, &by_total))
		pn_buf_printf(out,
			      "functions match '%s', but have no such share of "
			      "the costs%s",
			      b->blame.pattern,
			      by_total ? ""
				       : " themselves: --cum counts what they "
					 "call, too");
	else if (!b->blame.count && b->blame.pattern)
		pn_buf_printf(out, "no function of these commits matches '%s'",
			      b->blame.pattern);
	else if (!b->blame.count)
		pn_buf_add_text(out, "no function has such a share");
}

void pn_blamed_release(struct pn_blamed *blamed)
{
	pn_blame_release(&blamed->blame);
	pn_functions_gathered_release(&blamed->gathered);
	pn_regex_free(blamed->regex);
}
