#!/bin/sh
# What contrib/ci shows for many workers: the shell parts of GitHub's and GitLab's
# matrix, a Slurm array and GNU parallel share the jobs of one commit, and who
# judges finds each job's profile exactly once. Expected: the jobs of .gitperf.
. "$(dirname "$0")/../lib.sh"
need jq python3
python3 -c 'import yaml' 2>/dev/null || skip 'python3 has no yaml'
ci=$root/contrib/ci
jobs='a b c d e f g '

part()
{
	python3 -c 'import sys, yaml
at = yaml.safe_load(open(sys.argv[1]))
for step in sys.argv[2:]:
    at = at[int(step) if isinstance(at, list) else step]
print(at)' "$@"
}

# Names of the jobs that HEAD has profiles of, each as often as it has one.
measured()
{
	git -C "$1" perf log -n 1 --json |
		jq -r '.commits[].profiles[].args' | sort | tr '\n' ' '
}

inboxes()
{
	git ls-remote "$scratch/server" 'refs/perf/inbox/*' | grep -c .
}

# A commit that nobody has measured, at the server.
fresh()
{
	cd "$scratch/test" || exit 1
	commit "$1"
	must git push -q origin main
}

clone()
{
	cd "$scratch" || exit 1
	rm -rf "$1"
	must git clone -q "file://$scratch/server" "$1"
	cd "$1" || exit 1
	must mkdir ci .github .github/perf
	must cp "$ci/perf-worker" "$ci/perf-check" ci
	must cp "$ci/perf-worker" "$ci/perf-check" .github/perf
	printf 'ci\n.github\nperf-*\n' >.git/info/exclude
}

must mkdir "$scratch/test"
cd "$scratch/test" || exit 1
must git init -q -b main
must git init -q --bare -b main "$scratch/server"
must git remote add origin "file://$scratch/server"
for job in $jobs; do
	printf '[job "%s"]\n\tcmd = true %s\n\truns = 1\n\twarmup = 0\n' "$job" "$job"
done >.gitperf
must git add .gitperf
GIT_PERF_MACHINE=bench
export GIT_PERF_MACHINE

# 1. Shares: each job in one of them, however many there are.
for n in 1 2 3 8; do
	for k in $(seq $n); do
		git perf run --list --json --shard="$k/$n" 2>"$err" | jq -r '.jobs[].job'
	done | sort | tr '\n' ' ' >"$out"
	check "each job is in one of $n shares" is "$(cat "$out")" "$jobs"
done

# 2. GitHub: files between the jobs of a workflow.
fresh github
part "$ci/github-matrix.yml" jobs measure steps 2 run >"$scratch/measure.sh"
part "$ci/github-matrix.yml" jobs judge steps 3 run >"$scratch/judge.sh"
must mkdir "$scratch/files"
for shard in $(part "$ci/github-matrix.yml" jobs measure strategy matrix shard |
	tr -d "[],'"); do
	clone worker
	check "the worker of share $shard ends well" exits 0 env PERF_SHARD="$shard" \
		PERF_BUNDLE="perf-${shard%/*}.bundle" sh -e "$scratch/measure.sh"
	cp perf-*.bundle "$scratch/files" 2>"$err"
done
check 'workers with files push nothing' is "$(inboxes)" 0
clone judge
cp "$scratch/files"/perf-*.bundle .
check 'one commit has nothing to be judged by' exits 125 env PERF_MEASURE=: sh -e "$scratch/judge.sh"
check 'each job arrived once by files' is "$(measured .)" "$jobs"
check 'a judge publishes' exits 0 sh -e -c "$(part "$ci/github-matrix.yml" jobs judge steps 5 run)"

# 3. GitLab: inboxes of the remote; the last job makes one of them.
fresh gitlab
part "$ci/gitlab-matrix.yml" measure script 0 >"$scratch/measure.sh"
part "$ci/gitlab-matrix.yml" judge script 0 >"$scratch/judge.sh"
count=$(part "$ci/gitlab-matrix.yml" measure parallel)
for k in $(seq "$count"); do
	clone "worker$k"
done
(
	for k in $(seq "$count"); do
		cd "$scratch/worker$k" || exit 1
		CI_NODE_INDEX=$k CI_NODE_TOTAL=$count sh -e "$scratch/measure.sh" \
			>"$scratch/worker$k.out" 2>&1 &
	done
	wait
)
check 'workers at one time leave inboxes' test "$(inboxes)" -ge 2
clone judge
git perf pull -q
before=$(measured .)
check 'each job arrived once by inboxes' is "$before" "$jobs"
check 'the judge runs' exits 0 sh -c "sh -e '$scratch/judge.sh' || [ \$? -eq 125 ]"
check 'the judge leaves one set of notes' exits 0 sh -e -c "$(part "$ci/gitlab-matrix.yml" judge after_script 0)"
check 'no inbox is left' is "$(inboxes)" 0
clone late
check 'a worker that finds all measured leaves nothing' exits 0 env \
	CI_NODE_INDEX=1 CI_NODE_TOTAL=1 sh -e "$scratch/measure.sh"
