/* The table of formats; finding, recognising and reading by it. */
#include "base/text/similar.h"
#include "codec/first.h"
#include "codec/rows.h"

#include "base/alloc.h"
#include "base/trace2.h"
#include "codec/roles.h"
#include "codec/unknown.h"
#include "codec/zstd_reader.h"
#include "model/graph/sums.h"
#include "model/runs.h"
#include "model/timeline/ticks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_MAX_BYTES (1u << 20) /* of a first line that is looked through */

/* clang-format off */
const struct pn_codec *const pn_codecs[] = {
	&pn_codec_pprof,
	&pn_codec_otlp,
	&pn_codec_collapsed,
	&pn_codec_perf_script,
	&pn_codec_perf_data,
	&pn_codec_callgrind,
	&pn_codec_cachegrind,
	&pn_codec_gperftools_cpu,
	&pn_codec_gperftools_heap,
	&pn_codec_go_text,
	&pn_codec_java_text,
	&pn_codec_threads,
	&pn_codec_gprof,
	&pn_codec_heaptrack,
	&pn_codec_massif,
	&pn_codec_perun,
	&pn_codec_pstats,
	&pn_codec_racket,
	&pn_codec_speedscope,
	&pn_codec_stackprof,
	&pn_codec_cpuprofile,
	&pn_codec_heapprofile,
	&pn_codec_v8_log,
	&pn_codec_firefox,
	&pn_codec_gecko,
	&pn_codec_chrome_trace,
	&pn_codec_jfr,
	&pn_codec_simpleperf,
	&pn_codec_perfetto,
	&pn_codec_bpftrace,
	&pn_codec_eprof,
	&pn_codec_fprof,
	&pn_codec_sb_sprof,
	&pn_codec_uftrace,
	&pn_codec_nytprof,
	&pn_codec_ftrace,
	&pn_codec_line_profiler,
	&pn_codec_austin,
	&pn_codec_pyinstrument,
	&pn_codec_memray,
	&pn_codec_scalene,
	&pn_codec_jemalloc,
	&pn_codec_dhat,
	&pn_codec_rprof,
	&pn_codec_ghc_prof,
	&pn_codec_ghc_json,
	&pn_codec_hp,
	&pn_codec_google_bench,
	&pn_codec_go_bench,
	&pn_codec_pytest_bench,
	&pn_codec_criterion,
	&pn_codec_hyperfine,
	&pn_codec_junit,
	&pn_codec_jmh,
	&pn_codec_pyperf,
	&pn_codec_asv,
	&pn_codec_dotnet,
	&pn_codec_nanobench,
	&pn_codec_tinybench,
	&pn_codec_vitest,
	&pn_codec_mitata,
	&pn_codec_benchmark_js,
	&pn_codec_ips,
	&pn_codec_libtest,
	&pn_codec_divan,
	&pn_codec_iai,
	&pn_codec_catch2,
	&pn_codec_perf_stat,
	&pn_codec_time_v,
	&pn_codec_fio,
	&pn_codec_sysbench,
	&pn_codec_wrk,
	&pn_codec_hey,
	&pn_codec_bmf,
	&pn_codec_custom_smaller,
	&pn_codec_custom_bigger,
	&pn_codec_open_metrics,
	&pn_codec_haskell_csv,
	&pn_codec_pattern,
	&pn_codec_csv,
	&pn_codec_body,
	NULL,
};
/* clang-format on */

static void list_names(struct pn_buf *out, const char *between, bool written)
{
	bool any = false;
	size_t i;

	for (i = 0; pn_codecs[i]; i++) {
		if (written ? !pn_codecs[i]->write : !pn_codecs[i]->read)
			continue;
		pn_buf_printf(out, "%s%s", any ? between : "",
			      pn_codecs[i]->name);
		any = true;
	}
}

void pn_codec_names_read(struct pn_buf *out, const char *between)
{
	list_names(out, between, false);
}

void pn_codec_names_written(struct pn_buf *out, const char *between)
{
	list_names(out, between, true);
}

static const struct pn_codec *find_named(const char *name)
{
	size_t i;

	/* what most tools call such files */
	if (!strcmp(name, "folded"))
		name = pn_codec_collapsed.name;
	for (i = 0; pn_codecs[i]; i++)
		if (!strcmp(pn_codecs[i]->name, name))
			return pn_codecs[i];
	return NULL;
}

