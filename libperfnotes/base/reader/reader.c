/*
 * Bytes from a file, a stream or memory, gunzipped when they are gzip.
 *
 * Plain memory is its own window. Otherwise the window is a buffer that is
 * filled to its end in one go, so that inflate runs long.
 */
#include "base/reader/reader.h"

#include "base/alloc.h"
#include "base/deflate.h"
#include "base/large.h"
#include "base/reader/inside.h"
#include "base/reader/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_SIZE (64 * 1024) /* of compressed bytes, one read */
/* Gzip that is inflated at once, in memory: its bytes, and what they hold. */
#define WHOLE_INPUT_MAX ((uint64_t)4 << 20)
#define WHOLE_MAX ((uint64_t)16 << 20)
#define FIRST_LOOK 16384 /* of gzip: enough to see what it is */
/* What inflate may still hold back: a match of 258 bytes, some bits. */
#define INFLATE_SLACK 65536

struct pn_reader {
	char *name, *hint;
	int fd; /* -1: memory, or a source */
	int (*give)(size_t *got, void *from, unsigned char *to, size_t room,
		    struct pn_error *err);
	void *from;
	struct pn_reader_inflated inflated; /* gets the bytes, or zeroed */
	bool gzip, between_members;
	bool alone;	  /* see pn_reader_set_alone */
	bool input_ended; /* nothing will come to `in` any more */
	bool ended;	  /* nothing will come to the window any more */
	struct pn_inflater *inflater;
	unsigned char *input;		  /* what was read from fd */
	const unsigned char *in, *in_end; /* in `input` or in the memory */
	unsigned char *window;		  /* NULL while memory is shown as is */
	size_t window_size;
	const unsigned char *at, *end; /* what peek shows */
	uint64_t consumed, produced;   /* produced: up to `end` */
	uint64_t max_bytes;
	uint64_t whole_input, whole; /* what is inflated at once, at most */
	uint64_t input_left;   /* bytes beyond in_end, UINT64_MAX: unknown */
	struct pn_error error; /* comes when the window is used up */
};

static size_t in_left(const struct pn_reader *r)
{
	return (size_t)(r->in_end - r->in);
}

static size_t shown(const struct pn_reader *r)
{
	return (size_t)(r->end - r->at);
}

static ssize_t read_some(int fd, void *to, size_t len)
{
	ssize_t n;

	do
		n = read(fd, to, len);
	while (n < 0 && errno == EINTR);
	return n;
}

static int ask_source(size_t *out, struct pn_reader *r, unsigned char *to,
		      size_t n, struct pn_error *err)
{
	int code = r->give(out, r->from, to, n, err);

	if (code)
		pn_error_context(err, "cannot read '%s'", r->name);
	r->input_ended = !code && !*out;
	return code;
}

/* Put `n` bytes at most from fd to `to`; the end is remembered. */
static int read_into(size_t *out, struct pn_reader *r, unsigned char *to,
		     size_t n, struct pn_error *err)
{
	ssize_t got;

	if (r->inflated.take) {
		int code = r->inflated.take(out, &r->input_left,
					    r->inflated.from, to, n, err);

		r->input_ended = !code && !*out;
		return code;
	}
	if (r->give)
		return ask_source(out, r, to, n, err);
	got = read_some(r->fd, to, n);
	if (got < 0)
		return pn_error_system(err, "cannot read '%s'", r->name);
	if (!got) {
		r->input_ended = true;
		r->input_left = 0;
	}
	if (r->input_left != UINT64_MAX)
		r->input_left -= (uint64_t)got < r->input_left ? (uint64_t)got
							       : r->input_left;
	*out = (size_t)got;
	return 0;
}

/* Have at least two bytes in `in`, if there are two. */
static int look_at_input(struct pn_reader *r, struct pn_error *err)
{
	while (in_left(r) < 2 && !r->input_ended) {
		size_t have = in_left(r), got;
		int code;

		memmove(r->input, r->in, have);
		r->in = r->input;
		r->in_end = r->input + have;
		code = read_into(&got, r, r->input + have, INPUT_SIZE - have,
				 err);
		if (code)
			return code;
		r->in_end += got;
	}
	return 0;
}

static bool looks_gzip(const struct pn_reader *r)
{
	return in_left(r) >= 2 && r->in[0] == 0x1f && r->in[1] == 0x8b;
}

