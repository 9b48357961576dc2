#!/bin/sh
# Nothing fails in silence: what keeps commits from being measured is told by
# hooks status, status and log, with the line that mends it.
. "$(dirname "$0")/../lib.sh"
need jq
git config --global perf.hookMode queue
git config --global perf.hookDelay 0

commit first
must git perf hooks install 2>"$err"
check 'hooks status of hooks without a job file' exits 0 git perf hooks status
check 'hooks status says that there is no job file' mentions out \
	"^there is no '\.gitperf', hooks measure nothing"
printf '[job "fine"]\n\tcmd = true\n\truns = 1\n' >.gitperf
must git add .gitperf
commit second
untrusted="'.gitperf' is not trusted, hooks measure nothing (\"git perf trust\" \
shows its commands and lets them run)"
check 'hooks status of an untrusted job file' exits 0 git perf hooks status
check 'hooks status says that the job file is not trusted' \
	says out "$untrusted"
check 'status of an untrusted job file' exits 0 git perf status
check 'status says that the job file is not trusted' says out "$untrusted"
check 'hooks status --json of an untrusted job file' \
	exits 0 git perf hooks status --json
check 'the JSON of hooks status has the reason' \
	json '.doubts | length' 1
git perf worker --once 2>"$scratch/said"
check 'log of a commit that a worker could not measure' \
	exits 0 git perf log --oneline -n 1
check 'the log entry says why, and what to do' mentions out \
	"^    not measured: .*/repo/\.gitperf' is not trusted .* run 'git perf trust'\$"
check 'status of a commit that a worker could not measure' \
	exits 0 git perf status
check 'status says why HEAD was not measured' mentions out \
	"^  not measured: .* is not trusted"
check 'status --json of it' exits 0 git perf status --json
check 'the JSON of status has both reasons' \
	json '[(.doubts | length), (.unmeasured | test("not trusted"))]' '[1,true]'

must git perf trust >"$out" 2>"$err"
check 'hooks status of a trusted job file' exits 0 git perf hooks status
check 'nothing is said of a trusted job file' not mentions out "^'[.]gitperf"
check 'hooks status still says why HEAD was not measured' mentions out \
	"^HEAD was not measured: .* is not trusted .*run --again HEAD"
must git perf run >"$out" 2>"$err"
check 'log of a commit that was measured after all' \
	exits 0 git perf log --oneline -n 1
check 'the reason is gone when the commit is measured' \
	not mentions out 'not measured'
printf '[job "broken"]\n\tbuild = exit 7\n\tcmd = true\n\truns = 1\n' >>.gitperf
must git add .gitperf
commit third
check 'status of a job file that changed' exits 0 git perf status
check 'status says that the job file has changed' mentions out \
	"^'\.gitperf' has changed since it was trusted, hooks measure nothing \\(\"git perf trust\""

# A build that fails is the commit's, and is shared.
must git perf trust >"$out" 2>"$err"
git perf worker --once 2>"$scratch/said"
check 'log of a commit with a build that failed' \
	exits 0 git perf log --oneline -n 1
check 'the log entry says which job was not built' mentions out \
	"^    broken     build failed: 'exit 7' exited with status 7\$"
check 'status of a commit with a build that failed' exits 0 git perf status
check 'status says which job was not built' mentions out \
	"^ +broken     build failed: 'exit 7' exited with status 7\$"

check 'hooks status after a build that failed' exits 0 git perf hooks status
check 'hooks status says which job was not built, and what tries it' says out \
	"broken of HEAD failed: build 'exit 7' exited with status 7 \
(\"git perf run --again HEAD\" tries it)"

# Hooks find git-perf by PATH, as a graphical client has it or not.
program=$(command -v git-perf)
mkdir "$scratch/tools"
for tool in git sh cat date mkdir; do
	ln -s "$(command -v $tool)" "$scratch/tools/$tool"
done
check 'hooks status with git-perf not on PATH' \
	exits 0 env PATH="$scratch/tools" "$program" hooks status
check 'hooks status says what makes git-perf known' mentions out \
	'^git-perf is not on PATH, hooks do nothing \(PATH=\$PATH:.*/bin makes it known\)$'
check 'a commit with git-perf not on PATH' exits 0 \
	env PATH="$scratch/tools" git commit -q --allow-empty -m unseen
