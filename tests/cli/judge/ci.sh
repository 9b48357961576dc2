#!/bin/sh
# What contrib/ci shows for GitHub, GitLab and Jenkins: files are read by a
# parser of their language, their shell parts run against a repository, and what
# hostile names could do to annotations, comments and XML.
. "$(dirname "$0")/../lib.sh"
need jq python3 xmllint
python3 -c 'import yaml' 2>/dev/null || skip 'python3 has no yaml'
ci=$root/contrib/ci

# A step's or stage's script: $1 the file, the rest a path in it.
part()
{
	python3 -c 'import sys, yaml
at = yaml.safe_load(open(sys.argv[1]))
for step in sys.argv[2:]:
    at = at[int(step) if isinstance(at, list) else step]
print(at)' "$@"
}
must mkdir "$scratch/bin" ci
must cp "$ci/perf-check" ci/

# A server with a main branch of nine commits, each of them measured.
must git init -q --bare "$scratch/server"
must git remote add origin "$scratch/server"
echo ci >.git/info/exclude
# What is measured: the number in the file `cost`, a count that never varies.
cat >"$scratch/bin/gauge" <<'END'
#!/bin/sh
cost=$(git show HEAD:cost)
echo "[{\"name\": \"allocations\", \"unit\": \"count\", \"value\": $cost}]" >"$1/gauge.json"
git perf add --format=customSmallerIsBetter --name=fib "$1/gauge.json"
END
chmod +x "$scratch/bin/gauge"
PATH=$scratch/bin:$PATH
export PERF_MEASURE="gauge $scratch"
for n in 1 2 3 4 5; do
	echo 1000 >cost
	must git add cost
	must git commit -qm "commit $n" --allow-empty
	must gauge "$scratch" 2>"$err"
done
must git push -q origin main refs/notes/perf
must git checkout -q -b topic
echo 1100 >cost
must git commit -qam slower
must git push -q origin topic

