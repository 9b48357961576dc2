/* What a worker found slower. */
#include "jobs/hooks/slower.h"

#include "base/escape.h"
#include "base/file.h"
#include "jobs/judge/check.h"
#include "jobs/queue/queue.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "slower"
#define HEX_SHOWN 10
#define NAME_SHOWN 100 /* bytes */

static bool is_asked_for(struct pn_repo *repo)
{
	static const char *const words[] = {"true", "yes", "on", "1"};
	char *value = NULL;
	bool asked = false;
	size_t i;

	if (pn_repo_config(&value, repo, "perf.hookNote", NULL) || !value)
		return false;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		asked |= !strcasecmp(value, words[i]);
	free(value);
	return asked;
}

static void add_short(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strnlen(text, NAME_SHOWN));
}

/* Who did it, as check says: "1a2b3c4d5e", "one of 3 commits up to 1a2b3c4d5e".
 */
static void add_culprits(struct pn_buf *out, const struct pn_oid *commit,
			 const struct pn_judge_report *report,
			 const struct pn_judge_row *row)
{
	size_t span = report->pair ? 0 : pn_judge_span(report, row);
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, span ? &report->commits[row->from].id : commit);
	if (span > 1)
		pn_buf_printf(out, "one of %zu commits up to ", span);
	pn_buf_printf(out, "%.*s", HEX_SHOWN, hex);
}

/* "1a2b3c4d5e got worse: fib wall +12.3 %". */
static void add_line(struct pn_buf *out, const struct pn_oid *commit,
		     const struct pn_judge_report *report,
		     const struct pn_judge_row *row)
{
	bool sure = pn_judge_direction(row->verdict) > 0;
	struct pn_buf series = {0};

	add_culprits(out, commit, report, row);
	pn_series_text(&series, &row->course->key.series, &row->parts);
	pn_buf_printf(out, " %s worse: ", sure ? "got" : "may have got");
	add_short(out, pn_buf_text(&series));
	pn_buf_add_byte(out, ' ');
	add_short(out, row->course->key.metric);
	if (!isnan(row->ratio))
		pn_buf_printf(out, " %+.1f %%", 100 * (row->ratio - 1));
	if (pn_judge_has_interval(row))
		pn_buf_printf(out, " [%+.1f, %+.1f]", 100 * (row->low - 1),
			      100 * (row->high - 1));
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&series);
}

static void add_rows(struct pn_buf *out, const struct pn_check *check,
		     const struct pn_oid *commit)
{
	size_t i, n = 0;

	for (i = 0; i < check->judge.count && n < PN_SLOWER_ROWS; i++) {
		const struct pn_judge_row *row = &check->judge.rows[i];

		/* of so many metrics one always may have */
		if (row->accepted ||
		    (pn_judge_direction(row->verdict) <= 0 &&
		     !(row->headline &&
		       row->verdict == PN_VERDICT_MAYBE_DEGRADATION)))
			continue;
		add_line(out, commit, &check->report, row);
		n++;
	}
}

static void keep(const char *common_dir, const struct pn_buf *lines)
{
	int fd = pn_queue_open(common_dir, NAME, O_RDWR | O_APPEND);
	struct stat st;

	if (fd < 0)
		return;
	flock(fd, LOCK_EX);
	if (!fstat(fd, &st) &&
	    (size_t)st.st_size + lines->len <= PN_SLOWER_MAX &&
	    pn_file_write_all(fd, lines->data, lines->len))
		(void)ftruncate(fd, st.st_size);
	close(fd);
}

void pn_slower_note(struct pn_buf *out, struct pn_repo *repo,
		    const struct pn_oid *commit)
{
	struct pn_check check = {.nothing = false};

	if (is_asked_for(repo) && pn_check_commit(&check, repo, commit, NULL))
		add_rows(out, &check, commit);
	if (out->len)
		keep(pn_repo_common_dir(repo), out);
	pn_check_release(&check);
}

void pn_slower_take(struct pn_buf *out, const char *common_dir)
{
	struct pn_buf path = {0}, text = {0};
	const char *line, *end;
	int fd;

	pn_buf_printf(&path, "%s/perf/" NAME, common_dir);
	fd = open(pn_buf_text(&path), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	pn_buf_release(&path);
	if (fd < 0) /* as always */
		return;
	flock(fd, LOCK_EX);
	if (!pn_file_read_all(&text, fd, PN_SLOWER_MAX) && !ftruncate(fd, 0))
		for (line = pn_buf_text(&text); (end = strchr(line, '\n'));
		     line = end + 1) {
			pn_escape_terminal(out, line, (size_t)(end - line));
			pn_buf_add_byte(out, '\n');
		}
	close(fd);
	pn_buf_release(&text);
}
