import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Links used by others than their recipients.
@Suite(.limitedConcurrency)
struct ForeignProofTests {
    private func code(_ emulator: TestEmulator, to email: String) throws -> JSON {
        let link = try #require(emulator.link(to: email))
        let query = try #require(link.split(separator: "?").last)
        return .string(try #require(Percent.decodeForm(query)?.first { $0.name == "oobCode" }?.value))
    }

    /// A scanner that runs scripts and follows every link of the page triggers no action.
    @Test func linkPageActsOnlyByItsButton() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        for (kind, body) in [
            ("VERIFY_EMAIL", ["idToken": .string(session["idToken"])] as JSONObject),
            ("PASSWORD_RESET", ["email": "ada@example.com"]),
            ("EMAIL_SIGNIN", ["email": "ada@example.com", "continueUrl": "http://localhost/done"]),
        ] {
            var body = body
            body["requestType"] = .string(kind)
            #expect(try await emulator.call("accounts:sendOobCode", .object(body)).status == 200)
            let link = try #require(emulator.server.panel.outbox.mails(to: "ada@example.com").first?.link)
            for _ in 0..<3 {
                let page = try await emulator.send(HTTPRequest(.get, link))
                let text = try #require(page.response.text).lowercased()
                #expect(page.status == 200)
                #expect(!text.contains("<script") && !text.contains("http-equiv") && !text.contains(" onload"))
                #expect(!text.contains("<img") && !text.contains("<iframe"))
                for part in text.split(separator: "href=\"").dropFirst() {
                    let target = part.prefix { $0 != "\"" }.replacing("&amp;", with: "&")
                    // The continue link opens the app, which shows the address and asks for the code.
                    #expect(target.hasPrefix("http://localhost/done"))
                }
            }
            let open = try await emulator.call("accounts:resetPassword", ["oobCode": try code(emulator, to: "ada@example.com")])
            #expect(open["requestType"] == kind)
        }
        #expect(try await emulator.lookup(session["idToken"]).json["users"]?[0]?["emailVerified"] == false)
    }

    @Test func codesWorkForOneAddressAndOnePurpose() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        let eve = try await emulator.signUp("eve@example.com")
        func send(_ kind: String, _ body: JSONObject) async throws -> JSON {
            var body = body
            body["requestType"] = .string(kind)
            #expect(try await emulator.call("accounts:sendOobCode", .object(body)).status == 200)
            return try code(emulator, to: "ada@example.com")
        }
        let verification = try await send("VERIFY_EMAIL", ["idToken": .string(session["idToken"])])
        let reset: JSON = ["oobCode": verification, "newPassword": "another one"]
        #expect(try await emulator.call("accounts:resetPassword", reset).code == "INVALID_OOB_CODE")
        let signIn: JSON = ["oobCode": verification, "email": "ada@example.com"]
        #expect(try await emulator.call("accounts:signInWithEmailLink", signIn).code == "INVALID_OOB_CODE")

        let recovery = try await send("PASSWORD_RESET", ["email": "ada@example.com"])
        #expect(try await emulator.call("accounts:update", ["oobCode": recovery]).code == "INVALID_OOB_CODE")
        let entry: JSON = ["oobCode": recovery, "email": "ada@example.com"]
        #expect(try await emulator.call("accounts:signInWithEmailLink", entry).code == "INVALID_OOB_CODE")

        let link = try await send("EMAIL_SIGNIN", ["email": "ada@example.com", "continueUrl": "http://localhost/done"])
        let others: JSON = ["oobCode": link, "email": "eve@example.com"]
        #expect(try await emulator.call("accounts:signInWithEmailLink", others).code == "INVALID_EMAIL")
        #expect(try await emulator.call("accounts:update", ["oobCode": link]).code == "INVALID_OOB_CODE")
        for email in ["ada@example.com", "eve@example.com"] { #expect(try await emulator.signIn(email).status == 200) }
        for token in [session["idToken"], eve["idToken"]] {
            #expect(try await emulator.lookup(token).json["users"]?[0]?["emailVerified"] == false)
        }
    }
}
