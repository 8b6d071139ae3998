@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives

extension AuthError {
    /// The error without the secrets of its request, and without characters that could forge a line of a log.
    ///
    /// The search covers every part that the backend can have written: its code, its sentence, the body, and unknown reasons, also
    /// in an error underneath. The library's own sentences, known codes and known reasons stay as they are, and so does the
    /// sentence of a transport, which has no text of the backend: a mask in a text that everybody knows would reveal the secret.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that were sent.
    ///   - isKnown: Whether a code is one of the adapter's own table, which is no quotation.
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

    /// A text of the backend's as one line of at most so many characters.
    private static func plain(_ text: String, within limit: Int) -> String {
        let scalars = text.unicodeScalars.prefix(limit).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension ProviderDetail {
    /// How much of an answer's body is kept: errors have some hundred bytes.
    private static let bodyLimit = 16 << 10

    /// The detail of an answer, its body redacted by name and shape; a body that is longer than any error's is left out.
    public init(code: String?, message: String?, of response: HTTPResponse, body: JSON?) {
        self.init(
            code: code, status: response.status, message: message.map { $0.contains("eyJ") ? Secret.mask : $0 },
            body: response.body.count > Self.bodyLimit ? nil : body.map { Redaction.json($0) })
    }

    /// The detail of a link that ends a round trip with a refusal, without the secrets in it.
    public init(code: String?, message: String?, of callback: Callback) {
        var error = AuthError(.providerRefused, "", provider: ProviderDetail(code: code, message: message))
        error = error.withholding(RequestSecrets(of: HTTPRequest(.get, callback.url)))
        self = error.provider ?? ProviderDetail()
    }
}
