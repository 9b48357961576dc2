# A text as a C string: cmake -DNAME=<name> -DFROM=<file> -DTO=<file> -P this
file(READ ${FROM} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
get_filename_component(file ${FROM} NAME)
file(WRITE ${TO} "/* Made from ${file}. */\nextern const char ${NAME}[];\n"
	"const char ${NAME}[] = {\n${bytes}0};\n")
