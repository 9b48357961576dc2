/* The job file: its bytes, its sections. */
#include "jobs/matrix/matrix.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "collect/words.h"
#include "jobs/matrix/keys.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

int pn_matrix_read(struct pn_buf *out, const char *path, bool named,
		   struct pn_error *err)
{
	struct stat st;

	if (named ? stat(path, &st) : lstat(path, &st)) {
		if (errno != ENOENT && errno != ENOTDIR)
			return pn_error_system(err, "cannot read '%s'", path);
		return pn_error_set(err, PN_ENOTFOUND,
				    "there is no '%s': it would say what to "
				    "measure, see gitperf(5)",
				    path);
	}
	if (!named && !S_ISREG(st.st_mode))
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' is no regular file, need one", path);
	return pn_file_read(out, path, PN_MATRIX_MAX_BYTES, err);
}

void pn_matrix_release(struct pn_matrix *matrix)
{
	if (!matrix)
		return;
	free(matrix->sections);
	free(matrix->generators);
	free(matrix->jobs);
	if (matrix->folder) {
		pn_folder_remove(matrix->folder, NULL);
		if (matrix->owner >= 0)
			close(matrix->owner);
	}
	free(matrix->folder);
	pn_arena_release(&matrix->arena);
	memset(matrix, 0, sizeof(*matrix));
}

/* A name is shown, is a label and part of paths and names of profiles. */
static int check_name(const char *name, struct pn_error *err)
{
	size_t len = strlen(name), i;

	if (!len || len > PN_MATRIX_MAX_NAME)
		return pn_error_set(err, PN_EINVAL,
				    "needs a name of 1 to %d bytes",
				    PN_MATRIX_MAX_NAME);
	for (i = 0; i < len; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == 127 ||
		    name[i] == '/')
			return pn_error_set(err, PN_EINVAL,
					    "a name has neither slashes nor "
					    "control characters");
	return 0;
}

static int too_many(struct pn_error *err)
{
	return pn_error_set(err, PN_ELIMIT, "more than %d such sections",
			    PN_MATRIX_MAX_SECTIONS);
}

static int find_section(struct pn_matrix_section **out, struct pn_matrix *m,
			const char *name, struct pn_error *err)
{
	struct pn_matrix_section *s;
	size_t i;

	for (i = 0; i < m->section_count; i++)
		if (!strcmp(m->sections[i].name, name))
			break;
	if (i == m->section_count) {
		if (i == PN_MATRIX_MAX_SECTIONS)
			return too_many(err);
		m->sections = pn_realloc_array(m->sections, i + 1,
					       sizeof(*m->sections));
		s = &m->sections[m->section_count++];
		*s = (struct pn_matrix_section){.name = name,
						.min_time_ns = -1,
						.max_time_ns = -1,
						.precision = (double)NAN};
	}
	*out = &m->sections[i];
	return 0;
}

static int find_generator(struct pn_matrix_generator **out, struct pn_matrix *m,
			  const char *name, struct pn_error *err)
{
	struct pn_matrix_generator *g;
	size_t i;

	for (i = 0; i < m->generator_count; i++)
		if (!strcmp(m->generators[i].name, name))
			break;
	if (i == m->generator_count) {
		if (i == PN_MATRIX_MAX_SECTIONS)
			return too_many(err);
		m->generators = pn_realloc_array(m->generators, i + 1,
						 sizeof(*m->generators));
		g = &m->generators[m->generator_count++];
		*g = (struct pn_matrix_generator){.name = name, .step = 1};
	}
	*out = &m->generators[i];
	return 0;
}

static int set_of_workload(struct pn_matrix *m, const char *name,
			   const char *key, const char *value,
			   struct pn_error *err)
{
	struct pn_matrix_generator *g = NULL;
	int code = find_generator(&g, m, name, err);

	if (code)
		return code;
	g->has_min |= !strcasecmp(key, "min");
	g->has_max |= !strcasecmp(key, "max");
	return pn_key_set(g, &m->arena, pn_keys_of_workload, key, value, err);
}

/* "<section>.<name>.<key>"; git gives section and key in lower case. `value`
 * is NULL for a key that stands alone. */
static int take_key(struct pn_matrix *m, char *full, const char *value,
		    struct pn_error *err)
{
	char *first = strchr(full, '.'), *last = strrchr(full, '.');
	struct pn_matrix_section *s = NULL;
	const char *name;
	bool is_job;
	int code = 0;

	if (!first)
		return 0;
	is_job = first - full == 3 && !memcmp(full, "job", 3);
	if (!is_job && (first - full != 8 || memcmp(full, "workload", 8) != 0))
		return 0;
	if (first == last)
		code = pn_error_set(err, PN_EINVAL,
				    "needs a name: [%s \"<name>\"]",
				    is_job ? "job" : "workload");
	*last = '\0';
	name = first == last ? "" : first + 1;
	name = pn_arena_copy(&m->arena, name, strlen(name));
	if (!code)
		code = check_name(name, err);
	if (!code && is_job && !(code = find_section(&s, m, name, err)))
		code = pn_key_set(s, &m->arena, pn_keys_of_job, last + 1, value,
				  err);
	else if (!code)
		code = set_of_workload(m, name, last + 1, value, err);
	*last = '.';
	return code ? pn_error_context(err, "%s", full) : 0;
}

