import LockstepPrimitives
import Testing

@testable import LockstepContracts

/// A check that searches for a secret finds it in every form in which a store or a server writes it.
@Suite("The search for a secret")
struct SecretSearchTests {
    private static let password = "Crabcdefghij +&%;=\"9!\u{e9}🔑e\u{301}"

    private func finds(_ bytes: [UInt8]) -> Bool {
        !SecretSearch([(name: "a password", secret: Secret(Self.password))]).found(in: bytes).isEmpty
    }

    @Test func findsTheText() { #expect(finds(Array("x\(Self.password)y".utf8))) }

    @Test func findsJSON() {
        let note = JSON.object(["value": .string(Self.password)]).text()
        #expect(finds(Array(note.utf8)))
        #expect(finds(Array(JSON.string(note).text().utf8)))
    }

    @Test(arguments: 0..<3)
    func findsBase64WhereverItBegins(_ shift: Int) {
        let bytes = Array(repeating: UInt8(ascii: "x"), count: shift) + Array(Self.password.utf8)
        #expect(finds(Array(Base64.encode(bytes).utf8)))
        #expect(finds(Array(Base64.encode(bytes, .url).utf8)))
        #expect(finds(Array(Base64.encode(bytes + Array(" and more".utf8)).utf8)))
    }

    @Test func findsOtherEncodings() {
        let bytes = Array(Self.password.utf8)
        #expect(finds(Array(Hex.encode(bytes).utf8)))
        #expect(finds(Array(Percent.encode(Self.password).utf8)))
        #expect(finds(Self.password.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }))
    }

    @Test func findsNothingElsewhere() {
        #expect(!finds(Array("Crabcdefgh, another password, and Zm9vYmFy".utf8)))
    }
}
