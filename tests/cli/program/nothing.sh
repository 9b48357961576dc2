#!/bin/sh
# What is not there: no commit yet, a revision or a profile that nobody knows,
# a commit without profiles. Each command says the same of it, and of what.
. "$(dirname "$0")/../lib.sh"

# Each of the commands, in lines, fails with 125 or 128, and says this.
refuse()
{
	said=$1
	while read -r line; do
		check "git perf $line is refused" sh -c "git perf $line \
			>'$out' 2>'$err'; code=\$?
			test \$code -eq 128 || test \$code -eq 125"
		check "git perf $line prints nothing" silent out
		check "git perf $line says '$said'" mentions err "$said"
	done
}

refuse 'there is no commit yet' <<'END'
show
show HEAD
show HEAD:x
show @~1
diff
diff HEAD
diff HEAD~1 HEAD
check
check HEAD
merge HEAD
export HEAD
model HEAD
impact
report
export --to=openmetrics
log HEAD
log HEAD~1
annotate x.c
accept HEAD -m why
collect --add -- true
END

echo one >file.c
must git add file.c
commit first
printf 'main;f 1\n' >p.folded
must git perf add --name=p p.folded
commit second
refuse "^fatal: no such commit( or path)? 'nope'$" <<'END'
log nope
report nope
check nope
check nope HEAD
check HEAD~1 nope
annotate file.c --rev=nope
accept nope -m why
impact nope
impact nope..HEAD
add -m nope p.folded
show nope:p
log --function=x nope
END
refuse "^fatal: no profile 'nope': not a tag, .*, a revision, a file or " <<'END'
show nope
diff nope
diff HEAD~1 nope
diff nope HEAD~1
merge nope
export nope
model nope
END
refuse "^fatal: no such commit 'nope~1'$" <<'END'
show nope~1
diff HEAD~1 nope~1
diff nope~1
export nope~1
END
check 'log of a file of a commit is refused' exits 128 \
	git perf log HEAD~1:file.c
check 'the refusal of a file of a commit says what it is' says err \
	"fatal: 'HEAD~1:file.c' is a blob, not a commit"
check 'log of a series is refused' exits 128 git perf log HEAD~1:p
check 'the refusal of a series says how log takes it' says err \
	"fatal: no such commit or path 'HEAD~1:p': log takes series by --job and \
--collector"
check 'a range with a path that has a colon is none of that' exits 0 \
	git perf log HEAD~1..HEAD -- ':!file.c'
check 'a search for a commit may have a colon' exits 0 \
	git perf log 'HEAD^{/first}'

first=$(git rev-parse --short=10 HEAD~1)
refuse "'HEAD' has no profiles" <<'END'
show HEAD
diff HEAD
diff HEAD~1 HEAD
merge HEAD
export HEAD
model HEAD
END
check 'show of a commit without profiles is refused' exits 128 git perf show HEAD
check 'show of a commit without profiles says where there are some' says err \
	"fatal: nothing to show: 'HEAD' has no profiles, its nearest measured \
ancestor is $first"

# A job that did not build is what a commit has to show.
cat >.gitperf <<'END'
[job "count"]
	build = false
	cmd = true
END
must git perf trust >"$scratch/trusted" 2>&1
check 'a build that fails' exits 125 git perf run HEAD
check 'show of a commit whose build failed' exits 0 git perf show HEAD
check 'show says what failed' mentions out \
	"^count  build failed: 'false' exited with status 1$"

# A remote that is not there changes nothing.
check 'init with an unknown remote is refused' exits 128 git perf init --remote=x
check 'nothing was said to be set' is "$(wc -l <"$err" | tr -d ' ')" 1
check 'a refused init sets no configuration' is "$(git config --get-regexp '^notes\.|^perf\.')" ''