static struct pn_reader *new_reader(const char *name, uint64_t max_bytes)
{
	struct pn_reader *r = pn_calloc(1, sizeof(*r));

	r->name = pn_strdup(name);
	r->fd = -1;
	r->max_bytes = max_bytes ? max_bytes : PN_READER_MAX_BYTES;
	r->whole_input = WHOLE_INPUT_MAX;
	r->whole = WHOLE_MAX;
	return r;
}

/* All of a short file goes to `in`; of one that grows, what it had. */
static int take_input(struct pn_reader *r, struct pn_error *err)
{
	size_t have = in_left(r), got = 1, room;
	unsigned char *all;
	int code = 0;

	if (r->fd < 0 || r->input_left > r->whole_input)
		return 0;
	room = have + (size_t)r->input_left + 1; /* a byte more sees the end */
	all = pn_large(room < INPUT_SIZE ? INPUT_SIZE : room);
	memcpy(all, r->in, have);
	free(r->input);
	r->input = all;
	while (!code && got && have < room) {
		code = read_into(&got, r, all + have, room - have, err);
		have += code ? 0 : got;
	}
	r->in = all;
	r->in_end = all + have;
	return code;
}

/* From now on the window is all there is, of which `consumed` was used. */
static void show(struct pn_reader *r, unsigned char *all, size_t len)
{
	free(r->input);
	r->input = NULL;
	free(r->window);
	r->window = all;
	r->in = r->in_end = all;
	r->window_size = len;
	r->at = all + r->consumed;
	r->end = all + len;
	r->produced = len;
	r->ended = true;
}

/* The usual gzip, one member and not large: its window is all that it holds.
 * Else nothing has changed. */
static bool inflate_whole(struct pn_reader *r)
{
	uint64_t most = r->whole < r->max_bytes ? r->whole : r->max_bytes;
	unsigned char *all;
	size_t len;

	if (!r->input_ended || in_left(r) > r->whole_input)
		return false;
	all = pn_gunzip_member(&len, r->in, in_left(r), most);
	if (!all)
		return false;
	show(r, all, len);
	return true;
}

/* Decide between plain and gzip, and set the window up. */
static int begin(struct pn_reader *r, struct pn_error *err)
{
	int code = look_at_input(r, err);

	if (code)
		return code;
	r->gzip = looks_gzip(r);
	if (r->gzip) {
		code = take_input(r, err);
		if (code || inflate_whole(r))
			return code;
		r->inflater = pn_inflater_new();
	}
	if (r->gzip || r->fd >= 0 || r->give) {
		r->window_size = PN_READER_WINDOW;
		r->window = pn_malloc(r->window_size);
		r->at = r->end = r->window;
		return 0;
	}
	r->at = r->in;
	r->end = r->in_end;
	r->ended = true;
	r->produced = shown(r);
	if (r->produced > r->max_bytes)
		return pn_error_set(err, PN_ELIMIT,
				    "cannot read '%s': more than %" PRIu64
				    " bytes",
				    r->name, r->max_bytes);
	return 0;
}

static int open_input(struct pn_reader *r, const char *path,
		      struct pn_error *err)
{
	struct stat st;

	r->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC)
				  : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (r->fd < 0 || fstat(r->fd, &st))
		return pn_error_system(err, "cannot read '%s'", r->name);
	if (S_ISDIR(st.st_mode))
		return pn_error_set(err, PN_EIO,
				    "cannot read '%s': it is a directory",
				    r->name);
	r->input_left = UINT64_MAX;
	if (S_ISREG(st.st_mode) && strcmp(path, "-"))
		r->input_left = (uint64_t)st.st_size;
	r->input = pn_malloc(INPUT_SIZE);
	r->in = r->in_end = r->input;
	return 0;
}

int pn_reader_open_whole(struct pn_reader **out, const char *path,
			 uint64_t max_bytes, uint64_t whole,
			 struct pn_error *err)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	struct pn_reader *r = new_reader(name, max_bytes);
	int code = open_input(r, path, err);

	if (whole)
		r->whole_input = r->whole = whole;
	if (!code)
		code = begin(r, err);
	if (code)
		pn_reader_free(r);
	else
		*out = r;
	return code;
}

