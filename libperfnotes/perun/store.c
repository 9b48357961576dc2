/* The folder of a Perun store. */
#include "perun/store.h"

#include "base/alloc.h"
#include "base/file.h"
#include "perun/object.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHANGES_BYTES (16u << 20)
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
/* Who lays a pipe in the way must not stop us. */
#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

static void add_id(struct pn_perun_ids *ids, const struct pn_oid *id)
{
	ids->items = pn_grow(ids->items, &ids->cap, ids->count + 1,
			     sizeof(*ids->items));
	ids->items[ids->count++] = *id;
}

static void add_name(struct pn_perun_names *names, char *name)
{
	names->items = pn_grow(names->items, &names->cap, names->count + 1,
			       sizeof(*names->items));
	names->items[names->count++] = name;
}

static int cmp_ids(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_all(struct pn_perun_store *s)
{
	if (s->indexes.count)
		qsort(s->indexes.items, s->indexes.count, sizeof(struct pn_oid),
		      cmp_ids);
	if (s->changes.count)
		qsort(s->changes.items, s->changes.count, sizeof(struct pn_oid),
		      cmp_ids);
	if (s->unread.count)
		qsort(s->unread.items, s->unread.count, sizeof(struct pn_oid),
		      cmp_ids);
	if (s->pending.count)
		qsort(s->pending.items, s->pending.count, sizeof(char *),
		      cmp_names);
	if (s->odd.count)
		qsort(s->odd.items, s->odd.count, sizeof(char *), cmp_names);
}

/* Why open(2) with O_NOFOLLOW did not. */
static int refused(struct pn_error *err)
{
	if (errno == ELOOP || errno == EMLINK)
		return pn_error_set(err, PN_EREFUSED,
				    "it is a symbolic link, which is not "
				    "followed");
	if (errno == ENOENT)
		return pn_error_set(err, PN_ENOTFOUND, "it is not there");
	return pn_error_set(err, PN_EIO, "%s", strerror(errno));
}

/* On a link it fails with ELOOP, as it does for files. */
static int open_folder(int at, const char *name)
{
	int fd = openat(at, name, FOLDER_FLAGS);
	struct stat st;

	if (fd < 0 && errno == ENOTDIR) {
		if (!fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISLNK(st.st_mode))
			errno = ELOOP;
		else
			errno = ENOTDIR;
	}
	return fd;
}

static int read_open(struct pn_buf *out, int fd, uint64_t limit,
		     struct pn_error *err)
{
	size_t start = out->len;

	if (pn_file_read_all(out, fd, limit))
		return pn_error_set(err, PN_EIO, "%s", strerror(errno));
	if (out->len - start > limit)
		return pn_error_set(err, PN_ELIMIT,
				    "over %llu bytes, which is more than is "
				    "read",
				    (unsigned long long)limit);
	out->data[out->len] = '\0';
	return 0;
}

/* A regular file in the folder; *st may be NULL. */
static int read_file(struct pn_buf *out, struct stat *st, int at,
		     const char *name, uint64_t limit, struct pn_error *err)
{
	struct stat own;
	int fd = openat(at, name, FILE_FLAGS), code;

	if (fd < 0)
		return refused(err);
	if (!st)
		st = &own;
	if (fstat(fd, st))
		code = pn_error_set(err, PN_EIO, "%s", strerror(errno));
	else if (!S_ISREG(st->st_mode))
		code = pn_error_set(err, PN_EREFUSED, "it is no regular file");
	else if ((uint64_t)st->st_size > limit)
		code = pn_error_set(err, PN_ELIMIT,
				    "%llu bytes, at most %llu are read",
				    (unsigned long long)st->st_size,
				    (unsigned long long)limit);
	else
		code = read_open(out, fd, limit, err);
	close(fd);
	return code;
}

/* objects/<2>/<38><end> */
static int read_named(struct pn_buf *out, const struct pn_perun_store *store,
		      const struct pn_oid *id, const char *end, uint64_t limit,
		      struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], dir[3], name[PN_OID_HEX + 16];
	int fd, code;

	pn_oid_hex(hex, id);
	memcpy(dir, hex, 2);
	dir[2] = '\0';
	snprintf(name, sizeof(name), "%s%s", hex + 2, end);
	fd = open_folder(store->objects, dir);
	if (fd < 0)
		return refused(err);
	code = read_file(out, NULL, fd, name, limit, err);
	close(fd);
	return code;
}

