#!/bin/sh
# Colours: which words have them, in which commands, and who decides.
. "$(dirname "$0")/../lib.sh"

commit first
printf 'main;slow 40\nmain;fast 60\n' >../old.folded
must git perf add --name p.folded ../old.folded >../said 2>&1
commit second
printf 'main;slow 60\nmain;fast 30\n' >../new.folded
must git perf add --name p.folded ../new.folded >../said 2>&1

# What a colour is around, in brackets: R red, G green, Y yellow, B bold, D dim.
named()
{
	awk '{
		gsub(/\033\[31m/, "R["); gsub(/\033\[32m/, "G[")
		gsub(/\033\[33m/, "Y["); gsub(/\033\[1m/, "B[")
		gsub(/\033\[2m/, "D["); gsub(/\033\[m/, "]"); print
	}' "$out" >../named && mv ../named "$out"
}

escape=$(printf '\033')
check 'the functions of two commits without a terminal' \
	exits 0 git perf diff HEAD~ HEAD --view=top
check 'without a terminal nothing is coloured' not mentions out "$escape"
must git config color.ui always
check 'functions with color.ui=always' \
	exits 0 git perf diff HEAD~ HEAD --view=top
named
check 'color.ui=always colours a pipe: more cost red, less green, titles bold' \
	prints out <<'EOF'
Type: samples
Total: 100 old, 90 new, -10 (-10.00%)
       B[old]        B[new]      B[delta]  B[relative]   B[points]    B[old cum]    B[new cum]
        60         30        G[-30]   G[-50.00%]  G[-30.00%]         60         30  fast
        40         60        R[+20]   R[+50.00%]  R[+20.00%]         40         60  slow
         0          0          D[0]              D[0.00%]        100         90  main
EOF
cp "$out" ../got
check 'the overview of a commit with color.ui=always' exits 0 git perf show
named
check 'show colours the id of a commit and the titles' \
	mentions out '^commit Y\[[0-9a-f]{10}\] '
check 'show has bold titles' mentions out '^B\[series\]  '
check 'one view with color.ui=always' exits 0 git perf show HEAD:p.folded
named
check 'show has bold titles over functions' mentions out 'B\[flat\]'
check 'collect in colour' exits 0 git perf collect -r 2 --no-keep true
named
check 'collect has the command in bold' says out 'B[true]'
check 'JSON with color.ui=always' exits 0 git perf diff --json
check 'JSON has no colours' not mentions out "$escape"
check 'a file with color.ui=always' exits 0 git perf show -o ../file
check 'a file of -o has no colours' not grep -q "$escape" ../file
check 'color.ui=always with --color=never' exits 0 git perf --color=never show
check '--color=never goes before color.ui=always' \
	not mentions out "$escape"
check 'color.ui=always with NO_COLOR' exits 0 env NO_COLOR=1 git perf show
check 'NO_COLOR goes before color.ui=always' not mentions out "$escape"
check 'color.ui=always with color.perf=auto' \
	exits 0 git -c color.perf=auto perf show
check 'color.perf goes before color.ui in a pipe' not mentions out "$escape"
must git config --unset color.ui
check 'color.ui=always of git -c' exits 0 git -c color.ui=always perf show
check 'git -c color.ui=always colours a pipe' mentions out "$escape"
check 'color.ui=true without a terminal' exits 0 git -c color.ui=true perf show
check 'color.ui=true leaves a pipe alone, as in git' \
	not mentions out "$escape"
cd .. || exit 1
check 'a file outside of a repository with color.ui=always' \
	exits 0 git -c color.ui=always perf show new.folded
check 'color.ui=always counts outside of a repository' mentions out "$escape"

# There no git is started for it, unless only git can tell.
coloured()
{
	env -u GIT_CONFIG_GLOBAL -u GIT_CONFIG_NOSYSTEM -u GIT_CONFIG_SYSTEM \
		HOME="$PWD/user" git perf show new.folded >"$out" 2>"$err" &&
		grep -q "$escape" "$out"
}
must mkdir user
check 'no file of the user colours nothing' not coloured
printf '[color]\n\tui = always\n' >user/.gitconfig
check "color.ui=always of the user's file" coloured
printf '[color]\n\tui = always\n\tperf = auto\n' >user/.gitconfig
check "color.perf goes before color.ui in the user's file" not coloured
printf '[include]\n\tpath = more\n' >user/.gitconfig
printf '[color]\n\tperf = always\n' >user/more
check 'a file that it includes' coloured
printf '[includeIf "gitdir:/nowhere/"]\n\tpath = more\n' >user/.gitconfig
check 'a file that it includes in repositories' not coloured
printf '[color\n' >user/.gitconfig
check 'a file of the user that git refuses' not coloured
must rm user/.gitconfig
must env -u GIT_CONFIG_GLOBAL -u GIT_CONFIG_NOSYSTEM -u GIT_CONFIG_SYSTEM \
	HOME="$PWD/user" GIT_TRACE="$PWD/trace" git-perf show new.folded >"$out"
check 'no git is started for it' not test -e trace
