#!/usr/bin/env bash
# Runs a test command, writes its output to LOG, and prints the line with the number of tests. If the command fails, prints the
# failures and the unfinished tests. After 20 minutes, aborts the test process, which writes its threads to LOG, and prints the unfinished tests.
# At most six tests run concurrently. Otherwise each test shares two cores with all others, and a limit of real time measures the
# queue instead of the test.
# usage: run-tests.sh LOG COMMAND [ARGUMENT…]
#   ERRAND_TEST_MINUTES: another time limit
set -uo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# //p' "$0"; exit 64; }
log=$1
shift
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-6}
limit=$((${ERRAND_TEST_MINUTES:-20} * 60))

# Prints the names of the tests that started and did not finish.
unfinished() {
    awk '
        /^◇ Test .* started\.$/ { sub(/^◇ /, ""); sub(/ started\.$/, ""); open[$0] = 1 }
        / (passed|failed) after / {
            # The line can follow the beginning of another one.
            sub(/^.*(✔|✘) +/, ""); sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, ""); delete open[$0]
        }
        END { for (name in open) if (name !~ /^Test (run|case) ?/) print "not finished: " name }' "$log" | sort
}

"$@" >"$log" 2>&1 &
command=$! began=$SECONDS late=
while kill -0 $command 2>/dev/null && [ $((SECONDS - began)) -lt "$limit" ]; do sleep 1; done
if kill -0 $command 2>/dev/null; then
    printf 'FAILED: not finished after %d minutes: %s\n' $((limit / 60)) "$*"
    unfinished | head -n 40
    late=yes
    # The test process prints its threads when it aborts. Its parent then ends.
    pkill -ABRT -P $command
    for _ in {1..60}; do kill -0 $command 2>/dev/null && sleep 1; done
    { pkill -KILL -P $command; kill -KILL $command; wait $command; } 2>/dev/null
    grep -aE '^Thread [0-9]|^ *[0-9]+ .* 0x' "$log" | cut -c 1-200 | head -n 200
fi
status=0
wait $command || status=$?
last=$(grep -aE 'Test run with' "$log" | tail -n 1)
if [ "$status" -ne 0 ] || [ -z "$last" ]; then
    grep -aE '✘|error:|Fatal|SUMMARY|unexpected signal' "$log" | head -n 60
    printf 'FAILED: %s: status %d. Its last lines:\n' "$*" "$status"
    tail -n 5 "$log"
    # If the process crashed, these tests were running. An earlier test can be the cause.
    [ -n "$late" ] || unfinished | head -n 40
    [ "$status" -ne 0 ] || status=1
fi
[ -z "$last" ] || printf '%s\n' "$last"
exit "$status"
