#!/bin/sh
# What a release is made of: the source archive builds without git, Debian's
# packages of it have no fault that lintian knows, and are installed and run in
# a fresh Debian. Needs root and a mirror of Debian (PERF_MIRROR).
. "$(dirname "$0")/../lib.sh"

build=${PERF_BUILD:-$root/build}
[ "$(id -u)" -eq 0 ] || skip 'needs root'
need cmake ninja cpack asciidoctor lintian debootstrap dpkg-shlibdeps unshare
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mirror=${PERF_MIRROR:-http://deb.debian.org/debian}

check 'cpack makes a source archive' exits 0 cpack \
	--config "$build/CPackSourceConfig.cmake" -B "$scratch"
must tar -xzf "$scratch"/git-perf-*.tar.gz -C "$scratch"
source=$(ls -d "$scratch"/git-perf-*/)
check 'the archive holds neither history nor builds' \
	is "$(cd "$source" && ls -d .git build* 2>/dev/null)" ''
check 'the archive holds what git tracks' is "$(git -C "$root" ls-files |
	while read -r file; do
		[ -e "$source/$file" ] || [ ! -e "$root/$file" ] || echo "$file"
	done | head -n 5)" ''

# A git that must not be called.
must mkdir "$scratch/bin"
printf '#!/bin/sh\necho "git was called" >&2\nexit 1\n' >"$scratch/bin/git"
must chmod +x "$scratch/bin/git"
without_git()
{
	env PATH="$scratch/bin:$PATH" "$@"
}
check 'the archive is configured without git' exits 0 without_git \
	cmake -S "$source" -B "$scratch/build" -G Ninja -DPERF_TESTS=OFF \
	-DCMAKE_BUILD_TYPE="${PERF_BUILD_TYPE:-Release}" \
	-DCMAKE_INSTALL_PREFIX=/usr -DPERF_STATIC=OFF
check 'the archive is built without git' exits 0 \
	without_git cmake --build "$scratch/build"
check 'cpack makes the packages' exits 0 cpack -G DEB \
	--config "$scratch/build/CPackConfig.cmake" -B "$scratch/deb"
check 'lintian finds no error' exits 0 lintian --fail-on error \
	--allow-root "$scratch"/deb/*.deb
cat "$out"

# What is mounted in the fresh system is mounted nowhere else, and gone when its
# command ends: nothing is left that our own rm could walk into.
fresh=$scratch/fresh
unshare --mount debootstrap --variant=minbase "$suite" "$fresh" "$mirror" >"$out" 2>&1 ||
	skip "no Debian from $mirror: $(tail -n 1 "$out")"
must cp "$scratch"/deb/*.deb "$fresh/root"
inside()
{
	unshare --mount env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
		HOME=/root DEBIAN_FRONTEND=noninteractive \
		chroot "$fresh" sh -c "mount -t proc proc /proc && $1"
}
apt='apt-get -q install -y --no-install-recommends'
check 'the packages are installed with what they depend on' exits 0 \
	inside "$apt /root/git-perf_*.deb /root/libperfnotes0_*.deb"
check 'git finds the program' exits 0 inside 'git perf --version'
must inside 'git init -q /root/r && cd /root/r &&
	git config user.name A && git config user.email a@example.com &&
	git commit -q --allow-empty -m first && echo "main;f 3" >a.folded'
check 'the program stores a profile' exits 0 \
	inside 'cd /root/r && git perf add a.folded'
check 'the packaged program shows a profile' exits 0 \
	inside 'cd /root/r && git perf show a.folded'
check 'the packaged program shows the function' mentions out '^ +3 +100% .* f$'
check 'the program measures' exits 0 \
	inside 'cd /root/r && git perf collect --runs=3 -- true'
if [ "$(uname -m)" = x86_64 ]; then
	check 'the program finds what it preloads' exits 128 inside \
		'cd /root/r && git perf collect -c sample -O delay=1000 -- true'
	check 'what it preloads ran' mentions err 'no sample was taken'
fi
check 'the manual page is where man looks' test -s \
	"$fresh/usr/share/man/man1/git-perf-add.1.gz"

check 'the files for development are installed' exits 0 inside \
	"$apt /root/libperfnotes-dev_*.deb gcc libc6-dev pkg-config"
check 'an example is compiled from where it was installed' exits 0 inside \
	'cd /root && gcc -o top $(dpkg -L libperfnotes-dev | grep /top.c) \
		$(pkg-config --cflags --libs perfnotes)'
check 'the example runs' exits 0 inside '/root/top /root/r/a.folded'
check 'the example says what the profile says' \
	mentions out '^ +3 +100%  f$'

check 'the packages are removed' exits 0 inside \
	'apt-get -q purge -y git-perf libperfnotes0 libperfnotes-dev'
check 'nothing of them stays' is "$(find "$fresh/usr" "$fresh/etc" \
	-name '*perfnotes*' -o -name '*git-perf*')" ''