check 'a worker says when all is measured' mentions err '^nothing to do: all is measured at this commit'
check 'no inbox was made of nothing' is "$(inboxes)" 0

# 4. Slurm: an array with a step, by the variables of sbatch(1).
fresh slurm
cd "$scratch" || exit 1
for id in 5 7 9; do
	check "task $id of the array ends well" exits 0 env PERF_CI="$ci" \
		SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=2 \
		SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_COUNT=3 PERF_NODES=bench TMPDIR="$scratch" \
		sh "$ci/slurm-array" "file://$scratch/server" HEAD
done
check 'workers remove their clones' is "$(ls -d perf-worker.* 2>"$err")" ''
clone judge
git perf pull -q
check 'each job arrived once from the array' is "$(measured .)" "$jobs"
must git perf push -q --no-inbox

# Of --array=1,4,7 (Slurm 22.05) no task can tell which of three it is, so that
# shares would be measured by none: the first one, too, says so. Of 1-3:2,4 task 4
# took the share of task 3 by its step.
while read -r list step last ids; do
	for id in $ids; do
		check "task $id of $list is refused" exits 1 env SLURM_ARRAY_TASK_ID="$id" \
			SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP="$step" \
			SLURM_ARRAY_TASK_MAX="$last" SLURM_ARRAY_TASK_COUNT=3 \
			sh "$ci/perf-worker" HEAD
		check "task $id of $list says what would be right" says err \
			'perf-worker: a Slurm array has to be a range, as --array=1-4'
	done
done <<'END'
1,4,7 1 7 1 4 7
1-3:2,4 2 4 1 3 4
END

# A worker that is told to end sends what it has, and one that cannot send keeps it.
fresh ended
cd "$scratch" || exit 1
cat >"$scratch/slow" <<-'END'
	#!/bin/sh
	[ -e "$STARTED.once" ] || exec touch "$STARTED.once"
	: >"$STARTED"
	exec sleep 60
END
chmod +x "$scratch/slow"
(
	cd "$scratch/test" || exit 1
	printf '[job "z"]\n\tcmd = %s\n\truns = 1\n\twarmup = 0\n' "$scratch/slow" >>.gitperf
	git commit -qam 'a slow job' && git push -q origin main
) || exit 1
STARTED=$scratch/started TMPDIR=$scratch PERF_URL=file://$scratch/server \
	sh "$ci/perf-worker" 1/1 HEAD~1 HEAD >"$out" 2>"$err" &
worker=$!
until [ -e "$scratch/started" ] || ! kill -0 $worker 2>"$err.kill"; do
	sleep .1
done
kill -TERM $worker
wait $worker
check 'a worker that is told to end leaves no clone' is "$(ls -d perf-worker.* 2>"$err.ls")" ''
check 'what it had measured is in an inbox' is "$(inboxes)" 1
cat >"$scratch/server/hooks/pre-receive" <<-'END'
	#!/bin/sh
	exit 1
END
chmod +x "$scratch/server/hooks/pre-receive"
must mkdir -p "$scratch/path"
printf '#!/bin/sh\nexit 0\n' >"$scratch/path/sleep"
chmod +x "$scratch/path/sleep"
check 'a worker that cannot send ends with 1' exits 1 env PATH="$scratch/path:$PATH" \
	STARTED="$scratch/started" TMPDIR="$scratch" PERF_URL="file://$scratch/server" \
	sh "$ci/perf-worker" 1/1 --again --job=a HEAD
check 'a worker names the clone that it keeps' mentions err "^perf-worker: what was measured is in '.*/clone'"
kept=$(sed -n "s/^perf-worker: .* in '\(.*\)'.*'git.*/\1/p" "$err")
check 'the profile is in the clone that is kept' exits 0 git -C "$kept" perf show HEAD:a
rm -rf "$scratch"/perf-worker.* "$scratch/server/hooks/pre-receive"
must git -C "$scratch/test" reset -q --hard HEAD~1
must git -C "$scratch/test" push -q -f origin main

# 5. GNU parallel, with a shell in the place of ssh.
if command -v parallel >/dev/null; then
	fresh hosts
	cat >"$scratch/ssh" <<-'END'
		#!/bin/sh
		shift
		[ "$1" != -- ] || shift
		# sshd names the shell, and parallel asks for it.
		SHELL=/bin/sh
		export SHELL
		exec sh -c "$*"
	END
	chmod +x "$scratch/ssh"
	must mkdir -p "$HOME/.parallel"
	: >"$HOME/.parallel/will-cite"
	clone judge
	check 'two hosts measure a range' exits 0 env PARALLEL_SSH="$scratch/ssh" PERF_NODES=bench \
		TMPDIR="$scratch" "$ci/hosts" h1,h2,h3 "file://$scratch/server" HEAD~1..HEAD
	check 'each job arrived once from hosts' is "$(measured .)" "$jobs"
else
	echo '# no GNU parallel: contrib/ci/hosts was not tried'
fi
for script in perf-worker hosts slurm-array; do
	check "$script is POSIX sh" sh -n "$ci/$script"
done
