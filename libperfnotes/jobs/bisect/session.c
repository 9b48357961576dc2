/* A bisection that was begun: a line for each fact, "<key> <value>". */
#include "jobs/bisect/session.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/number.h"
#include "vcs/lock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_LINE "git-perf bisect 1"

static char *path_of(struct pn_repo *repo, const char *name)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/perf%s", pn_repo_common_dir(repo), name);
	return pn_buf_detach(&path);
}

void pn_bisect_session_release(struct pn_bisect_session *session)
{
	free(session->job);
	free(session->metric);
	free(session->config);
	*session = (struct pn_bisect_session){.job = NULL};
}

int pn_bisect_session_lock(int *fd, struct pn_repo *repo, struct pn_error *err)
{
	int code = pn_lock_try(fd, repo, "bisect.lock", err);

	if (code)
		return code < 0 ? code : 0;
	return pn_error_set(err, PN_EREFUSED,
			    "another 'git perf bisect' runs in this "
			    "repository: wait until it has ended");
}

/* False: no such key, or a value that cannot be. */
static bool take(struct pn_bisect_session *s, const char *key,
		 const char *value)
{
	char **texts[] = {&s->job, &s->metric, &s->config};
	static const char *const names[] = {"job", "metric", "config"};
	uint64_t *counts[] = {&s->most, &s->made, &s->builds};
	static const char *const numbers[] = {"most", "made", "builds"};
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!strcmp(key, names[i])) {
			free(*texts[i]);
			*texts[i] = pn_strdup(value);
			return true;
		}
		if (!strcmp(key, numbers[i]))
			return pn_number_uint(counts[i], value, strlen(value));
	}
	if (!strcmp(key, "hash")) {
		if (strlen(value) != PN_HASH_SHA256_HEX)
			return false;
		memcpy(s->hash, value, sizeof(s->hash));
		return true;
	}
	if (!strcmp(key, "spent"))
		return pn_number_int(&s->spent_ns, value, strlen(value));
	if (strlen(value) != PN_OID_HEX)
		return false;
	if (!strcmp(key, "good"))
		return !pn_oid_parse(&s->good, value);
	return !strcmp(key, "bad") && !pn_oid_parse(&s->bad, value);
}

/* Cut the next line off; NULL: there is none. */
static char *next_line(char **at)
{
	char *line = *at, *end = line ? strchr(line, '\n') : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

static bool parse(struct pn_bisect_session *s, char *text)
{
	char *line = next_line(&text), *blank;

	if (!line || strcmp(line, FIRST_LINE) != 0)
		return false;
	while ((line = next_line(&text))) {
		blank = strchr(line, ' ');
		if (!blank)
			return false;
		*blank = '\0';
		if (!take(s, line, blank + 1))
			return false;
	}
	/* which file, and of which bytes, a person has named */
	if (s->config ? *s->config != '/' || !*s->hash : *s->hash)
		return false;
	return s->job && !pn_oid_is_zero(&s->good) && !pn_oid_is_zero(&s->bad);
}

int pn_bisect_session_read(struct pn_bisect_session *out, struct pn_repo *repo,
			   struct pn_error *err)
{
	struct pn_bisect_session s = {.job = NULL};
	char *path = path_of(repo, "/bisect");
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, PN_BISECT_SESSION_MAX, err);

	if (!code) {
		pn_buf_add_byte(&text, '\0');
		code = 1;
		if (!parse(&s, (char *)text.data))
			code = pn_error_set(err, PN_EINVAL,
					    "'%s' is damaged: 'git perf bisect "
					    "--abort' removes it",
					    path);
	} else if (code == PN_ENOTFOUND) {
		code = 0;
	}
	if (code == 1) {
		s.metric = s.metric ? s.metric : pn_strdup("");
		s.config = s.config ? s.config : pn_strdup("");
		*out = s;
	} else {
		pn_bisect_session_release(&s);
	}
	pn_buf_release(&text);
	free(path);
	return code;
}

int pn_bisect_session_write(const struct pn_bisect_session *session,
			    struct pn_repo *repo, struct pn_error *err)
{
	char good[PN_OID_HEX + 1], bad[PN_OID_HEX + 1];
	char *path = path_of(repo, "/bisect"), *folder = path_of(repo, "");
	struct pn_buf text = {0};
	int code;

	if (strchr(session->metric, '\n') || strchr(session->config, '\n')) {
		free(path);
		free(folder);
		return pn_error_set(err, PN_EINVAL,
				    "names of metrics and files with a line "
				    "feed cannot be kept");
	}
	pn_oid_hex(good, &session->good);
	pn_oid_hex(bad, &session->bad);
	pn_buf_printf(&text, FIRST_LINE "\ngood %s\nbad %s\njob %s\n", good,
		      bad, session->job);
	if (*session->metric)
		pn_buf_printf(&text, "metric %s\n", session->metric);
	if (*session->config)
		pn_buf_printf(&text, "config %s\nhash %s\n", session->config,
			      session->hash);
	pn_buf_printf(&text,
		      "most %" PRIu64 "\nmade %" PRIu64 "\nbuilds %" PRIu64
		      "\nspent %" PRId64 "\n",
		      session->most, session->made, session->builds,
		      session->spent_ns);
	code = pn_file_make_dirs(folder, err);
	pn_repo_share(repo, folder);
	if (!code)
		code = pn_file_write(path, text.data, text.len, true, err);
	pn_buf_release(&text);
	free(path);
	free(folder);
	return code;
}

int pn_bisect_session_remove(bool *had, struct pn_repo *repo,
			     struct pn_error *err)
{
	char *path = path_of(repo, "/bisect");
	int gone = unlink(path), code = 0;

	if (gone && errno != ENOENT)
		code = pn_file_fail(err, "remove", path);
	if (had)
		*had = !gone;
	free(path);
	return code;
}

bool pn_bisect_session_same(const struct pn_bisect_session *a,
			    const struct pn_bisect_session *b)
{
	return pn_oid_equal(&a->good, &b->good) &&
	       pn_oid_equal(&a->bad, &b->bad) && !strcmp(a->job, b->job) &&
	       !strcmp(a->metric, b->metric) && !strcmp(a->config, b->config) &&
	       !strcmp(a->hash, b->hash);
}
