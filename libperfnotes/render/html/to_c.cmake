# Texts as one C string: cmake -DNAME=<name> "-DFROM=<file>[;<file>...]"
# -DTO=<file> -P this
foreach(text ${FROM})
	file(READ ${text} part HEX)
	string(APPEND hex "${part}")
	get_filename_component(name ${text} NAME)
	string(APPEND files " ${name}")
endforeach()
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${TO} "/* Made from${files}. */\nextern const char ${NAME}[];\n"
	"const char ${NAME}[] = {\n${bytes}0};\n")
