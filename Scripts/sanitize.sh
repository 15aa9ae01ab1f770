#!/usr/bin/env bash
# Links the tests and wire-fuzz again with libraries that a sanitizer checks. The objects of the tests are those of the last
# `swift build --build-tests`, without checks of their own. Only the libraries are compiled again, which takes a fifth of the time.
# usage: sanitize.sh thread|address
#   The programs are errandPackageTests.xctest and wire-fuzz in .build/KIND/debug.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=${1:-}
case $kind in
    thread | address) ;;
    *) sed -n '2,5s/^# //p' "$0"; exit 64 ;;
esac
plain=$(swift build --show-bin-path)
[ -e "$plain/errandPackageTests.xctest" ] || { echo 'run `swift build --build-tests` first'; exit 1; }

build=(swift build --scratch-path ".build/$kind" --sanitize="$kind" --disable-index-store)
checked=$("${build[@]}" --show-bin-path)
# These need all libraries.
for target in wire-fuzz ErrandGraphQL ErrandValkey GalleryCore; do
    "${build[@]}" --target "$target" >".build/$kind.log" 2>&1 || { tail -n 20 ".build/$kind.log"; exit 1; }
done

link() { # link PROGRAM [OPTION…]
    local program=$1 object list=$checked/$1.objects replaced=0
    shift
    while read -r object; do
        # The hash functions only calculate. The Thread Sanitizer makes them a hundred times slower, which would delay all tests.
        if [[ $kind,$object != thread,*/ErrandSupport.build/@(SHA256|XXHash64).swift.o ]] &&
            [ -e "$checked/${object#"$plain/"}" ]; then
            object=$checked/${object#"$plain/"}
            replaced=$((replaced + 1))
        fi
        printf '%s\n' "$object"
    done <"$plain/${program%.xctest}.product/Objects.LinkFileList" >"$list"
    # The linker warns of hundreds of symbols of the sanitizer.
    swiftc -sanitize="$kind" -emit-executable -o "$checked/$program" "$@" -Xlinker -rpath='$ORIGIN' "@$list" \
        >"$list.log" 2>&1 || { cat "$list.log"; exit 1; }
    echo "$program: $replaced of $(wc -l <"$list") objects are checked by the $kind sanitizer"
}
link errandPackageTests.xctest
# Tests start these programs from the folder of the test program.
for program in gallery examples conformance-driver; do ln -sf "$plain/$program" "$checked/$program"; done
link wire-fuzz -Xlinker --defsym -Xlinker main=wire_fuzz_main