bool pn_reader_inflates(const struct pn_reader *reader, uint64_t bytes)
{
	return reader->gzip && reader->input_left != UINT64_MAX &&
	       reader->input_left + in_left(reader) >= bytes;
}

void pn_reader_set_alone(struct pn_reader *reader)
{
	reader->alone = true;
}

unsigned char *pn_reader_inflate_file(size_t *len,
				      const struct pn_reader *reader,
				      uint64_t most)
{
	return pn_gunzip_file(len, reader->fd,
			      most < reader->max_bytes ? most
						       : reader->max_bytes);
}

bool pn_reader_show_all(struct pn_reader *reader)
{
	unsigned char *all;
	size_t len;

	if (reader->inflated.all && !reader->ended) {
		all = reader->inflated.all(&len, reader->inflated.from);
		if (all && len >= reader->consumed)
			show(reader, all, len);
		else
			free(all);
	}
	return reader->ended && !reader->error.code && reader->alone;
}

struct pn_reader *pn_reader_over(const struct pn_reader *inner,
				 const struct pn_reader_inflated *from)
{
	struct pn_reader *r = new_reader(inner->name, inner->max_bytes);

	r->window_size = PN_READER_WINDOW;
	r->window = pn_malloc(r->window_size);
	r->in = r->in_end = r->at = r->end = r->window;
	r->input_left = pn_reader_left(inner);
	r->inflated = *from;
	return r;
}

int pn_reader_memory(struct pn_reader **out, const void *bytes, size_t len,
		     const char *name, uint64_t max_bytes, struct pn_error *err)
{
	struct pn_reader *r = new_reader(name, max_bytes);
	int code;

	r->in = len ? bytes : (const void *)"";
	r->in_end = r->in + len;
	r->input_ended = true;
	code = begin(r, err);
	if (code)
		pn_reader_free(r);
	else
		*out = r;
	return code;
}

int pn_reader_source(struct pn_reader **out,
		     int (*give)(size_t *got, void *from, unsigned char *to,
				 size_t room, struct pn_error *err),
		     void *from, const char *name, struct pn_error *err)
{
	struct pn_reader *r = new_reader(name, 0);
	int code;

	r->give = give;
	r->from = from;
	r->input_left = UINT64_MAX;
	r->input = pn_malloc(INPUT_SIZE);
	r->in = r->in_end = r->input;
	code = begin(r, err);
	if (code)
		pn_reader_free(r);
	else
		*out = r;
	return code;
}

void pn_reader_free(struct pn_reader *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	if (reader->inflated.release)
		reader->inflated.release(reader->inflated.from);
	pn_inflater_free(reader->inflater);
	free(reader->input);
	free(reader->window);
	free(reader->name);
	free(reader->hint);
	free(reader);
}

/* The bytes that are shown go to the front of a window that holds `want`. */
static void make_room(struct pn_reader *r, size_t want)
{
	size_t have = shown(r);
	unsigned char *window = r->window;

	if (want > r->window_size) {
		size_t size = r->window_size;

		while (size < want)
			size += size / 2;
		window = pn_malloc(size);
		r->window_size = size;
	}
	if (have)
		memmove(window, r->at, have);
	if (window != r->window) {
		free(r->window);
		r->window = window;
	}
	r->at = window;
	r->end = window + have;
}

/* Behind a member: zeros to the end, or another member. */
static int next_member(struct pn_reader *r, struct pn_error *err)
{
	int code;

	while (!(code = look_at_input(r, err)) && in_left(r) && !*r->in)
		r->in++;
	if (code)
		return code;
	if (!in_left(r)) {
		r->ended = true;
	} else if (looks_gzip(r)) {
		pn_inflater_reset(r->inflater);
		r->between_members = false;
	} else {
		return pn_error_set(err, PN_EINVAL,
				    "cannot read '%s': garbage behind its gzip "
				    "data",
				    r->name);
	}
	return 0;
}

