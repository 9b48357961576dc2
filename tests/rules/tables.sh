#!/bin/sh
# A view, a collector, a codec, a postprocessor and a command are each added by
# one new file, one row of a table and one line of a list of sources: done here,
# in a copy of the tree, whose program then has them. An option whose member
# has another type does not compile.
# PERF_LIBRARY is the static library.
. "$(dirname "$0")/lib.sh"

[ -n "${PERF_LIBRARY:-}" ] || skip 'PERF_LIBRARY names no library'
libs=$(pkg-config --libs libcrypto libgit2 zlib libdeflate libpcre2-8 expat \
	libcjson libzstd libdw libelf) || skip 'pkg-config knows no libraries'
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy" "$faults"' EXIT
mkdir "$copy/old" "$copy/new"
cp -R libperfnotes cmd "$copy/old"
cp -R libperfnotes cmd "$copy/new"
cd "$copy/new" || exit 1

# Append to a folder's list of sources: $1 is the CMakeLists.txt, $2 the file.
list()
{
	awk -v file="$2" '
		{ print }
		!done && /target_sources/ {
			print "\t" file
			done = 1
		}' "$1" >list && mv list "$1"
}

# A row in a table: $1 is the file, $2 the line that opens the table, $3 the
# type, $4 the name.
row()
{
	awk -v start="$2" -v type="$3" -v name="$4" '
		index($0, start) == 1 {
			print "extern const struct " type " " name ";\n"
			print
			print "\t&" name ","
			next
		}
		{ print }' "$1" >row && mv row "$1"
}

cat >libperfnotes/render/views/marked.c <<'END'
/* A view of the test. */
#include "render/renderer.h"
#include "render/sink.h"

static int say(struct pn_sink *out, const struct pn_view_input *in,
	       struct pn_error *err)
{
	(void)in;
	(void)err;
	pn_buf_add_text(&out->text, "marked\n");
	return 0;
}

const struct pn_view pn_view_marked = {
	.name = "marked",
	.summary = "of the test",
	.needs = PN_VIEW_METRICS,
	.text = say,
	.json = say,
};
END
list libperfnotes/render/views/CMakeLists.txt marked.c
row libperfnotes/render/view.c 'const struct pn_view *const pn_views[]' \
	pn_view pn_view_marked

cat >libperfnotes/collect/nothing.c <<'END'
/* A collector of the test. */
#include "collect/collector.h"

static int refuse(struct pn_collection **out,
		  const struct pn_collect_plan *plan, struct pn_error *err)
{
	(void)out;
	(void)plan;
	return pn_error_set(err, PN_EINVAL, "it measures nothing");
}

const struct pn_collector pn_collector_nothing = {
	.name = "nothing",
	.summary = "of the test",
	.open = refuse,
};
END
list libperfnotes/collect/CMakeLists.txt nothing.c
row libperfnotes/collect/collector.c \
	'const struct pn_collector *const pn_collectors[]' \
	pn_collector pn_collector_nothing

cat >libperfnotes/codec/knock.c <<'END'
/* A codec of the test. */
#include "codec/codec.h"

#include <string.h>

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return len > 5 && !memcmp(bytes, "knock", 5) ? PN_SNIFF_SURE
						     : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_knock = {
	.name = "knock",
	.summary = "of the test",
	.languages = "any",
	.made_by = "the test",
	.sniffed_by = "its first word",
	.suffix = ".knock",
	.sniff = sniff,
};
END
list libperfnotes/codec/CMakeLists.txt knock.c
row libperfnotes/codec/codec.c 'const struct pn_codec *const pn_codecs[]' \
	pn_codec pn_codec_knock

cat >libperfnotes/analysis/post/same.c <<'END'
/* A postprocessor of the test. */
#include "analysis/post/postprocess.h"

static const struct pn_option none[] = {{0}};

