"""An authorization server made with Authlib, for features that oidc-provider-mock lacks.

It verifies PKCE (RFC 7636), replaces refresh tokens after each use (RFC 9700, section 4.14), and supports client
credentials, the device grant (RFC 8628) and revocation (RFC 7009).

    VENV/bin/python Tests/oauth.py PORT         serves in the foreground and keeps its state in memory
"""

import os
import sys
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6749.models import AuthorizationCodeMixin
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import (
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from flask import Flask, jsonify, request

USER = "ada"
LIFE = 3600


class Client(ClientMixin):
    def __init__(self, name, secret, methods):
        self.client_id, self.secret, self.methods = name, secret, methods

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return "http://127.0.0.1:9/back"

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in ("read", "write"))

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri == self.get_default_redirect_uri()

    def check_client_secret(self, client_secret):
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method in self.methods

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


class Code(AuthorizationCodeMixin):
    def __init__(self, **members):
        self.__dict__.update(members)

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(TokenMixin):
    def __init__(self, client, user, members):
        self.client, self.user, self.members = client, user, members
        self.end = time.time() + LIFE
        self.is_access_revoked = self.is_refresh_revoked = False

    def check_client(self, client):
        return client.client_id == self.client.client_id

    def get_scope(self):
        return self.members.get("scope", "")

    def get_expires_in(self):
        return LIFE

    def get_expires_at(self):
        return int(self.end)

    def is_expired(self):
        return self.end < time.time()

    def is_revoked(self):
        return self.is_access_revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return self.client


clients = {
    "errand": Client("errand", "s", ["client_secret_basic", "client_secret_post"]),
    "app": Client("app", "", ["none"]),
}
codes, tokens, devices, approved = {}, [], {}, set()


def find(name, value):
    return next((token for token in tokens if token.members.get(name) == value), None)


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        codes[code] = Code(
            code=code, client_id=request.client.client_id, redirect_uri=request.payload.redirect_uri,
            scope=request.payload.scope or "", code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"))

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        codes.pop(authorization_code.code, None)

    def authenticate_user(self, authorization_code):
        return USER


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        token = find("refresh_token", refresh_token)
        return token if token and not token.is_refresh_revoked else None

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.is_access_revoked = refresh_token.is_refresh_revoked = True


class ServiceGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        return (USER, True) if user_code in approved else None

    def should_slow_down(self, credential):
        return False


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
    INTERVAL = 1

    def get_verification_uri(self):
        return request.host_url + "device/approve"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict(
            data, client_id=client_id, scope=scope, expires_at=int(time.time()) + data["expires_in"])


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def query_token(self, token_string, token_type_hint):
        return find("refresh_token", token_string) or find("access_token", token_string)

    def revoke_token(self, token, request):
        token.is_access_revoked = token.is_refresh_revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return find("access_token", token_string)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {
    "authorization_code": LIFE, "client_credentials": LIFE, "refresh_token": LIFE,
    "urn:ietf:params:oauth:grant-type:device_code": LIFE}
server = AuthorizationServer(
    app, query_client=clients.get,
    save_token=lambda token, request: tokens.append(Token(request.client, request.user, token)))
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(ServiceGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.get("/authorize")
def authorize():
    # The user consents immediately.
    grant = server.get_consent_grant(end_user=USER)
    return server.create_authorization_response(grant_user=USER, grant=grant)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/device/approve")
def approve():
    approved.add(request.form["user_code"])
    return "", 204


@app.get("/me")
@protected("read")
def me():
    return jsonify(user=USER)


@app.get("/")
def home():
    return "ready"


if __name__ == "__main__":
    app.run(port=int(sys.argv[1]), threaded=True)
