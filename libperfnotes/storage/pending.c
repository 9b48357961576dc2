/* Pending profiles. */
#include "storage/pending.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/reader/reader.h"
#include "body/body.h"
#include "storage/body_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Perun keeps its pending profiles in a folder of this name, too. */
#define PENDING_DIR "perf/jobs"

static char *pending_dir(struct pn_repo *repo)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/" PENDING_DIR, pn_repo_common_dir(repo));
	return pn_buf_detach(&path);
}

/* Folders are compared as such, not by name: links do not matter. */
bool pn_pending_owns(struct pn_repo *repo, const char *path)
{
	size_t len = (size_t)(pn_file_basename(path) - path);
	char *dir = pending_dir(repo);
	char *parent = len ? pn_strndup(path, len) : pn_strdup(".");
	struct stat jobs, other;
	bool owns = !stat(dir, &jobs) && !stat(parent, &other) &&
		    jobs.st_dev == other.st_dev && jobs.st_ino == other.st_ino;

	free(dir);
	free(parent);
	return owns;
}

/* A text as part of a file name: what is odd becomes '-', 40 bytes at most. */
static void add_part(struct pn_buf *name, const char *text)
{
	size_t n = 0;

	if (!*text)
		return;
	if (name->len)
		pn_buf_add_byte(name, '-');
	for (; *text && n < 40; text++, n++) {
		bool plain = (*text >= 'a' && *text <= 'z') ||
			     (*text >= 'A' && *text <= 'Z') ||
			     (*text >= '0' && *text <= '9') || *text == '_' ||
			     (*text == '.' && n);

		pn_buf_add_byte(name, plain ? (unsigned char)*text : '-');
	}
}

/* <dir>/<collector>-<cmd>-<workload>-<time>[-<n>].perf */
static char *numbered_path(const char *dir, const struct pn_record *record,
			   int number)
{
	struct pn_buf name = {0}, path = {0};
	char time[PN_TIME_TEXT];

	add_part(&name, pn_record_field(record, "collector"));
	add_part(&name, pn_file_basename(pn_record_field(record, "cmd")));
	add_part(&name, pn_file_basename(pn_record_field(record, "workload")));
	pn_time_write(time, record->time_ns);
	time[19] = '\0';
	add_part(&name, time);
	pn_buf_printf(&path, "%s/%s", dir, pn_buf_text(&name));
	if (number)
		pn_buf_printf(&path, "-%d", number);
	pn_buf_add_text(&path, ".perf");
	pn_buf_release(&name);
	return pn_buf_detach(&path);
}

/* Under the first name that is free, whoever else is looking for one. */
static int create(char **path, const char *dir, const struct pn_record *record,
		  const struct pn_buf *bytes, struct pn_error *err)
{
	int number, code;
	char *name;

	for (number = 0;; number++) {
		name = numbered_path(dir, record, number);
		code = pn_file_create(name, bytes->data, bytes->len, true, err);
		if (!code)
			*path = name;
		else
			free(name);
		if (code != PN_ECONFLICT)
			return code;
	}
}

static int add_body(struct pn_buf *out, const char **kind,
		    const struct pn_record *record, struct pn_error *err)
{
	if (record->has_verbatim) {
		*kind = "verbatim";
		pn_buf_add(out, record->verbatim.data, record->verbatim.len);
		return 0;
	}
	if (!pn_record_needs_body(record))
		return 0;
	*kind = "canonical";
	return pn_body_encode(out, NULL, &record->profile, NULL, NULL, err);
}

static int compose(struct pn_buf *out, const struct pn_record *record,
		   struct pn_error *err)
{
	struct pn_entry entry = {.time_ns = record->time_ns,
				 .kind = PN_ENTRY_PROFILE,
				 .kind_text = "profile",
				 .commit = record->commit,
				 .tree = record->tree};
	struct pn_field *fields;
	struct pn_buf body = {0};
	const char *kind = NULL;
	size_t n = 0;
	int code;

	code = add_body(&body, &kind, record, err);
	if (!code)
		code = pn_record_check_size(record, body.len, err);
	fields = pn_calloc(record->field_count + 1, sizeof(*fields));
	if (kind) {
		fields[n].key = "body";
		fields[n++].value = kind;
		pn_hash_git_object(&entry.body, "blob", body.data, body.len);
		entry.has_body = true;
		entry.size = body.len;
	}
	if (record->field_count)
		memcpy(fields + n, record->fields,
		       record->field_count * sizeof(*fields));
	entry.fields = fields;
	entry.field_count = n + record->field_count;
	entry.metrics = record->metrics;
	entry.metric_count = record->metric_count;
	if (!code)
		code = pn_entry_write(out, &entry, err);
	if (!code)
		pn_buf_add(out, body.data, body.len);
	free(fields);
	pn_buf_release(&body);
	return code;
}

int pn_pending_prepare(struct pn_repo *repo, struct pn_error *err)
{
	char *dir = pending_dir(repo);
	char *parent = pn_strndup(dir, (size_t)(strrchr(dir, '/') - dir));
	int code = pn_file_make_dirs(dir, err);

	if (!code) {
		pn_repo_share(repo, parent);
		pn_repo_share(repo, dir);
		if (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS))
			code = pn_error_system(err, "cannot write to '%s'",
					       dir);
	}
	free(parent);
	free(dir);
	return code;
}

