import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Passkeys with production's rules: a challenge of this server that works once, and a verified signature.
@Suite(.limitedConcurrency)
struct PasskeyTests {
    private func start() throws -> TestEmulator { try TestEmulator { $0.methods.insert(.passkey) } }

    /// An authenticator's response to a challenge.
    ///
    /// The server writes the challenge in one base64 alphabet, and the authenticator signs it in the other.
    private func credential(_ ceremony: String, _ challenge: JSON?, _ more: JSONObject = [:]) throws -> JSON {
        let bytes = try #require(Base64.decode(challenge?.string ?? ""))
        var spec: JSONObject = [
            "do": .string(ceremony), "seed": "a", "challenge": .string(Base64.encode(bytes, .url)), "count": 1,
        ]
        for (name, value) in more { spec[name] = value }
        return SoftwarePasskey(.object(spec)).credential
    }

    private func creation(_ emulator: TestEmulator, _ token: String) async throws -> JSON? {
        try await emulator.call2("accounts/passkeyEnrollment:start", ["idToken": .string(token)]).json[
            "credentialCreationOptions"]
    }

    private func enrol(_ emulator: TestEmulator, _ token: String, _ credential: JSON) async throws -> TestEmulator.TestResponse {
        try await emulator.call2(
            "accounts/passkeyEnrollment:finalize",
            ["idToken": .string(token), "authenticatorRegistrationResponse": credential, "name": "Laptop"])
    }

    private func challenge(_ emulator: TestEmulator) async throws -> JSON? {
        try await emulator.call2("accounts/passkeySignIn:start").json["credentialRequestOptions"]?["challenge"]
    }

    private func enter(_ emulator: TestEmulator, _ credential: JSON) async throws -> TestEmulator.TestResponse {
        try await emulator.call2("accounts/passkeySignIn:finalize", ["authenticatorAuthenticationResponse": credential])
    }

    /// A user with a passkey, and an ID token of that user's.
    private func member(_ emulator: TestEmulator) async throws -> String {
        let token = try await emulator.signUp()["idToken"]
        let options = try await creation(emulator, token)
        let enrolled = try await enrol(emulator, token, try credential("create", options?["challenge"]))
        #expect(enrolled.status == 200)
        return enrolled["idToken"]
    }

    @Test func createdPasskeySignsIn() async throws {
        let emulator = try start()
        let token = try await member(emulator)
        let listed = try await emulator.lookup(token).json["users"]?[0]?["passkeyInfo"]
        #expect(listed?.array?.count == 1 && listed?[0]?["name"] == "Laptop")
        #expect(listed?[0]?.object?.map(\.name) == ["credentialId", "name"])
        for count: Int64 in 2...3 {
            // The first origin is that of a native app.
            let origin: JSON = count == 2 ? "https://localhost" : "http://localhost:3000"
            let signed = try credential("get", try await challenge(emulator), ["count": .int(count), "origin": origin])
            #expect(try await enter(emulator, signed)["refreshToken"].isEmpty == false)
        }
    }

