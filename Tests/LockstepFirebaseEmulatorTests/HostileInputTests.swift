import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Every request gets a response in the provider's format, and never an internal error.
@Suite(.limitedConcurrency)
struct HostileInputTests {
    private static let operations = [
        "signUp", "signInWithPassword", "signInWithIdp", "signInWithEmailLink", "signInWithCustomToken", "signInWithPhoneNumber",
        "sendOobCode", "sendVerificationCode", "resetPassword", "update", "lookup", "delete", "createAuthUri",
    ]
    private static let names = [
        "email", "password", "idToken", "localId", "oobCode", "requestType", "newEmail", "postBody", "requestUri", "token",
        "code",
        "sessionInfo", "phoneNumber", "displayName", "continueUrl", "tenantId", "users", "mfaInfo", "customAttributes",
        "identifier", "continueUri", "deleteAttribute", "mfa", "linkProviderUserInfo", "validSince", "createdAt",
        "temporaryProof",
    ]

    private static func value(_ random: inout Dice, depth: Int = 0) -> JSON {
        switch random.roll(depth > 2 ? 11 : 13) {
        case 0: .null
        case 1: .bool(random.roll(2) == 0)
        case 2: .int(Int64(truncatingIfNeeded: random.word()))
        case 3: .double(Double(random.roll(1000)) / 7)
        case 4: ""
        case 5: .string(random.pick(["ada@example.com", "@", "a@b", "x@y@z", "ADA@EXAMPLE.COM", "\u{0}@\u{0}", "\u{1F600}@x"]))
        case 6: .string(random.pick(["correct horse", "{", "{}", #"{"sub":"s"}"#, "eyJhbGciOiJub25lIn0.e30.", "a.b.c", "..."]))
        case 7: .string(random.pick(["http://localhost", "http://", "x:", "javascript:alert(1)", "%", "http://localhost/?%zz"]))
        case 8: .string(random.pick(["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL", "6", "-1", "99999999999999999999"]))
        case 9: .string(String(repeating: "a", count: random.roll(3000)))
        case 10: .string("providerId=google.com&id_token=" + random.pick(["%7B%22sub%22:1%7D", "%", "%7B", "x.y.z"]))
        case 11: .array((0..<random.roll(4)).map { _ in value(&random, depth: depth + 1) })
        default: .object(members(&random, depth: depth + 1))
        }
    }

    private static func members(_ random: inout Dice, depth: Int = 0) -> JSONObject {
        JSONObject((0..<random.roll(6)).map { _ in (random.pick(names), value(&random, depth: depth)) })
    }

    @Test(arguments: [FirebaseMode.emulator, .strict], [1, 2, 3, 4])
    func randomBodiesAreRejectedOrAccepted(_ mode: FirebaseMode, _ seed: UInt64) async throws {
        let emulator = try TestEmulator(mode) { $0.recentSignIn = nil }
        let session = try await emulator.signUp()
        var random = Dice(seed)
        for _ in 0..<120 {
            var body = Self.members(&random)
            if random.roll(3) == 0 { body["idToken"] = .string(session["idToken"]) }
            let operation = random.pick(Self.operations)
            let headers: HTTPHeaders = random.roll(4) == 0 ? ["Authorization": "Bearer owner"] : [:]
            let response = try await emulator.send(
                HTTPRequest(
                    .post, emulator.server.base + TestEmulator.toolkit + "accounts:" + operation + "?key=any", headers: headers,
                    body: .json(.object(body))))
            // Firebase's emulator returns 501 for unsupported operations.
            #expect(
                response.status < 500 || response.status == 501,
                "\(operation) \(JSON.object(body).text()) \(response.json.text())")
            #expect(response.json.object != nil)
        }
    }

    @Test func brokenBodiesAndPathsAreRejected() async throws {
        let emulator = try TestEmulator(.emulator)
        let url = emulator.server.base + TestEmulator.toolkit
        for text in ["{", "[1,2", "\u{FEFF}{}", "nul", "{\"a\":1}}", String(repeating: "[", count: 100_000)] {
            let body = HTTPBody(Array(text.utf8), type: "application/json")
            #expect(try await emulator.send(HTTPRequest(.post, url + "accounts:signUp?key=any", body: body)).status == 400)
        }
        for path in ["accounts:none", "projects/../../x", "projects/%2e%2e/accounts:lookup", "accounts:signUp/more", "%00"] {
            let status = try await emulator.send(HTTPRequest(.get, url + path + "?key=any")).status
            #expect([400, 404, 405].contains(status), "\(path) \(status)")
        }
    }

    @Test func unknownFieldsAreNamedInStrictMode() async throws {
        let emulator = try TestEmulator()
        let response = try await emulator.call("accounts:signUp", ["email": "a@example.com", "pasword": "x"])
        #expect(response.status == 400)
        #expect(response.json["error"]?["status"] == "INVALID_ARGUMENT")
        #expect(response.json["error"]?["message"]?.string?.contains("pasword") == true)
    }
}

/// Numbers that a seed decides.
private struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    mutating func word() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func roll(_ sides: Int) -> Int { Int(word() % UInt64(max(1, sides))) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}
