#!/usr/bin/env bash
# Checks the words of comments, test names and Markdown: prints each line that matches a forbidden pattern, and fails if there is one.
# A line of Scripts/prose-allowed.txt permits a text: a path, a tab, and a part of the line.
#
# usage: Scripts/prose.sh [FILE...]    (all tracked files by default)
set -euo pipefail
cd "$(dirname "$0")/.."

# A pattern and the advice, separated by a tab. Patterns apply to prose without code in backticks.
patterns=$(cat <<'END'
\b(who|whoever|whom|whose|nobody|somebody|everybody|anybody)\b	name the component: caller, request, connection
\b[Ww]here (a|an|it|the|there|they|this|that|nothing|none|no|one|its|each)\b	use "if" or "when" for a condition
\banswers?\b	write "response"
;( |$)	write two sentences
(?<![Tt]here )\b(is|are|was|were|be) no\b(?! longer)|\bnone of\b	write "is not" or name the set
\bbeside\b|\bof (its|your|one's|their) own\b	write "next to", "separate" or "your"
\b(so|as) many\b	name the number
END
)

if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files '*.swift' '*.c' '*.h' '*.md'); fi

# Prints `path:line: prose` for each comment, test name and line of Markdown outside of code.
prose() {
    awk '
        FNR == 1 { fenced = 0; markdown = FILENAME ~ /\.md$/ }
        markdown && /^ *```/ { fenced = !fenced; next }
        markdown && fenced { next }
        {
            text = ""
            if (markdown) text = $0
            else if (match($0, /^[ \t]*\/\/\/? ?/)) {
                text = substr($0, RSTART + RLENGTH)
                if (text ~ /^```/) { fenced = !fenced; next }
                if (fenced) next
            } else {
                fenced = 0
                if (match($0, /func `[^`]+`/)) text = substr($0, RSTART + 6, RLENGTH - 7)
                else if (match($0, /[;{}),] +\/\/ /)) text = substr($0, RSTART + RLENGTH)
            }
            if (text == "") next
            # References such as (RFC 7932, section 9.2; RFC 1951, section 3.2.3) use semicolons.
            gsub(/\([^()]*section [^()]*\)/, "X", text); gsub(/``[^`]*``/, "X", text); gsub(/`[^`]*`/, "X", text); gsub(/\]\([^)]*\)/, "]", text)
            print FILENAME ":" FNR ": " text
        }' "$@"
}

allowed() { # removes the lines that the list permits
    awk -F '\t' '
        FILENAME == ARGV[1] { if (NF == 2) { path[++count] = $1; part[count] = $2 } next }
        { for (i = 1; i <= count; i++) if (index($0, path[i] ":") == 1 && index($0, part[i])) next; print }
    ' Scripts/prose-allowed.txt -
}

failed=0
while IFS=$'\t' read -r pattern advice; do
    found=$(prose "${files[@]}" | grep -P ": .*($pattern)" | allowed || true)
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | sed "s|\$| — $advice|"
        failed=1
    fi
done <<<"$patterns"

words=$(wc -w <README.md) lines=$(wc -l <README.md)
if [ "$words" -gt 900 ] || [ "$lines" -gt 200 ]; then
    echo "README.md: expected at most 900 words and 200 lines, found $words words and $lines lines"
    failed=1
fi
exit $failed
