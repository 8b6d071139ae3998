import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Expired objects are removed a day later, and until then reported as expired.
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

    @Test func expiredCodeIsForgottenAfterADay() async throws {
        let emulator = try TestEmulator()
        let code = try await verification(emulator)
        emulator.pass(3 * 86_400 + 1)
        #expect(try await emulator.call("accounts:update", code).code == "EXPIRED_OOB_CODE")
        emulator.pass(86_400)
        #expect(try await emulator.call("accounts:update", code).code == "INVALID_OOB_CODE")
    }

    /// The response names an hour.
    ///
    /// Firebase's own emulator accepts the proof forever and repeatedly.
    @Test(arguments: [FirebaseMode.emulator, .strict])
    func temporaryProofIsAcceptedForAnHour(_ mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let number: JSON = "+15551230000"
        func code() async throws -> JSONObject {
            let sent = try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": number, "recaptchaToken": "t"])
            return [
                "sessionInfo": .string(sent["sessionInfo"]),
                "code": .string(emulator.server.panel.outbox.shortMessages.first?.code ?? ""),
            ]
        }
        let owner = try await emulator.call("accounts:signInWithPhoneNumber", .object(try await code()))["localId"]
        var linking = try await code()
        linking["idToken"] = .string(try await emulator.signUp()["idToken"])
        let conflict = try await emulator.call("accounts:signInWithPhoneNumber", .object(linking))
        #expect(conflict.status == 200 && conflict["temporaryProofExpiresIn"] == "3600" && conflict["idToken"].isEmpty)
        #expect(conflict["temporaryProof"].utf8.count == 119)
        let proof: JSON = ["phoneNumber": number, "temporaryProof": .string(conflict["temporaryProof"])]
        emulator.pass(3599)
        for _ in 0..<2 { #expect(try await emulator.call("accounts:signInWithPhoneNumber", proof)["localId"] == owner) }
        let other: JSON = ["phoneNumber": "+15551230001", "temporaryProof": .string(conflict["temporaryProof"])]
        #expect(try await emulator.call("accounts:signInWithPhoneNumber", other).code == "INVALID_TEMPORARY_PROOF")
        emulator.pass(2)
        let late = try await emulator.call("accounts:signInWithPhoneNumber", proof)
        #expect(late.code == (mode == .strict ? "INVALID_TEMPORARY_PROOF" : nil))
        #expect(late["localId"] == (mode == .strict ? "" : owner))
    }

    @Test func emulatorModeCodesDoNotExpire() async throws {
        let emulator = try TestEmulator(.emulator)
        let code = try await verification(emulator)
        emulator.pass(365 * 86_400)
        #expect(try await emulator.call("accounts:update", code).status == 200)
    }

    /// The sender of a request chooses its `Host`, so links in mails ignore it.
    @Test(arguments: [FirebaseMode.emulator, .strict])
    func linksIgnoreTheHostHeader(_ mode: FirebaseMode) async throws {
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

    /// With Firebase's emulator any page can read codes and delete all users.
    ///
    /// This emulator rejects pages of other sites.
    @Test func pagesOfOtherSitesCannotReadCodes() async throws {
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