check 'the hook says that nothing is measured' says err \
	'warning: git-perf is not on PATH, nothing is measured'
check 'log of a commit that the hook could not queue' \
	exits 0 git perf log --oneline -n 1
check 'the log entry says that git-perf was not on PATH, and what to do' \
	is "$(sed 1d "$out" | tr -s ' \n' ' ')" " not measured: git-perf was \
not on the hook's PATH (\"git perf run $(git rev-parse --short=10 HEAD)\" measures it) "
check 'status of a commit that the hook could not queue' exits 0 git perf status
check 'status says what measures the commit' mentions out \
	'^  not measured: git-perf was not on the hook'
check 'what measures a commit that was left out can be typed' exits 0 sh -c \
	"$(tr -s ' \n' ' ' <"$out" | sed -n 's/.*("\(git perf run [0-9a-f]*\)".*/\1/p')"
rm "$scratch/tools/date" "$scratch/tools/mkdir"
check 'a commit without date and mkdir' exits 0 \
	env PATH="$scratch/tools" git commit -q --allow-empty -m 'unseen, too'
check 'the hook still says one line' is "$(wc -l <"$err" | tr -d ' ')" 1
check 'log of a commit without a time of the hook' \
	exits 0 git perf log --oneline -n 1
check 'a hook without date notes the commit all the same' \
	mentions out "git-perf was not on the hook's PATH"

# Where git is not found either, a hook has no folder to write to.
mkdir "$scratch/bare"
printf '#!/bin/sh\necho "$@" >>"%s/made"\n' "$scratch" >"$scratch/bare/mkdir"
chmod +x "$scratch/bare/mkdir"
for hook in post-commit post-merge; do
	check "$hook without git" exits 0 \
		env PATH="$scratch/bare" /bin/sh ".git/hooks/$hook"
	check "$hook without git makes no folder" not [ -e "$scratch/made" ]
done

# Commits of such a client make the file longer and longer: 111 bytes each.
awk -v head="$(git rev-parse HEAD)" 'BEGIN { for (i = 1; i <= 1300; i++)
	printf "1 %d000000000 %s git-perf%%20was%%20not%%20on%%20the%%20hook\047s%%20PATH\n",
		1700000000 + i, i < 1300 ? sprintf("%040x", i) : head
	}' >.git/perf/unmeasured
check 'a file of 1,300 lines is longer than 131,072 bytes' \
	[ "$(wc -c <.git/perf/unmeasured)" -gt 131072 ]
check 'log with 1,300 unmeasured commits' exits 0 git perf log --oneline -n 1
check 'the last of 1,300 unmeasured commits has its reason' \
	mentions out "^    not measured: git-perf was not on the hook's PATH "
echo '# changed' >>.gitperf
must git add .gitperf
commit 'queued behind many'
git perf worker --once 2>"$scratch/said"
check 'the next reason makes the file shorter' \
	[ "$(wc -c <.git/perf/unmeasured)" -le 32768 ]
check 'a shortened file has whole lines' \
	is "$(grep -Ecv '^1 [0-9]+ [0-9a-f]{40} [^ ]+$' .git/perf/unmeasured)" 0
check 'log of a shortened file' exits 0 git perf log --oneline -n 2
check 'the shortened file has the new reason' mentions out \
	'^    not measured: .*trust'
check 'the shortened file has the reason of the commit before' \
	mentions out "^    not measured: git-perf was not on the hook's PATH "

# A colleague's clone.
must git clone -q . "$scratch/clone"
check 'log in a fresh clone' exits 0 git -C "$scratch/clone" perf log --oneline
check 'log in a fresh clone says how to get profiles' \
	says err "no profiles in this clone (\"git perf pull origin\" gets \
what others pushed)"
must git -C "$scratch/clone" fetch -q origin refs/notes/perf:refs/notes/perf
check 'log in a clone with profiles' exits 0 git -C "$scratch/clone" perf log
check 'log in a clone with profiles says nothing of the kind' silent err
must git init -q "$scratch/alone"
must git -C "$scratch/alone" commit -q --allow-empty -m alone
check 'log where there is no remote' exits 0 git -C "$scratch/alone" perf log
check 'log says nothing of profiles that nobody can have' silent err
