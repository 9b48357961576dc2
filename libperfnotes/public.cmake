# What other programs use: the headers that perfnotes.h names, and a shared
# library that exports the names in perfnotes.sym. It is linked from the ordinary
# code of the archive, of which it takes what those names need. The program and
# the tests use the archive, which is not installed.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
	perfnotes.h perfnotes.sym)

# Installed headers name each other <perfnotes/...>, so that no base/error.h of
# somebody else is taken for ours.
file(STRINGS perfnotes.h public_headers REGEX "^#include \"")
list(TRANSFORM public_headers REPLACE "^#include \"(.*)\"$" "\\1")
list(APPEND public_headers perfnotes.h)
set(public_dir ${CMAKE_BINARY_DIR}/include/perfnotes)
add_custom_command(OUTPUT ${public_dir}/.made
	COMMAND ${CMAKE_COMMAND} -DTO=${public_dir} "-DHEADERS=${public_headers}"
		-P ${CMAKE_CURRENT_SOURCE_DIR}/public_headers.cmake
	WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
	DEPENDS ${public_headers} public_headers.cmake VERBATIM)
add_custom_target(public_headers ALL DEPENDS ${public_dir}/.made)

file(STRINGS perfnotes.sym public_names)
list(JOIN public_names ";\n\t" names)
file(CONFIGURE OUTPUT perfnotes.map @ONLY
	CONTENT "PERFNOTES_@PERF_SOVERSION@ {\nglobal:\n\t@names@;\nlocal:\n\t*;\n};\n")
list(TRANSFORM public_names PREPEND "-Wl,--undefined=")
list(JOIN public_names "\n" needed)
file(CONFIGURE OUTPUT perfnotes.needed @ONLY CONTENT "@needed@\n")
file(CONFIGURE OUTPUT nothing.c CONTENT "")

add_library(perfnotes_shared SHARED ${CMAKE_CURRENT_BINARY_DIR}/nothing.c)
add_dependencies(perfnotes_shared public_headers)
target_include_directories(perfnotes_shared INTERFACE
	$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(perfnotes_shared PRIVATE perfnotes)
target_link_options(perfnotes_shared PRIVATE
	@${CMAKE_CURRENT_BINARY_DIR}/perfnotes.needed
	-Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/perfnotes.map
	-Wl,--as-needed)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
	target_link_options(perfnotes_shared PRIVATE -fno-lto
		-fno-use-linker-plugin)
endif()
if(NOT PERF_SANITIZE)
	target_link_options(perfnotes_shared PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(perfnotes_shared PROPERTIES
	OUTPUT_NAME perfnotes EXPORT_NAME perfnotes
	VERSION ${PROJECT_VERSION} SOVERSION ${PERF_SOVERSION}
	LINK_DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/perfnotes.needed;${CMAKE_CURRENT_BINARY_DIR}/perfnotes.map"
	LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perfnotes)
file(CONFIGURE OUTPUT perfnotes-config.cmake @ONLY
	CONTENT "include(\${CMAKE_CURRENT_LIST_DIR}/perfnotes-targets.cmake)\n")
write_basic_package_version_file(perfnotes-config-version.cmake
	COMPATIBILITY SameMinorVersion)
# Relative to itself, so that the installation can be moved.
file(RELATIVE_PATH pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(perfnotes.pc.in perfnotes.pc @ONLY)

install(TARGETS perfnotes_shared EXPORT perfnotes
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	COMPONENT libperfnotes${PERF_SOVERSION} NAMELINK_COMPONENT libperfnotes-dev)
install(EXPORT perfnotes NAMESPACE perfnotes:: DESTINATION ${config_dir}
	FILE perfnotes-targets.cmake COMPONENT libperfnotes-dev)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/perfnotes-config.cmake
	${CMAKE_CURRENT_BINARY_DIR}/perfnotes-config-version.cmake
	DESTINATION ${config_dir} COMPONENT libperfnotes-dev)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/perfnotes.pc
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
	COMPONENT libperfnotes-dev)
install(DIRECTORY ${public_dir} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
	COMPONENT libperfnotes-dev FILES_MATCHING PATTERN "*.h")
