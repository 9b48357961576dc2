/*
 * Workloads that are generated. What is random is drawn from a generator
 * seeded by name and size (Steele, Lea & Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA 2014): every commit and machine gets the same.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/hash.h"
#include "base/numbers/random.h"
#include "base/process/process.h"
#include "jobs/matrix/matrix.h"
#include "vcs/gitdir.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_STRING 65536 /* an argument of Linux has 128 kB at most */
#define MAX_LINES 1000000
#define MAX_KEYS 16	/* in the pattern of a file's name */
#define WORD_LETTERS 9	/* of the longest word of a text */
#define LINE_LETTERS 75 /* after so many a line ends */

struct maker {
	struct pn_matrix *matrix;
	const struct pn_matrix_generator *generator;
	const struct pn_workload_place *place;
	struct pn_workload *items;
	size_t count, cap;
};

/* The first eight bytes of a hash of name and size, and the seed. */
static uint64_t start_of(const struct pn_matrix_generator *g, int64_t size)
{
	unsigned char hash[32];
	uint64_t state = 0;
	char number[32];
	size_t i;

	snprintf(number, sizeof(number), "/%" PRId64, size);
	pn_hash_sha256_both(hash, g->name, strlen(g->name), number,
			    strlen(number));
	for (i = 0; i < 8; i++)
		state = state << 8 | hash[i];
	return state ^ g->seed;
}

static const char *keep(struct maker *m, const char *text)
{
	return pn_arena_copy(&m->matrix->arena, text, strlen(text));
}

/* A workload called "<generator>/<name>". */
static struct pn_workload *add(struct maker *m, const char *name,
			       const char *value)
{
	struct pn_buf text = {0};
	struct pn_workload *w;

	pn_buf_printf(&text, "%s/%s", m->generator->name, name);
	m->items = pn_grow(m->items, &m->cap, m->count + 1, sizeof(*m->items));
	w = &m->items[m->count++];
	memset(w, 0, sizeof(*w));
	w->text = keep(m, pn_buf_text(&text));
	w->value = keep(m, value);
	pn_buf_release(&text);
	return w;
}

static void add_label(struct maker *m, struct pn_workload *w, const char *key,
		      const char *value)
{
	struct pn_collect_pair *labels;

	labels = pn_arena_alloc(&m->matrix->arena,
				(w->label_count + 1) * sizeof(*labels));
	if (w->label_count)
		memcpy(labels, w->labels, w->label_count * sizeof(*labels));
	labels[w->label_count].key = keep(m, key);
	labels[w->label_count++].value = keep(m, value);
	w->labels = labels;
}

static int need_folder(struct pn_matrix *m, struct pn_error *err)
{
	return m->folder ? 0
			 : pn_folder_make_private(&m->folder, &m->owner, err);
}

static void make_string(struct pn_buf *out, const struct pn_matrix_generator *g,
			int64_t len)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz0123456789";
	uint64_t state = start_of(g, len);
	int64_t i;

	for (i = 0; i < len; i++)
		pn_buf_add_byte(
			out,
			(unsigned char)letters[pn_random_next(&state) % 62]);
}

static void make_line(struct pn_buf *out, uint64_t *state)
{
	size_t start = out->len;

	while (out->len - start < LINE_LETTERS) {
		uint64_t i, n = 1 + pn_random_next(state) % WORD_LETTERS;

		if (out->len > start)
			pn_buf_add_byte(out, ' ');
		for (i = 0; i < n; i++)
			pn_buf_add_byte(
				out,
				(unsigned char)('a' +
						pn_random_next(state) % 26));
	}
	pn_buf_add_byte(out, '\n');
}

/* A file of so many lines; *value becomes its path. */
static int make_text(struct pn_buf *value, struct maker *m, int64_t lines,
		     struct pn_error *err)
{
	uint64_t state = start_of(m->generator, lines);
	struct pn_buf text = {0};
	int64_t i;
	int code = need_folder(m->matrix, err);