/* The key of this index in the file, whose bytes may be NULL. */
static int take(struct pn_matrix *m, char *full, const char *value,
		const struct pn_buf *bytes, size_t index, struct pn_error *err)
{
	int code = take_key(m, full, value, err);
	size_t line = 0;

	if (code && bytes)
		line = pn_matrix_line(pn_buf_text(bytes), bytes->len, index);
	if (code && line)
		pn_error_context(err, "line %zu", line);
	return code ? pn_error_context(err, "'%s'", m->path) : 0;
}

static bool has_option(const struct pn_collector *with, const char *text)
{
	const struct pn_option *o = with->options;
	size_t len = strcspn(text, "=");

	for (; o && o->key; o++)
		if (strlen(o->key) == len && !memcmp(o->key, text, len))
			return true;
	return false;
}

/* An option has to be one of some collector of the section. */
static int check_option(const struct pn_matrix_section *s, const char *text,
			struct pn_error *err)
{
	struct pn_collect_pair pair = {0};
	const struct pn_collector *with = NULL;
	char *key = pn_strdup(text), *equals = strchr(key, '=');
	size_t i;
	int code = 0;

	if (equals)
		*equals = '\0';
	pair.key = key;
	pair.value = equals ? equals + 1 : "";
	for (i = 0; i < s->collectors.count; i++) {
		const struct pn_collector *c =
			pn_collector_find(s->collectors.values[i], NULL);

		if (c && has_option(c, text))
			with = c;
	}
	if (!with)
		with = pn_collector_find(s->collectors.count
						 ? s->collectors.values[0]
						 : pn_collectors[0]->name,
					 NULL);
	if (with)
		code = pn_collector_check(with, &pair, 1, err);
	free(key);
	return code;
}

static int check_section(const struct pn_matrix_section *s,
			 struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (!s->cmds.count)
		return pn_error_set(err, PN_EINVAL, "has no cmd to measure");
	if (s->runs && (s->min_runs || s->max_runs))
		return pn_error_set(err, PN_EINVAL,
				    "runs is exact: minRuns and maxRuns do not "
				    "go with it");
	if (s->min_runs && s->max_runs && s->min_runs > s->max_runs)
		return pn_error_set(err, PN_EINVAL, "minRuns is above maxRuns");
	for (i = 0; !code && i < s->collectors.count; i++)
		if (!pn_collector_find(s->collectors.values[i], err))
			code = PN_EINVAL;
	for (i = 0; !code && i < s->options.count; i++)
		code = check_option(s, s->options.values[i], err);
	return code;
}

static int check_range(const struct pn_matrix_generator *g,
		       struct pn_error *err)
{
	if (!g->has_min || !g->has_max)
		return pn_error_set(err, PN_EINVAL, "needs min and max");
	if (g->step < 1 || g->min > g->max)
		return pn_error_set(err, PN_EINVAL,
				    "needs a step above 0 and a max that is "
				    "not below min");
	if (g->type != PN_MATRIX_INTEGER && g->min < 0)
		return pn_error_set(err, PN_EINVAL,
				    "needs a min that is not below 0");
	if (((uint64_t)g->max - (uint64_t)g->min) / (uint64_t)g->step >=
	    PN_MATRIX_MAX_GENERATED)
		return pn_error_set(err, PN_ELIMIT,
				    "gives more than %d workloads",
				    PN_MATRIX_MAX_GENERATED);
	return 0;
}

static int check_generator(const struct pn_matrix_generator *g,
			   struct pn_error *err)
{
	switch (g->type) {
	case PN_MATRIX_NO_TYPE:
		return pn_error_set(err, PN_EINVAL,
				    "has no type, need integer, string, text, "
				    "files or command");
	case PN_MATRIX_FILES:
		if (!g->path)
			return pn_error_set(err, PN_EINVAL,
					    "has no path to a folder");
		return 0;
	case PN_MATRIX_COMMAND:
		if (!g->command)
			return pn_error_set(err, PN_EINVAL,
					    "has no command to run");
		return 0;
	default:
		return check_range(g, err);
	}
}

static int check(const struct pn_matrix *m, struct pn_error *err)
{
	size_t i;
	int code;

	for (i = 0; i < m->section_count; i++) {
		code = check_section(&m->sections[i], err);
		if (code) {
			pn_error_context(err, "'%s': job.%s", m->path,
					 m->sections[i].name);
			return code;
		}
	}
	for (i = 0; i < m->generator_count; i++) {
		code = check_generator(&m->generators[i], err);
		if (code) {
			pn_error_context(err, "'%s': workload.%s", m->path,
					 m->generators[i].name);
			return code;
		}
	}
	if (!m->section_count)
		return pn_error_set(err, PN_EINVAL,
				    "'%s' has no job, need [job \"<name>\"] "
				    "with cmd",
				    m->path);
	return 0;
}