const struct pn_codec *pn_codec_find(const char *name, struct pn_error *err)
{
	const struct pn_codec *codec = find_named(name);
	struct pn_similar similar = {.name = name};

	if (codec)
		return codec;
	for (size_t i = 0; pn_codecs[i]; i++)
		pn_similar_look(&similar, pn_codecs[i]->name);
	pn_error_set(err, PN_ENOTFOUND,
		     "no such format '%s', 'git perf formats' lists those that "
		     "are%s%s%s",
		     name, similar.found ? "; did you mean '" : "",
		     similar.found ? similar.found : "",
		     similar.found ? "'?" : "");
	return NULL;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '+' || c == '#';
}

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = text; *at; at++)
		if (!strncasecmp(at, word, len) &&
		    (at == text || !in_word(at[-1]) || !in_word(*word)) &&
		    (!in_word(at[len]) || !in_word(word[len - 1])))
			return true;
	return false;
}

bool pn_codec_is_about(const struct pn_codec *codec, const char *word)
{
	return *word && (has_word(codec->name, word) ||
			 has_word(codec->languages, word) ||
			 has_word(codec->made_by, word) ||
			 has_word(codec->summary, word));
}

int pn_codec_write(struct pn_buf *out, const struct pn_codec *codec,
		   struct pn_profile *profile, struct pn_error *err)
{
	if (!codec->takes_ticks)
		pn_ticks_spread(profile);
	/* a difference whose base stays apart may be more: nobody reads it */
	if (pn_sums_check(profile, err))
		return PN_ERANGE;
	return codec->write(out, profile, err);
}

const struct pn_codec *pn_codec_find_writer(const char *name,
					    struct pn_error *err)
{
	const struct pn_codec *codec = find_named(name);
	struct pn_buf names = {0};

	if (codec && codec->write)
		return codec;
	pn_codec_names_written(&names, ", ");
	if (!codec)
		pn_similar_say(&names, name, strlen(name));
	pn_error_set(err, codec ? PN_EINVAL : PN_ENOTFOUND,
		     codec ? "format '%s' is read only, written are %s"
			   : "no such format '%s', written are %s",
		     name, pn_buf_text(&names));
	pn_buf_release(&names);
	return NULL;
}

int pn_codec_check_read(const char *name, struct pn_error *err)
{
	return pn_codec_find(name, err) ? 0 : PN_ENOTFOUND;
}

int pn_codec_check_written(const char *name, struct pn_error *err)
{
	return pn_codec_find_writer(name, err) ? 0 : PN_ENOTFOUND;
}

static void say_unknown(const unsigned char *bytes, size_t have,
			struct pn_error *err)
{
	const char *hint = pn_unknown_hint(bytes, have);

	pn_error_set(err, PN_EFORMAT, "%s",
		     hint ? hint
			  : "its format is not recognised, 'git perf formats' "
			    "lists those that are");
}

static int sniff_bytes(const struct pn_codec **out, const unsigned char *bytes,
		       size_t have, struct pn_error *err)
{
	const struct pn_codec *best = NULL;
	enum pn_sniff best_sure = PN_SNIFF_NO;
	enum pn_first first;
	size_t i;

	if (have > PN_SNIFF_BYTES)
		have = PN_SNIFF_BYTES;
	first = pn_first_of(bytes, have);
	for (i = 0; pn_codecs[i] && best_sure < PN_SNIFF_SURE; i++) {
		enum pn_sniff sure;

		if (!pn_first_fits(pn_codecs[i], first))
			continue;
		sure = pn_codecs[i]->sniff(bytes, have);
		if (sure > best_sure) {
			best = pn_codecs[i];
			best_sure = sure;
		}
	}
	if (!best) {
		say_unknown(bytes, have, err);
		return PN_EFORMAT;
	}
	*out = best;
	return 0;
}

/* By what zstd's first block holds. */
static int sniff_zstd(const struct pn_codec **out, struct pn_reader *in,
		      struct pn_error *err)
{
	unsigned char *begin = pn_calloc(PN_SNIFF_BYTES, 1);
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, PN_ZSTD_BLOCK, err);

	if (!code) {
		have = pn_zstd_begin(begin, PN_SNIFF_BYTES, bytes, have);
		code = have ? sniff_bytes(out, begin, have, err) : PN_EINVAL;
		if (!have)
			pn_error_set(err, code,
				     "corrupt zstd data: no whole block");
	}
	free(begin);
	return code;
}

/* The first codec that takes the first line, of which the sniffers have seen a
 * part only; NULL: none. */
