import Lockstep
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Second factors of the control routes are the provider's own: the adapter's sign-in asks for them, and accepts their codes.
@Suite("Second factors of the control API", .limitedConcurrency)
struct ControlFactorsTests {
    private static let phones: [(name: String, value: String)] = [
        ("GOTRUE_MFA_PHONE_VERIFY_ENABLED", "true"), ("GOTRUE_MFA_PHONE_MAX_FREQUENCY", "1ms"),
    ]
    private static let number = "+15552345678"

    /// Signs in with the password, up to the step that asks for a second factor.
    private func asked(_ client: AuthClient) async throws -> SecondFactorStep {
        let step = try await client.signIn(with: .password(email: "ada@example.com", password: ControlCalls.password))
        guard case .secondFactor(let asked) = step else { throw AuthError(.unknown, "No second factor is asked for: \(step)") }
        return asked
    }

    /// The flow of the step after the choice of a factor of the kind.
    private func chosen(_ kind: FactorChoice.Kind, of step: SecondFactorStep, _ client: AuthClient) async throws -> Flow {
        guard let choice = step.choices.first(where: { $0.kind == kind }) else { return step.flow }
        return try #require(try await client.respond(to: step.flow, with: .factor(choice)).flow)
    }

    @Test(
        "an authenticator app that a route enrolls completes a sign-in with the route's code", arguments: ControlledPlace.allCases
    )
    func appCompletesSignIn(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let id = try await routes.makeUser()
            let added = try await routes(.post, "/users/\(id)/factors", ["kind": "totp"])
            #expect(added.status == 201, "\(added.json)")
            #expect(added.json["kind"] == "totp" && added.json["secret"]?.string?.count == 32)
            #expect(added.json["uri"]?.string?.hasPrefix("otpauth://totp/") == true)
            #expect(added.json["uri"]?.string?.contains("ada%40example.com") == true)
            let factor = try #require(added.json["id"]?.string)
            let shown = try await routes(.get, "/users/\(id)").json["factors"]?.array
            #expect(shown?.map { $0["id"] } == [added.json["id"]] && shown?.first?["secret"] == nil)

            let client = try routes.client()
            let flow = try await chosen(.authenticatorApp, of: try await asked(client), client)
            await #expect(throws: AuthError.self) { try await client.respond(to: flow, with: .code("000000")) }
            let code = try await routes(.get, "/users/\(id)/factors/\(factor)/code")
            #expect(code.status == 200 && code.json["expiresAt"]?.string != nil)
            let step = try await client.respond(to: flow, with: .code(Secret(try #require(code.json["code"]?.string))))
            #expect(step.session?.user.id == id && step.session?.assurance == .twoFactors)

            routes.panel.advance(by: .seconds(90))
            #expect(try await routes(.get, "/users/\(id)/factors/\(factor)/code").json["code"] != code.json["code"])
        }
    }

    @Test(
        "a phone that a route enrolls completes a sign-in with the code that was sent to it", arguments: ControlledPlace.allCases)
    func phoneCompletesSignIn(_ place: ControlledPlace) async throws {
        try await place.run(place == .goTrue ? Self.phones : []) { routes async throws in
            let id = try await routes.makeUser()
            let added = try await routes(.post, "/users/\(id)/factors", ["kind": "phone", "phone": .string(Self.number)])
            #expect(added.status == 201, "\(added.json)")
            #expect(added.json["phone"] == .string(Self.number) && added.json["secret"] == .null && added.json["uri"] == .null)
            let path = "/users/\(id)/factors/\(try #require(added.json["id"]?.string))"
            let early = try await routes(.get, path + "/code")
            #expect(early.status == 409 && early.json["error"]?.string?.contains("\"\(Self.number)\"") == true)

            let client = try routes.client()
            let flow = try await chosen(.phone, of: try await asked(client), client)
            let code = try await routes(.get, path + "/code")
            let message = try await routes(.get, "/messages?to=%2B15552345678").json["messages"]?.array?.last
            #expect(code.status == 200)
            #expect(message?["code"] == code.json["code"])
            let step = try await client.respond(to: flow, with: .code(Secret(try #require(code.json["code"]?.string))))
            #expect(step.session?.user.id == id && step.session?.assurance == .twoFactors)
            // It was used.
            #expect(try await routes(.get, path + "/code").status == 409)
        }
    }

    @Test("a removed factor is not asked for and not listed", arguments: ControlledPlace.allCases)
    func removesFactors(_ place: ControlledPlace) async throws {
        try await place.run(place == .goTrue ? Self.phones : []) { routes async throws in
            let id = try await routes.makeUser()
            for body in [["kind": "totp"], ["kind": "phone", "phone": .string(Self.number)]] as [JSON] {
                #expect(try await routes(.post, "/users/\(id)/factors", body).status == 201)
            }
            let factors = try #require(try await routes(.get, "/users/\(id)/factors").json["factors"]?.array)
            #expect(factors.map { $0["kind"] } == ["totp", "phone"])
            _ = try await asked(routes.client())
            for factor in factors {
                let path = "/users/\(id)/factors/\(factor["id"]?.string ?? "")"
                #expect(try await routes(.delete, path).status == 204)
                #expect(try await routes(.delete, path).status == 404)
                #expect(try await routes(.get, path + "/code").status == 404)
            }
            #expect(try await routes(.get, "/users/\(id)/factors").json["factors"] == [])
            let step = try await routes.client().signIn(
                with: .password(email: "ada@example.com", password: ControlCalls.password))
            #expect(step.session?.assurance == .oneFactor)
        }
    }

    @Test(
        "a given secret is used; malformed, repeated and wrong values are rejected",
        arguments: ControlledPlace.allCases)
    func checksValues(_ place: ControlledPlace) async throws {
        try await place.run(place == .goTrue ? Self.phones : []) { routes async throws in
            let id = try await routes.makeUser()
            for (body, name) in [
                ([:], "kind"), (["kind": "passkey"], "kind"), (["kind": "totp", "secret": "no-base-32!"], "secret"),
                (["kind": "totp", "phone": "+15552345678"], "phone"), (["kind": "phone"], "phone"),
                (["kind": "phone", "phone": "abc"], "phone"),
                (["kind": "phone", "phone": "+15552345678", "secret": "MFRGG"], "secret"),
                (["kind": "totp", "number": "1"], "number"),
            ] as [(JSON, String)] {
                let refused = try await routes(.post, "/users/\(id)/factors", body)
                #expect(
                    refused.status == 400 && refused.json["error"]?.string?.contains("\"\(name)\"") == true, "\(body): \(refused)"
                )
            }
            #expect(try await routes(.get, "/users/\(id)/factors").json["factors"] == [])

            let app = try await routes(
                .post, "/users/\(id)/factors", ["kind": "totp", "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"])
            #expect(app.json["secret"] == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
            // RFC 6238, appendix B: the last six digits of the code of that time.
            #expect(try await routes(.post, "/clock?now=1111111109000").status == 200)
            let code = try await routes(.get, "/users/\(id)/factors/\(app.json["id"]?.string ?? "")/code").json
            #expect(code["code"] == "081804")
            #expect(code["expiresAt"]?.string.flatMap { Instant(rfc3339: $0) } == Instant(seconds: 1_111_111_110))

            let phone: JSON = ["kind": "phone", "phone": .string(Self.number)]
            #expect(try await routes(.post, "/users/\(id)/factors", phone).status == 201)
            #expect(try await routes(.post, "/users/\(id)/factors", phone).status == 409)
            #expect(try await routes(.post, "/users/nobody/factors", phone).status == 404)
        }
    }

    @Test("a factor that the settings disable is rejected with the setting's name", arguments: ControlledPlace.allCases)
    func errorNamesTheMissingSetting(_ place: ControlledPlace) async throws {
        let (settings, body, setting): ([(name: String, value: String)], JSON, String) =
            switch place {
            case .clerk: ([("SECOND_FACTORS", "totp")], ["kind": "phone", "phone": "+15552345678"], "SECOND_FACTORS")
            case .firebase: ([("allowsTimeFactors", "false")], ["kind": "totp"], "allowsTimeFactors")
            case .goTrue: ([], ["kind": "phone", "phone": "+15552345678"], "GOTRUE_MFA_PHONE_VERIFY_ENABLED")
            }
        try await place.run(settings) { routes async throws in
            let id = try await routes.makeUser()
            let refused = try await routes(.post, "/users/\(id)/factors", body)
            let sentence = refused.json["error"]?.string ?? ""
            #expect(refused.status == 422 && sentence.contains(setting))
            #expect(sentence.contains("\"\(body["kind"]?.string ?? "")\""))
            #expect(try await routes(.get, "/users/\(id)/factors").json["factors"] == [])
        }
    }

    @Test(
        "a user without a verified address gets no second factor if the provider requires one",
        arguments: [ControlledPlace.firebase])
    func factorNeedsAVerifiedAddress(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let made = try await routes(.post, "/users", ["email": "ada@example.com"])
            let refused = try await routes(.post, "/users/\(made.json["id"]?.string ?? "")/factors", ["kind": "totp"])
            #expect(refused.status == 422 && refused.json["error"]?.string?.contains("\"email\"") == true)
        }
    }
}
