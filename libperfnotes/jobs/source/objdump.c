/* Instructions as text: objdump(1). */
#include "jobs/source/objdump.h"

#include "base/alloc.h"
#include "base/process/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)64 << 20)
#define LINE_DIGITS 9

struct listing {
	struct pn_arena *arena;
	struct pn_instruction *items;
	size_t count, cap;
	const char *function, *file;
	int64_t line;
};

static const char *keep(struct listing *l, const char *text, size_t len)
{
	return pn_arena_copy(l->arena, text, len);
}

/* "  401136:\tpush   %rbp" */
static bool take_instruction(struct listing *l, const char *line)
{
	char *end;
	uint64_t address;

	line += strspn(line, " \t");
	if (!*line || strspn(line, "0123456789abcdef") != strcspn(line, ":"))
		return false;
	address = strtoull(line, &end, 16);
	if (end == line || *end != ':' || (end[1] != ' ' && end[1] != '\t'))
		return false;
	end += 1 + strspn(end + 1, " \t");
	l->items = pn_grow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count++] = (struct pn_instruction){
		.address = address,
		.text = keep(l, end, strlen(end)),
		.function = l->function,
		.file = l->file,
		.line = l->line,
	};
	return true;
}

/* A path, a colon, a number; "(discriminator 3)" may follow. */
static bool take_place(struct listing *l, const char *line)
{
	const char *colon = NULL, *at, *base;
	size_t digits;

	for (at = strchr(line, ':'); at; at = strchr(at + 1, ':')) {
		digits = strspn(at + 1, "0123456789");
		if (digits && digits <= LINE_DIGITS &&
		    (!at[1 + digits] || at[1 + digits] == ' '))
			colon = at;
	}
	if (!colon)
		return false;
	for (base = colon; base > line && base[-1] != '/'; base--)
		;
	l->file = keep(l, base, (size_t)(colon - base));
	l->line = strtoll(colon + 1, NULL, 10);
	return true;
}

static void take_line(struct listing *l, char *line)
{
	size_t len = strlen(line);

	while (len && strchr(" \t\r", line[len - 1]))
		line[--len] = '\0';
	if (take_instruction(l, line) || take_place(l, line))
		return;
	l->line = 0;
	l->function = l->file = "";
	if (len > 3 && !strcmp(line + len - 3, "():"))
		l->function = keep(l, line, len - 3);
}

void pn_objdump_parse(struct pn_assembly_routine *routine,
		      struct pn_arena *arena, char *text)
{
	struct listing l = {.arena = arena, .function = "", .file = ""};
	char *line = text, *end;

	for (; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		take_line(&l, line);
	}
	routine->count = l.count;
	routine->items =
		pn_arena_array(arena, l.count + 1, sizeof(*routine->items));
	if (l.count)
		memcpy(routine->items, l.items, l.count * sizeof(*l.items));
	free(l.items);
}

/* The file is objdump's standard input: its name may be anything. */
int pn_objdump(struct pn_assembly_routine *routine, struct pn_arena *arena,
	       const char *path, struct pn_error *err)
{
	char start[40], stop[40], said[1024] = "";
	const char *const argv[] = {"objdump",
				    "--disassemble",
				    "--demangle",
				    "--no-show-raw-insn",
				    "--line-numbers",
				    start,
				    stop,
				    "/dev/stdin",
				    NULL};
	struct pn_process_options options = {0};
	struct pn_buf text = {0};
	int status, code;

	snprintf(start, sizeof(start), "--start-address=0x%" PRIx64,
		 routine->start);
	snprintf(stop, sizeof(stop), "--stop-address=0x%" PRIx64, routine->end);
	options.in = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (options.in < 0)
		return pn_error_system(err, "cannot open '%s'", path);
	code = pn_process_capture(&text, said, &status, argv, &options,
				  TEXT_MAX, err);
	close(options.in);
	if (code == PN_ENOTFOUND)
		pn_error_set(err, PN_ENOTFOUND,
			     "objdump, which disassembles, is not installed "
			     "(package binutils)");
	else if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "cannot disassemble '%s': objdump ended "
				    "with status %d: %.*s",
				    path, status, (int)strcspn(said, "\n"),
				    said);
	else if (!code && text.len)
		pn_objdump_parse(routine, arena, (char *)text.data);
	pn_buf_release(&text);
	return code;
}
