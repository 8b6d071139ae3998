import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Addresses and texts in which a combining mark joins an ASCII sign, or in which browsers find another host than a careless
/// reader.
@Suite(.limitedConcurrency)
struct JoinedMarkTests {
    private func send(_ emulator: TestEmulator, continueURL: String) async throws -> TestEmulator.TestResponse {
        try await emulator.manage(
            "accounts:sendOobCode",
            [
                "requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": .string(continueURL),
                "returnOobLink": true,
            ])
    }

    @Test(arguments: [
        "http://evil.example/\u{301}@localhost/x", "http://evil.example\\@localhost/x", "http://evil.example?\u{301}@localhost/",
        "http://evil.example#\u{301}@localhost/", "http://evil.example:80\\@localhost/", "http:///evil.example/@localhost",
        "http://evil.example%2f.localhost/", "http://evil.example%23.localhost/", "http://localhost@evil.example/",
        "http://evil.example\u{ff0f}.localhost/", "http://evil.example\u{301}.localhost/", "http:\\\\evil.example/@localhost",
        "http://localhost:80@evil.example/", "http://evil.example/\u{d4e}.localhost/",
    ])
    func aPageOfAnotherHostIsRejected(_ address: String) async throws {
        #expect(try await send(try TestEmulator(), continueURL: address).status == 400)
    }

    @Test(arguments: [
        "http://localhost/x", "http://app.localhost:8080/x?a=b#c", "http://user@localhost/", "http://LOCALHOST",
    ])
    func pageOfAnAuthorizedHostIsAccepted(_ address: String) async throws {
        #expect(try await send(try TestEmulator(), continueURL: address).status == 200)
    }

    @Test(arguments: ["\u{301}", "\u{d4e}", "\u{200d}", "\u{fe0f}"])
    func combiningMarksDoNotHideASeparator(_ mark: String) async throws {
        let emulator = try TestEmulator()
        let link = try await send(emulator, continueURL: "http://localhost/")["oobLink"]
        let text = "\(mark)\"\(mark)><script>\(mark)"
        let address = link + "&lang2=" + Percent.encode(text) + "&apiKey=" + Percent.encode(text)
        let page = try await emulator.get(address.replacing(emulator.server.base, with: ""))
        #expect(page.status == 200)
        #expect(
            !String(decoding: page.response.body, as: UTF8.self).unicodeScalars.map(String.init).joined(separator: " ")
                .contains("< s c r i p t"))
        #expect(page.response.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    }
}
