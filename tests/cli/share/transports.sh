#!/bin/sh
# Every way that git has to a remote, on this machine's own network only: files,
# git://, ssh with a server of its own, HTTP through git http-backend.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"

stop_servers()
{
	for pid_file in "$scratch"/*.pid; do
		[ ! -s "$pid_file" ] || kill "$(cat "$pid_file")" 2>/dev/null
	done
}
at_end=stop_servers

# A port that nobody listens on now.
port()
{
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}
# Until somebody listens there.
listens()
{
	python3 - "$1" <<'END'
import socket, sys, time
for _ in range(200):
	try:
		socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()
		sys.exit(0)
	except OSError:
		time.sleep(.05)
sys.exit(1)
END
}
need python3

# $1 a word, $2 the URL: both ways, with a conflict.
exchange_by()
{
	must git remote set-url origin "$2"
	must git -C "$two" remote set-url origin "$2"
	must add "$one" "$1-a"
	must add "$two" "$1-b"
	check "push by $1" exits 0 git perf push
	check "a push by $1 that unites" exits 0 git -C "$two" perf push
	check "pull by $1" exits 0 git perf pull
	check "$1 brings both profiles" \
		mentions names " *$1-a $1-b "
	rm -rf "$scratch/fresh"
	must git clone -q "$2" "$scratch/fresh"
	check "pull by $1 into a fresh clone" \
		exits 0 git -C "$scratch/fresh" perf pull
	check "$1 brings all into a fresh clone" \
		is "$(names "$scratch/fresh")" "$(names "$one")"
	check "nothing is wrong after $1" sound "$scratch/fresh"
}
mentions()
{
	if [ "$1" = names ]; then
		names "$one" | grep -Eq -e "$2"
	else
		grep -Eq -e "$2" "$scratch/$1"
	fi
}

exchange_by path ../server.git
exchange_by file "file://$server"

git_port=$(port)
git daemon --reuseaddr --listen=127.0.0.1 --port="$git_port" \
	--base-path="$scratch" --export-all --enable=receive-pack \
	--pid-file="$scratch/daemon.pid" --detach
listens "$git_port" || exit 1
exchange_by git "git://127.0.0.1:$git_port/server.git"
check 'a server that does not answer any more' eval \
	'kill "$(cat "$scratch/daemon.pid")"; rm "$scratch/daemon.pid"; sleep .2;
	exits 128 git perf pull'
check 'a server that is gone is told in one line' is "$(grep -c . "$err")" 1

if sshd=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null) &&
	command -v ssh-keygen >/dev/null; then
	ssh_port=$(port)
	must ssh-keygen -q -t ed25519 -N '' -f "$scratch/host_key"
	must ssh-keygen -q -t ed25519 -N '' -f "$scratch/key"
	cp "$scratch/key.pub" "$scratch/authorized"
	cat >"$scratch/sshd_config" <<END
ListenAddress 127.0.0.1
Port $ssh_port
HostKey $scratch/host_key
AuthorizedKeysFile $scratch/authorized
PidFile $scratch/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
END
	[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
	must "$sshd" -f "$scratch/sshd_config" -E "$scratch/sshd.log"
	listens "$ssh_port" || exit 1
	GIT_SSH_COMMAND="ssh -F /dev/null -i $scratch/key -o IdentitiesOnly=yes \
-o StrictHostKeyChecking=no -o UserKnownHostsFile=$scratch/known -o LogLevel=ERROR"
	export GIT_SSH_COMMAND
	exchange_by ssh "ssh://$(id -un)@127.0.0.1:$ssh_port$server"
	must ssh-keygen -q -t ed25519 -N '' -f "$scratch/stranger"
	GIT_SSH_COMMAND=$(echo "$GIT_SSH_COMMAND" |
		sed "s,$scratch/key,$scratch/stranger,")
	check 'an ssh that is not let in' exits 128 git perf pull
	check 'ssh says why' mentions err \
		"^fatal: cannot fetch from 'origin': .*Permission denied"
	unset GIT_SSH_COMMAND
else
	echo 'SKIPPED: ssh, no sshd is installed'
fi

backend=$(git --exec-path)/git-http-backend
apache=$(command -v apache2 || ls /usr/sbin/apache2 2>/dev/null)
modules=/usr/lib/apache2/modules
if [ -n "$apache" ] && [ -x "$backend" ] && [ -e $modules/mod_cgi.so ]; then
	http_port=$(port)
	must git -C "$server" config http.receivepack true
	cat >"$scratch/apache.conf" <<END
ServerRoot $scratch
ServerName 127.0.0.1
Listen 127.0.0.1:$http_port
PidFile $scratch/apache.pid
ErrorLog $scratch/apache.log
$([ "$(id -u)" -ne 0 ] || printf 'User %s\nGroup %s\n' \
		"$(stat -c %U "$server")" "$(stat -c %G "$server")")
LoadModule mpm_prefork_module $modules/mod_mpm_prefork.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule env_module $modules/mod_env.so
LoadModule alias_module $modules/mod_alias.so
LoadModule cgi_module $modules/mod_cgi.so
StartServers 2
SetEnv GIT_PROJECT_ROOT $scratch
SetEnv GIT_HTTP_EXPORT_ALL 1
SetEnv GIT_CONFIG_COUNT 1
SetEnv GIT_CONFIG_KEY_0 safe.directory
SetEnv GIT_CONFIG_VALUE_0 *
ScriptAlias /git/ $backend/
<Directory "$(dirname "$backend")">
	Require all granted
</Directory>
END
	# root may not run it as root: as nobody, to whom the server belongs
	if [ "$(id -u)" -eq 0 ]; then
		chown -R www-data:www-data "$server"
		chmod 755 "$scratch"
		sed -i 's/^User .*/User www-data/; s/^Group .*/Group www-data/' \
			"$scratch/apache.conf"
	fi
	must "$apache" -f "$scratch/apache.conf" -k start
	listens "$http_port" || exit 1
	exchange_by http "http://127.0.0.1:$http_port/git/server.git"
	must git remote set-url origin "http://127.0.0.1:$http_port/git/no.git"
	check 'a repository that is not there' exits 128 git perf pull
	check 'HTTP says so' mentions err "^fatal: cannot fetch from 'origin': "
else
	echo 'SKIPPED: HTTP, no apache2 is installed'
fi
