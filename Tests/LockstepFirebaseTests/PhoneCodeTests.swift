import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Codes by SMS as the only factor.
@Suite(.limitedConcurrency)
struct PhoneCodeTests {
    private static let number = "+15551230000"
    private static let tokens = Firebase.tokens(provider: "phone", name: nil, email: nil)
    private static let lookup = Firebase.lookup(name: nil, email: nil, provider: "phone")

    private static func begin(_ adapter: FirebaseAdapter, _ memory: FlowMemory) async throws -> Challenge {
        let step = try await PhoneCodeSignIn(api: adapter.api).begin(.phoneCode(number), for: .signIn, in: memory)
        return try #require(step.challenge)
    }

    @Test func codeIsSentWithItsSessionInfo() async throws {
        let playback = Playback(.json(["sessionInfo": "s1"]), .json(Self.tokens), .json(Self.lookup))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.signIn, .phoneCode)
        let challenge = try await Self.begin(adapter, memory)
        #expect(challenge.channel == .sms && challenge.accepts == [.code] && challenge.destination == "+•••0000")
        #expect(challenge.expiresAt == Firebase.clock.now + .seconds(600))
        let step = try await CodeVerification(api: adapter.api).attempt(.code("123456"), in: memory)
        #expect(step.session?.user.id == "uid-1")
        #expect(playback.requests[0].json == ["phoneNumber": .string(Self.number)])
        #expect(playback.requests[1].json == ["sessionInfo": "s1", "code": "123456", "operation": "SIGN_UP_OR_IN"])
    }

    @Test func codeOfAnOlderMessageIsAccepted() async throws {
        let playback = Playback(
            .json(["sessionInfo": "s1"]), .json(["sessionInfo": "s2"]), Firebase.refusal("INVALID_CODE"), .json(Self.tokens),
            .json(Self.lookup))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.signIn, .phoneCode)
        _ = try await Self.begin(adapter, memory)
        let codes = CodeVerification(api: adapter.api)
        _ = try await codes.prepare(memory)
        #expect(try await codes.attempt(.code("111111"), in: memory).session != nil)
        #expect(playback.requests[2...3].map { $0.json?["sessionInfo"]?.string } == ["s2", "s1"])
    }

    @Test func usedCodeIsDistinguishedFromAWrongOne() async throws {
        let playback = Playback(
            .json(["sessionInfo": "s1"]), Firebase.refusal("INVALID_CODE"), .json(Self.tokens), .json(Self.lookup),
            Firebase.refusal("INVALID_SESSION_INFO"))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.signIn, .phoneCode)
        _ = try await Self.begin(adapter, memory)
        let codes = CodeVerification(api: adapter.api)
        #expect(try await refusal { try await codes.attempt(.code("000000"), in: memory) }.code == .invalidCode)
        #expect(try await codes.attempt(.code("123456"), in: memory).session != nil)
        #expect(try await refusal { try await codes.attempt(.code("123456"), in: memory) }.code == .codeUsed)
    }

    private static func member(_ playback: Playback) async throws -> AuthClient {
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        return client
    }

    @Test func numberOfAnotherUserIsAConflictDespiteStatus200() async throws {
        let playback = Playback(
            .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)), .json(["sessionInfo": "s1"]),
            .json(["phoneNumber": .string(Self.number), "temporaryProof": "p", "temporaryProofExpiresIn": "3600"]))
        let client = try await Self.member(playback)
        let challenge = try #require(try await client.account.link(.phoneCode(Self.number)).challenge)
        let step = try await client.respond(to: challenge.flow, with: .code("123456"))
        guard case .identityConflict(let conflict) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(conflict.signInMethods == [.phoneCode] && conflict.currentUserID == "uid-1")
        #expect(playback.requests[3].json?["operation"] == "LINK")
        #expect(playback.requests[3].json?["idToken"]?.string == client.state.session?.accessToken.reveal())
    }

    @Test func anotherNumberRenewsNoSignIn() async throws {
        let playback = Playback(.json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)))
        let client = try await Self.member(playback)
        let error = try await refusal { try await client.account.reauthenticate(with: .phoneCode(Self.number)) }
        #expect(error.code == .userMismatch)
        #expect(playback.requests.count == 2)
    }

    @Test func linkWithoutAUserSignsNobodyIn() async throws {
        let playback = Playback(.json(["sessionInfo": "s1"]))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.linking, .phoneCode)
        _ = try await Self.begin(adapter, memory)
        let codes = CodeVerification(api: adapter.api)
        #expect(try await refusal { try await codes.attempt(.code("123456"), in: memory) }.code == .notSignedIn)
        #expect(playback.requests.count == 1)
    }

    @Test func anUnknownNumberRenewsNoSignIn() async throws {
        let adapter = try Firebase.adapter(Playback(.json(["sessionInfo": "s1"]), Firebase.refusal("USER_NOT_FOUND")))
        let memory = Firebase.memory(.reauthentication, .phoneCode)
        _ = try await Self.begin(adapter, memory)
        let codes = CodeVerification(api: adapter.api)
        #expect(try await refusal { try await codes.attempt(.code("123456"), in: memory) }.code == .userMismatch)
    }

    @Test func acceptedCodeSurvivesAFailedMail() async throws {
        let playback = Playback(
            .json(["sessionInfo": "s1"]), .json(Firebase.tokens()), .json(Firebase.lookup()), Firebase.refusal("EMAIL_NOT_SENT"),
            .json(Firebase.lookup()), .json(["email": "ada@example.com"]))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.signIn, .phoneCode)
        _ = try await Self.begin(adapter, memory)
        let codes = CodeVerification(api: adapter.api)
        #expect(try await refusal { try await codes.attempt(.code("123456"), in: memory) }.code == .messageNotSent)
        #expect(memory.flow.kind == .signIn)
        let step = try await codes.attempt(.code("123456"), in: memory)
        #expect(step.challenge != nil && memory.flow.kind == .confirmation && memory[.unfinishedSession] == nil)
        #expect(playback.requests.filter { $0.call == "accounts:signInWithPhoneNumber" }.count == 1)
    }

    @Test func aCodeOfAnotherUserLeavesNoSession() async throws {
        let playback = Playback(.json(["sessionInfo": "s1"]), .json(Self.tokens), .json(Self.lookup))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.reauthentication, .phoneCode)
        _ = try await Self.begin(adapter, memory)
        memory[.requiredUser] = "uid-2"
        let codes = CodeVerification(api: adapter.api)
        #expect(try await refusal { try await codes.attempt(.code("123456"), in: memory) }.code == .userMismatch)
        #expect(memory[.unfinishedSession] == nil)
    }

    private static let proofs: [(AppProof, JSONObject)] = [
        (.recaptcha("t"), ["recaptchaToken": "t"]),
        (
            .recaptchaEnterprise("t", client: .apple),
            ["captchaResponse": "t", "clientType": "CLIENT_TYPE_IOS", "recaptchaVersion": "RECAPTCHA_ENTERPRISE"]
        ),
        (.notification(receipt: "r", secret: "s"), ["iosReceipt": "r", "iosSecret": "s"]),
        (.playIntegrity("t"), ["playIntegrityToken": "t"]), (.unproven, [:]),
    ]

    @Test(arguments: proofs)
    func appVerificationIsSent(_ proof: AppProof, _ members: JSONObject) async throws {
        let playback = Playback(.json(["sessionInfo": "s1"]))
        let adapter = try Firebase.adapter(playback) { $0.appProof = { _ throws(AuthError) in proof } }
        _ = try await Self.begin(adapter, Firebase.memory(.signIn, .phoneCode))
        var expected = members
        expected["phoneNumber"] = .string(Self.number)
        let sent = try #require(playback.requests[0].json?.object)
        #expect(Set(sent.map(\.name)) == Set(expected.map(\.name)) && sent.allSatisfy { expected[$0.name] == $0.value })
    }

    @Test func failedAppVerificationSendsNothing() async throws {
        let playback = Playback()
        let adapter = try Firebase.adapter(playback) { configuration in
            configuration.appProof = { _ throws(AuthError) in throw AuthError(.captchaRequired, "The person has left.") }
        }
        let error = try await refusal { try await Self.begin(adapter, Firebase.memory(.signIn, .phoneCode)) }
        #expect(error.code == .captchaRequired && playback.requests.isEmpty)
    }

    @Test func withoutAppVerificationNoPhoneCodesAreOffered() throws {
        var configuration = try FirebaseConfiguration(key: "k")
        #expect(!FirebaseAdapter(configuration, transport: Playback()).capabilities.contains(.phoneCode))
        configuration.appProof = { _ throws(AuthError) in .unproven }
        #expect(FirebaseAdapter(configuration, transport: Playback()).capabilities.contains(.phoneCode))
        var tenants = try FirebaseConfiguration(key: "k", tenant: "shop-a1b2c")
        tenants.appProof = configuration.appProof
        #expect(!FirebaseAdapter(tenants, transport: Playback()).capabilities.contains(.phoneCode))
    }
}
