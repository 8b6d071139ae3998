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
    func findsBase64AtAnyOffset(_ shift: Int) {
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

    /// Bytes can be invalid as text.
    @Test func findsBytesInOtherEncodings() {
        let bytes: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 0x00, 0xFF, 0x41, 0x42, 0x43]
        let search = SecretSearch(of: bytes)
        #expect(search.isFound(in: [1] + bytes + [2]))
        #expect(search.isFound(in: Array("x\(Hex.encode(bytes))".utf8)) && search.isFound(in: Array(Base64.encode(bytes).utf8)))
        #expect(!search.isFound(in: Array(bytes.dropLast())))
    }

    /// Invariants search the client's output in every encoding, too.
    @Test func invariantsFindEveryEncoding() {
        var index = SecretIndex()
        index.insert(Self.password, "a password")
        let token =
            "eyJhbGciOiJIUzI1NiJ9." + String(repeating: "eyJzdWIiOiIx", count: 20) + ".c2lnbmF0dXJlLW9mLXRoZS10b2tlbi1pdHNlbGY"
        index.insert(token, "a token")
        for text in [Self.password, token] {
            let (bytes, name) = (Array(text.utf8), text == token ? "a token" : "a password")
            for form in [
                text, Base64.encode(bytes), Base64.encode(Array("x".utf8) + bytes, .url), Hex.encode(bytes),
                Hex.encode(bytes).uppercased(), Percent.encode(text), bytes.map { String($0) }.joined(separator: ","),
            ] {
                #expect(index.found(in: "it shows \(form) here") == [name])
            }
        }
        #expect(index.found(in: "another sentence, of words such as password and eyJhbGciOiJIUzI1NiJ9").isEmpty)
    }

    @Test func findsNothingInOtherText() {
        #expect(!finds(Array("Crabcdefgh, another password, and Zm9vYmFy".utf8)))
    }
}
