/* The last step of the lookup: look for a file, and ask. */
#include "find_profile.h"

#include "base/buf.h"
#include "base/escape.h"
#include "codec/codec.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 32	  /* of folders below the current one */
#define FILES_MAX 100000u /* looked at in about a second */

struct search {
	const char *text;
	struct pn_buf path; /* of the file at hand */
	size_t files;
	bool found, over;
};

/* "y" takes it, "q" ends the search. */
static void ask(struct search *s)
{
	const char *path = pn_buf_text(&s->path);
	struct pn_buf shown = {0};
	char line[16] = "";

	pn_escape_terminal(&shown, path, strlen(path));
	fprintf(stderr, "use '%s'? [y/N/q] ", pn_buf_text(&shown));
	fflush(stderr);
	pn_buf_release(&shown);
	if (!fgets(line, sizeof(line), stdin))
		fputc('\n', stderr);
	s->found = *line == 'y' || *line == 'Y';
	s->over = s->found || feof(stdin) || *line == 'q' || *line == 'Q';
}

static bool is_profile(const char *path)
{
	const struct pn_codec *codec;
	struct pn_reader *in = NULL;
	bool known = !pn_reader_open(&in, path, 0, NULL) &&
		     !pn_codec_sniff(&codec, in, NULL);

	pn_reader_free(in);
	return known;
}

static void search_folder(struct search *s, unsigned int depth);

/* s->path is that of `name`. Links lead out and around. */
static void look_at(struct search *s, const char *name, unsigned int depth)
{
	struct stat st;

	if (lstat(pn_buf_text(&s->path), &st))
		return;
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		search_folder(s, depth + 1);
	else if (S_ISREG(st.st_mode) && strstr(name, s->text) &&
		 is_profile(pn_buf_text(&s->path)))
		ask(s);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Sorted, so that the questions come in the same order each time. */
static void search_folder(struct search *s, unsigned int depth)
{
	size_t len = s->path.len;
	struct dirent **entries;
	int i, n;

	n = scandir(pn_buf_text(&s->path), &entries, is_visible, alphasort);
	for (i = 0; i < n; i++) {
		s->over |= ++s->files > FILES_MAX;
		if (!s->over) {
			s->path.len = len;
			pn_buf_printf(&s->path, "/%s", entries[i]->d_name);
			look_at(s, entries[i]->d_name, depth);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/* Tags and names in the list of a commit are no files. */
static bool may_be_file(const char *text)
{
	return *text && !strpbrk(text, ":@/") && strcmp(text, "-") != 0;
}

int find_profile(struct pn_found_list *out, const struct pn_lookup *lookup,
		 const char *text, struct pn_error *err)
{
	struct search s = {.text = text};
	int code = pn_lookup_find(out, lookup, text, err);

	if (code != PN_ENOTFOUND || !may_be_file(text) ||
	    !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return code;
	pn_buf_add_text(&s.path, ".");
	search_folder(&s, 0);
	if (s.found)
		code = pn_lookup_find(out, lookup, pn_buf_text(&s.path), err);
	pn_buf_release(&s.path);
	return code;
}

int find_one_profile(struct pn_found_list *out, const struct pn_lookup *lookup,
		     const char *text, struct pn_error *err)
{
	int code = find_profile(out, lookup, text, err);

	if (!code && out->count != 1)
		code = pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' names %zu profiles, need one", text,
				    out->count);
	return code;
}
