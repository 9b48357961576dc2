#!/bin/sh
# Progress keeps to the columns of the terminal, by what they show and not by
# bytes, and is drawn anew when these change while a command runs.
. "$(dirname "$0")/../lib.sh"
need python3

# Its second run ends when somebody writes into the pipe.
mkfifo ../pipe
cat >wide-名名名名名名名名名名 <<'END'
#!/bin/sh
[ -e ../ran ] || exec touch ../ran
read -r word <../pipe
END
chmod +x wide-*
cat >../resize.py <<'END'
import fcntl, os, pty, re, select, struct, sys, termios, unicodedata

def resize(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ,
                struct.pack("HHHH", 24, columns, 0, 0))

def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)

# Each line of progress begins so, after what a narrower terminal made several
# lines of, and ends where the next text begins.
START = rb"(?:\x1b\[\d+A)?\r\x1b\[[JK]"
text = b""

def read():
    global text
    if not select.select([fd], [], [], 100)[0]:
        sys.exit("nothing is drawn behind %r" % text)
    try:
        part = os.read(fd, 65536)
    except OSError:
        part = b""
    text += part
    return part

pid, fd = pty.fork()
if not pid:
    resize(0, 50)
    os.environ["TERM"] = "xterm"
    os.execvp("git-perf", ["git-perf", "collect", "--no-keep", "-r", "2", "--",
                           "./wide-" + 10 * "名"])
for drawn, columns in enumerate([50, 24, 44]):
    if drawn:
        resize(fd, columns)
    while text.count(b"1/2 runs") <= drawn:
        read()
with open("../pipe", "w") as pipe:
    pipe.write("go\n")
while read():
    pass
lines = [line.decode() for line in re.split(START, text) if b"1/2 runs" in line]
for columns, line in zip([50, 24, 44], lines):
    print(columns, "fits" if width(line) <= columns else repr(line))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
check 'a terminal that becomes narrower and wider' exits 0 env LC_ALL=C.UTF-8 \
	PYTHONIOENCODING=utf-8 python3 -X utf8 ../resize.py
check 'progress is drawn anew for each width, and fits' prints out <<'END'
50 fits
24 fits
44 fits
END
