#!/bin/sh
# Starts an authorization server, oidc-provider-mock from PyPI, for the tests that ERRAND_OIDC enables.
#
#   Tests/oidc.sh VENV PORT        installs it into VENV if it is missing, and serves in the foreground
#   ERRAND_OIDC=http://127.0.0.1:PORT swift test
set -eu
venv=$1
port=$2
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
[ -x "$venv/bin/oidc-provider-mock" ] || "$venv/bin/pip" install --quiet oidc-provider-mock
exec "$venv/bin/oidc-provider-mock" --port "$port" --token-max-age 3600
