/* Environments of equal size. */
#include "collect/steady.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE "GIT_PERF_PADDING="
#define BEHIND "GIT_PERF_PADDING_END="
#define BEHIND_BYTES 256 /* some of them, with the program's name */
#define FILL "_GIT_PERF_FILL_"
#define FILLS 16	/* variables of no place, with those that fill up */
#define FILL_BYTES 1024 /* in whose names so many bytes are */

/* With a place of their own; those of GIT_PERF_* are given, by `collect` or
 * by `run`. What the loader reads comes last: where it lies depends on the
 * length of nothing before it. */
static const char *const places[] = {"GIT_CEILING_DIRECTORIES",
				     "GIT_PERF_ITERATION",
				     "GIT_PERF_RUNNING",
				     "GIT_PERF_COMMIT",
				     "GIT_PERF_JOB",
				     "GIT_PERF_WORKLOAD",
				     "PWD",
				     "PATH",
				     "HOME",
				     "USER",
				     "LOGNAME",
				     "SHELL",
				     "TMPDIR",
				     "TZ",
				     "LANG",
				     "LC_ALL",
				     "LD_LIBRARY_PATH",
				     "GLIBC_TUNABLES"};

#define PLACES (sizeof(places) / sizeof(*places))

/* Beginnings of names that loaders, allocators and runtimes of languages
 * read. */
static const char *const passing[] = {
	"LC_",	   "LANGUAGE=",	   "LD_",	  "MALLOC_",	 "GOMP_",
	"OMP_",	   "VALGRIND_LIB", "DEBUGINFOD_", "PYTHON",	 "VIRTUAL_ENV=",
	"JAVA_",   "JDK_",	   "GOGC=",	  "GOMAXPROCS=", "GODEBUG=",
	"GOROOT=", "GOPATH=",	   "GOFLAGS=",	  "RUBY",	 "GEM_",
	"PERL5",   "NODE_",	   "RUST_",	  "PLT",	 "GUILE_"};

static size_t name_len(const char *entry)
{
	return strcspn(entry, "=");
}

static bool same_name(const char *a, const char *b)
{
	size_t len = name_len(a);

	return name_len(b) == len && !memcmp(a, b, len);
}

static const char *find(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (same_name(*list, name))
			return *list;
	return NULL;
}

static bool has_place(const char *entry)
{
	size_t i;

	for (i = 0; i < PLACES; i++)
		if (same_name(places[i], entry))
			return true;
	return false;
}

static bool is_named(const char *names, const char *entry)
{
	size_t len = name_len(entry), n;

	for (; names && *names; names += n + (names[n] == ',')) {
		n = strcspn(names, ",");
		if (n == len && !memcmp(names, entry, n))
			return true;
	}
	return false;
}

static bool passes(const struct pn_steady *s, const char *entry)
{
	size_t i;

	if (has_place(entry) || find(s->given, entry))
		return false;
	for (i = 0; i < sizeof(passing) / sizeof(*passing); i++)
		if (!strncmp(entry, passing[i], strlen(passing[i])))
			return true;
	return is_named(s->names, entry);
}

static const char *joined(struct pn_arena *arena, const char *a, size_t a_len,
			  const char *b)
{
	size_t b_len = strlen(b);
	char *text = pn_arena_alloc(arena, a_len + b_len + 1);

	memcpy(text, a, a_len);
	memcpy(text + a_len, b, b_len + 1);
	return text;
}

