/* How the results of `git perf collect` compare. */
#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "collect_view.h"
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rank {
	const struct view_result *result;
	struct pn_summary wall;
	double ratio, deviation; /* to the first; NaN: unknown */
};

static int fastest_first(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	return (a->wall.mean > b->wall.mean) - (a->wall.mean < b->wall.mean);
}

/* The ratio of two means and its deviation, that of independent quotients to
 * first order: Ku, J. Res. NBS 70C (1966). */
static void compare(struct rank *to, const struct rank *base)
{
	double a = base->wall.sd / base->wall.mean;
	double b = to->wall.sd / to->wall.mean;

	to->ratio = to->wall.mean / base->wall.mean;
	to->deviation = to->ratio * sqrt(a * a + b * b);
}

/* Those with a wall time: what others compare to comes first, by default the
 * fastest. The caller frees. */
static struct rank *rank_results(size_t *count,
				 const struct view_result *results, size_t n,
				 const struct view_options *options)
{
	struct rank *ranks = pn_calloc(n + 1, sizeof(*ranks)), first;
	size_t i, best = 0;

	*count = 0;
	for (i = 0; i < n; i++) {
		struct rank *r = &ranks[*count];

		if (!view_summary(&r->wall, results[i].profile, "wall") ||
		    !(r->wall.mean > 0))
			continue;
		r->result = &results[i];
		if (!options->reference && fastest_first(r, &ranks[best]) < 0)
			best = *count;
		++*count;
	}
	first = ranks[best];
	memmove(ranks + 1, ranks, best * sizeof(*ranks));
	ranks[0] = first;
	if (!options->in_order && *count > 2)
		qsort(ranks + 1, *count - 1, sizeof(*ranks), fastest_first);
	for (i = 0; i < *count; i++)
		compare(&ranks[i], &ranks[0]);
	return ranks;
}

static void print_ratio(FILE *to, const struct rank *other)
{
	bool faster = other->ratio >= 1;
	double ratio = faster ? other->ratio : 1 / other->ratio;
	double deviation = other->deviation / other->ratio * ratio;
	struct pn_buf title = {0};

	pn_escape_terminal(&title, other->result->title,
			   strlen(other->result->title));
	fprintf(to, "  %8.2f", ratio);
	if (!isnan(deviation))
		fprintf(to, " ± %.2f", deviation);
	fprintf(to, " times %s than %s\n", faster ? "faster" : "slower",
		pn_buf_text(&title));
	pn_buf_release(&title);
}

void view_comparison(FILE *to, const struct view_result *results, size_t count,
		     const struct view_options *options)
{
	struct pn_buf title = {0};
	struct rank *ranks;
	size_t i, n;

	ranks = rank_results(&n, results, count, options);
	if (n > 1) {
		pn_escape_terminal(&title, ranks[0].result->title,
				   strlen(ranks[0].result->title));
		fprintf(to, "\n%s is\n", pn_buf_text(&title));
		for (i = 1; i < n; i++)
			print_ratio(to, &ranks[i]);
	}
	pn_buf_release(&title);
	free(ranks);
}

/* RFC 4180: quotes around a text, doubled in it. */
static void add_quoted(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			pn_buf_add_byte(out, '"');
		pn_buf_add_byte(out, (unsigned char)*text);
	}
	pn_buf_add_byte(out, '"');
}

static void write_csv(struct pn_buf *out, const struct view_result *results,
		      size_t count)
{
	struct pn_summary wall, user, sys;
	size_t i;

	pn_buf_add_text(out,
			"command,mean,stddev,median,user,system,min,max\n");
	for (i = 0; i < count; i++) {
		const struct pn_profile *p = results[i].profile;

		if (!view_summary(&wall, p, "wall"))
			continue;
		add_quoted(out, results[i].title);
		pn_buf_printf(out, ",%.9f,", wall.mean / 1e9);
		if (!isnan(wall.sd))
			pn_buf_printf(out, "%.9f", wall.sd / 1e9);
		pn_buf_printf(out, ",%.9f,", wall.median / 1e9);
		if (view_summary(&user, p, "user"))
			pn_buf_printf(out, "%.9f", user.mean / 1e9);
		pn_buf_add_byte(out, ',');
		if (view_summary(&sys, p, "sys"))
			pn_buf_printf(out, "%.9f", sys.mean / 1e9);
		pn_buf_printf(out, ",%.9f,%.9f\n", wall.min / 1e9,
			      wall.max / 1e9);
	}
}

/* A cell: a bar would end it. */
static void add_code(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, '`');
	for (; *text; text++) {
		if (*text == '|')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out,
				*text == '\n' ? ' ' : (unsigned char)*text);
	}
	pn_buf_add_byte(out, '`');
}

static void write_markdown(struct pn_buf *out,
			   const struct view_result *results, size_t count,
			   const struct view_options *options)
{
	struct view_unit u;
	struct rank *ranks;
	size_t i, n;

	ranks = rank_results(&n, results, count, options);
	u = view_unit_of(options->unit, ranks[0].wall.median);
	pn_buf_printf(out,
		      "| Command | Mean [%s] | Median [%s] | Min [%s] | "
		      "Max [%s] | Relative |\n"
		      "|:---|---:|---:|---:|---:|---:|\n",
		      u.name, u.name, u.name, u.name);
	for (i = 0; i < n; i++) {
		const struct pn_summary *w = &ranks[i].wall;

		pn_buf_add_text(out, "| ");
		add_code(out, ranks[i].result->title);
		pn_buf_printf(out, " | %.3f", w->mean / u.ns);
		if (!isnan(w->sd))
			pn_buf_printf(out, " ± %.3f", w->sd / u.ns);
		pn_buf_printf(out, " | %.3f | %.3f | %.3f | %.2f",
			      w->median / u.ns, w->min / u.ns, w->max / u.ns,
			      ranks[i].ratio);
		if (i && !isnan(ranks[i].deviation))
			pn_buf_printf(out, " ± %.2f", ranks[i].deviation);
		pn_buf_add_text(out, " |\n");
	}
	free(ranks);
}

int view_export_check(const char *path, struct pn_error *err)
{
	if (pn_file_ends_with(path, ".csv") || pn_file_ends_with(path, ".md"))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "cannot export to '%s': need a name that ends in "
			    ".csv or .md",
			    path);
}

int view_export(const char *path, const struct view_result *results,
		size_t count, const struct view_options *options,
		struct pn_error *err)
{
	struct pn_buf text = {0};
	int code;

	if (pn_file_ends_with(path, ".csv"))
		write_csv(&text, results, count);
	else
		write_markdown(&text, results, count, options);
	code = pn_file_write(path, pn_buf_text(&text), text.len, false, err);
	pn_buf_release(&text);
	return code;
}

int view_results(const struct global *global, const struct view_result *results,
		 size_t count, const struct view_options *options)
{
	struct pn_error err = {0};
	struct output out;
	int code;

	if (options->export &&
	    view_export(options->export, results, count, options, &err))
		return fail(&err);
	if (options->quiet && !options->json && !options->path)
		return EXIT_DONE;
	if (open_output(&out, global, options->path, false, &err))
		return fail(&err);
	code = options->json
		       ? view_json(out.file, results, count, &err)
		       : view_text(out.file, results, count, options, &err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return fail(&err);
}
