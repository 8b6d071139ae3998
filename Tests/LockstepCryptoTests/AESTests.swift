import LockstepCrypto
import Testing

@Suite struct AESTests {
    @Test func agreesWithAForeignImplementation() throws {
        let vectors = try Vectors.list("ciphers")
        #expect(vectors.count == 8)
        for vector in vectors {
            let cipher = try AES(key: vector.bytes("key"))
            let text = try vector.bytes("text")
            #expect(try cipher.countered(text, counter: vector.bytes("counter")) == vector.bytes("countered"))
            let sealed = try cipher.seal(text, nonce: vector.bytes("nonce"), context: vector.bytes("context"))
            #expect(try sealed == vector.bytes("sealed"))
            #expect(try cipher.open(sealed, nonce: vector.bytes("nonce"), context: vector.bytes("context")) == text)
        }
    }

    @Test func noticesEveryChange() throws {
        let key = [UInt8](0..<32)
        let nonce = [UInt8](0..<12)
        let cipher = try AES(key: key)
        let sealed = try cipher.seal([1, 2, 3], nonce: nonce, context: [9])
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(code { try cipher.open(changed, nonce: nonce, context: [9]) } == .notAuthentic)
        }
        #expect(code { try cipher.open(sealed, nonce: nonce, context: []) } == .notAuthentic)
        #expect(
            code { try cipher.open(sealed, nonce: nonce.reversed(), context: [9]) } == .notAuthentic)
        #expect(
            code { try cipher.open(Array(sealed.prefix(15)), nonce: nonce, context: [9]) }
                == .notAuthentic)
        let other = try AES(key: key.reversed())
        #expect(code { try other.open(sealed, nonce: nonce, context: [9]) } == .notAuthentic)
    }

    @Test func refusesWrongLengths() throws {
        #expect(code { try AES(key: [UInt8](0..<24)) } == .invalidKey)
        let cipher = try AES(key: [UInt8](0..<16))
        #expect(code { try cipher.countered([1], counter: [0]) } == .invalidParameter)
        #expect(code { try cipher.seal([1], nonce: [0]) } == .invalidParameter)
    }
}