static const struct pn_codec *sniff_line(struct pn_reader *in)
{
	const unsigned char *line, *end;
	size_t have, i;

	if (pn_reader_peek(&line, &have, in, PN_SNIFF_BYTES, NULL) ||
	    have < PN_SNIFF_BYTES || memchr(line, '\n', PN_SNIFF_BYTES) ||
	    pn_first_of(line, have) != PN_FIRST_OTHER ||
	    pn_reader_peek(&line, &have, in, LINE_MAX_BYTES, NULL))
		return NULL;
	/* the window may be all of the file */
	if (have > LINE_MAX_BYTES)
		have = LINE_MAX_BYTES;
	end = memchr(line, '\n', have);
	if (!end && have == LINE_MAX_BYTES)
		return NULL;
	have = end ? (size_t)(end - line) : have;
	while (have && (line[have - 1] == '\r' || line[have - 1] == ' '))
		have--;
	for (i = 0; pn_codecs[i]; i++)
		if (pn_codecs[i]->sniff_line &&
		    pn_codecs[i]->sniff_line(line, have))
			break;
	return pn_codecs[i];
}

static int sniff(const struct pn_codec **out, struct pn_reader *in,
		 struct pn_error *err)
{
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, PN_SNIFF_BYTES, err);

	if (code)
		return code;
	if (!have)
		return pn_error_set(err, PN_EINVAL, "the input is empty");
	if (pn_zstd_is(bytes, have))
		return sniff_zstd(out, in, err);
	code = sniff_bytes(out, bytes, have, err);
	if (code == PN_EFORMAT) {
		const struct pn_codec *codec = sniff_line(in);

		if (codec) {
			*out = codec;
			code = 0;
		}
	}
	return code;
}

/* Errors of the reader itself say so already. */
static int cannot_read(struct pn_reader *in, int code, struct pn_error *err)
{
	struct pn_buf begin = {0};

	pn_buf_printf(&begin, "cannot read '%s': ", pn_reader_name(in));
	if (err && strncmp(err->message, pn_buf_text(&begin), begin.len) != 0)
		pn_error_context(err, "cannot read '%s'", pn_reader_name(in));
	pn_buf_release(&begin);
	return code;
}

int pn_codec_sniff(const struct pn_codec **out, struct pn_reader *in,
		   struct pn_error *err)
{
	int code = sniff(out, in, err);

	return code ? cannot_read(in, code, err) : 0;
}

/* An empty input is not what a format says of it, but a mishap before. */
static int refuse_empty(struct pn_reader *in, struct pn_error *err)
{
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, 1, err);

	if (!code && !have)
		code = pn_error_set(err, PN_EINVAL, "the input is empty");
	return code;
}

/* Gzip is off by now, the reader does that; zstd is taken off here. */
static int read_unpacked(struct pn_profile *out, const struct pn_codec *codec,
			 struct pn_reader *in, struct pn_error *err)
{
	struct pn_reader *unpacked = NULL;
	struct pn_zstd *zstd = NULL;
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, 4, err);

	if (!code && pn_zstd_is(bytes, have))
		code = pn_zstd_open(&unpacked, &zstd, in, err);
	if (!code && unpacked)
		pn_reader_set_hint(unpacked, pn_reader_hint(in));
	if (!code)
		code = codec->read(out, unpacked ? unpacked : in, err);
	pn_reader_free(unpacked);
	pn_zstd_free(zstd);
	return code;
}

int pn_codec_read(struct pn_profile *out, const struct pn_codec *codec,
		  const struct pn_codec **used, struct pn_reader *in,
		  struct pn_error *err)
{
	struct pn_trace2_region region;
	struct pn_profile profile;
	int code = codec ? refuse_empty(in, err) : sniff(&codec, in, err);

	if (code)
		return cannot_read(in, code, err);
	if (!codec->read) {
		code = pn_error_set(err, PN_EFORMAT,
				    "format %s can only be written",
				    codec->name);
		return cannot_read(in, code, err);
	}
	pn_profile_init(&profile);
	region = pn_trace2_enter(PN_TRACE2_HERE, "decode", codec->name);
	code = read_unpacked(&profile, codec, in, err);
	if (!code)
		code = pn_profile_check(&profile, err);
	if (!code)
		code = pn_sums_check(&profile, err);
	if (!code && codec->write && !(codec->keeps & PN_CODEC_KEEPS_ROLES))
		pn_roles_by_name(&profile);
	if (!code && codec->runs == PN_CODEC_RUNS_IN_LABELS)
		pn_runs_take_labels(&profile);
	pn_trace2_leave(PN_TRACE2_HERE, &region);
	if (code) {
		pn_profile_release(&profile);
		return cannot_read(in, code, err);
	}
	*out = profile;
	if (used)
		*used = codec;
	return 0;
}

int pn_codec_read_memory(struct pn_profile *out, const struct pn_codec *codec,
			 const void *bytes, size_t len, const char *name,
			 struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, bytes, len, name, 0, err);

	if (!code)
		code = pn_codec_read(out, codec, NULL, in, err);
	pn_reader_free(in);
	return code;
}
