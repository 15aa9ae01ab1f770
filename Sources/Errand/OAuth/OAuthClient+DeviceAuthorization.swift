extension OAuthClient {
    /// A sign-in on another device: the codes to show to the user of a device without a browser (RFC 8628, section
    /// 3.2).
    public struct DeviceAuthorization: Sendable {
        /// The code that the user types in. No description shows it, because it is enough to authorize this device.
        public let userCode: String
        /// The URL of the page on which the user types in the code.
        public let verificationURL: URL
        /// The verification URL with the code in it, for a QR code. `nil` if the server sends none.
        public let completeURL: URL?
        /// The time at which the codes expire, on the clock of the sign-in. If the server sets no lifetime, it is 15
        /// minutes.
        public let deadline: Deadline
        let deviceCode: Secret
        let interval: Duration
    }
}

extension OAuthClient.DeviceAuthorization: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { "DeviceAuthorization(\(Redaction.mask))" }
    /// An empty mirror: reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthClient {
    private struct Members: Decodable {
        let device_code: String
        let user_code: String
        let verification_uri: String
        let verification_uri_complete: String?
        let expires_in: TokenResponse.Seconds?
        let interval: TokenResponse.Seconds?
    }

    /// Starts a sign-in on another device.
    /// - Parameters:
    ///   - endpoint: The server's device authorization endpoint.
    ///   - scope: The requested scope. By default, the server decides.
    ///   - time: The clock of the sign-in and of its polling.
    /// - Returns: The codes and the URL to show to the user.
    /// - Throws: ``ServiceError``, with ``ServiceError/oauthError`` if the server refuses. `CancellationError` if the
    ///   task is cancelled.
    public func deviceAuthorization(
        at endpoint: URL, scope: [String] = [], time: any TimeSource = .system
    ) async throws -> OAuthClient.DeviceAuthorization {
        let response = try await post(["client_id": id, "scope": scope.parameter], to: endpoint, on: time)
        guard response.head.status == 200 else { throw TokenResponse.refusal(response) }
        guard let members = TokenResponse.decode(Members.self, response) else { throw TokenResponse.refusal(response) }
        guard !members.device_code.isEmpty, let url = Self.page(members.verification_uri) else {
            throw TokenResponse.unreadable(response)
        }
        // The upper bounds, one day and five minutes between two requests, are longer than any real server requires.
        let life = min(max(1, members.expires_in?.value ?? 900), 86_400)
        let interval = min(max(1, members.interval?.value ?? 5), 300)
        return OAuthClient.DeviceAuthorization(
            userCode: members.user_code, verificationURL: url,
            completeURL: members.verification_uri_complete.flatMap(Self.page),
            deadline: .after(.seconds(life), on: time), deviceCode: Secret(members.device_code),
            interval: .seconds(interval))
    }

    /// Waits until the user has decided on the other device (section 3.5).
    ///
    /// It polls at the interval that the server sets. The interval grows by 5 seconds after `slow_down`. It doubles, up
    /// to 10 minutes, after a request without a response.
    /// - Throws: ``ServiceError`` with ``ServiceError/oauthError``, such as `access_denied` or `expired_token`.
    ///   `CancellationError` if the task is cancelled.
    public func token(for device: OAuthClient.DeviceAuthorization) async throws -> OAuthToken {
        var interval = device.interval
        let time = device.deadline.time
        while device.deadline.remaining > interval {
            try await time.sleep(until: time.now + interval)
            do {
                let parameters: [String: String?] = [
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                    "device_code": device.deviceCode.reveal(), "client_id": id,
                ]
                return try await token(parameters, on: time)
            } catch let error as ServiceError {
                interval = try Self.interval(after: error, interval)
            }
        }
        throw ServiceError.oauth(.expiredToken)
    }

    /// Returns the next polling interval, or throws an error that ends the sign-in.
    private static func interval(after error: ServiceError, _ last: Duration) throws(ServiceError) -> Duration {
        switch (error.code, error.oauthError?.code) {
        case (_, .authorizationPending): return last
        case (_, .slowDown): return last + .seconds(5)
        case (.timeout, _), (.connection, _), (.connectionLost, _): return min(last * 2, .seconds(600))
        default: throw error
        }
    }

    /// Returns the URL of a page that a browser can open, or `nil`.
    private static func page(_ text: String) -> URL? {
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme?.lowercased() ?? ""), url.host() != nil
        else { return nil }
        return url
    }
}
