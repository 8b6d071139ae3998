@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives

extension AuthError {
    /// Returns the error without the secrets of its request, and without characters that could forge a line in a log.
    ///
    /// The search covers every text that may come from the backend: code, message, body and unknown reasons. It
    /// includes underlying errors.
    ///
    /// Well-known texts are never masked, because a reader knows the word behind a mask in such a text. Well-known
    /// texts are the library's own sentences, known codes, known reasons, and the transport's messages.
    ///
    /// - Parameters:
    ///   - isKnown: A closure that returns whether a code is in the adapter's own table. Such a code is not masked.
    public func withholding(_ secrets: RequestSecrets, knownCode isKnown: (String) -> Bool = { _ in false }) -> AuthError {
        var error = self
        error.reasons = reasons.map {
            Self.passwordReasons.contains($0) ? $0 : Self.plain(secrets.withheld(from: $0), within: 128)
        }
        error.provider?.code = provider?.code.map {
            isKnown($0) ? $0 : Self.plain(secrets.withheld(from: Self.plain($0, within: 4096)), within: 128)
        }
        error.provider?.message = provider?.message.map {
            Self.plain(secrets.withheld(from: Self.plain($0, within: 4096)), within: 1024)
        }
        error.provider?.body = provider?.body.map { secrets.withheld(from: $0, except: isKnown) }
        if let inner = underlying as? AuthError { error.underlying = inner.withholding(secrets, knownCode: isKnown) }
        return error
    }

    /// Returns a text of the backend as one line, with at most `limit` characters.
    private static func plain(_ text: String, within limit: Int) -> String {
        let scalars = text.unicodeScalars.prefix(limit).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension ProviderDetail {
    /// The maximum number of bytes of a response body that become part of an error.
    ///
    /// Errors have some hundred bytes.
    private static let bodyLimit = 16 << 10

    /// Creates the provider's part of an error from a response.
    ///
    /// Secrets in the body are masked. If the body is too long for an error, it is left out.
    public init(code: String?, message: String?, of response: HTTPResponse, body: JSON?) {
        self.init(
            code: code, status: response.status, message: message.map { $0.contains(bytesOf: "eyJ") ? Secret.mask : $0 },
            body: response.body.count > Self.bodyLimit ? nil : body.map { Redaction.json($0) })
    }

    /// Creates the provider's part of an error from a redirect to the app, without the secrets of its URL.
    ///
    /// - Parameters:
    ///   - callback: The URL to which the browser was redirected.
    public init(code: String?, message: String?, of callback: Callback) {
        var error = AuthError(.providerRefused, "", provider: ProviderDetail(code: code, message: message))
        error = error.withholding(RequestSecrets(of: HTTPRequest(.get, callback.url)))
        self = error.provider ?? ProviderDetail()
    }
}