/* Some progress: input read, bytes inflated, or a member ended. */
static int inflate_some(struct pn_reader *r, unsigned char **to,
			unsigned char *to_end, struct pn_error *err)
{
	const unsigned char *in_before;
	unsigned char *to_before = *to;
	int code;

	if (r->between_members)
		return next_member(r, err);
	if (!in_left(r) && !r->input_ended) {
		size_t got;

		code = read_into(&got, r, r->input, INPUT_SIZE, err);
		if (code)
			return code;
		r->in = r->input;
		r->in_end = r->input + got;
	}
	in_before = r->in;
	code = pn_inflater_run(&r->between_members, r->inflater, &r->in,
			       r->in_end, to, to_end, err);
	if (code) {
		pn_error_context(err, "cannot read '%s'", r->name);
		return code;
	}
	if (r->input_ended && !r->between_members && r->in == in_before &&
	    *to == to_before)
		return pn_error_set(err, PN_EINVAL,
				    "cannot read '%s': gzip data is cut short",
				    r->name);
	return 0;
}

static int copy_some(struct pn_reader *r, unsigned char **to,
		     unsigned char *to_end, struct pn_error *err)
{
	size_t n = in_left(r), room = (size_t)(to_end - *to);

	if (n) { /* what was read to look for gzip */
		n = n < room ? n : room;
		memcpy(*to, r->in, n);
		r->in += n;
	} else if (!r->input_ended) {
		int code = read_into(&n, r, *to, room, err);

		if (code)
			return code;
	}
	*to += n;
	r->ended = r->input_ended && !in_left(r);
	return 0;
}

/* Fill the window; a failure is kept until what came before is consumed. */
static void fill(struct pn_reader *r, size_t want)
{
	unsigned char *to, *to_end;
	int code = 0;

	make_room(r, want);
	to = r->window + shown(r);
	to_end = r->window + r->window_size;
	if (r->gzip && !r->produced && want < FIRST_LOOK)
		to_end = to + FIRST_LOOK;
	if ((uint64_t)(to_end - to) > r->max_bytes - r->produced + 1)
		to_end = to + (r->max_bytes - r->produced) + 1;
	while (!code && !r->ended && to < to_end) {
		code = r->gzip ? inflate_some(r, &to, to_end, &r->error)
			       : copy_some(r, &to, to_end, &r->error);
		/* a pipe is shown as soon as there is enough */
		if (!r->gzip && (size_t)(to - r->at) >= want)
			break;
	}
	r->produced += (uint64_t)(to - r->end);
	r->end = to;
	if (code)
		r->ended = true;
	if (r->produced <= r->max_bytes)
		return;
	r->end--;
	r->produced = r->max_bytes;
	r->ended = true;
	pn_error_set(&r->error, PN_ELIMIT,
		     "cannot read '%s': more than %" PRIu64 " bytes", r->name,
		     r->max_bytes);
}

int pn_reader_peek(const unsigned char **at, size_t *have,
		   struct pn_reader *reader, size_t want, struct pn_error *err)
{
	if (shown(reader) < want && !reader->ended)
		fill(reader, want);
	if (shown(reader) < want && reader->error.code)
		return pn_error_set(err, reader->error.code, "%s",
				    reader->error.message);
	*at = reader->at;
	*have = shown(reader);
	return 0;
}

void pn_reader_consume(struct pn_reader *reader, size_t n)
{
	if (n > shown(reader))
		n = shown(reader);
	reader->at += n;
	reader->consumed += n;
}

void pn_reader_forget(struct pn_reader *reader)
{
	if (reader->window)
		pn_large_forget(reader->window,
				(size_t)(reader->at - reader->window));
}

uint64_t pn_reader_offset(const struct pn_reader *reader)
{
	return reader->consumed;
}

uint64_t pn_reader_left(const struct pn_reader *reader)
{
	uint64_t left = reader->input_left;

	if (reader->ended)
		return shown(reader);
	if (left == UINT64_MAX)
		return left;
	left += in_left(reader);
	if (reader->gzip) {
		if (left > (uint64_t)1 << 48)
			return UINT64_MAX;
		left = left * PN_READER_MAX_RATIO + INFLATE_SLACK;
	}
	return left + shown(reader);
}

bool pn_reader_was_gzip(const struct pn_reader *reader)
{
	return reader->gzip || reader->inflated.take;
}

void pn_reader_set_hint(struct pn_reader *reader, const char *hint)
{
	free(reader->hint);
	reader->hint = hint ? pn_strdup(hint) : NULL;
}

const char *pn_reader_hint(const struct pn_reader *reader)
{
	return reader->hint;
}

const char *pn_reader_name(const struct pn_reader *reader)
{
	return reader->name;
}
