#!/bin/sh
# git fetch keeps what came from a gc until the refs are moved, by a ".keep"
# that stays for ever where it is killed before that.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
packs=.git/objects/pack
add "$one" first
must git perf push -q
cd "$two" || exit 1
must mkdir -p .git/hooks
cat >.git/hooks/reference-transaction <<'END'
#!/bin/sh
[ "$1" = prepared ] && kill -9 $PPID
exit 0
END
must chmod +x .git/hooks/reference-transaction
check 'a pull whose git is killed fails' exits 128 git perf pull -q
must rm .git/hooks/reference-transaction
keep=$(echo $packs/*.keep)
pid=$(sed -n 's/^fetch-pack \([0-9]*\) on .*/\1/p' "$keep")
check 'git has left a .keep, which names it' test -n "$pid"
check 'the next pull finishes' exits 0 git perf pull -q
check 'the profile is here' is "$(names "$two")" 'first '
check 'a young .keep stays' test -e "$keep"

# What says something else, or may be alive.
host=$(uname -n)
plant()
{
	printf '%s\n' "$2" >"$packs/pack-$(printf '%040d' "$1").keep"
}
plant 1 'by hand'
plant 2 "fetch-pack $$ on $host"
plant 3 "fetch-pack $pid on $host.elsewhere"
plant 4 "fetch-pack -1 on $host"
plant 5 'fetch-pack 1'
must touch -d '11 minutes ago' $packs/*.keep
check 'a dry run finishes' exits 0 git perf fetch -n -q
check 'a dry run takes no .keep' test -e "$keep"
check 'a later fetch finishes' exits 0 git perf fetch -q
check 'the .keep of a dead fetch is gone' test ! -e "$keep"
check 'the pack of a dead fetch stays' test -e "${keep%.keep}.pack"
check 'each other .keep stays' is "$(ls $packs/*.keep | wc -l)" 5
must rm $packs/*.keep
check 'nothing is wrong in the clone' sound "$two"