static void note_odd(struct pn_perun_store *s, const char *where,
		     const char *name, const char *why)
{
	struct pn_buf line = {0};

	pn_buf_printf(&line, "'%s/%s': %s", where, name, why);
	add_name(&s->odd, pn_buf_detach(&line));
}

/* "<2>" and "<38>..." as one id; false when they are none. */
static bool join_id(struct pn_oid *out, const char *dir, const char *name)
{
	char hex[PN_OID_HEX + 1];

	if (strlen(name) < PN_OID_HEX - 2)
		return false;
	memcpy(hex, dir, 2);
	memcpy(hex + 2, name, PN_OID_HEX - 2);
	hex[PN_OID_HEX] = '\0';
	return !pn_oid_parse(out, hex);
}

/* *bad when it cannot be looked at. */
static bool has_magic(bool *bad, int at, const char *name)
{
	int fd = openat(at, name, FILE_FLAGS);
	unsigned char head[4];
	struct stat st;
	ssize_t n;

	*bad = fd < 0;
	if (*bad)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		n = -1;
	else
		n = read(fd, head, sizeof(head));
	*bad = n < 0;
	close(fd);
	return n == 4 && pn_perun_index_is(head, 4);
}

static void look_at(struct pn_perun_store *s, int fd, const char *dir,
		    const char *name)
{
	struct pn_oid id;
	bool bad;

	if (!join_id(&id, dir, name))
		return;
	if (!strcmp(name + PN_OID_HEX - 2, ".changes")) {
		add_id(&s->changes, &id);
		return;
	}
	if (name[PN_OID_HEX - 2])
		return;
	if (has_magic(&bad, fd, name))
		add_id(&s->indexes, &id);
	else if (bad)
		add_id(&s->unread, &id);
}

static void scan_folder(struct pn_perun_store *s, const char *dir)
{
	int fd = open_folder(s->objects, dir);
	struct dirent *entry;
	struct pn_error err;
	DIR *d;

	if (fd < 0) {
		refused(&err);
		note_odd(s, "objects", dir, err.message);
		return;
	}
	d = fdopendir(fd);
	if (!d) {
		note_odd(s, "objects", dir, strerror(errno));
		close(fd);
		return;
	}
	while ((entry = readdir(d)) != NULL)
		look_at(s, fd, dir, entry->d_name);
	closedir(d);
}

/* A stream over a folder that stays open. */
static DIR *list(int fd)
{
	int copy = openat(fd, ".", FOLDER_FLAGS);
	DIR *d = copy < 0 ? NULL : fdopendir(copy);

	if (!d && copy >= 0)
		close(copy);
	return d;
}

static int scan_objects(struct pn_perun_store *s, struct pn_error *err)
{
	DIR *d = list(s->objects);
	struct dirent *entry;

	if (!d)
		return pn_error_system(err, "cannot list its objects");
	while ((entry = readdir(d)) != NULL)
		if (strlen(entry->d_name) == 2 &&
		    pn_hex_digit(entry->d_name[0]) >= 0 &&
		    pn_hex_digit(entry->d_name[1]) >= 0)
			scan_folder(s, entry->d_name);
	closedir(d);
	return 0;
}

static int scan_jobs(struct pn_perun_store *s, struct pn_error *err)
{
	DIR *d = list(s->jobs);
	struct dirent *entry;
	size_t len;

	if (!d)
		return pn_error_system(err, "cannot list its jobs");
	while ((entry = readdir(d)) != NULL) {
		len = strlen(entry->d_name);
		if (entry->d_name[0] != '.' && len > 5 &&
		    !strcmp(entry->d_name + len - 5, ".perf"))
			add_name(&s->pending, pn_strdup(entry->d_name));
	}
	closedir(d);
	return 0;
}

