import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// What has ended is removed a day later, and until then is reported as ended.
@Suite(.limitedConcurrency)
struct ExpiryTests {
    private func verification(_ stage: Stage) async throws -> JSON {
        let session = try await stage.signUp()
        _ = try await stage.call("accounts:sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(session["idToken"])])
        let link = try #require(stage.link(to: "ada@example.com"))
        let query = try #require(link.split(separator: "?").last)
        let code = try #require(Percent.decodeForm(query)?.first { $0.name == "oobCode" }?.value)
        return ["oobCode": .string(code)]
    }

    @Test func aCodeIsExpiredForADayAndThenUnknown() async throws {
        let stage = try Stage()
        let code = try await verification(stage)
        stage.pass(3 * 86_400 + 1)
        #expect(try await stage.call("accounts:update", code).code == "EXPIRED_OOB_CODE")
        stage.pass(86_400)
        #expect(try await stage.call("accounts:update", code).code == "INVALID_OOB_CODE")
    }

    @Test func inEmulatorModeNothingEnds() async throws {
        let stage = try Stage(.emulator)
        let code = try await verification(stage)
        stage.pass(365 * 86_400)
        #expect(try await stage.call("accounts:update", code).status == 200)
    }

    /// The sender of a request chooses its `Host`: links in mails do not follow it.
    ///
    /// Cases: B14, I02.
    @Test(arguments: [FirebaseMode.emulator, .strict])
    func linksDoNotFollowTheHostHeader(_ mode: FirebaseMode) async throws {
        let stage = try Stage(mode)
        let session = try await stage.signUp()
        for host in ["localhost:1", "evil.localhost", "evil.example"] {
            let body: JSON = ["requestType": "VERIFY_EMAIL", "idToken": .string(session["idToken"])]
            let address = stage.server.base + Stage.toolkit + "accounts:sendOobCode?key=any"
            let headers: HTTPHeaders = [
                "Host": host, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "Forwarded": "host=evil.example",
            ]
            let answer = try await stage.send(HTTPRequest(.post, address, headers: headers, body: .json(body)))
            #expect(answer.status == (host == "evil.example" ? 421 : 200))
            #expect(stage.link(to: "ada@example.com")?.hasPrefix(stage.server.base + "/") ?? (host == "evil.example"))
        }
    }

    /// Firebase's emulator lets any page read codes and delete all users; here a page of another site is refused.
    ///
    /// Cases: I03.
    @Test func pagesOfOtherSitesReadNoCodes() async throws {
        let stage = try Stage(.emulator)
        _ = try await verification(stage)
        let project = stage.server.base + "/emulator/v1/projects/demo-lockstep"
        for (method, path) in [
            (HTTPMethod.get, "/oobCodes"), (.get, "/verificationCodes"), (.delete, "/accounts"), (.get, "/config"),
        ] {
            let foreign = try await stage.send(HTTPRequest(method, project + path, headers: ["Origin": "https://evil.example"]))
            #expect(foreign.status == 403)
        }
        let own = try await stage.send(HTTPRequest(.get, project + "/oobCodes", headers: ["Origin": "http://localhost:4000"]))
        #expect(own.json["oobCodes"]?.array?.count == 1)
    }
}
