/* Names of just-in-time compilers. */
#include "collect/names/jit_map.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct range {
	uint64_t start, limit;
	size_t name, name_len, order; /* in the text */
};

struct pn_jit_map {
	struct pn_buf text;
	struct range *ranges; /* apart from each other, ascending */
	size_t count, cap;
};

/* A hexadecimal number and the blank behind it. */
static bool parse_hex(uint64_t *out, const char **at, const char *end)
{
	const char *text = *at;
	uint64_t value = 0;
	int digits = 0, digit;

	if (end - text > 2 && text[0] == '0' && (text[1] | 32) == 'x')
		text += 2;
	for (; text < end && digits <= 16; text++, digits++) {
		if (*text >= '0' && *text <= '9')
			digit = *text - '0';
		else if ((*text | 32) >= 'a' && (*text | 32) <= 'f')
			digit = (*text | 32) - 'a' + 10;
		else
			break;
		value = value << 4 | (uint64_t)digit;
	}
	if (!digits || digits > 16 || text == end || *text != ' ')
		return false;
	*out = value;
	*at = text + 1;
	return true;
}

/* What is no such line is passed over: a writer may be at work. */
static void parse_line(struct pn_jit_map *map, const char *at, const char *end)
{
	const char *text = pn_buf_text(&map->text);
	struct range r = {.order = map->count};
	uint64_t size;

	if (!parse_hex(&r.start, &at, end) || !parse_hex(&size, &at, end) ||
	    !size || r.start > UINT64_MAX - size || at == end)
		return;
	r.limit = r.start + size;
	r.name = (size_t)(at - text);
	r.name_len = (size_t)(end - at);
	map->ranges =
		pn_grow(map->ranges, &map->cap, map->count + 1, sizeof(r));
	map->ranges[map->count++] = r;
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/*
 * Memory is used again for other code: a later line takes the place of earlier
 * ones that it meets, which end before it. What is behind it of a longer one
 * is given up, as that function is gone.
 */
static void part_ranges(struct pn_jit_map *map)
{
	size_t i, n = 0;

	if (map->count)
		qsort(map->ranges, map->count, sizeof(*map->ranges), by_start);
	for (i = 0; i < map->count; i++) {
		struct range r = map->ranges[i], *last;

		while (n) {
			last = &map->ranges[n - 1];
			if (last->limit <= r.start)
				break;
			if (last->order > r.order) { /* that is newer */
				r.start = last->limit;
				break;
			}
			last->limit = r.start;
			if (last->limit > last->start)
				break;
			n--;
		}
		if (r.start < r.limit)
			map->ranges[n++] = r;
	}
	map->count = n;
}

static void parse_text(struct pn_jit_map *map)
{
	const char *at = pn_buf_text(&map->text), *end = at + map->text.len;
	const char *stop;

	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			break; /* it is being written */
		parse_line(map, at, stop);
	}
	part_ranges(map);
}

struct pn_jit_map *pn_jit_map_parse(const char *text, size_t len)
{
	struct pn_jit_map *map = pn_calloc(1, sizeof(*map));

	pn_buf_add(&map->text, text, len);
	parse_text(map);
	return map;
}

/* A pipe of that name would wait for us. */
static int open_map(uint32_t pid)
{
	char path[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%lu.map", (unsigned long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
			(st.st_uid && st.st_uid != geteuid()))) {
		close(fd);
		return -1;
	}
	return fd;
}

struct pn_jit_map *pn_jit_map_of(uint32_t pid)
{
	struct pn_jit_map *map;
	int fd = open_map(pid);

	if (fd < 0)
		return NULL;
	map = pn_calloc(1, sizeof(*map));
	if (!pn_file_read_all(&map->text, fd, PN_JIT_MAP_MAX_BYTES))
		parse_text(map);
	close(fd);
	return map;
}

void pn_jit_map_free(struct pn_jit_map *map)
{
	if (!map)
		return;
	pn_buf_release(&map->text);
	free(map->ranges);
	free(map);
}

const char *pn_jit_map_find(size_t *len, const struct pn_jit_map *map,
			    uint64_t address)
{
	size_t low = 0, high = map ? map->count : 0, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (map->ranges[middle].limit <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!map || low == map->count || map->ranges[low].start > address)
		return NULL;
	*len = map->ranges[low].name_len;
	return pn_buf_text(&map->text) + map->ranges[low].name;
}