	for (i = 0; !code && i < lines; i++)
		make_line(&text, &state);
	if (!code) {
		pn_buf_printf(value, "%s/%s-%" PRId64 ".txt", m->matrix->folder,
			      m->generator->name, lines);
		code = pn_file_write(pn_buf_text(value), pn_buf_text(&text),
				     text.len, false, err);
	}
	pn_buf_release(&text);
	return code;
}

static int make_sized(struct maker *m, struct pn_error *err)
{
	const struct pn_matrix_generator *g = m->generator;
	int64_t most = g->type == PN_MATRIX_STRING ? MAX_STRING : MAX_LINES;
	struct pn_buf value = {0};
	char number[32];
	int64_t at = g->min;
	int code = 0;

	if (g->type != PN_MATRIX_INTEGER && g->max > most)
		return pn_error_set(err, PN_ELIMIT,
				    "max %" PRId64 " is above the limit of "
				    "%" PRId64,
				    g->max, most);
	for (;;) {
		snprintf(number, sizeof(number), "%" PRId64, at);
		pn_buf_clear(&value);
		if (g->type == PN_MATRIX_INTEGER)
			pn_buf_add_text(&value, number);
		else if (g->type == PN_MATRIX_STRING)
			make_string(&value, g, at);
		else if (m->place->run)
			code = make_text(&value, m, at, err);
		if (code)
			break;
		add_label(m, add(m, number, pn_buf_text(&value)), g->name,
			  number);
		if ((uint64_t)g->max - (uint64_t)at < (uint64_t)g->step)
			break;
		at += g->step;
	}
	pn_buf_release(&value);
	return code;
}

/*
 * The parts of a name between the fixed parts of a pattern such as
 * "{width}x{height}.txt", each as short as can be; false when it does not fit.
 */
