/* The ".keep" beside a pack that no ref leads to yet; what the dead left. */
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/objects/pack.h"
#include "vcs/shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int pn_pack_keep(char **path, int *fd, const char *base, const char *dir,
		 int shared, struct pn_error *err)
{
	static const char text[] = "git-perf is writing\n";
	struct pn_buf prefix = {0}, to = {0};
	char *tmp = NULL;
	int made = -1, code;

	pn_buf_printf(&prefix, "%s/tmp_keep_", dir);
	pn_buf_printf(&to, "%s.keep", base);
	code = pn_file_temporary(&made, &tmp, pn_buf_text(&prefix), err);
	if (!code) {
		/* where there are no locks nobody takes it for a dead one's */
		int ignored = flock(made, LOCK_EX | LOCK_NB);

		(void)ignored;
		if (pn_file_write_all(made, text, sizeof(text) - 1))
			code = pn_error_system(err, "cannot write '%s'", tmp);
	}
	if (!code)
		code = pn_shared_apply(tmp, shared, err);
	if (!code && rename(tmp, pn_buf_text(&to)))
		code = pn_file_fail(err, "create", pn_buf_text(&to));
	if (!code) {
		*path = pn_buf_detach(&to);
		*fd = made;
	} else if (made >= 0) {
		unlink(tmp);
		close(made);
	}
	free(tmp);
	pn_buf_release(&prefix);
	pn_buf_release(&to);
	return code;
}

int pn_pack_take_over(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		errno = EWOULDBLOCK;
		return -1;
	}
	return fd;
}

static void sweep_keep(const char *path)
{
	int fd = pn_pack_take_over(path);

	if (fd < 0)
		return;
	unlink(path);
	close(fd);
}

static bool has_beside(struct pn_buf *path, size_t base, const char *end)
{
	path->len = base;
	pn_buf_add_text(path, end);
	return !access(pn_buf_text(path), F_OK);
}

/*
 * The writer makes the .keep, the pack and the index in this order, and takes
 * the .keep away as the last: a pack with neither is nobody's any more, if it
 * had no .keep before it had no index.
 */
static void sweep_pack(struct pn_buf *path)
{
	size_t base = path->len - strlen(".pack");
	bool kept = has_beside(path, base, ".keep");
	bool indexed = has_beside(path, base, ".idx");

	path->len = base;
	pn_buf_add_text(path, ".pack");
	if (!kept && !indexed)
		unlink(pn_buf_text(path));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void pn_pack_names_read(struct pn_pack_names *out, const char *dir,
			const char *prefix)
{
	struct dirent *entry;
	DIR *stream = opendir(dir);

	while (stream && (entry = readdir(stream))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		out->items = pn_grow(out->items, &out->cap, out->count + 1,
				     sizeof(*out->items));
		out->items[out->count++] = pn_strdup(entry->d_name);
	}
	if (stream)
		closedir(stream);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_text);
}

bool pn_pack_names_equal(const struct pn_pack_names *a,
			 const struct pn_pack_names *b)
{
	bool equal = a->count == b->count;
	size_t i;

	for (i = 0; equal && i < a->count; i++)
		equal = !strcmp(a->items[i], b->items[i]);
	return equal;
}

bool pn_pack_names_have(const struct pn_pack_names *names, const char *name,
			const char *end)
{
	size_t len = strcspn(name, ".");
	struct pn_buf want = {0};
	const char *text;
	bool have;

	pn_buf_printf(&want, "%.*s%s", (int)len, name, end);
	text = pn_buf_text(&want);
	have = names->count && bsearch(&text, names->items, names->count,
				       sizeof(*names->items), by_text);
	pn_buf_release(&want);
	return have;
}

void pn_pack_names_release(struct pn_pack_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	memset(names, 0, sizeof(*names));
}

void pn_pack_sweep(const struct pn_pack_names *names, const char *dir)
{
	struct pn_buf path = {0};
	size_t i;

	for (i = 0; i < names->count; i++) {
		const char *name = names->items[i];

		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/%s", dir, name);
		if (pn_file_ends_with(name, ".keep"))
			sweep_keep(pn_buf_text(&path));
		else if (pn_file_ends_with(name, ".pack") &&
			 !pn_pack_names_have(names, name, ".idx"))
			sweep_pack(&path);
	}
	pn_buf_release(&path);
}
