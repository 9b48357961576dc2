/* Cleaning up the names of functions. */
#include "model/symbols.h"

#include "base/text/demangle.h"
#include "base/text/similar.h"

#include <string.h>

static const char *const demanglings[] = {
	[PN_DEMANGLE_SIMPLE] = "simple",
	[PN_DEMANGLE_TEMPLATES] = "templates",
	[PN_DEMANGLE_FULL] = "full",
	[PN_DEMANGLE_NONE] = "none",
};

#define DEMANGLINGS (sizeof(demanglings) / sizeof(*demanglings))

void pn_demangling_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; i < DEMANGLINGS; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", demanglings[i]);
}

int pn_demangling_find(enum pn_demangling *out, const char *name,
		       struct pn_error *err)
{
	size_t i;

	for (i = 0; i < DEMANGLINGS; i++)
		if (!strcmp(demanglings[i], name)) {
			*out = (enum pn_demangling)i;
			return 0;
		}
	return pn_unknown_name("demangling", name, pn_demangling_names, err);
}

static bool ends_with(const char *name, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(name + len - n, end, n);
}

/* Without one suffix, or the same length. */
static size_t cut_suffix(const char *name, size_t len)
{
	static const char *const suffixes[] = {
		".isra", ".part",     ".cold",	     ".constprop",
		".llvm", ".lto_priv", ".localalias",
	};
	size_t i, end = len;

	while (end && name[end - 1] >= '0' && name[end - 1] <= '9')
		end--;
	if (end == len || !end || name[end - 1] != '.')
		end = len;
	else
		end--;
	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_with(name, end, suffixes[i]))
			return end - strlen(suffixes[i]);
	return len;
}

static size_t cut_plain(const char *name, size_t len)
{
	size_t cut;

	while ((cut = cut_suffix(name, len)) < len)
		len = cut;
	return len;
}

/* "f [clone .isra.0]" without the bracket, when it holds nothing else. */
static size_t cut_bracket(const char *name, size_t len)
{
	static const char open[] = " [clone ";
	const size_t n = sizeof(open) - 1;
	size_t at;

	if (len < n + 3 || name[len - 1] != ']')
		return len;
	for (at = len - n; at > 0; at--)
		if (!memcmp(name + at, open, n))
			break;
	/* one byte before: a suffix alone is no name */
	if (!at || cut_plain(name + at + n - 1, len - 1 - (at + n - 1)) != 1)
		return len;
	return at;
}

size_t pn_symbol_base(const char *name, size_t len)
{
	size_t cut;

	while ((cut = cut_bracket(name, len)) < len)
		len = cut;
	return cut_plain(name, len);
}

/* Operators whose names have angle brackets of their own. */
static size_t operator_length(const char *text)
{
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	if (strncmp(text, word, n))
		return 0;
	return n + strspn(text + n, "<>=-");
}

static bool is_word(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

/* f<int>::g to f::g; a name whose brackets do not fit stays. */
static void drop_templates(struct pn_buf *out, const char *name)
{
	size_t start = out->len, depth = 0, n;
	const char *at = name;

	while (*at) {
		n = at == name || !is_word(at[-1]) ? operator_length(at) : 0;
		if (n) {
			if (!depth)
				pn_buf_add(out, at, n);
			at += n;
			continue;
		}
		if (*at == '>' && !depth)
			break;
		if (*at == '<')
			depth++;
		else if (*at == '>')
			depth--;
		else if (!depth)
			pn_buf_add_byte(out, (unsigned char)*at);
		at++;
	}
	while (out->len > start && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0'; /* of "operator<< <char>" */
	if (*at || depth || out->len == start) {
		out->len = start;
		pn_buf_add_text(out, name);
	}
}

/* "::h" and 16 hexadecimal digits, as Rust's older mangling ends names. */
static size_t cut_hash(const char *name, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	if (len < 20 || memcmp(name + len - 19, "::h", 3) != 0)
		return len;
	for (i = len - 16; i < len; i++)
		if (!memchr(digits, name[i], 16))
			return len;
	return len - 19;
}

void pn_symbol_normal(struct pn_buf *out, const char *name, size_t len)
{
	struct pn_buf base = {0};

	pn_buf_add(&base, name, cut_hash(name, pn_symbol_base(name, len)));
	drop_templates(out, pn_buf_text(&base));
	pn_buf_release(&base);
}

/* `mangled` is a name without suffixes; whether there is a new one. */
static bool demangle(struct pn_buf *out, const char *mangled,
		     enum pn_demangling how)
{
	struct pn_buf whole = {0};
	enum pn_language language =
		pn_demangle(&whole, mangled, how == PN_DEMANGLE_FULL);

	/* Rust says with angle brackets which type a method is of */
	if (language == PN_LANGUAGE_CXX && how == PN_DEMANGLE_SIMPLE)
		drop_templates(out, pn_buf_text(&whole));
	else
		pn_buf_add(out, pn_buf_text(&whole), whole.len);
	pn_buf_release(&whole);
	return language != PN_LANGUAGE_OTHER;
}

bool pn_symbol_demangle(struct pn_buf *out, const char *name, size_t len,
			enum pn_demangling how)
{
	size_t base, start = out->len;
	struct pn_buf mangled = {0};
	bool made;

	if (how == PN_DEMANGLE_NONE || !len || *name != '_' ||
	    memchr(name, '\0', len))
		return false;
	base = pn_symbol_base(name, len);
	pn_buf_add(&mangled, name, base);
	made = demangle(out, pn_buf_text(&mangled), how) && out->len > start;
	if (made && base < len)
		pn_buf_printf(out, " [clone %.*s]", (int)(len - base),
			      name + base);
	pn_buf_release(&mangled);
	return made;
}

static void demangle_function(struct pn_profile *p, struct pn_function *f,
			      enum pn_demangling how, struct pn_buf *name)
{
	uint32_t id = f->name ? f->name : f->system_name;

	pn_buf_clear(name);
	if (!pn_symbol_demangle(name, pn_profile_text(p, id),
				pn_strtab_len(&p->strings, id), how))
		return;
	if (!f->system_name)
		f->system_name = id;
	f->name = pn_strtab_add(&p->strings, pn_buf_text(name), name->len);
}

void pn_symbols_demangle(struct pn_profile *p, enum pn_demangling how)
{
	struct pn_buf name = {0};
	size_t i;

	for (i = 0; how != PN_DEMANGLE_NONE && i < p->function_count; i++)
		demangle_function(p, &p->functions[i], how, &name);
	pn_buf_release(&name);
}

void pn_symbols_join_clones(struct pn_profile *p)
{
	struct pn_buf name = {0};
	size_t i;

	for (i = 0; i < p->function_count; i++) {
		struct pn_function *f = &p->functions[i];
		const char *text = pn_profile_text(p, f->name);
		size_t len = pn_strtab_len(&p->strings, f->name);
		size_t base = pn_symbol_base(text, len);

		if (base == len)
			continue;
		pn_buf_clear(&name);
		pn_buf_add(&name, text, base);
		f->name = pn_strtab_add(&p->strings, pn_buf_text(&name),
					name.len);
	}
	pn_buf_release(&name);
}