static bool match_keys(struct maker *m, struct pn_workload *w,
		       const char *pattern, const char *name)
{
	struct pn_buf key = {0}, value = {0}, fixed = {0};
	size_t keys = 0;
	bool fits = true;

	while (fits && (*pattern || *name)) {
		const char *close, *found;

		if (*pattern != '{' || !(close = strchr(pattern, '}'))) {
			fits = *pattern && *pattern++ == *name;
			name += fits;
			continue;
		}
		pn_buf_clear(&key);
		pn_buf_add(&key, pattern + 1, (size_t)(close - pattern) - 1);
		pattern = close + 1;
		pn_buf_clear(&fixed);
		pn_buf_add(&fixed, pattern, strcspn(pattern, "{"));
		found = fixed.len ? strstr(name, pn_buf_text(&fixed))
				  : name + strlen(name);
		fits = found && found > name && key.len && ++keys <= MAX_KEYS;
		if (!fits)
			break;
		pn_buf_clear(&value);
		pn_buf_add(&value, name, (size_t)(found - name));
		add_label(m, w, pn_buf_text(&key), pn_buf_text(&value));
		name = found;
	}
	pn_buf_release(&key);
	pn_buf_release(&value);
	pn_buf_release(&fixed);
	return fits;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The names in a folder that the pattern fits, in order. */
static int list_names(char ***out, size_t *count, const char *path,
		      const char *pattern, struct pn_error *err)
{
	char **names = NULL;
	size_t n = 0, cap = 0;
	struct dirent *entry;
	DIR *dir = opendir(path);

	if (!dir)
		return pn_error_system(err, "cannot read the folder '%s'",
				       path);
	while ((entry = readdir(dir)) && n <= PN_MATRIX_MAX_GENERATED) {
		if (fnmatch(pattern ? pattern : "*", entry->d_name,
			    FNM_PERIOD) != 0)
			continue;
		names = pn_grow(names, &cap, n + 1, sizeof(*names));
		names[n++] = pn_strdup(entry->d_name);
	}
	closedir(dir);
	if (n)
		qsort(names, n, sizeof(*names), by_name);
	*out = names;
	*count = n;
	return 0;
}

static int add_file(struct maker *m, const char *folder, const char *name,
		    struct pn_error *err)
{
	const char *pattern = m->generator->keys;
	struct pn_buf path = {0};
	struct pn_workload *w;
	struct stat st;
	int code = 0;

	pn_buf_printf(&path, "%s/%s", folder, name);
	if (!stat(pn_buf_text(&path), &st) && S_ISREG(st.st_mode)) {
		w = add(m, name, pn_buf_text(&path));
		if (pattern && !match_keys(m, w, pattern, name))
			code = pn_error_set(err, PN_EINVAL,
					    "file '%s' does not fit the keys "
					    "'%s'",
					    name, pattern);
	}
	pn_buf_release(&path);
	return code;
}

static int add_files(struct maker *m, const char *folder, struct pn_error *err)
{
	char **names = NULL;
	size_t count = 0, i;
	int code;

	code = list_names(&names, &count, folder, m->generator->pattern, err);
	if (!code && count > PN_MATRIX_MAX_GENERATED)
		code = pn_error_set(err, PN_ELIMIT,
				    "the folder '%s' has more than %d files",
				    folder, PN_MATRIX_MAX_GENERATED);
	for (i = 0; !code && i < count; i++)
		code = add_file(m, folder, names[i], err);
	if (!code && !m->count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "the folder '%s' has no such file", folder);
	for (i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return code;
}

static int find_files(struct maker *m, struct pn_error *err)
{
	struct pn_buf folder = {0};
	int code;

	if (*m->generator->path != '/')
		pn_buf_printf(&folder, "%s/", m->place->dir);
	pn_buf_add_text(&folder, m->generator->path);
	code = add_files(m, pn_buf_text(&folder), err);
	pn_buf_release(&folder);
	return code;
}

static int run_command(struct maker *m, const char *folder,
		       struct pn_error *err)
{
	const char *line = m->generator->command;
	const char *argv[] = {"sh", "-c", line, NULL};
	struct pn_buf output = {0};
	const char *env[] = {"GIT_PERF_RUNNING=1", NULL, NULL};
	struct pn_process_options options = {.dir = m->place->dir,
					     .env_set = env,
					     .env_unset = pn_gitdir_variables,
					     .in = -1,
					     .out = -1,
					     .own_group = true,
					     .background = true,
					     .stop = m->place->stop};
	struct pn_process_cost cost;
	int status = 0, code;

	pn_buf_printf(&output, "GIT_PERF_OUTPUT=%s", folder);
	env[1] = pn_buf_text(&output);
	code = pn_process_measure(&cost, &status, argv, &options, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "the command '%s' exited with status %d",
				    line, status);
	pn_buf_release(&output);
	return code;
}

static int run_generator(struct maker *m, struct pn_error *err)
{
	struct pn_buf folder = {0};
	int code;

	if (!m->place->run) {
		add(m, "...", "...");
		return 0;
	}
	code = need_folder(m->matrix, err);
	if (!code) {
		pn_buf_printf(&folder, "%s/%s", m->matrix->folder,
			      m->generator->name);
		code = pn_file_make_dirs(pn_buf_text(&folder), err);
	}
	if (!code)
		code = run_command(m, pn_buf_text(&folder), err);
	if (!code)
		code = add_files(m, pn_buf_text(&folder), err);
	pn_buf_release(&folder);
	return code;
}

int pn_workload_generate(struct pn_matrix *matrix,
			 struct pn_matrix_generator *generator,
			 const struct pn_workload_place *place,
			 struct pn_error *err)
{
	struct maker m = {matrix, generator, place};
	struct pn_workload *kept;
	int code;

	if (generator->workload_count)
		return 0;
	if (generator->type == PN_MATRIX_FILES)
		code = find_files(&m, err);
	else if (generator->type == PN_MATRIX_COMMAND)
		code = run_generator(&m, err);
	else
		code = make_sized(&m, err);
	if (code) {
		pn_error_context(err, "'%s': workload.%s", matrix->path,
				 generator->name);
	} else {
		kept = pn_arena_alloc(&matrix->arena, m.count * sizeof(*kept));
		memcpy(kept, m.items, m.count * sizeof(*kept));
		generator->workloads = kept;
		generator->workload_count = m.count;
	}
	free(m.items);
	return code;
}
