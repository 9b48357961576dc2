#!/bin/sh
# git perf report: its figures are those of log, check and show, its tables are
# there without a script, and names do no harm.
. "$(dirname "$0")/../lib.sh"
need jq python3
series=$measured/series
page=$root/tests/peer/report_page.py

check 'where nothing was measured there is no report' exits 128 git perf report -o none.html
commit first
check 'no figures, no report' exits 128 git perf report -o none.html
check 'what measures is told' says err \
	"fatal: nothing to report: none of 1 commits up to 'HEAD' has figures (\"git perf run\" measures the jobs of .gitperf)"
check 'nothing is left behind' not test -e none.html
check 'a wrong revision is named' exits 128 git perf report -o none.html nope
check 'two revisions are one too many' exits 129 git perf report -o none.html a b
check 'a browser needs a file' exits 129 git perf report --open

wordfreq "$scratch/history"
cd "$scratch/history" || exit 1
must git remote set-url origin git@github.com:example/wordfreq.git

check 'a report is written' exits 0 git perf report -o report.html
check 'a report to a file says nothing' silent out
check 'standard output is a file, too' exits 0 git perf report
check 'the page on standard output is that of the file' same "$out" report.html
check 'elements are whole and ask no network' is "$(python3 "$page" report.html check)" good
check 'commits are links to where the remote shows them' is \
	"$(python3 "$page" report.html links | grep -c '^https://github.com/example/wordfreq/commit/[0-9a-f]\{40\}$')" \
	"$(python3 "$page" report.html links | wc -l)"

# Medians of each metric at each commit, by both.
must git perf log --first-parent -v --json >"$scratch/log.json"
jq -r '.commits[] | .commit as $c | .series[] | .cmd as $s | .metrics[] |
	[$c, .name, .median, .n] | @tsv' "$scratch/log.json" | sort >"$scratch/of_log"
python3 "$page" report.html history >"$scratch/history.json"
jq -r '.commits as $all | .charts[] | (.name | split(" ") | last) as $m | .lines[] | . as $l |
	range(.c | length) | [$all[$l.c[.]][0], $m, $l.v[.], $l.n[.]] | @tsv' \
	"$scratch/history.json" | sort >"$scratch/of_page"
check 'the page has figures' test -s "$scratch/of_page"
check 'figures are those of the log, to nine digits' is "$(python3 - "$scratch/of_log" "$scratch/of_page" <<'END'
import sys
a, b = ([l.rstrip('\n').split('\t') for l in open(f)] for f in sys.argv[1:])
bad = [x for x, y in zip(a, b) if x[:2] != y[:2] or x[3] != y[3] or abs(float(x[2]) - float(y[2])) > 1e-8 * abs(float(x[2]))]
print(len(a) == len(b) and not bad or (len(a), len(b), bad[:3]))
END
)" True
# An interval of the median of fewer than six values is their range, and that of
# six or more lies within it.
check 'medians lie within their intervals' is "$(jq '[.charts[].lines[] | . as $l | range(.c | length) |
	select($l.low[.] > $l.v[.] * 1.00001 or $l.high[.] < $l.v[.] * .99999)] | length' "$scratch/history.json")" 0

git perf check --json >"$scratch/check.json"
jq -r '.verdicts[] | [.verdict, .series, .metric, (.n | map(tostring) | join(", "))] | @tsv' \
	"$scratch/check.json" >"$scratch/of_check"
python3 "$page" report.html table verdicts | tail -n +2 |
	awk -F '\t' -v OFS='\t' '{ sub(/^[^ ]* /, "", $1); print $1, $2, $3, $9 }' >"$scratch/verdicts"
check 'verdicts are those of check, in its order' same "$scratch/of_check" "$scratch/verdicts"
jq -r '.verdicts[] | .ratio - 1' "$scratch/check.json" >"$scratch/of_check"
python3 "$page" report.html table verdicts.v | tail -n +2 | cut -f 4 >"$scratch/verdicts"
check 'effects are those of check' is "$(paste "$scratch/of_check" "$scratch/verdicts" |
	awk '{ d = $1 - $2; if (d > 1e-8 || d < -1e-8) print }')" ''

# Changes of the counter are those that are known of the series.
git rev-list --first-parent main >"$scratch/main"
awk -F '\t' 'FILENAME != ARGV[2] { main[$1] = 1; next }
	$2 in main && /\t(REGRESSION|DRIFT|IMPROVEMENT)/ { print substr($2, 1, 10) }' \
	"$scratch/main" "$series/series.tsv" | sort >"$scratch/known"