# Fresh clones, as a service makes them.
checkout()
{
	cd "$scratch" || exit 1
	rm -rf work
	must git clone -q "$@" "file://$scratch/server" work 2>"$err"
	cd work || exit 1
	cp -R "$ci/." ci/ 2>/dev/null || { mkdir ci && cp "$ci"/* ci/; }
	echo ci >>.git/info/exclude
}

# 1. GitLab: the branch of a merge request, from a shallow clone.
part "$ci/gitlab-ci.yml" performance script 0 >"$scratch/gitlab.sh"
checkout -b topic --depth 1
export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
check 'a merge request that is slower fails its job' exits 1 sh -e "$scratch/gitlab.sh"
check 'the job says what changed' mentions out ': allocations grew by 10\.0%: 1,100, was 1,000$'
check 'the list of tests is XML' xmllint --noout perf-check.xml
check 'one test fails' is "$(xmllint --xpath 'string(//testsuite/@failures)' perf-check.xml)" 1
check 'the shallow clone was made whole' is "$(git rev-parse --is-shallow-repository)" false
unset CI_MERGE_REQUEST_TARGET_BRANCH_NAME
check 'no verdict is allowed to fail' is \
	"$(part "$ci/gitlab-ci.yml" performance allow_failure exit_codes)" 125

# 2. Jenkins: the script between its quotes.
sed -n "/'''/,/'''/p" "$ci/Jenkinsfile" | sed '1d;$d' >"$scratch/jenkins.sh"
checkout -b topic
CHANGE_TARGET=main
export CHANGE_TARGET
check 'a change request that is slower ends with 1' exits 1 sh -e "$scratch/jenkins.sh"
unset CHANGE_TARGET
checkout -b main
check 'a branch that did not change ends with 0' exits 0 sh -e "$scratch/jenkins.sh"
check 'braces of the pipeline match' is "$(tr -cd '{' <"$ci/Jenkinsfile" | wc -c)" \
	"$(tr -cd '}' <"$ci/Jenkinsfile" | wc -c)"

# 3. GitHub: the merge of a pull request.
checkout -b main
must git merge -q --no-ff -m merge origin/topic
must mkdir -p .github/perf
must cp "$ci/perf-check" "$ci/github-comment" .github/perf/
part "$ci/github.yml" jobs check steps 2 run >"$scratch/github.sh"
GITHUB_STEP_SUMMARY=$scratch/summary
export GITHUB_STEP_SUMMARY
check 'a pull request that is slower fails its step' exits 1 sh -e "$scratch/github.sh"
check 'a regression becomes an annotation' mentions out '^::error title=TotalDegradation%3A .* allocations::'
check 'the summary of the step tells it' grep -q '^### Performance: regression' "$scratch/summary"
unset GITHUB_STEP_SUMMARY

# A gh that keeps what it is asked.
cat >"$scratch/bin/gh" <<'END'
#!/bin/sh
printf '%s\n' "$*" >>"$GH_LOG"
case $* in
*--paginate*) cat "$GH_COMMENTS" | jq -r "$5" ;;
*body=@*) ;;
esac
END
chmod +x "$scratch/bin/gh"
GH_LOG=$scratch/asked GH_COMMENTS=$scratch/comments GITHUB_REPOSITORY=o/r NUMBER=7
export GH_LOG GH_COMMENTS GITHUB_REPOSITORY NUMBER
part "$ci/github.yml" jobs check steps 3 run >"$scratch/comment.sh"
jq -n '[{id: 5, user: {login: "mallory"}, body: "<!-- git-perf check -->"},
	{id: 6, user: {login: "github-actions[bot]"}, body: "other"}]' >"$GH_COMMENTS"
check 'the first comment is written' exits 0 sh -e "$scratch/comment.sh"
check 'a comment that somebody else wrote is left alone' grep -Fxq \
	'api -X POST repos/o/r/issues/7/comments -F body=@perf-check.md' "$GH_LOG"
jq -n '[{id: 9, user: {login: "github-actions[bot]"},
	body: "<!-- git-perf check -->\nold"}]' >"$GH_COMMENTS"
check 'the next one is changed' exits 0 sh -e "$scratch/comment.sh"
check 'our own comment is written over' grep -Fxq \
	'api -X PATCH repos/o/r/issues/comments/9 -F body=@perf-check.md' "$GH_LOG"
check 'a number of a pull request has to be one' exits 129 \
	"$ci/github-comment" '7/../8' perf-check.md
for file in github.yml gitlab-ci.yml; do
	check "$file is YAML" python3 -c 'import sys, yaml
yaml.safe_load(open(sys.argv[1]))' "$ci/$file"
done
check 'the scripts are POSIX sh' sh -n "$ci/perf-check"

# 4. Names are the repository's: of a job, by a label.
must git commit -q --allow-empty -m next
printf '[{"name": "a|b\\n::error::<!--x-->@you]]>&\\u001b[31m %%0A","unit": "count", "value": 1000}]' >"$scratch/odd.json"
must git perf add --format=customSmallerIsBetter --name="<b>|\`x\`, :y%" "$scratch/odd.json" 2>"$err"
must git commit -q --allow-empty -m last
sed 's/1000}/2000}/' "$scratch/odd.json" >"$scratch/worse.json"
must git perf add --format=customSmallerIsBetter --name="<b>|\`x\`, :y%" "$scratch/worse.json" 2>"$err"
git perf check >"$out"
check 'a metric of an odd name is judged' mentions out '\+100%'
check 'no control reaches the terminal' not grep -q "$(printf '\033')" "$out"
git perf check --format=junit >"$out"
check 'XML of odd names is XML' xmllint --noout "$out"
git perf check --format=github >"$out"
check 'no name begins a command of its own' is "$(grep -c . "$out")" "$(grep -c '^::[a-z]* title=' "$out")"
git perf check --format=markdown >"$out"
check 'no name begins a mention, HTML or a link' is \
	"$(sed 1d "$out" | grep -e '[@<>`]' -e '&[^#]')" ''
check 'each line of the table has six cells' is "$(grep '^|' "$out" |
	awk -F '|' 'NF != 8' )" ''

# 5. Long names and many of them, and what a page makes links of.
odd()
{
	jq -n --argjson by "$1" '[range(300) | {unit: "count", value: $by, name:
		("\(.) " + (if . == 0 then "www.x.org see://y.z @you #12"
		elif . == 1 then "<&\u0301" * 9000 else "<&\u0301" * 200 end))}]' >"$scratch/long.json"
	must git commit -q --allow-empty -m long
	git perf add --format=customSmallerIsBetter --name=long "$scratch/long.json" 2>"$err" || cat "$err"
}
for i in 1 2 3 4 5; do
	odd 1000
done
odd 2000
git perf check --format=markdown >"$out"
check 'a comment has room for all of it' test "$(wc -c <"$out")" -le 65536
check 'what is left out is counted' mentions out '^[0-9]+ more rows are left out$'
check 'no name begins a link' not grep -qiE 'www\.|://' "$out"
check 'a mention is none in the page either' mentions out '&#64;&#8203;you'
check 'a number is not that of an issue either' mentions out '&#35;&#8203;12'
for format in text junit github; do
	git perf check --format=$format >"$out"
	check "names are cut in $format" is \
		"$(LC_ALL=C awk 'length > 4000' "$out" | wc -l)" 0
done
COLUMNS=80 git perf check >"$out"
check 'the table fits a terminal' is "$(grep "^[A-Z][A-Za-z]* *long" "$out" |
	sed "s/$(printf '\314\201')//g" |
	awk 'length > 80')" ''
check 'names of the table are cut there' mentions out "^[A-Z][A-Za-z]* *long .*[.][.][.] "

# The same of two commits that are run in turns; the head of the third does not
# build. A run costs what its commit says.
git init -q "$scratch/turns" && cd "$scratch/turns" || exit 1
must git config user.name a
cat >"$scratch/jobs" <<'END'
[job "fib <b>, %0A: |x| @y"]
	build = "[ ! -e broken ]"
	cmd = "sh run.sh {output}"
	collector = command
	option = format=collapsed
END
echo 'echo "main $(cat cost)" >"$1"' >run.sh
for cost in 1000 1100; do
	echo $cost >cost
	must git add -A
	must git commit -qm $cost
done
must touch broken
must git add -A
must git commit -qm broken
turns()
{
	git perf check --run --config="$scratch/jobs" --format="$@"
}
check 'a slower head fails as JUnit' exits 1 turns junit HEAD~2 HEAD~1
check 'JUnit of a duel is XML' xmllint --noout "$out"
check 'JUnit of a duel has a failure' is "$(xmllint --xpath \
	'string(//testcase/failure/@type)' "$out")" Degradation
check 'JUnit of a duel counts it' is "$(xmllint --xpath \
	'concat(//testsuite/@failures, //testsuite/@errors)' "$out")" 10
check 'JUnit of a duel has the job by its name' is "$(xmllint --xpath \
	'string(//testcase/@classname)' "$out")" 'fib <b>, %0A: |x| @y/command'
check 'a slower head fails as Markdown' exits 1 turns markdown HEAD~2 HEAD~1
check 'Markdown of a duel has its verdict' mentions out '^### Performance: regression$'
check 'Markdown of a duel has a row' mentions out \
	'^\| Degradation \| fib &#60;b&#62;, %0A: &#124;x&#124; &#64;&#8203;y/command \| [a-z]+ \| \+10\.0 % .*\| [0-9]+ \|$'
check 'a slower head fails as annotations' exits 1 turns github HEAD~2 HEAD~1
check 'an annotation of a duel is one line' is "$(wc -l <"$out")" 1
check 'an annotation of a duel is an error' mentions out \
	'^::error title=Degradation%3A fib <b>%2C %250A%3A .*::.* by 10\.0 %25 '
check 'a faster head passes' exits 0 turns github HEAD~1 HEAD~2
check 'a faster head is a notice' mentions out '^::notice title=Optimization'
check 'a head that does not build has no verdict' exits 125 turns junit HEAD~2 HEAD
check 'a head that does not build is an error of JUnit' is "$(xmllint --xpath \
	'concat(//testsuite/@errors, //testsuite/@failures)' "$out")" 10
check 'a head that does not build is an annotation' exits 125 turns github HEAD~2 HEAD
check 'the annotation says so' mentions out '^::error title=Unknown.*head is not built'
