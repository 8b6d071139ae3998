internal import LockstepPrimitives
internal import Synchronization

/// What was sent and answered in one exchange, redacted when it is first looked at: most exchanges never are, and taking quoted
/// secrets out of an answer costs more than the exchange itself.
///
/// What is not redacted yet is behind a lock, where no reflection reads it, and is gone once it is. Where it is long, it is redacted at
/// once, so that what waits stays small.
final class ExchangeContents: Sendable {
    typealias Shown = (body: String, outcome: HTTPExchange.Outcome)

    private enum State {
        case sent(HTTPRequest, Result<HTTPResponse, HTTPFailure>)
        case shown(Shown)
    }

    private let state: Mutex<State>

    /// How many bytes of bodies wait for being redacted.
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

    /// How much of a body a trace keeps, in characters.
    private static let shownLength = 4096

    /// JSON and forms with their secrets masked; of any other body the size only, because its content is unknown.
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
    /// Body and outcome, redacted.
    var description: String { "body: \(shown.body), outcome: \(shown.outcome)" }

    /// Body and outcome, redacted.
    var customMirror: Mirror { Mirror(self, children: ["body": shown.body, "outcome": shown.outcome]) }
}

extension ExchangeContents {
    /// Quoted secrets are taken out first: redaction by name and shape cuts texts into pieces, of which none need look like the secret.
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