python3 "$page" report.html table changes | awk -F '\t' '$3 ~ / Ir$/ { print $1 }' | sort >"$scratch/marked"
check 'the changes of a counter are the known ones' same "$scratch/known" "$scratch/marked"

# The newest commit beside its past may be unchanged, what got worse on the way
# is told before that: as many as status counts where no tag ends its view.
must cp -r . "$scratch/untagged"
must git -C "$scratch/untagged" tag -d v1.0 >"$out"
check 'regressions on the way are told first, as many as status has' is \
	"$(grep -o '[0-9]* confirmed regressions in these commits' report.html)" \
	"$(git -C "$scratch/untagged" perf status --json | jq .regressions) confirmed regressions in these commits"
check 'the last of them is named first' is \
	"$(sed -n '/id="jumps"/,/<\/ul>/p' report.html | grep -o '<code>[0-9a-f]*' | head -n 1)" \
	"<code>$(python3 "$page" report.html table changes | awk -F '\t' '$4 ~ /^[+]/ && $6 !~ /drift/ { print $1; exit }')"

git perf show --json --granularity=filefunctions --nodefraction=0 --nodecount=0 HEAD:wordfreq >"$scratch/top.json"
jq -c '[.rows[] | select(.self > 0) | .self] | sort' "$scratch/top.json" >"$scratch/of_show"
python3 "$page" report.html profiles | head -n 1 |
	jq -c '[.functions[] | select(.[1] > 0) | .[1]] | sort' >"$scratch/of_page"
check 'functions cost what show says' same "$scratch/of_show" "$scratch/of_page"
git perf show --view=list --function='^checksum$' --json HEAD:wordfreq |
	jq -c '[.rows[].lines[] | select(.text) | [.self, .text]]' >"$scratch/of_list"
python3 "$page" report.html profiles | head -n 1 |
	jq -c '[.source[] | select(.name == "checksum") | .lines[] | select(.[1] > 0) | [.[0], .[2]]]' >"$scratch/of_page"
check 'lines cost what the view list says' same "$scratch/of_list" "$scratch/of_page"
check 'six profiles, HEAD first' is "$(python3 "$page" report.html profiles | jq -r .title | sed -n '$=;1p' | tr '\n' ' ')" \
	"HEAD, $(git rev-parse --short=10 HEAD) Release 1.0 6 "
check 'flame graphs weigh as much as the profile' is \
	"$(python3 "$page" report.html profiles | jq '.all - .graph.trees[0].total[0] | fabs < 1' | sort -u)" true
check 'fewer profiles where that is asked for' exits 0 git perf report --profiles=2 -o two.html
check '--profiles=2 leaves two' is "$(python3 "$page" two.html profiles | wc -l)" 2
check '--profiles=0 leaves none' exits 0 git perf report --profiles=0 -o none.html
check 'no profile, no heat map' not grep -q 'id="heat"' none.html

# The same page for one profile and for two.
check 'a profile is a page' exits 0 git perf show -o single.html HEAD:wordfreq
check 'a page of one profile is whole' is "$(python3 "$page" single.html check)" good
python3 "$page" single.html profiles | jq -c '[.functions[] | select(.[1] > 0) | .[1]] | sort' >"$scratch/of_page"
check 'functions of a page cost what show says' same "$scratch/of_show" "$scratch/of_page"
# sources FILE N: of its profile N, counted from 0.
sources()
{
	python3 "$page" "$1" profiles | jq -cs ".[$2].source"
}
check 'a page of one profile has the source that the report has' is "$(sources single.html 0)" "$(sources report.html 0)"
check 'the source of a page has lines' is "$(sources single.html 0 | jq 'map(.lines | length) | add > 20')" true
check 'a picture is there without a script' grep -q '<g class="still">' single.html
check 'the difference of two profiles is a page' exits 0 git perf diff -o pair.html HEAD~2:wordfreq HEAD:wordfreq
check 'a page of two profiles is whole' is "$(python3 "$page" pair.html check)" good
check 'the newer one is first' is "$(python3 "$page" pair.html profiles | jq -r .title | tr '\n' ' ')" \
	'HEAD:wordfreq HEAD~2:wordfreq '
check 'the newer of two has the source of its commit' is "$(sources pair.html 0)" "$(sources single.html 0)"
must git perf show -o before.html HEAD~20:wordfreq
must git perf diff -o far.html HEAD~20:wordfreq HEAD:wordfreq
check 'the older of two has the source of its commit' is "$(sources far.html 1)" "$(sources before.html 0)"
check 'sources of commits far apart differ' not is "$(sources far.html 1)" "$(sources far.html 0)"
check 'the difference of two profiles is a table without a script' grep -q '<summary>difference</summary>' pair.html
check '--view=flamegraph is the graph alone' exits 0 git perf show --view=flamegraph -o graph.html HEAD:wordfreq
check 'a graph alone has no packed data' not grep -q 'class="profile"' graph.html

