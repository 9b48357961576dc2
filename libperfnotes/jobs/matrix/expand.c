/* Sections to jobs: commands x args x workloads x collectors. */
#include "base/alloc.h"
#include "base/escape.h"
#include "base/hash.h"
#include "collect/words.h"
#include "jobs/matrix/matrix.h"

#include <stdlib.h>
#include <string.h>

#define PLACE "{workload}" /* in a word of cmd or args */
#define PLACE_LEN (sizeof(PLACE) - 1)

/* One cell of a section's matrix. */
struct cell {
	struct pn_matrix *matrix;
	const struct pn_matrix_section *section;
	const char *cmd, *args;		    /* args may be NULL */
	const struct pn_workload *workload; /* NULL: none */
	bool literal; /* the workload is words, not one value */
};

/* What a shell or exec gets, being put together. */
struct words {
	const char **items;
	size_t count, cap;
	bool used; /* the workload's place was found */
};

static const char *keep(struct pn_matrix *m, const struct pn_buf *text)
{
	return pn_arena_copy(&m->arena, pn_buf_text(text), text->len);
}

static void replace_place(struct pn_buf *out, const char *text,
			  const char *value, bool *used)
{
	const char *found;

	while (value && (found = strstr(text, PLACE))) {
		pn_buf_add(out, text, (size_t)(found - text));
		pn_buf_add_text(out, value);
		text = found + PLACE_LEN;
		*used = true;
	}
	pn_buf_add_text(out, text);
}

static void add_word(struct words *w, const char *word)
{
	w->items = pn_grow(w->items, &w->cap, w->count + 1, sizeof(*w->items));
	w->items[w->count++] = word;
}

/* The words of a line; `text` also gets them, quoted, with their places. */
static int add_words(struct words *w, struct pn_buf *text,
		     const struct cell *cell, const char *line,
		     const char *value, struct pn_error *err)
{
	const char *const *words;
	struct pn_buf word = {0};
	size_t i;
	int code;

	code = pn_words_split(&words, &cell->matrix->arena, line, err);
	for (i = 0; !code && words[i]; i++) {
		if (text->len)
			pn_buf_add_byte(text, ' ');
		if (w->count && strstr(words[i], PLACE))
			pn_buf_add_text(text, words[i]);
		else if (w->count)
			pn_escape_shell(text, words[i]);
		pn_buf_clear(&word);
		replace_place(&word, words[i], value, &w->used);
		add_word(w, keep(cell->matrix, &word));
	}
	pn_buf_release(&word);
	return code;
}

/* Without a shell: words; the program is the first one, arguments are the
 * others but for the workload. */
static int make_words(struct pn_collect_job *job, const struct cell *cell,
		      struct pn_error *err)
{
	const char *value = cell->workload ? cell->workload->value : NULL;
	struct pn_buf args = {0}, rest = {0};
	struct words w = {0};
	const char **argv;
	size_t i;
	int code;

	code = add_words(&w, &args, cell, cell->cmd, value, err);
	if (!code && cell->args)
		code = add_words(&w, &args, cell, cell->args, value, err);
	if (!code && value && !w.used && cell->literal)
		code = add_words(&w, &rest, cell, value, NULL, err);
	else if (!code && value && !w.used)
		add_word(&w, value);
	if (!code) {
		argv = pn_arena_alloc(&cell->matrix->arena,
				      (w.count + 1) * sizeof(*argv));
		for (i = 0; i < w.count; i++)
			argv[i] = w.items[i];
		argv[w.count] = NULL;
		job->argv = argv;
		job->cmd = argv[0];
		job->args = keep(cell->matrix, &args);
	}
	free(w.items);
	pn_buf_release(&args);
	pn_buf_release(&rest);
	return code;
}

/* For a shell: texts; a generated value is one word of it. */
static void make_line(struct pn_collect_job *job, const struct cell *cell)
{
	const char *value = cell->workload ? cell->workload->value : NULL;
	struct pn_buf line = {0}, quoted = {0};
	bool used = false;

	if (value && !cell->literal) {
		pn_escape_shell(&quoted, value);
		value = pn_buf_text(&quoted);
	}
	replace_place(&line, cell->cmd, value, &used);
	if (cell->args) {
		pn_buf_add_byte(&line, ' ');
		replace_place(&line, cell->args, value, &used);
	}
	if (value && !used) {
		pn_buf_add_byte(&line, ' ');
		pn_buf_add_text(&line, value);
	}
	job->line = keep(cell->matrix, &line);
	job->cmd = cell->cmd;
	job->args = cell->args ? cell->args : "";
	pn_buf_release(&line);
	pn_buf_release(&quoted);
}

/* "<section> NUL <cmd> NUL <args> NUL <workload> NUL <collector>", hashed. */
static void identify(struct pn_matrix_job *job, const struct cell *cell)
{
	const char *parts[] = {
		job->section->name, cell->cmd, cell->args ? cell->args : "",
		job->job.workload ? job->job.workload : "", job->with->name};
	unsigned char hash[32];
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		pn_buf_add(&text, parts[i], strlen(parts[i]) + 1);
	pn_hash_sha256(hash, pn_buf_text(&text), text.len);
	pn_buf_clear(&text);
	for (i = 0; i < 8; i++) {
		job->key = job->key << 8 | hash[i];
		pn_buf_printf(&text, "%02x", hash[i]);
	}
	memcpy(job->id, pn_buf_text(&text), PN_MATRIX_ID_HEX);
	pn_buf_release(&text);
}