int pn_pending_save(char **path, struct pn_repo *repo,
		    const struct pn_record *record, struct pn_error *err)
{
	char *dir = pending_dir(repo), *to = NULL;
	struct pn_buf bytes = {0};
	int code;

	code = pn_pending_prepare(repo, err);
	if (!code)
		code = compose(&bytes, record, err);
	if (!code)
		code = create(&to, dir, record, &bytes, err);
	if (!code)
		pn_repo_share(repo, to);
	pn_buf_release(&bytes);
	free(dir);
	if (!code && path)
		*path = to;
	else
		free(to);
	return code;
}

/* The index line that a pending file begins with; false for other files. */
static bool read_line(struct pn_entry *out, size_t *line_len,
		      struct pn_arena *arena, const char *text, size_t len)
{
	const char *end;

	if (len < 6 || memcmp(text, "perf1 ", 6) != 0)
		return false;
	end = memchr(text, '\n', len < PN_LINE_MAX ? len : PN_LINE_MAX);
	if (!end)
		return false;
	*line_len = (size_t)(end - text);
	return !pn_entry_parse(out, arena, text, *line_len, NULL);
}

/*
 * The first PN_LINE_MAX bytes of a regular file, *whole when there are no
 * more. Anything else is not even opened: a pipe has its bytes only once, and
 * who waits to write them goes on as soon as there is a reader.
 */
static bool read_head(struct pn_buf *out, bool *whole, const char *path)
{
	struct stat st;
	ssize_t n = 0;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return false;
	}
	pn_buf_reserve(out, PN_LINE_MAX);
	*whole = false;
	while (!*whole && out->len < PN_LINE_MAX) {
		n = read(fd, out->data + out->len, PN_LINE_MAX - out->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		out->len += (size_t)n;
		*whole = !n || out->len == (uint64_t)st.st_size;
	}
	close(fd);
	out->data[out->len] = '\0';
	return n >= 0;
}

static bool describe_file(struct pn_pending *item, struct pn_arena *arena,
			  const char *dir, const char *name)
{
	struct pn_buf path = {0}, head = {0};
	struct pn_entry entry;
	size_t line_len;
	struct stat st;
	bool whole;

	pn_buf_printf(&path, "%s/%s", dir, name);
	if (stat(pn_buf_text(&path), &st) || !S_ISREG(st.st_mode) ||
	    !read_head(&head, &whole, pn_buf_text(&path))) {
		pn_buf_release(&path);
		pn_buf_release(&head);
		return false;
	}
	memset(item, 0, sizeof(*item));
	item->path = pn_arena_copy(arena, path.data, path.len);
	item->name = pn_arena_copy(arena, name, strlen(name));
	item->time_ns =
		(int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	if (read_line(&entry, &line_len, arena, pn_buf_text(&head), head.len)) {
		item->entry = entry;
		item->origin = entry.commit;
		item->time_ns = entry.time_ns;
	}
	pn_buf_release(&path);
	pn_buf_release(&head);
	return true;
}

static int newest_first(const void *a, const void *b)
{
	const struct pn_pending *x = a, *y = b;

	size_t x_len = strlen(x->name), y_len = strlen(y->name);

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? 1 : -1;
	/* of one time the one whose name had to be numbered came later */
	if (x_len != y_len)
		return x_len < y_len ? 1 : -1;
	return strcmp(y->name, x->name);
}

int pn_pending_list(struct pn_pending_list *out, struct pn_repo *repo,
		    struct pn_error *err)
{
	struct pn_pending_list list = {0};
	char *dir = pending_dir(repo);
	struct dirent *entry;
	size_t cap = 0;
	DIR *d = opendir(dir);
	int code = 0;

	if (!d && errno != ENOENT)
		code = pn_error_system(err, "cannot list '%s'", dir);
	while (d && (entry = readdir(d)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		list.items = pn_grow(list.items, &cap, list.count + 1,
				     sizeof(*list.items));
		if (describe_file(&list.items[list.count], &list.arena, dir,
				  entry->d_name))
			list.count++;
	}
	if (d)
		closedir(d);
	free(dir);
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items),
		      newest_first);
	if (!code)
		*out = list;
	return code;
}

