#!/bin/sh
# The arrows between the folders, and the one place of each foreign header.
. "$(dirname "$0")/lib.sh"

arrows='
base
detect base
model base
body model base
codec body model base
vcs base
collect model base
analysis detect model base
storage body codec vcs model base
perun storage codec vcs model base
jobs analysis detect collect storage body codec vcs model base
render analysis detect model base
runtime runtime
perfnotes.h render storage analysis detect codec vcs model base
'
# header, then the file or folder that may include it
places='
git2 libperfnotes/vcs/
zlib.h libperfnotes/base/deflate.c
libdeflate.h libperfnotes/base/deflate.c
openssl/ libperfnotes/base/hash.c
pcre2.h libperfnotes/base/text/regex.c
libiberty/ libperfnotes/base/text/demangle.c
elfutils/ libperfnotes/collect/
gelf.h libperfnotes/collect/
libelf.h libperfnotes/collect/
cjson/ libperfnotes/codec/bench/
zstd.h libperfnotes/codec/
expat.h libperfnotes/codec/
'

# A row of what is not there allows nothing and misleads whoever reads it.
{
	for row in $(echo "$arrows" | tr ' ' '\n' | sort -u); do
		echo "libperfnotes/$row"
	done
	echo "$places" | awk 'NF { print $2 }'
} | while read -r row; do
	[ -e "$row" ] || echo "$row"
done | broken 'is in a table above, but not there'

find libperfnotes -name '*.[ch]' -print0 |
	xargs -0 grep -Hn '^[ 	]*#[ 	]*include "' |
	awk -v arrows="$arrows" '
	BEGIN {
		n = split(arrows, line, "\n")
		for (i = 1; i <= n; i++) {
			m = split(line[i], word, " ")
			for (j = 1; j <= m; j++)
				may[word[1], word[j]] = 1
		}
		may["collect", "runtime"] = 1
	}
	{
		split($0, part, ":")
		split(part[1], path, "/")
		match($0, /"[^"]*"/)
		header = substr($0, RSTART + 1, RLENGTH - 2)
		to = header
		sub("/.*", "", to)
		if (header !~ "/" || !((path[2], to) in may) ||
		    (to == "runtime" && path[2] != to &&
		     header != "runtime/record.h"))
			print part[1] ":" part[2] ": \"" header "\""
	}' | broken 'not an arrow'

find libperfnotes cmd tests -name '*.[ch]' -print0 |
	xargs -0 grep -Hn '^[ 	]*#[ 	]*include <' |
	awk -v places="$places" '
	BEGIN {
		n = split(places, line, "\n")
		for (i = 1; i <= n; i++)
			if (split(line[i], word, " ") == 2)
				place[word[1]] = word[2]
	}
	{
		split($0, part, ":")
		match($0, /<[^>]*>/)
		header = substr($0, RSTART + 1, RLENGTH - 2)
		for (p in place)
			if (index(header, p) == 1 &&
			    index(part[1], place[p]) != 1 &&
			    part[1] !~ "^tests/")
				print part[1] ":" part[2] ": <" header ">"
	}' | broken 'belongs elsewhere'

# FILE:TEXT of every line of C, without comments and strings: words in them do
# not count.
code=$(mktemp) || exit 1
trap 'rm -f "$faults" "$code"' EXIT
find libperfnotes cmd tests -path tests/data -prune -o \
	-name '*.[ch]' -print0 | xargs -0 awk '
	FNR == 1 { inside = 0 }
	{
		text = $0
		gsub(/\\["\\]/, "", text)
		gsub(/"[^"]*"/, "\"\"", text)
		if (inside && !sub(/.*\*\//, "", text))
			next
		inside = 0
		gsub(/\/\*([^*]|\*[^\/])*\*\//, "", text)
		inside = sub(/\/\*.*/, "", text)
		print FILENAME ":" text
	}' >"$code"

# Calls of the functions $2 in files that match $1.
calls()
{
	grep -E "^$1[^:]*:.*(^|[^_a-zA-Z0-9])($2) *\(" "$code"
}

calls '(libperfnotes|cmd)/' \
	'v?fork|execv|execl|execvp|execlp|execve|execle|posix_spawnp?' |
	grep -v '^libperfnotes/base/process' | broken 'fork and exec'
calls libperfnotes/ 'v?printf|puts|putchar|perror|exit' |
	broken 'the library never prints and never exits'
grep -Ew '^libperfnotes/[^:]*:.*(stdout|stderr)' "$code" |
	broken 'the library never prints'
calls 'libperfnotes/(model|analysis)/' \
	'fopen|open|read|write|time|clock_gettime|getenv|getpid' |
	broken 'model and analysis do no input or output'
calls '' 'v?sprintf|strn?cpy|strn?cat|strtok(_r)?|ato[ilf]|gets' |
	broken 'banned'
calls '' 'alloca|system|popen|setlocale' | broken 'banned'
calls '(libperfnotes|cmd)/' 'strto(d|f|ld)|[sf]?scanf' |
	grep -v '^libperfnotes/base/number.c' | # gives it no decimal point
	broken 'depends on the locale'
# What a file holds must not choose where it goes: base/slots.h has the table.
# Sums of a body, object ids (which are hashes) and random numbers are none.
grep '^libperfnotes/.*0x9e3779b97f4a7c15' "$code" | grep -Ev \
	'libperfnotes/(runtime/|body/sum|vcs/objects/oidmap|base/numbers/random)' |
	broken 'a hash without a key, base/slots.h has one'

verdict
