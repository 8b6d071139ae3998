import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Synchronization
import Testing

/// Requests to a real identity provider, over HTTP.
@Suite(.limitedConcurrency)
struct OpenIDClientTests {
    private static func key(_ id: String) throws -> SigningKey { try .makeEd25519(id: id, randomness: SystemRandomness()) }

    private func claims(_ token: String, _ issuer: String, _ kept: IssuerKeys, in state: ServiceState) async throws -> JSONObject?
    {
        try await state.run { try OpenIDClient($0).claims(of: token, from: issuer, kept) { issuer + "/keys" } }
    }

    @Test func exchangesACodeAsItsClient() async throws {
        let state = try ServiceState()
        let answer: JSON = ["access_token": "a", "id_token": "i", "refresh_token": ""]
        try await OtherServer.with(answering: { _ in .json(answer) }) { listener, base async throws in
            func exchange(_ client: OpenIDCredentials, _ verifier: String? = nil) async throws -> OpenIDTokens {
                try await state.run {
                    try OpenIDClient($0).tokens(for: "c d", at: base + "/token", as: client, redirect: "x:/y", verifier: verifier)
                }.get()
            }
            let tokens = try await exchange(.basic(id: "an id", secret: "a:b"), "proof")
            #expect(tokens.access == "a" && tokens.id == "i" && tokens.refresh == nil)
            _ = try await exchange(.form(id: "an id", secret: "s"))
            _ = try await exchange(.form(id: "an id", secret: nil))
            let bodies = listener.requests.map { String(decoding: $0.body, as: UTF8.self) }
            let usual = "grant_type=authorization_code&redirect_uri=x%3A%2Fy"
            #expect(
                bodies == [
                    "code=c+d&code_verifier=proof&" + usual, "client_id=an+id&client_secret=s&code=c+d&" + usual,
                    "client_id=an+id&code=c+d&" + usual,
                ])
            let basic = "Basic " + Base64.encode("an+id:a%3Ab".utf8)
            #expect(listener.requests.map { $0.headers["authorization"] } == [basic, nil, nil])
        }
    }

    @Test func readsTheConfigurationOfAnIssuer() async throws {
        let state = try ServiceState()
        let document: JSON = [
            "issuer": "i", "authorization_endpoint": "a", "token_endpoint": "t", "userinfo_endpoint": "u", "jwks_uri": "k",
        ]
        try await OtherServer.with(answering: { _ in .json(document) }) { listener, base async throws in
            let found = try await state.run { context in
                try OpenIDClient(context).configuration(at: OpenIDConfiguration.address(of: base + "/")).get()
            }
            #expect([found.issuer, found.authorization, found.token, found.userInfo, found.keys] == ["i", "a", "t", "u", "k"])
            #expect(listener.requests.map(\.path) == ["/.well-known/openid-configuration"])
        }
    }

    @Test func distinguishesNoResponseFromAnInvalidOne() async throws {
        let state = try ServiceState()
        func failure(_ address: String) async throws -> OpenIDFailure? {
            guard case .failure(let failure) = try await state.run({ try OpenIDClient($0).object(at: address) }) else {
                return nil
            }
            return failure
        }
        #expect(try await failure("https://idp.example") == .unreachable(.notLocal))
        try await OtherServer.with(answering: { $0.path == "/list" ? .json([1]) : .json([:], status: 201) }) {
            _, base async throws in
            #expect(try await failure(base + "/list") == .unusable)
            #expect(try await failure(base + "/created") == .unusable)
        }
    }

    @Test func readsResponsesWithTheGivenParser() async throws {
        let state = try ServiceState()
        try await OtherServer.with(answering: { _ in .text("no JSON") }) { listener, base async throws in
            let read = try await state.run { context in
                try OpenIDClient(context, parsing: { _ in ["read": true] }).object(at: base + "/user", token: "t").get()
            }
            #expect(read == ["read": true])
            #expect(listener.requests.first?.headers["authorization"] == "Bearer t")
        }
    }

    @Test func keepsAnIssuersKeysForAnHour() async throws {
        let state = try ServiceState()
        let (key, kept) = (try Self.key("one"), IssuerKeys())
        let token = try TokenWriter.sign(["sub": "s"], with: key)
        try await OtherServer.with(answering: { _ in .json(JSONWebKeySet(publishing: [key]).json) }) {
            listener, base async throws in
            for _ in 0..<3 { #expect(try await claims(token, base, kept, in: state)?["sub"] == "s") }
            #expect(listener.requests.count == 1)
            state.environment.clock.advance(by: .seconds(3601))
            #expect(try await claims(token, base, kept, in: state) != nil)
            #expect(listener.requests.count == 2)
            kept.reset()
            #expect(try await claims(token, base, kept, in: state) != nil)
            #expect(listener.requests.count == 3)
        }
    }

    @Test(arguments: ["one", "two"])
    func fetchesChangedKeysAgain(newID: String) async throws {
        let state = try ServiceState()
        let (first, second, kept) = (try Self.key("one"), try Self.key(newID), IssuerKeys())
        let published = Mutex(first)
        let tokens = try [first, second].map { try TokenWriter.sign(["sub": "s"], with: $0) }
        try await OtherServer.with(answering: { _ in .json(JSONWebKeySet(publishing: [published.withLock(\.self)]).json) }) {
            listener, base async throws in
            #expect(try await claims(tokens[0], base, kept, in: state) != nil)
            #expect(try await claims(tokens[1], base, kept, in: state) == nil)
            published.withLock { $0 = second }
            #expect(try await claims(tokens[1], base, kept, in: state) != nil)
            #expect(try await claims(tokens[0], base, kept, in: state) == nil)
            #expect(listener.requests.count == 4)
        }
    }

    @Test func malformedTokenCausesNoRequest() async throws {
        let state = try ServiceState()
        try await OtherServer.with(answering: { _ in .json(["keys": []]) }) { listener, base async throws in
            #expect(try await claims("a.b", base, IssuerKeys(), in: state) == nil)
            #expect(listener.requests.isEmpty)
        }
    }
}
