/* LD_PRELOAD as ld.so(8) describes it: a list separated by colons or blanks,
 * without a way to quote them. */
#include "collect/runtime.h"

#include "base/alloc.h"
#include "base/folder/folder.h"
#include "runtime/record.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_MAX 4096  /* PATH_MAX of Linux */
#define LINK "preload.so" /* in the folder; no record is called so */

/* The folder of the objects, as seen from the one of the program. */
#ifndef PERF_RUNTIME_PATH
#error "PERF_RUNTIME_PATH is the way from the program to its runtimes"
#endif

static char *find_folder(struct pn_error *err)
{
	const char *given = getenv("GIT_PERF_RUNTIME_DIR");
	char program[PROGRAM_MAX];
	struct pn_buf path = {0};
	ssize_t len;

	if (given && *given)
		return pn_strdup(given);
	len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (len < 0) {
		pn_error_system(err, "cannot tell where this program lies");
		return NULL;
	}
	program[len] = '\0';
	*strrchr(program, '/') = '\0';
	pn_buf_printf(&path, "%s/%s", program, PERF_RUNTIME_PATH);
	return pn_buf_detach(&path);
}

static int find_object(char **out, const char *name, struct pn_error *err)
{
	char *folder = find_folder(err), *full;
	struct pn_buf path = {0};
	int code = 0;

	if (!folder)
		return PN_EIO;
	pn_buf_printf(&path, "%s/%s.so", folder, name);
	full = realpath(pn_buf_text(&path), NULL);
	if (!full && errno != ENOENT)
		code = pn_error_system(err, "cannot use '%s'",
				       pn_buf_text(&path));
	else if (!full)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no '%s.so' in '%s'; GIT_PERF_RUNTIME_DIR "
				    "may name another folder",
				    name, folder);
	pn_buf_release(&path);
	free(folder);
	*out = full;
	return code;
}

/* A path that LD_PRELOAD can say: a link from our folder when the object's own
 * has a colon or a blank in it. */
static int make_speakable(struct pn_runtime *r, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code = 0;

	if (!strpbrk(r->file, ": \t\n")) {
		r->object = pn_strdup(r->file);
		return 0;
	}
	pn_buf_printf(&path, "%s/" LINK, r->folder);
	r->object = pn_buf_detach(&path);
	if (symlink(r->file, r->object))
		code = pn_error_system(err, "cannot make '%s'", r->object);
	else if (strpbrk(r->object, ": \t\n"))
		code = pn_error_set(err, PN_EREFUSED,
				    "cannot preload '%s': its path has a colon "
				    "or a blank; set TMPDIR to one that has "
				    "not",
				    r->object);
	return code;
}

static void make_env(struct pn_runtime *r)
{
	const char *others = getenv("LD_PRELOAD");
	struct pn_buf text = {0};

	pn_buf_printf(&text, "LD_PRELOAD=%s", r->object);
	if (others && *others)
		pn_buf_printf(&text, ":%s", others);
	r->env[0] = pn_buf_detach(&text);
	pn_buf_printf(&text, "%s=%s", PN_RUNTIME_FOLDER, r->folder);
	r->env[1] = pn_buf_detach(&text);
	r->env[2] = NULL;
}

int pn_runtime_open(struct pn_runtime *out, const char *name,
		    struct pn_error *err)
{
	struct pn_runtime r = {0};
	int code;

	code = find_object(&r.file, name, err);
	if (!code)
		code = pn_folder_make_private(&r.folder, &r.owner, err);
	if (!code)
		code = make_speakable(&r, err);
	if (code) {
		pn_runtime_release(&r);
		return code;
	}
	make_env(&r);
	*out = r;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int pn_runtime_list(char ***out, size_t *count,
		    const struct pn_runtime *runtime, const char *prefix,
		    struct pn_error *err)
{
	DIR *dir = opendir(runtime->folder);
	struct pn_buf path = {0};
	struct dirent *entry;
	size_t cap = 0;

	*out = NULL;
	*count = 0;
	if (!dir)
		return pn_error_system(err, "cannot read '%s'",
				       runtime->folder);
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		pn_buf_printf(&path, "%s/%s", runtime->folder, entry->d_name);
		*out = pn_grow(*out, &cap, *count + 1, sizeof(**out));
		(*out)[(*count)++] = pn_buf_detach(&path);
	}
	closedir(dir);
	if (*count)
		qsort(*out, *count, sizeof(**out), compare);
	return 0;
}

void pn_runtime_clear(const struct pn_runtime *runtime, const char *prefix)
{
	char **paths;
	size_t count, i;

	if (pn_runtime_list(&paths, &count, runtime, prefix, NULL))
		return;
	for (i = 0; i < count; i++) {
		unlink(paths[i]);
		free(paths[i]);
	}
	free(paths);
}

void pn_runtime_release(struct pn_runtime *runtime)
{
	if (runtime->folder) {
		pn_folder_remove(runtime->folder, NULL);
		if (runtime->owner >= 0)
			close(runtime->owner);
	}
	free(runtime->file);
	free(runtime->object);
	free(runtime->folder);
	free(runtime->env[0]);
	free(runtime->env[1]);
	*runtime = (struct pn_runtime){0};
}