static int parse_list(struct pn_matrix *out, const char *path, const char *list,
		      size_t len, const struct pn_buf *bytes,
		      struct pn_error *err)
{
	struct pn_matrix m = {0};
	char *text, *at, *next, *end;
	size_t index = 0;
	int code = 0;

	m.path = pn_arena_copy(&m.arena, path, strlen(path));
	text = pn_arena_copy(&m.arena, list, len);
	end = text + len;
	for (at = text; !code && at < end; at = next) {
		char *value;

		next = at + strlen(at) + 1;
		value = strchr(at, '\n');
		if (value)
			*value++ = '\0';
		code = take(&m, at, value, bytes, index++, err);
	}
	if (!code)
		code = check(&m, err);
	if (code)
		pn_matrix_release(&m);
	else
		*out = m;
	return code;
}

int pn_matrix_parse_list(struct pn_matrix *out, const char *path,
			 const char *list, size_t len, struct pn_error *err)
{
	return parse_list(out, path, list, len, NULL, err);
}

int pn_matrix_parse(struct pn_matrix *out, struct pn_repo *repo,
		    const char *path, const struct pn_buf *bytes,
		    struct pn_error *err)
{
	unsigned char hash[32];
	struct pn_buf list = {0};
	int code;

	code = pn_repo_parse_config(&list, repo, pn_buf_text(bytes), bytes->len,
				    err);
	if (code)
		pn_error_context(err, "cannot read '%s'", path);
	else
		code = parse_list(out, path, pn_buf_text(&list), list.len,
				  bytes, err);
	pn_buf_release(&list);
	pn_hash_sha256(hash, pn_buf_text(bytes), bytes->len);
	pn_hash_sha256_hex(out->hash, hash);
	return code;
}

/* No line of a value may look like a key. */
static void add_line(struct pn_buf *out, const char *key, const char *value)
{
	if (!value)
		return;
	pn_buf_printf(out, "\t%s = ", key);
	for (; *value; value++) {
		pn_buf_add_byte(out, (unsigned char)*value);
		if (*value == '\n')
			pn_buf_add_text(out, "\t\t| ");
	}
	pn_buf_add_byte(out, '\n');
}

static void add_lines(struct pn_buf *out, const char *key,
		      const struct pn_matrix_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		add_line(out, key, list->values[i]);
}

void pn_matrix_commands(struct pn_buf *out, const struct pn_matrix *matrix)
{
	size_t i;

	for (i = 0; i < matrix->section_count; i++) {
		const struct pn_matrix_section *s = &matrix->sections[i];

		pn_buf_printf(out, "job \"%s\"\n", s->name);
		add_lines(out, "build", &s->builds);
		add_line(out, "setup", s->setup);
		add_line(out, "prepare", s->prepare);
		add_lines(out, "cmd", &s->cmds);
		add_lines(out, "args", &s->args);
		add_lines(out, "workload", &s->workloads);
		add_line(out, "shell", s->shell ? "true" : NULL);
		add_line(out, "conclude", s->conclude);
		add_line(out, "cleanup", s->cleanup);
		add_lines(out, "collector", &s->collectors);
		add_lines(out, "option", &s->options);
		add_lines(out, "postprocess", &s->posts.texts);
	}
	for (i = 0; i < matrix->generator_count; i++) {
		const struct pn_matrix_generator *g = &matrix->generators[i];

		if (!g->command)
			continue;
		pn_buf_printf(out, "workload \"%s\"\n", g->name);
		add_line(out, "command", g->command);
	}
}

/* What git reads as a comment leaves a quote without an end. */
static bool doubt_quote(struct pn_buf *out, const char *job, const char *key,
			const char *line)
{
	const char *const *words;
	struct pn_arena arena = {0};
	bool whole = !*line || !pn_words_split(&words, &arena, line, NULL);

	if (!whole)
		pn_buf_printf(out,
			      "job '%s': %s ends within a quote: ';' and '#' "
			      "begin a comment in git's config syntax, write "
			      "%s = \"...\"",
			      job, key, key);
	pn_arena_release(&arena);
	return !whole;
}

bool pn_matrix_doubt(struct pn_buf *out,
		     const struct pn_matrix_section *section)
{
	const struct pn_matrix_list *const lists[] = {&section->cmds,
						      &section->args};
	static const char *const keys[] = {"cmd", "args"};
	struct pn_buf word = {0};
	size_t i, k, had = out->len;

	for (k = 0; !section->shell && k < 2; k++)
		for (i = 0; out->len == had && i < lists[k]->count; i++)
			if (!doubt_quote(out, section->name, keys[k],
					 lists[k]->values[i]) &&
			    pn_words_operator(&word, lists[k]->values[i]))
				pn_buf_printf(
					out,
					"job '%s': '%s' of %s is a plain word "
					"to the command, git's config syntax "
					"takes quotes away: write cmd = \"sh "
					"-c '...'\", or shell = true",
					section->name, pn_buf_text(&word),
					keys[k]);
	pn_buf_release(&word);
	return out->len > had;
}
