import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepClerk

/// Recorded responses of Clerk.
@Suite(.limitedConcurrency)
struct ReadingTests {
    private let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")

    @Test func passwordOnAKnownDeviceSignsIn() async throws {
        let playback = try Clerk.playback("clerk_auth.sign_in.sign_in_with_password", 2)
        let step = try await PasswordSignIn(api: Clerk.adapter(playback).api).begin(credential, for: .signIn, in: Clerk.memory())
        let session = try #require(step.session)
        #expect(session.user.email == "ada@example.com")
        #expect(session.user.isEmailVerified)
        #expect(session.user.displayName == "Ada Lovelace")
        #expect(session.user.standing == .verified)
        #expect(session.accessToken.reveal() == Clerk.token)
        #expect(session.refreshToken == "client-2")
        #expect(session.lifetime.life == .seconds(60))
        #expect(session.assurance == .oneFactor)
        let request = try #require(playback.requests.first)
        #expect(playback.requests.count == 1)
        #expect(request.path == "/v1/client/sign_ins")
        #expect(request.form == "identifier=ada%40example.com&password=Correct-Horse-1")
        #expect(request.headers["Authorization"] == nil)
        #expect(request.headers["clerk-api-version"] == "2026-05-12")
    }

    /// A template of the instance can put anything into a token.
    ///
    /// The server's user object overrides it.
    @Test func serverAnswerOverridesTokenClaims() async throws {
        var claims = try #require(CompactToken.unverifiedClaims(of: Clerk.token))
        claims["email_verified"] = true
        claims["role"] = "admin"
        let token =
            [JSON.object(["alg": "RS256"]), .object(claims)].map { Base64.encode($0.bytes(), .url) }
            .joined(separator: ".") + ".x"
        let text = try Clerk.recorded("clerk_auth.sign_in.sign_in_with_password", 2).text()
            .replacing(Clerk.token, with: token).replacing(#""status":"verified""#, with: #""status":"unverified""#)
        let api = try Clerk.adapter(Playback(.json(try JSON.parse(text)))).api
        let step = try await PasswordSignIn(api: api).begin(credential, for: .signIn, in: Clerk.memory())
        let session = try #require(step.session)
        #expect(session.claims["email_verified"] == true && session.claims["role"] == "admin")
        #expect(!session.user.isEmailVerified && session.user.standing == .unverified)
        #expect(session.user.fields["role"] == nil && session.assurance == .oneFactor)
    }

    @Test func newDeviceIsVerifiedByACode() async throws {
        let playback = try Clerk.playback("clerk_auth.sign_in.sign_in_with_client_trust", 2, 3, 4)
        let api = try Clerk.adapter(playback).api
        let memory = Clerk.memory()
        let step = try await PasswordSignIn(api: api).begin(credential, for: .signIn, in: memory)
        let challenge = try #require(step.challenge)
        #expect(challenge.accepts == [.code])
        #expect(challenge.destination == "a•••@example.com")
        #expect(challenge.flow.kind == .signIn)
        // 10 minutes by the server's clock, whatever the device's clock.
        #expect(try #require(challenge.expiresAt) - Clerk.clock.now > .seconds(590))
        let last = try await CodeVerification(api: api).attempt(.code("424242"), in: memory)
        #expect(last.session?.user.id == "USER_ID")
        #expect(
            playback.requests.map(\.path) == [
                "/v1/client/sign_ins", "/v1/client/sign_ins/SIGN_IN_ID/prepare_second_factor",
                "/v1/client/sign_ins/SIGN_IN_ID/attempt_second_factor",
            ])
        #expect(playback.requests[1].form == "strategy=email_code&email_address_id=IDENTIFIER_ID")
        #expect(playback.requests[2].form == "strategy=email_code&code=424242")
        #expect(playback.requests[1].headers["Authorization"] == "client-2")
    }

    @Test(arguments: ["email", "phone"])
    func codeAloneSignsIn(_ kind: String) async throws {
        let playback = try Clerk.playback("clerk_auth.sign_in.sign_in_with_\(kind)_code", 3, 4)
        let api = try Clerk.adapter(playback).api
        let memory = Clerk.memory()
        let challenge = try await api.sendCode("\(kind)_code", to: "ada@example.com", in: memory)
        #expect(challenge.channel == (kind == "email" ? .email : .sms))
        #expect(try await CodeVerification(api: api).attempt(.code("424242"), in: memory).session != nil)
        #expect(playback.requests[0].form == "identifier=ada%40example.com&strategy=\(kind)_code")
        #expect(playback.requests[1].form == "strategy=\(kind)_code&code=424242")
    }

