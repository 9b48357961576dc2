#!/bin/sh
# The list of formats: all of them, or those of a language or a tool.
. "$(dirname "$0")/../lib.sh"
need jq sha256sum

# The names that a word finds, on one line.
about()
{
	git perf formats --json "$1" | jq -r '[.formats[].name] | join(" ")'
}

git perf formats --json >all.json
check 'each format says which languages it is about and what makes its files' \
	exits 0 jq -e '.formats | all(.languages != "" and .made_by != "")' all.json
check 'a language is found as a whole word: PHP' is "$(about php)" callgrind
check 'case does not count: Ruby' is "$(about Ruby)" "$(about ruby)"
check 'a programmer of Ruby finds stackprof' exits 0 sh -c 'git perf formats ruby | grep -q ^stackprof'
check 'C++ is no part of a pattern' exits 0 sh -c 'git perf formats c++ | grep -q callgrind'
check 'javascript is not about java' exits 1 sh -c 'git perf formats java | grep -q cpuprofile'
check 'a tool is found by its command' is "$(about valgrind | tr ' ' '\n' | grep -c grind)" 2
check 'the text says which command makes such a file' exits 0 sh -c \
	'git perf formats pytest-benchmark | grep -q -- --benchmark-json='
check 'a word that no format has is taken for a file' exits 128 git perf formats nosuchtool
check 'the message names the file that is not there' \
	mentions err "^fatal: cannot read 'nosuchtool'"
echo 'main;f 3' >ruby
check 'a file comes before a word' exits 0 git perf formats ruby
check 'a file named like a language is told its format' says out 'ruby	collapsed'
check 'JSON is not for files' exits 129 git perf formats --json ruby

# Standard input is a file, which others in the list leave open.
from_stdin()
{
	git perf formats "$@" <ruby
}
check 'a sign is no word but standard input' exits 0 from_stdin -
check 'standard input is told its format' says out '-	collapsed'
check 'standard input behind another file' exits 0 from_stdin ruby -
check 'standard input behind another file is told its format, too' \
	says out '-	collapsed'
check 'standard input behind a file that is not there' \
	exits 128 from_stdin nosuchtool -
check 'a missing file leaves standard input open' says out '-	collapsed'
check 'digits and signs are no word' exits 128 git perf formats +5
check 'digits and signs are taken for a file' mentions err \
	"^fatal: cannot read '\+5'"

# A line that somebody else wrote need not name the format.
commit one
must git perf add ruby
text=$(git notes --ref=perf show HEAD | grep '^perf1 [^ ]* [^ ]* profile ')
set -- $text
text=$(echo "$text" | sed "s/ $3 / /; s/ format=[^ ]*//")
id=$(printf %s "$text" | sha256sum | cut -c 1-16)
echo "$text" | sed "s/^\\(perf1 [^ ]*\\)/\\1 $id/" >lie
must git notes --ref=perf add -f -F lie HEAD
check 'the line without a format is a profile' exits 0 git perf show 0@i
check 'formats of an entry without a format' \
	exits 128 git perf formats 0@i
check 'the message says what the entry lacks' says err \
	"fatal: the entry of '0@i' names no format"