void pn_pending_list_release(struct pn_pending_list *list)
{
	if (!list)
		return;
	pn_arena_release(&list->arena);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static int take_body(struct pn_record *r, const struct pn_entry *entry,
		     const unsigned char *bytes, size_t len,
		     struct pn_error *err)
{
	struct pn_body_state *state = NULL;
	struct pn_oid oid;
	int code;

	pn_hash_git_object(&oid, "blob", bytes, len);
	if (!pn_oid_equal(&oid, &entry->body))
		return pn_error_set(err, PN_EINVAL,
				    "the body's checksum differs: the file "
				    "was cut or changed");
	if (!strcmp(pn_entry_field(entry, "body"), "verbatim")) {
		pn_buf_add(&r->verbatim, bytes, len);
		r->has_verbatim = true;
		return 0;
	}
	code = pn_body_decode(&state, bytes, len, NULL, err);
	if (!code)
		code = pn_body_profile(&r->profile, state, err);
	pn_body_state_free(state);
	return code;
}

static int read_pending(struct pn_record *out, struct pn_oid *origin,
			const char *name, const struct pn_entry *entry,
			const unsigned char *body, size_t len,
			const struct pn_record_options *options,
			struct pn_error *err)
{
	struct pn_record r = {.max_bytes = options->max_bytes};
	size_t i;
	int code;

	pn_profile_init(&r.profile);
	code = pn_record_check_size(&r, len, err);
	if (!code && entry->has_body)
		code = take_body(&r, entry, body, len, err);
	if (code) {
		pn_record_release(&r);
		return code;
	}
	r.has_profile = entry->has_body && !r.has_verbatim;
	pn_record_describe(&r, entry);
	if (options->name)
		pn_record_set_field(&r, "name", options->name);
	else if (!*pn_record_field(&r, "name"))
		pn_record_set_field(&r, "name", name);
	for (i = 0; i < options->label_count; i++)
		pn_record_set_label(&r, options->labels[i].key,
				    options->labels[i].value);
	*out = r;
	*origin = entry->commit;
	return 0;
}

static bool begins_as_own(const struct pn_buf *head)
{
	return head->len > 6 && !memcmp(head->data, "perf1 ", 6);
}

bool pn_pending_is(const char *path)
{
	struct pn_buf head = {0};
	bool whole, is;

	is = strcmp(path, "-") != 0 && read_head(&head, &whole, path) &&
	     begins_as_own(&head);
	pn_buf_release(&head);
	return is;
}

/* A file whose first bytes are in `bytes`; the rest is read when there is. */
static int read_own(struct pn_record *out, struct pn_oid *origin,
		    struct pn_entry *entry, struct pn_arena *arena,
		    struct pn_buf *bytes, bool whole, const char *path,
		    const struct pn_record_options *options,
		    struct pn_error *err)
{
	uint64_t max =
		options->max_bytes ? options->max_bytes : PN_BODY_MAX_BYTES;
	size_t line_len;
	int code = 0;

	if (!whole) {
		pn_buf_clear(bytes);
		code = pn_file_read(bytes, path, max + PN_LINE_MAX, err);
	}
	if (!code &&
	    !read_line(entry, &line_len, arena, pn_buf_text(bytes), bytes->len))
		code = pn_error_set(err, PN_EINVAL,
				    "the first line is no index line");
	if (!code)
		code = read_pending(out, origin, pn_file_basename(path), entry,
				    bytes->data + line_len + 1,
				    bytes->len - line_len - 1, options, err);
	return code ? pn_error_context(err, "cannot read '%s'", path) : 0;
}

int pn_pending_read(struct pn_record *out, struct pn_oid *origin,
		    const char *path, const struct pn_record_options *options,
		    struct pn_error *err)
{
	struct pn_arena arena = {0};
	struct pn_buf head = {0};
	struct pn_entry entry;
	bool whole = false;
	int code;

	if (strcmp(path, "-") != 0 && !read_head(&head, &whole, path))
		pn_buf_clear(&head);
	if (begins_as_own(&head))
		code = read_own(out, origin, &entry, &arena, &head, whole, path,
				options, err);
	else if (whole)
		code = pn_record_read_memory(out, origin, head.data, head.len,
					     path, options, err);
	else
		code = pn_record_read(out, origin, path, options, err);
	pn_arena_release(&arena);
	pn_buf_release(&head);
	return code;
}

int pn_pending_load(struct pn_profile *out, const char **format,
		    const char *path, struct pn_error *err)
{
	const struct pn_record_options options = {0};
	struct pn_record record = {0};
	const struct pn_codec *codec;
	struct pn_arena arena = {0};
	struct pn_buf bytes = {0};
	struct pn_entry entry;
	struct pn_oid origin;
	char hex[PN_OID_HEX + 1];
	int code;

	code = read_own(&record, &origin, &entry, &arena, &bytes, false, path,
			&options, err);
	if (!code && !entry.has_body) {
		code = pn_body_store_load(&record.profile, NULL, &entry, err);
		record.has_profile = !code;
	}
	pn_arena_release(&arena);
	pn_buf_release(&bytes);
	codec = code ? NULL
		     : pn_codec_find(pn_record_field(&record, "format"),
				     record.has_verbatim ? err : NULL);
	if (!code && record.has_verbatim) {
		code = codec ? pn_codec_read_memory(
				       out, codec, record.verbatim.data,
				       record.verbatim.len, path, err)
			     : PN_ENOTFOUND;
	} else if (!code) {
		*out = record.profile;
		record.has_profile = false;
	}
	if (!code && !out->header.origin && !pn_oid_is_zero(&origin)) {
		pn_oid_hex(hex, &origin);
		out->header.origin = pn_strtab_add_text(&out->strings, hex);
	}
	if (!code && format)
		*format = codec ? codec->name : "git-perf";
	pn_record_release(&record);
	return code;
}
