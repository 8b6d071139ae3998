import LockstepCrypto
import LockstepPrimitives
import Testing

@Suite struct HashFunctionTests {
    @Test func agreesWithAnotherImplementation() throws {
        let vectors = try CryptoVectors.list("digests")
        #expect(vectors.count == 54)
        for vector in vectors {
            let hash = try #require(HashFunction(rawValue: vector.text("hash")))
            let message = try vector.bytes("message")
            #expect(hash.isAvailable)
            #expect(try hash.digest(message) == vector.bytes("digest"))
            #expect(try hash.authenticate(message, key: vector.bytes("key")) == vector.bytes("hmac"))
            #expect(hash.digest(message).count == hash.byteCount)
        }
    }

    @Test func hashesTexts() {
        #expect(
            Hex.encode(HashFunction.sha256.digest("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(HashFunction.sha1.digest("é") == HashFunction.sha1.digest([0xc3, 0xa9]))
    }

    @Test func comparesInConstantTime() {
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.areEqual([UInt8](), []))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [0x81, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 2, 3]))
        #expect(ConstantTime.areEqual("code", "code"))
        #expect(!ConstantTime.areEqual("\u{e9}", "e\u{301}"))
    }
}
