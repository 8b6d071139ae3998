import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// What has ended is removed a day later, and until then is reported as ended.
@Suite(.limitedConcurrency)
struct ExpiryTests {
    private func verification(_ emulator: TestEmulator) async throws -> JSON {
        let session = try await emulator.signUp()
        _ = try await emulator.call(
            "accounts:sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(session["idToken"])])
        let link = try #require(emulator.link(to: "ada@example.com"))
        let query = try #require(link.split(separator: "?").last)
        let code = try #require(Percent.decodeForm(query)?.first { $0.name == "oobCode" }?.value)
        return ["oobCode": .string(code)]
    }

    @Test func aCodeIsExpiredForADayAndThenUnknown() async throws {
        let emulator = try TestEmulator()
        let code = try await verification(emulator)
        emulator.pass(3 * 86_400 + 1)
        #expect(try await emulator.call("accounts:update", code).code == "EXPIRED_OOB_CODE")
        emulator.pass(86_400)
        #expect(try await emulator.call("accounts:update", code).code == "INVALID_OOB_CODE")
    }

    @Test func inEmulatorModeNothingEnds() async throws {
        let emulator = try TestEmulator(.emulator)
        let code = try await verification(emulator)
        emulator.pass(365 * 86_400)
        #expect(try await emulator.call("accounts:update", code).status == 200)
    }

    /// The sender of a request chooses its `Host`: links in mails do not follow it.
    ///
    /// Cases: B14, I02.
    @Test(arguments: [FirebaseMode.emulator, .strict])
    func linksDoNotFollowTheHostHeader(_ mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let session = try await emulator.signUp()
        for host in ["localhost:1", "evil.localhost", "evil.example"] {
            let body: JSON = ["requestType": "VERIFY_EMAIL", "idToken": .string(session["idToken"])]
            let address = emulator.server.base + TestEmulator.toolkit + "accounts:sendOobCode?key=any"
            let headers: HTTPHeaders = [
                "Host": host, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "Forwarded": "host=evil.example",
            ]
            let response = try await emulator.send(HTTPRequest(.post, address, headers: headers, body: .json(body)))
            #expect(response.status == (host == "evil.example" ? 421 : 200))
            #expect(emulator.link(to: "ada@example.com")?.hasPrefix(emulator.server.base + "/") ?? (host == "evil.example"))
        }
    }

    /// Firebase's emulator lets any page read codes and delete all users; here a page of another site is refused.
    ///
    /// Cases: I03.
    @Test func pagesOfOtherSitesReadNoCodes() async throws {
        let emulator = try TestEmulator(.emulator)
        _ = try await verification(emulator)
        let project = emulator.server.base + "/emulator/v1/projects/demo-lockstep"
        for (method, path) in [
            (HTTPMethod.get, "/oobCodes"), (.get, "/verificationCodes"), (.delete, "/accounts"), (.get, "/config"),
        ] {
            let foreign = try await emulator.send(
                HTTPRequest(method, project + path, headers: ["Origin": "https://evil.example"]))
            #expect(foreign.status == 403)
        }
        let own = try await emulator.send(HTTPRequest(.get, project + "/oobCodes", headers: ["Origin": "http://localhost:4000"]))
        #expect(own.json["oobCodes"]?.array?.count == 1)
    }
}
