internal import LockstepPrimitives
internal import Synchronization

/// The request and the response of one exchange.
///
/// Secrets are removed when a reader first reads them.
///
/// Most exchanges are never read, and removing quoted secrets from a response takes longer than the exchange itself. Until
/// then, the content is behind a lock, where no reflection can read it. Long content is processed immediately, so that little
/// content waits.
final class ExchangeContents: Sendable {
    typealias Shown = (body: String, outcome: HTTPExchange.Outcome)

    private enum State {
        case sent(HTTPRequest, Result<HTTPResponse, HTTPFailure>)
        case shown(Shown)
    }

    private let state: Mutex<State>

    /// The maximum number of bytes of bodies that wait.
    private static let waitingLength = 16 << 10

    init(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPFailure>) {
        state = Mutex(.sent(request, result))
        let length = request.body.bytes.count + ((try? result.get())?.body.count ?? 0)
        if length > Self.waitingLength { _ = shown }
    }

    var shown: Shown {
        state.withLock { state in
            switch state {
            case .shown(let shown): return shown
            case .sent(let request, let result):
                let shown = Self.redacted(request, result)
                state = .shown(shown)
                return shown
            }
        }
    }

    private static func redacted(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPFailure>) -> Shown {
        let body = shown(request.body.bytes, type: request.fields["Content-Type"])
        switch result {
        case .success(let response):
            let secrets = RequestSecrets(of: request)
            return (
                body,
                .answered(
                    status: response.status, headers: response.headers.without(secrets).redacted,
                    body: shown(response.body, type: response.headers["Content-Type"], without: secrets))
            )
        case .failure(let failure): return (body, .failed(failure))
        }
    }

    /// The number of characters of a body that a trace keeps.
    private static let shownLength = 4096

    /// Returns JSON and forms with their secrets masked.
    ///
    /// For any other body, it returns only the size, because the content is unknown.
    private static func shown(_ bytes: [UInt8], type: String?, without secrets: RequestSecrets? = nil) -> String {
        guard !bytes.isEmpty else { return "" }
        let kind = type.map { String($0.prefix { $0 != ";" }).lowercased() } ?? "no type"
        guard let text = redactedText(bytes, kind, without: secrets) else {
            return "<\(bytes.count) bytes of \(secrets?.withheld(from: kind) ?? kind)>"
        }
        return text.utf8.count <= shownLength ? text : text.prefix(shownLength) + "…"
    }
}

extension ExchangeContents: CustomStringConvertible, CustomReflectable {
    /// The body and the outcome, without secrets.
    var description: String { "body: \(shown.body), outcome: \(shown.outcome)" }

    /// The body and the outcome, without secrets.
    var customMirror: Mirror { Mirror(self, children: ["body": shown.body, "outcome": shown.outcome]) }
}

extension ExchangeContents {
    /// Returns a body without secrets.
    ///
    /// Quoted secrets are removed first.
    ///
    /// Redaction by name and form cuts texts into pieces, and a piece of a quoted secret may not look like a secret.
    private static func redactedText(_ bytes: [UInt8], _ kind: String, without secrets: RequestSecrets?) -> String? {
        if kind == "application/x-www-form-urlencoded" {
            return String(validating: bytes, as: UTF8.self).map { Redaction.form(secrets?.withheld(from: $0) ?? $0) }
        }
        guard kind == "application/json" || kind.hasSuffix("+json") else { return nil }
        return (try? JSON.parse(bytes, rules: .answer)).map { Redaction.json(secrets?.withheld(from: $0) ?? $0).text() }
    }
}

extension HTTPHeaders {
    var redacted: HTTPHeaders { HTTPHeaders(map { Field(name: $0.name, value: Redaction.header($0)) }) }

    fileprivate func without(_ secrets: RequestSecrets) -> HTTPHeaders {
        HTTPHeaders(map { Field(name: secrets.withheld(from: $0.name), value: secrets.withheld(from: $0.value)) })
    }
}