/* Those of the section's options that the collector has; all were checked. */
static void take_options(struct pn_matrix_job *job, struct pn_matrix *m)
{
	const struct pn_matrix_list *list = &job->section->options;
	struct pn_collect_pair *pairs;
	size_t i;

	pairs = pn_arena_alloc(&m->arena, (list->count + 1) * sizeof(*pairs));
	for (i = 0; i < list->count; i++) {
		size_t len = strcspn(list->values[i], "=");
		struct pn_collect_pair p;

		p.key = pn_arena_copy(&m->arena, list->values[i], len);
		p.value = list->values[i] + len + (list->values[i][len] != 0);
		if (!pn_collector_check(job->with, &p, 1, NULL))
			pairs[job->option_count++] = p;
	}
	job->options = pairs;
}

static int add_job(const struct cell *cell, const char *collector,
		   struct pn_error *err)
{
	const struct pn_matrix_section *s = cell->section;
	struct pn_matrix *m = cell->matrix;
	struct pn_matrix_job job = {.section = s};

	if (m->job_count == PN_MATRIX_MAX_JOBS)
		return pn_error_set(err, PN_ELIMIT,
				    "'%s' gives more than %d jobs", m->path,
				    PN_MATRIX_MAX_JOBS);
	job.with = pn_collector_find(collector, err);
	if (!job.with)
		return PN_ENOTFOUND;
	if (s->shell)
		make_line(&job.job, cell);
	else if (make_words(&job.job, cell, err))
		return pn_error_context(err, "'%s': job.%s", m->path, s->name);
	job.job.setup = s->setup;
	job.job.prepare = s->prepare;
	job.job.conclude = s->conclude;
	job.job.cleanup = s->cleanup;
	if (cell->workload) {
		job.job.workload = cell->workload->text;
		job.job.labels = cell->workload->labels;
		job.job.label_count = cell->workload->label_count;
		job.input = cell->workload->value;
	}
	take_options(&job, m);
	identify(&job, cell);
	m->jobs = pn_grow(m->jobs, &m->job_cap, m->job_count + 1,
			  sizeof(*m->jobs));
	m->jobs[m->job_count++] = job;
	return 0;
}

static int add_collectors(const struct cell *cell, struct pn_error *err)
{
	const struct pn_matrix_list *list = &cell->section->collectors;
	size_t i;
	int code = 0;

	if (!list->count)
		return add_job(cell, pn_collectors[0]->name, err);
	for (i = 0; !code && i < list->count; i++)
		code = add_job(cell, list->values[i], err);
	return code;
}

static struct pn_matrix_generator *find_generator(const struct pn_matrix *m,
						  const char *name)
{
	size_t i;

	for (i = 0; i < m->generator_count; i++)
		if (!strcmp(m->generators[i].name, name))
			return &m->generators[i];
	return NULL;
}

/* A workload is the name of a generator, or stands for itself. */
static int add_workload(struct cell *cell, const char *name,
			const struct pn_workload_place *place,
			struct pn_error *err)
{
	struct pn_matrix_generator *g = find_generator(cell->matrix, name);
	struct pn_workload own = {.text = name, .value = name};
	size_t i;
	int code;

	cell->literal = !g;
	if (!g) {
		cell->workload = &own;
		code = add_collectors(cell, err);
		cell->workload = NULL;
		return code;
	}
	code = pn_workload_generate(cell->matrix, g, place, err);
	for (i = 0; !code && i < g->workload_count; i++) {
		cell->workload = &g->workloads[i];
		code = add_collectors(cell, err);
	}
	return code;
}

static int add_workloads(struct cell *cell,
			 const struct pn_workload_place *place,
			 struct pn_error *err)
{
	const struct pn_matrix_list *list = &cell->section->workloads;
	size_t i;
	int code = 0;

	cell->workload = NULL;
	if (!list->count)
		return add_collectors(cell, err);
	for (i = 0; !code && i < list->count; i++)
		code = add_workload(cell, list->values[i], place, err);
	return code;
}

static int add_section(struct pn_matrix *m,
		       const struct pn_matrix_section *section,
		       const struct pn_workload_place *place,
		       struct pn_error *err)
{
	struct cell cell = {.matrix = m, .section = section};
	size_t i, k;
	int code = 0;

	for (i = 0; !code && i < section->cmds.count; i++) {
		cell.cmd = section->cmds.values[i];
		if (!section->args.count)
			code = add_workloads(&cell, place, err);
		for (k = 0; !code && k < section->args.count; k++) {
			cell.args = section->args.values[k];
			code = add_workloads(&cell, place, err);
		}
		cell.args = NULL;
	}
	return code;
}

/* Two of one key would be one series of mixed figures. */
static int check_twice(const struct pn_matrix *m, struct pn_error *err)
{
	size_t i, k;

	for (i = 0; i < m->job_count; i++)
		for (k = 0; k < i; k++)
			if (m->jobs[i].key == m->jobs[k].key)
				return pn_error_set(
					err, PN_EINVAL,
					"'%s': job.%s has the same command, "
					"args, workload and collector twice",
					m->path, m->jobs[i].section->name);
	return 0;
}

int pn_matrix_expand(struct pn_matrix *matrix, const char *dir, bool run,
		     const volatile sig_atomic_t *stop, struct pn_error *err)
{
	struct pn_workload_place place = {dir, run, stop};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < matrix->section_count; i++)
		code = add_section(matrix, &matrix->sections[i], &place, err);
	return code ? code : check_twice(matrix, err);
}
