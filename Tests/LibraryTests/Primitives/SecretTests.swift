import Foundation
import LockstepPrimitives
import Testing

@Suite struct SecretTests {
    private struct Holder: Codable { var name = "visible", secret: Secret = "canary-5150" }

    @Test func descriptionShowsNothing() {
        let secret: Secret = "canary-5150"
        var dumped = ""
        dump(secret, to: &dumped)
        dump(Holder(), to: &dumped)
        dump([secret: [secret]], to: &dumped)
        let shown = [
            "\(secret as Any)", String(describing: secret), String(reflecting: secret), "\([secret])",
            "\(Optional(secret) as Any)",
            "\(Holder())",
            String(reflecting: Holder()), dumped, "\(Mirror(reflecting: secret).children.map(\.value))",
            "\(Result<Secret, any Error>.success(secret))",
        ]
        for text in shown { #expect(!text.contains("canary")) }
        #expect("\(secret as Any)" == Secret.mask)
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func encodesAsAMaskUnlessRevealed() throws {
        let encoder = JSONEncoder()
        let masked = String(decoding: try encoder.encode(Holder()), as: UTF8.self)
        #expect(!masked.contains("canary"))
        #expect(masked.contains("visible"))
        encoder.userInfo[.revealsSecrets] = true
        let plain = try encoder.encode(Holder())
        #expect(try JSONDecoder().decode(Holder.self, from: plain).secret.reveal() == "canary-5150")
        encoder.userInfo[.revealsSecrets] = false
        #expect(!String(decoding: try encoder.encode(Holder()), as: UTF8.self).contains("canary"))
    }

    @Test func comparesByBytes() {
        #expect(Secret("a") == "a")
        #expect(Secret("a") != "b")
        #expect(Secret("a") != "aa")
        #expect(Secret("") == "")
        #expect(Secret("").isEmpty)
        #expect(!Secret(" ").isEmpty)
        #expect(Set([Secret("a"), "a", "b"]).count == 2)
        // It looks like the same letter to a person and is another password for a server.
        #expect(Secret("\u{e9}") != Secret("e\u{301}"))
    }
}
