import Testing

@testable import LockstepCrypto

@Suite struct AESTests {
    @Test func agreesWithAnotherImplementation() throws {
        let vectors = try CryptoVectors.list("ciphers")
        #expect(vectors.count == 8)
        for vector in vectors {
            let cipher = try AES(key: vector.bytes("key"))
            let text = try vector.bytes("text")
            #expect(try cipher.countered(text, counter: vector.bytes("counter")) == vector.bytes("countered"))
            let sealed = try cipher.seal(text, nonce: vector.bytes("nonce"), context: vector.bytes("context"))
            #expect(try sealed == vector.bytes("nonce") + vector.bytes("sealed"))
            #expect(try cipher.open(sealed, context: vector.bytes("context")) == text)
        }
    }

    @Test func rejectsEveryChangedMessage() throws {
        let key = [UInt8](0..<32)
        let cipher = try AES(key: key)
        let sealed = try cipher.seal([1, 2, 3], context: [9])
        #expect(try cipher.open(sealed, context: [9]) == [1, 2, 3])
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(code { try cipher.open(changed, context: [9]) } == .notAuthentic)
        }
        #expect(code { try cipher.open(sealed, context: []) } == .notAuthentic)
        for count in [0, 11, 12, 27] {
            #expect(code { try cipher.open(Array(sealed.prefix(count)), context: [9]) } == .notAuthentic)
        }
        let other = try AES(key: key.reversed())
        #expect(code { try other.open(sealed, context: [9]) } == .notAuthentic)
    }

    @Test func drawsANonceForEachMessage() throws {
        let cipher = try AES(key: [UInt8](0..<32))
        let nonces = try (0..<1000).map { _ in Array(try cipher.seal([1]).prefix(12)) }
        #expect(Set(nonces).count == 1000)
    }

    @Test func rejectsWrongLengths() throws {
        #expect(code { try AES(key: [UInt8](0..<24)) } == .invalidKey)
        let cipher = try AES(key: [UInt8](0..<16))
        #expect(code { try cipher.countered([1], counter: [0]) } == .invalidParameter)
        #expect(code { try cipher.seal([1], nonce: [0], context: []) } == .invalidParameter)
    }
}
