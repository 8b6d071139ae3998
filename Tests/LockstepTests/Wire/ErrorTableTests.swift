import Lockstep
import LockstepHTTP
import LockstepPrimitives
import LockstepWire
import Testing

/// The errors of a provider with the format `{"error": CODE}`.
private enum AcmeErrors: ErrorTable {
    static let provider = "Acme"
    static let mistake = "the address is not the address of the API"
    static let defaultWait = Duration.seconds(60)
    static let tokenNames: Set<String> = ["idToken"]
    static let meanings = ["no_account": ErrorMeaning(.userNotFound, "No account uses this address.")]
    static func isKnown(_ code: String) -> Bool { meanings[code] != nil }
    static func report(of response: HTTPResponse, _ body: JSON?) -> ErrorReport? {
        guard let code = body?["error"]?.string else { return nil }
        return ErrorReport(code: code, message: nil, meaning: meanings[code])
    }
}

@Suite("The errors of a wire")
struct ErrorTableTests {
    private func error(_ status: Int, _ body: String = "<html>") -> AuthError {
        AcmeErrors.error(for: HTTPResponse(status: status, headers: [:], body: Array(body.utf8)))
    }

    @Test func namesAKnownCode() {
        let error = error(400, #"{"error": "no_account"}"#)
        #expect(error.code == .userNotFound && error.provider?.code == "no_account")
    }

    @Test func keepsAnUnknownCode() {
        let error = error(400, #"{"error": "new_rule"}"#)
        #expect(error.code == .unknown && error.provider?.code == "new_rule")
    }

    /// A proxy or a firewall returns the same response to the same request.
    @Test(arguments: [400, 401, 403, 404, 405, 407, 410, 413, 414, 415, 431, 451, 499])
    func advisesNoRetryAfterAnErrorOfAnotherServer(_ status: Int) {
        #expect(error(status).code == .invalidResponse && error(status).retry == .never)
    }

    /// The token can be in a header or in the body.
    ///
    /// The size is that of the token alone.
    @Test(arguments: [413, 414, 431], [true, false])
    func namesTheSizeOfTheToken(_ status: Int, _ isInHeader: Bool) {
        let token = String(repeating: "t", count: 7321)
        let request =
            isInHeader
            ? HTTPRequest(.get, "https://api.example.com/user", headers: ["Authorization": "Bearer \(token)"])
            : HTTPRequest(.post, "https://api.example.com/user", body: .json(["a": ["b": 1], "idToken": .string(token)]))
        let error = AcmeErrors.error(for: HTTPResponse(status: status, headers: [:], body: []), to: request)
        #expect(error.message.contains("its access token 7321."))
        #expect(!error.message.contains("tttt"))
    }

    @Test func namesNoTokenIfNoneWasSent() {
        let request = HTTPRequest(.post, "https://api.example.com/user", body: .json(["password": "x"]))
        let error = AcmeErrors.error(for: HTTPResponse(status: 413, headers: [:], body: []), to: request)
        #expect(!error.message.contains("token"))
    }

    /// These statuses concern the moment, not the request.
    @Test(arguments: [408, 421, 425])
    func advisesARetryWhenTheMomentWasWrong(_ status: Int) {
        #expect(error(status).code == .invalidResponse && error(status).retry == .now)
    }

    @Test(arguments: [500, 502, 503, 504, 511])
    func advisesARetryAfterAServerError(_ status: Int) {
        #expect(error(status).code == .serverUnavailable && error(status).retry == .after(.seconds(1)))
    }

    /// A captive portal returns 200 with its own page until its user has logged in.
    @Test(arguments: [200, 204, 302])
    func advisesARetryAfterAPage(_ status: Int) {
        let response = HTTPResponse(status: status, headers: [:], body: Array("<html>".utf8))
        #expect(AcmeErrors.foreign(response, "a JSON object was expected").retry == .now)
    }
}
