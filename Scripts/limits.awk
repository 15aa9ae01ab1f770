# Prints each file and function that is longer than the limit.
# swift-format keeps the closing brace of a function under the first character of its declaration. In C, functions start in the
# first column.
function indent(line) { match(line, /^ */); return RLENGTH }
function check(first, last) {
    if (last - first + 1 > 40) printf "%s:%d: function of %d lines (40 allowed)\n", name, first, last - first + 1
}
function finish() {
    if (lines > 300) printf "%s:1: file of %d lines (300 allowed)\n", name, lines
}
FNR == 1 { if (NR > 1) finish(); name = FILENAME; start = 0; is_c = name ~ /\.[ch]$/ }
{ lines = FNR }
is_c {
    # Tables have an equals sign before any parenthesis. Prototypes end with a semicolon before any brace.
    is_type = $0 ~ /^((typedef|static|extern|const) +)*(typedef|struct|union|enum)( +[A-Za-z_0-9]+)? *(\{|$)/
    if ($0 ~ /^[A-Za-z_][^=;]*\(/ && !is_type && $0 !~ /^typedef / && $0 !~ /}$/) { start = FNR; has_body = 0 }
    if (start && $0 ~ /\{$/) has_body = 1
    if (start && !has_body && $0 ~ /;$/) start = 0
    if (start && $0 ~ /^}/) { check(start, FNR); start = 0 }
    next
}
{
    declares = $0 ~ /^ *(@[A-Za-z]+(\([^`]*\))? +)*((public|package|private|fileprivate|internal|static|class|final|override|mutating|borrowing|consuming|nonisolated|convenience|required) +)*(func|init|deinit|subscript|var)[ (<?{]/
    if (declares && !start) { start = FNR; depth = indent($0) }
    if (start && $0 ~ /^ *}/ && indent($0) == depth) {
        check(start, FNR)
        start = 0
    }
    # A declaration without a body ends where the next line is not deeper.
    if (start && FNR > start && indent($0) <= depth && $0 !~ /^ *[)}]/ && $0 !~ /^ *$/) {
        start = declares ? FNR : 0
        depth = indent($0)
    }
}
END { finish() }