check 'a report of one job' exits 0 git perf report --job=wordfreq -o one.html
check 'a report of one job has its figures' is "$(python3 "$page" one.html history | jq -c '[.charts[].name]')" '["wordfreq Ir"]'
check 'a job that is not there' exits 128 git perf report --job=nope -o nope.html
check 'what does not fit is no lack of figures' mentions err \
	"^fatal: nothing to report: no figure of [0-9]+ commits of 'HEAD' fits$"
check 'a report of one metric' exits 0 git perf report --metric='^wall$' -o wall.html
check '--metric leaves that one' is "$(python3 "$page" wall.html history | jq -c '[.charts[].name | split(" ") | last]')" '["wall"]'
check 'a report of a range' exits 0 git perf report -o range.html main~5..main
check 'a range of five has five commits' is "$(python3 "$page" range.html history | jq '.commits | length')" 5
check 'a report of the newest commits' exits 0 git perf report -n 3 -o three.html
check '-n 3 leaves three' is "$(python3 "$page" three.html history | jq '.commits | length')" 3

# Another machine is another line of the same chart; which of the two is first
# depends on the fingerprint of the one that this runs on.
must git perf add --machine=ci-2 -m HEAD "$series/callgrind/40-8cb939adec.callgrind" 2>"$err"
must git perf add --machine=ci-2 -m HEAD~1 "$series/callgrind/39-2cb4e509e9.callgrind" 2>"$err"
must git perf accept -m 'more <passes>' HEAD~1 2>"$err"
check 'a report with an acceptance' exits 0 git perf report -o accepted.html
check 'two machines are two lines of one chart' is "$(python3 "$page" accepted.html history |
	jq -c '[.charts[] | select(.name | test("Ir$")) | .lines |
		map([.machine == "ci-2", (.c | length)]) | sort]')" \
	"[[[false,$(git rev-list --first-parent --count main)],[true,2]]]"
check 'an acceptance is told at its commit' is "$(python3 "$page" accepted.html history | jq -r '.commits[-2][5]')" \
	'C O Mitter <committer@example.com>: more <passes>'

# A browser is git's to choose.
mkdir bin
printf '#!/bin/sh\necho "$1" >>"%s/opened"\n' "$scratch" >bin/viewer
chmod +x bin/viewer
must git config web.browser viewer
must git config browser.viewer.cmd "$PWD/bin/viewer"
check 'a browser opens it' exits 0 git perf report -o open.html --open
check 'the browser is given the path of the report' is "$(cat "$scratch/opened")" "$PWD/open.html"

# Names that would be something else in a page, a terminal, a URL.
must git init -q -b main "$scratch/hostile"
cd "$scratch/hostile" || exit 1
must git remote add origin 'https://user:secret@example.com/"><script>x</script>.git'
GIT_AUTHOR_NAME='img src=x onerror=alert(1) </script>&' must git commit -q --allow-empty -m \
	"</script><script>alert(1)</script> $(printf '\033[31m\342\200\256') \"quoted\" & <!-- "
python3 - >hostile.folded <<'END'
print('main;</script><script>alert(1)</script> 3')
print('main;<!-- "\'&amp; 2')
print('main;' + 'x' * 100000 + ' 1')
END
must git perf add --format=collapsed --name='</script>"&' hostile.folded 2>"$err"
must git commit -q --allow-empty -m second
must git perf add --format=collapsed --name='</script>"&' hostile.folded 2>"$err"
check 'hostile names are reported' exits 0 git perf report -o h.html
check 'hostile names stand as text' is "$(python3 "$page" h.html check)" good
check 'hostile remotes make no link' is "$(python3 "$page" h.html links)" ''
check 'no secret of the remote' not grep -q secret h.html
check 'no escape of a terminal' not grep -q "$(printf '\033')" h.html
check 'no mark that turns text round' not grep -q "$(printf '\342\200\256')" h.html
check 'a subject is what it was' is "$(python3 "$page" h.html history | jq -r '.commits[0][3]' | cut -c 1-40)" \
	'</script><script>alert(1)</script> \x1b['
check 'long names are cut' is "$(python3 "$page" h.html profiles | jq '[.functions[][0] | length] | max < 1100' | sort -u)" true
