import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Addresses and numbers: sent, looked up and rejected.
@Suite(.limitedConcurrency)
struct AddressTests {
    @Test(arguments: [
        ("+ 1555 123 4567", true), ("15551234567 ", true), (" +15551234567", false), ("++15551234567", false),
        ("15551234567+", false),
    ])
    func leadingPlusIsRemovedFromANumber(_ phone: String, _ isNumber: Bool) async throws {
        let answer = try await TestEmulator().post("/signup", ["phone": .string(phone), "password": "Correct-Horse-1"])
        #expect((answer.status == 200) == isNumber)
        if isNumber { #expect(answer["phone"] == "15551234567") }
    }

    @Test(
        arguments: [
            ("_da", ["ada"]), ("a%m", ["ada", "b*b"]), ("\\_", []), ("B", []), ("b*", ["b*b"]), ("aDA LOVE", ["ada"]),
            ("ada_love", ["ada"]), ("?", []),
        ] as [(String, [String])])
    func usersAreFilteredByPattern(_ filter: String, _ names: [String]) async throws {
        let emulator = try TestEmulator()
        for (name, fullName) in [("ada", "Ada Lovelace"), ("b*b", "")] {
            try emulator.administrator.createUser(email: "\(name)@example.com", metadata: ["full_name": .string(fullName)])
        }
        var form = ""
        for byte in filter.utf8 { form += "%" + Hex.encode(CollectionOfOne(byte)) }
        let found = try await emulator.get("/admin/users?sort=created_at%20asc&filter=\(form)", bearer: emulator.admin)
        #expect(found.json["users"]?.array?.map { $0["email"]?.string } == names.map { "\($0)@example.com" })
        #expect(found.response.headers["x-total-count"] == String(names.count))
    }

    @Test(
        arguments: [
            ([:], 422, "Password recovery requires an email"),
            (["code_challenge": "short"], 422, "Password recovery requires an email"),
            (["email": "x", "code_challenge": "short"], 400, "Unable to validate email address: invalid format"),
            (
                ["email": "ada@example.com", "code_challenge": "short"], 400,
                "PKCE flow requires code_challenge_method and code_challenge"
            ),
        ] as [(JSON, Int, String)])
    func magicLinkChecksTheAddressFirst(_ body: JSON, _ status: Int, _ message: String) async throws {
        let refused = try await TestEmulator().post("/magiclink", body)
        #expect(refused.status == status && refused["msg"] == message)
    }

    @Test func failedInvitationCreatesNoUser() async throws {
        let emulator = try TestEmulator()
        emulator.server.panel.outbox.isReachable = false
        let refused = try await emulator.post("/invite", ["email": "ada@example.com"], bearer: emulator.admin)
        #expect(refused.status == 500 && refused["msg"] == "Error sending invite email")
        #expect(try emulator.administrator.account(email: "ada@example.com") == nil)
    }

    @Test func requestsForForeignFactorsAreNotLimited() async throws {
        let emulator = try TestEmulator { $0.limits.header = "X-Caller" }
        let bearer = try await emulator.person()["access_token"]
        var headers = TestEmulator.headers(bearer)
        headers.append("X-Caller", "10.0.0.1")
        let path = "/factors/11111111-1111-4111-8111-111111111111/challenge"
        for _ in 0..<40 {
            let request = HTTPRequest(.post, emulator.server.base + path, headers: headers, body: .json([:]))
            #expect(try await emulator.send(request).status == 404)
        }
    }
}