/* A place that is not taken looks alike from its first letters. */
static const char *in_place(struct pn_arena *arena, const struct pn_steady *s,
			    const char *name)
{
	const char *entry;

	if (s->dir && !strcmp(name, "PWD"))
		return joined(arena, "PWD=", 4, s->dir);
	entry = find(s->given, name);
	if (!entry && strncmp(name, "GIT_PERF_", 9) != 0)
		entry = find(s->have, name);
	if (!entry)
		entry = joined(arena, name, strlen(name) - 1, "_=");
	return entry;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t bytes_of(const char *const *list)
{
	size_t sum = 0;

	for (; list && *list; list++)
		sum += strlen(*list) + 1 + sizeof(*list);
	return sum;
}

/* So that `used` and a variable of this name are a multiple of `whole`. */
static const char *padding(struct pn_arena *arena, const char *name,
			   size_t used, size_t whole)
{
	size_t head = strlen(name), len;
	char *text;

	used += head + 1 + sizeof(text);
	len = (whole - used % whole) % whole;
	text = pn_arena_alloc(arena, head + len + 1);
	memcpy(text, name, head);
	memset(text + head, 'X', len);
	text[head + len] = '\0';
	return text;
}

/* "_GIT_PERF_FILL_007X...X=", so long without the "=". */
static const char *fill(struct pn_arena *arena, size_t number, size_t len)
{
	char *text = pn_arena_alloc(arena, len + 2);
	char digits[sizeof(FILL) + 24];
	int n = snprintf(digits, sizeof(digits), FILL "%03zu", number);

	memset(text, 'X', len);
	memcpy(text, digits, (size_t)n < len ? (size_t)n : len);
	text[len] = '=';
	text[len + 1] = '\0';
	return text;
}

/*
 * What follows on `count` variables, of whose names glibc's loader looks at
 * each byte in search for its own: so many more that a multiple of FILLS is
 * there, and of FILL_BYTES in their names. How many.
 */
static size_t fill_up(const char **to, struct pn_arena *arena,
		      const char *const *others, size_t count)
{
	size_t least = sizeof(FILL) + 2, names = 0, whole = 1, i, n, len;

	for (i = 0; i < count; i++)
		names += name_len(others[i]);
	while (count >= whole * FILLS ||
	       names + (whole * FILLS - count) * least > whole * FILL_BYTES)
		whole++;
	n = whole * FILLS - count;
	for (i = 0; i < n; i++) {
		len = i + 1 < n ? least : whole * FILL_BYTES - names;
		to[i] = fill(arena, i, len);
		names += len;
	}
	return n;
}

/* Room for what fill_up adds, at most. */
static size_t fill_room(const char *const *have, const char *const *given)
{
	size_t names = 0;

	for (; have && *have; have++)
		names += name_len(*have) + FILL_BYTES / FILLS;
	for (; given && *given; given++)
		names += name_len(*given) + FILL_BYTES / FILLS;
	return (names / (FILL_BYTES / 2) + 2) * FILLS;
}

static size_t length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

/* The name of the program comes behind the environment once more, as that of
 * what was executed. */
const char *const *pn_steady_environment(struct pn_arena *arena,
					 const struct pn_steady *s)
{
	size_t i, n = 1;
	size_t name = s->argv && *s->argv ? strlen(*s->argv) + 1 : 0;
	const char **env = pn_arena_alloc(
		arena, (PLACES + length(s->have) + length(s->given) +
			fill_room(s->have, s->given) + 3) *
			       sizeof(*env));

	for (i = 0; i < PLACES; i++)
		env[n++] = in_place(arena, s, places[i]);
	for (i = 0; s->given && s->given[i]; i++)
		if (!has_place(s->given[i]))
			env[n++] = s->given[i];
	for (i = 0; s->have && s->have[i]; i++)
		if (passes(s, s->have[i]))
			env[n++] = s->have[i];
	qsort(env + 1 + PLACES, n - 1 - PLACES, sizeof(*env), by_text);
	n += fill_up(env + n, arena, env + 1 + PLACES, n - 1 - PLACES);
	env[n++] = padding(arena, BEHIND, name, BEHIND_BYTES);
	env[n] = NULL;
	env[0] = padding(arena, BEFORE,
			 bytes_of(env + 1) + bytes_of(s->argv) + name,
			 PN_STEADY_BYTES);
	return env;
}