    /// The SDK for iOS sends no type, and the alphabet with padding.
    @Test func bothAlphabetsAreRead() async throws {
        let emulator = try start()
        func other(_ credential: JSON) -> JSON {
            func text(_ value: JSON?) -> JSON {
                .string(Base64.decode(value?.string ?? "", .url).map { Base64.encode($0) } ?? "")
            }
            let parts = credential["response"]?.object ?? [:]
            return [
                "id": text(credential["id"]),
                "response": .object(
                    JSONObject(parts.filter { $0.name != "transports" }.map { ($0.name, text($0.value)) })),
            ]
        }
        let token = try await emulator.signUp()["idToken"]
        let options = try await creation(emulator, token)
        #expect(try await enrol(emulator, token, other(try credential("create", options?["challenge"]))).status == 200)
        #expect(
            try await enter(emulator, other(try credential("get", try await challenge(emulator), ["count": 2]))).status == 200)
    }

    @Test(
        arguments: [
            ["origin": "https://evil.example"], ["rp_id": "evil.example"], ["verified": false], ["user": "another"],
            ["count": 1], ["do": "create"], ["challenge": "YWJj"],
        ] as [JSONObject])
    func aWrongSignatureIsRejected(_ flaw: JSONObject) async throws {
        let emulator = try start()
        _ = try await member(emulator)
        var spec: JSONObject = ["count": 2]
        for (name, value) in flaw { spec[name] = value }
        let wrong = try credential("get", try await challenge(emulator), spec)
        #expect(try await enter(emulator, wrong).code == "INVALID_AUTHENTICATOR_RESPONSE")
    }

    @Test func anotherKeyUnderTheSameIDIsRejected() async throws {
        let emulator = try start()
        _ = try await member(emulator)
        let challenge = try await challenge(emulator)
        var forged = try #require(try credential("get", challenge, ["seed": "b", "count": 2]).object)
        forged["id"] = try credential("get", challenge)["id"]
        #expect(try await enter(emulator, .object(forged)).code == "INVALID_AUTHENTICATOR_RESPONSE")
    }

    @Test func challengeWorksOnceAndForAMinute() async throws {
        let emulator = try start()
        _ = try await member(emulator)
        let signed = try credential("get", try await challenge(emulator), ["count": 2])
        #expect(try await enter(emulator, signed).status == 200)
        #expect(try await enter(emulator, signed).code == "INVALID_AUTHENTICATOR_RESPONSE")
        // A wrong response uses it up as well.
        let tried = try await challenge(emulator)
        #expect(
            try await enter(emulator, try credential("get", tried, ["count": 3, "origin": "https://evil.example"])).status == 400)
        #expect(try await enter(emulator, try credential("get", tried, ["count": 3])).code == "INVALID_AUTHENTICATOR_RESPONSE")
        let (late, good) = (try await challenge(emulator), try await challenge(emulator))
        emulator.pass(58)
        #expect(try await enter(emulator, try credential("get", good, ["count": 4])).status == 200)
        emulator.pass(3)
        #expect(try await enter(emulator, try credential("get", late, ["count": 5])).code == "INVALID_AUTHENTICATOR_RESPONSE")
    }

    /// Each contains the server's own challenge, so that the server reads all parts.
    @Test(
        arguments: [
            [:], ["id": 5], ["id": ""], ["id": "YWJj"], ["id": "YWJj", "response": "text"],
            ["id": "YWJj", "response": ["clientDataJSON": 5]],
            ["id": "?", "response": [:]], ["response": ["attestationObject": "_____w"]],
            ["response": ["attestationObject": "o2M"]],
            ["response": ["attestationObject": "v"]], ["response": ["authenticatorData": "", "signature": ""]],
            ["response": ["authenticatorData": "AA", "signature": "MAA"]],
            ["response": ["authenticatorData": [:], "signature": nil, "userHandle": []]],
        ] as [JSONObject])
    func malformedCredentialIsRejected(_ flaws: JSONObject) async throws {
        let emulator = try start()
        let token = try await member(emulator)
        func flawed(_ credential: JSON) -> JSON {
            guard var changed = credential.object, !flaws.isEmpty else { return [:] }
            for (name, value) in flaws {
                guard let parts = value.object, flaws["id"] == nil, var response = changed[name]?.object else {
                    changed[name] = value
                    continue
                }
                for (part, flaw) in parts { response[part] = flaw }
                changed[name] = .object(response)
            }
            return .object(changed)
        }
        let made = try credential("create", try await creation(emulator, token)?["challenge"], ["seed": "b"])
        let signed = try credential("get", try await challenge(emulator), ["count": 2])
        let responses = [try await enrol(emulator, token, flawed(made)), try await enter(emulator, flawed(signed))]
        // An error in one ceremony can be missing in the other.
        #expect(responses.contains { $0.status == 400 })
        let codes = ["INVALID_CREDENTIAL_ID", "INVALID_AUTHENTICATOR_RESPONSE", "PASSKEY_CREDENTIAL_NOT_FOUND"]
        for response in responses {
            #expect(response.status == 200 || codes.contains(response.code ?? ""), "\(response.json.text())")
        }
    }

    @Test func passkeyBelongsToTheUserWhoStarted() async throws {
        let emulator = try start()
        let ada = try await emulator.signUp()["idToken"]
        let eve = try await emulator.signUp("eve@example.com")["idToken"]
        let options = try await creation(emulator, ada)
        let made = try credential("create", options?["challenge"])
        #expect(try await enrol(emulator, eve, made).code == "INVALID_AUTHENTICATOR_RESPONSE")
        #expect(try await enrol(emulator, ada, made).status == 200)
        // A challenge for a sign-in enrolls no passkey, and one key belongs to one user.
        let signIn = try credential("create", try await challenge(emulator), ["seed": "b"])
        #expect(try await enrol(emulator, eve, signIn).code == "INVALID_AUTHENTICATOR_RESPONSE")
        let again = try credential("create", try await creation(emulator, eve)?["challenge"])
        #expect(try await enrol(emulator, eve, again).code == "CREDENTIAL_ALREADY_IN_USE")
    }

    @Test func unknownOrDisabledUserCannotSignIn() async throws {
        let emulator = try start()
        let token = try await member(emulator)
        let strange = try credential("get", try await challenge(emulator), ["seed": "b"])
        #expect(try await enter(emulator, strange).code == "PASSKEY_CREDENTIAL_NOT_FOUND")
        let user = try #require(try await emulator.lookup(token).json["users"]?[0])
        let id = try #require(user["localId"])
        #expect(try await emulator.manage("accounts:update", ["localId": id, "disableUser": true]).status == 200)
        let disabled = try credential("get", try await challenge(emulator), ["count": 2])
        #expect(try await enter(emulator, disabled).code == "USER_DISABLED")
        #expect(try await emulator.manage("accounts:update", ["localId": id, "disableUser": false]).status == 200)
        let passkey = try #require(user["passkeyInfo"]?[0]?["credentialId"])
        #expect(
            try await emulator.call("accounts:update", ["idToken": .string(token), "deletePasskey": [passkey]]).status == 200)
        let removed = try credential("get", try await challenge(emulator), ["count": 3])
        #expect(try await enter(emulator, removed).code == "PASSKEY_CREDENTIAL_NOT_FOUND")
    }

    @Test func passkeysAreOffByDefault() async throws {
        let strict = try TestEmulator()
        let token = JSON.string(try await strict.signUp()["idToken"])
        for call in ["passkeySignIn:start", "passkeySignIn:finalize", "passkeyEnrollment:start", "passkeyEnrollment:finalize"] {
            let body: JSON = call.contains("Enrollment") ? ["idToken": token] : [:]
            #expect(try await strict.call2("accounts/" + call, body).code == "OPERATION_NOT_ALLOWED", "\(call)")
        }
        let open = try TestEmulator(.emulator)
        #expect(try await open.call2("accounts/passkeySignIn:start").status == 200)
    }
}
