# Packages, in the build folder: `cpack -G DEB` makes Debian's, split as Debian
# splits them, `cpack --config CPackSourceConfig.cmake` the source archive.
# Debian's folders and libraries are those of
#	cmake -DCMAKE_INSTALL_PREFIX=/usr -DPERF_STATIC=OFF
set(CPACK_PACKAGE_NAME git-perf)
set(PERF_MAINTAINER "the git-perf authors <git-perf@example.org>" CACHE STRING
	"who answers for the packages: name <address>")
set(CPACK_PACKAGE_CONTACT ${PERF_MAINTAINER})
# Each package says by itself what it is.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL git-perf libperfnotes-dev)
if(TARGET perfnotes_shared)
	list(APPEND CPACK_COMPONENTS_ALL libperfnotes${PERF_SOVERSION})
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(what "Profiles of many profilers are stored as git objects, listed in git
notes, and travel with push and fetch.
")

set(CPACK_DEBIAN_GIT-PERF_PACKAGE_NAME git-perf)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_SECTION vcs)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_GIT-PERF_PACKAGE_RECOMMENDS man-db)
set(CPACK_DEBIAN_GIT-PERF_DESCRIPTION "${PROJECT_DESCRIPTION}
${what}
This package has the command, its manual pages and completions.")

set(CPACK_DEBIAN_LIBPERFNOTES${PERF_SOVERSION}_PACKAGE_NAME libperfnotes${PERF_SOVERSION})
set(CPACK_DEBIAN_LIBPERFNOTES${PERF_SOVERSION}_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBPERFNOTES${PERF_SOVERSION}_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBPERFNOTES${PERF_SOVERSION}_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_LIBPERFNOTES${PERF_SOVERSION}_PACKAGE_CONTROL_EXTRA
	${CMAKE_CURRENT_SOURCE_DIR}/debian/triggers
	${CMAKE_CURRENT_BINARY_DIR}/debian/shlibs)
set(CPACK_DEBIAN_LIBPERFNOTES${PERF_SOVERSION}_DESCRIPTION "performance profiles in git repositories - library
${what}
This package has the library that other programs are linked to.")

set(CPACK_DEBIAN_LIBPERFNOTES-DEV_PACKAGE_NAME libperfnotes-dev)
set(CPACK_DEBIAN_LIBPERFNOTES-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBPERFNOTES-DEV_PACKAGE_DEPENDS
	"libperfnotes${PERF_SOVERSION} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_LIBPERFNOTES-DEV_DESCRIPTION "performance profiles in git repositories - development files
${what}
This package has headers and what pkg-config and CMake look for, and what
programs that are measured by git-perf may be compiled with.")

# What Debian wants beside the files, which is put in before they are packed.
string(TIMESTAMP PERF_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(debian/changelog.in debian/changelog @ONLY)
configure_file(debian/shlibs.in debian/shlibs @ONLY)
configure_file(debian/fill.cmake.in debian/fill.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/debian/fill.cmake)

# Neither history nor what was built.
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME git-perf-${PROJECT_VERSION})
string(REGEX REPLACE "([][.*+?^$()|\\])" "\\\\\\1" here ${CMAKE_SOURCE_DIR})
set(CPACK_SOURCE_IGNORE_FILES "^${here}/\\.git(/|$)" "^${here}/build(-[^/]*)?/"
	"\\.o$")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