/* The store itself, whether it was named or the folder around it. */
static int open_root(const char *dir, struct pn_error *err)
{
	int outer = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	if (outer < 0)
		return pn_error_system(err, "cannot open '%s'", dir);
	fd = open_folder(outer, ".perun");
	/* git's own folder has objects, too */
	if (fd < 0 && errno == ENOENT &&
	    !faccessat(outer, "objects", F_OK, 0) &&
	    !faccessat(outer, "jobs", F_OK, 0))
		return outer;
	if (fd < 0 && errno == ENOENT) {
		fd = pn_error_set(err, PN_ENOTFOUND,
				  "'%s' is no Perun store: need a folder "
				  "'.perun', or 'objects' and 'jobs' in it",
				  dir);
	} else if (fd < 0) {
		refused(err);
		fd = pn_error_context(err, "'%s/.perun'", dir);
	}
	close(outer);
	return fd;
}

int pn_perun_store_open(struct pn_perun_store *out, const char *dir,
			struct pn_error *err)
{
	struct pn_perun_store s = {-1, -1, .odd = {NULL, 0, 0}};
	int root = open_root(dir, err), code = 0;

	if (root < 0)
		return root;
	s.objects = open_folder(root, "objects");
	if (s.objects < 0) {
		code = refused(err);
		pn_error_context(err,
				 "'%s' is no Perun store, need a folder "
				 "'objects' in it",
				 dir);
	}
	s.jobs = open_folder(root, "jobs");
	if (s.jobs < 0 && errno != ENOENT) {
		struct pn_error why;

		refused(&why);
		note_odd(&s, ".perun", "jobs", why.message);
	}
	close(root);
	if (!code)
		code = scan_objects(&s, err);
	if (!code && s.jobs >= 0)
		code = scan_jobs(&s, err);
	sort_all(&s);
	if (code)
		pn_perun_store_release(&s);
	else
		*out = s;
	return code;
}

static void release_names(struct pn_perun_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

void pn_perun_store_release(struct pn_perun_store *store)
{
	if (!store)
		return;
	if (store->objects >= 0)
		close(store->objects);
	if (store->jobs >= 0)
		close(store->jobs);
	free(store->indexes.items);
	free(store->changes.items);
	free(store->unread.items);
	release_names(&store->pending);
	release_names(&store->odd);
	memset(store, 0, sizeof(*store));
	store->objects = store->jobs = -1;
}

int pn_perun_store_index(struct pn_perun_index *out,
			 const struct pn_perun_store *store,
			 const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf bytes = {0};
	int code = read_named(&bytes, store, commit, "", PN_PERUN_INDEX_BYTES,
			      err);

	if (!code)
		code = pn_perun_index_parse(out, bytes.data, bytes.len, err);
	pn_buf_release(&bytes);
	return code;
}

int pn_perun_store_object(struct pn_buf *out,
			  const struct pn_perun_store *store,
			  const struct pn_oid *id, uint64_t limit,
			  struct pn_error *err)
{
	struct pn_buf bytes = {0};
	/* what deflate cannot make smaller grows by less than this */
	int code = read_named(&bytes, store, id, "",
			      limit + limit / 1000 + 1024, err);

	if (!code)
		code = pn_perun_object_read(out, id, bytes.data, bytes.len,
					    limit, err);
	pn_buf_release(&bytes);
	return code;
}

int pn_perun_store_changes(size_t *out, const struct pn_perun_store *store,
			   const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf text = {0};
	bool blank = true;
	size_t i;
	int code = read_named(&text, store, commit, ".changes", CHANGES_BYTES,
			      err);

	*out = 0;
	for (i = 0; !code && i < text.len; i++) {
		if (text.data[i] == '\n')
			blank = true;
		else if (blank && !strchr(" \t\r", text.data[i])) {
			blank = false;
			++*out;
		}
	}
	pn_buf_release(&text);
	return code;
}

int pn_perun_store_pending(struct pn_buf *out, int64_t *time_ns,
			   const struct pn_perun_store *store, const char *name,
			   uint64_t limit, struct pn_error *err)
{
	struct stat st;
	int code = read_file(out, &st, store->jobs, name, limit, err);

	if (!code)
		*time_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 +
			   st.st_mtim.tv_nsec;
	return code;
}