const struct pn_postprocessor pn_post_same = {
	.name = "same",
	.key = "same",
	.summary = "of the test",
	.options = none,
};
END
list libperfnotes/analysis/post/CMakeLists.txt same.c
row libperfnotes/analysis/post/postprocess.c \
	'const struct pn_postprocessor *const pn_postprocessors[]' \
	pn_postprocessor pn_post_same

cat >cmd/hello.c <<'END'
/* A command of the test. */
#include "command.h"

struct options {
	int64_t times;
};

static const struct pn_opt opts[] = {
	{OPT_MEMBER(times), 0, "times", "<n>", "how often"},
	{0},
};

extern const struct command cmd_hello;

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};

	(void)global;
	if (opts_parse(&cmd_hello, &o, argc, argv, false) == 0)
		puts("hello");
	return EXIT_DONE;
}

const struct command cmd_hello = {
	.name = "hello",
	.summary = "of the test",
	.synopsis = "hello [--times=<n>]",
	.opts = opts,
	.run = run,
};
END
list cmd/CMakeLists.txt hello.c
row cmd/main.c 'const struct command *const commands[]' command cmd_hello

# What is there now and what was touched for it, of each.
diff -rq "$copy/old" "$copy/new" | sed "s|$copy/||g" >"$copy/touched"
[ "$(grep -c '^Only in new' "$copy/touched")" = 5 ] ||
	sed 's/^/touched: /' "$copy/touched" | broken 'need five new files'
[ "$(wc -l <"$copy/touched")" = 15 ] ||
	sed 's/^/touched: /' "$copy/touched" |
	broken 'need three files each: the new one, its list, its table'
diff -r "$copy/old" "$copy/new" | grep '^<' | broken 'a line was changed'

# The ordinary code of the library: the whole program is not to be optimized.
case $(${CC:-cc} --version) in
*clang*) plain= ;;
*) plain='-fno-lto -fno-use-linker-plugin' ;;
esac

compile()
{
	${CC:-cc} -std=c11 -O0 $plain -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 \
		-D_FILE_OFFSET_BITS=64 -DPERF_VERSION='"0"' \
		${PERF_CFLAGS:-} -Ilibperfnotes -Icmd "$@"
}

sed -i 's/OPT_MEMBER/OPT_DOUBLE/' cmd/hello.c
compile -fsyntax-only cmd/hello.c 2>/dev/null &&
	echo 'OPT_DOUBLE of an int64_t' | broken 'is not refused'
sed -i 's/OPT_DOUBLE/OPT_INT/' cmd/hello.c

# The table files take the place of the library's own.
compile -o git-perf $(find cmd -name '*.c') libperfnotes/vcs/start.c \
	libperfnotes/render/view.c libperfnotes/render/views/marked.c \
	libperfnotes/collect/collector.c libperfnotes/collect/nothing.c \
	libperfnotes/codec/codec.c libperfnotes/codec/knock.c \
	libperfnotes/analysis/post/postprocess.c \
	libperfnotes/analysis/post/same.c "$PERF_LIBRARY" $libs -liberty -lm \
	-lpthread \
	>compiled 2>&1 || broken 'does not compile' <compiled

# $1 is found in what the rest says.
has()
{
	text=$1
	shift
	./git-perf "$@" 2>&1 | grep -q -e "$text" ||
		echo "'$text': git perf $*" | broken 'is not there'
}

printf 'main;f 3\n' >a.folded
printf 'knock knock\n' >knock
has '(marked, top, ' show -h
has '	marked top ' show --list-options
has '^marked$' show --view=marked ./a.folded
has '^nothing  *of the test$' collect --list-collectors
has '	nothing time ' collect --list-options
has '^knock ' formats
has 'knock$' formats knock
has '^same  *of the test$' model --list-postprocessors
has '	same regression-analysis ' model --list-options
has '^hello	of the test$' --list-commands
has '^hello$' hello
has '--times=<n>' hello -h

cd "$root" || exit 1
verdict