    @Test func signUpVerifiesTheAddressThenTheNumber() async throws {
        let name = "clerk_auth.sign_up.sign_up_with_email_and_phone_code"
        let playback = try Clerk.playback(name, 2, 2, 3, 3, 5)
        let api = try Clerk.adapter(playback).api
        let memory = Clerk.memory()
        let first = try await PasswordSignIn(api: api).begin(credential, for: .signUp(SignUpProfile()), in: memory)
        #expect(first.challenge?.channel == .email)
        #expect(first.challenge?.flow.kind == .confirmation)
        let second = try await CodeVerification(api: api).attempt(.code("424242"), in: memory)
        #expect(second.challenge?.channel == .sms)
        #expect(playback.requests[3].form == "strategy=phone_code")
        let last = try await CodeVerification(api: api).attempt(.code("424242"), in: memory)
        #expect(last.session?.user.phone != nil)
        #expect(playback.requests[4].form == "strategy=phone_code&code=424242")
    }

    @Test func userIsReadAfterAddressChanges() throws {
        let answer = try Clerk.recorded("clerk_auth.user_details.set_primary_email", 8)
        let listed = try #require(answer["client"]?["sessions"]?[0]?["user"]?.object)
        let user = try User(clerk: listed)
        let primary = listed["email_addresses"]?.array?.first { $0["id"] == listed["primary_email_address_id"] }
        #expect(user.email == primary?["email_address"]?.string)
        #expect(user.identities.filter { $0.provider == .email }.count == listed["email_addresses"]?.array?.count)
    }

    @Test func nameIsReadFromMetadata() throws {
        var object = try #require(try Clerk.user().object)
        object["first_name"] = .null
        object["last_name"] = .null
        object["unsafe_metadata"] = ["display_name": "Countess"]
        #expect(try User(clerk: object).displayName == "Countess")
        object["unsafe_metadata"] = [:]
        #expect(try User(clerk: object).displayName == nil)
        object["first_name"] = "Ada"
        #expect(try User(clerk: object).displayName == "Ada")
    }

    @Test(arguments: [("Ada", "Ada", ""), ("Ada Lovelace", "Ada", "Lovelace"), ("Augusta Ada King", "Augusta Ada", "King")])
    func nameIsJoinedFromTwoParts(_ name: String, _ first: String, _ last: String) {
        #expect(PersonName(name).first == first)
        #expect(PersonName(name).last == last)
    }

    @Test func unverifiedNumberIsNotTheUsers() throws {
        var object = try #require(try Clerk.user().object)
        object["phone_numbers"] = [
            ["id": "idn_1", "phone_number": "+15551230000", "verification": ["status": "unverified"]]
        ]
        #expect(try User(clerk: object).phone == nil)
    }

    /// The primary number can be a second factor, which does not sign in alone.
    @Test func phoneIsANumberThatSignsIn() throws {
        var object = try #require(try Clerk.user().object)
        object["phone_numbers"] = [
            [
                "id": "idn_1", "phone_number": "+15551230000", "verification": ["status": "verified"],
                "reserved_for_second_factor": true,
            ],
            ["id": "idn_2", "phone_number": "+15551230001", "verification": ["status": "verified"]],
        ]
        object["primary_phone_number_id"] = "idn_1"
        let user = try User(clerk: object)
        #expect(user.phone == "+15551230001")
        #expect(user.identities.filter { $0.provider == .phone }.map(\.id) == ["idn_2"])
    }

    @Test(arguments: ["id", "status"])
    func incompleteAttemptIsInvalid(_ part: String) async throws {
        var answer = try #require(try Clerk.recorded("clerk_auth.sign_in.sign_in_with_password", 2).object)
        var attempt = try #require(answer["response"]?.object)
        attempt[part] = nil
        answer["response"] = .object(attempt)
        let step = try await PasswordSignIn(api: Clerk.adapter(Playback(.json(.object(answer)))).api)
            .begin(credential, for: .signIn, in: Clerk.memory())
        if part == "status" {
            guard case .other(let other) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(other.status == "none")
        } else {
            #expect(step.session != nil)
        }
    }

    @Test(arguments: ["needs_first_factor", "needs_second_factor", "needs_client_trust", "needs_protect_check", "needs_a_dance"])
    func unsupportedStatusIsOther(_ status: String) async throws {
        let answer: JSON = [
            "response": ["object": "sign_in_attempt", "id": "sia_1", "status": .string(status)], "client": .null,
        ]
        let step = try await PasswordSignIn(api: Clerk.adapter(Playback(.json(answer))).api)
            .begin(credential, for: .signIn, in: Clerk.memory())
        guard case .other(let other) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(other.status == status)
    }
}

extension Clerk {
    static func user() throws -> JSON {
        guard let user = try recorded("clerk_auth.sign_in.sign_in_with_password", 2)["client"]?["sessions"]?[0]?["user"] else {
            throw AuthError(.invalidInput, "The recording has no user.")
        }
        return user
    }

    /// A session that started at the date of the playback's responses.
    static func session() throws -> Session {
        guard let object = try user().object else { throw AuthError(.invalidInput, "The recording has no user.") }
        return Session(
            id: "SESSION_ID", provider: "clerk", user: try User(clerk: object), accessToken: Secret(token),
            refreshToken: "client-1",
            lifetime: TokenLifetime(life: .seconds(60), serverDate: nil, clock: clock))
    }
}
