import LockstepCrypto
import LockstepPrimitives
import Testing

@Suite struct CurveKeyTests {
    @Test func readsP256LikeAnotherImplementation() throws {
        let vector = try CryptoVectors.key("p256")
        let message = try CryptoVectors.message()
        let keys = [
            try P256PrivateKey(pem: vector.text("pkcs8")), try P256PrivateKey(pem: vector.text("sec1")),
            try P256PrivateKey(scalar: vector.bytes("scalar")),
        ]
        for key in keys {
            #expect(try key.scalar == vector.bytes("scalar"))
            #expect(try key.publicKey.point.x == vector.bytes("x"))
            #expect(try key.publicKey.point.y == vector.bytes("y"))
            #expect(try key.publicKey.isValid(vector.bytes("signature"), for: message))
            #expect(try P256PrivateKey(pem: key.pem()).scalar == key.scalar)
            #expect(try key.publicKey.pem.trimmingNewline == vector.text("public"))
        }
        let publicKey = try P256PublicKey(x: vector.bytes("x"), y: vector.bytes("y"))
        for _ in 0..<50 {
            let signature = try keys[0].sign(message)
            #expect(signature.count == 64)
            #expect(publicKey.isValid(signature, for: message))
        }
    }

    @Test func acceptsOnlyTheRightP256Signature() throws {
        let key = try P256PrivateKey.generate()
        let signature = try key.sign([1, 2])
        #expect(key.publicKey.isValid(signature, for: [1, 2]))
        for place in [0, 31, 32, 63] {
            var changed = signature
            changed[place] ^= 1
            #expect(!key.publicKey.isValid(changed, for: [1, 2]))
        }
        #expect(!key.publicKey.isValid(signature, for: [1]))
        #expect(!key.publicKey.isValid([UInt8](repeating: 0, count: 64), for: [1, 2]))
        #expect(!key.publicKey.isValid(Array(signature.dropLast()), for: [1, 2]))
        #expect(!key.publicKey.isValid(signature + [0], for: [1, 2]))
        #expect(!(try P256PrivateKey.generate().publicKey.isValid(signature, for: [1, 2])))
    }

    @Test func rejectsInvalidP256Keys() throws {
        let vector = try CryptoVectors.key("p256")
        let x = try vector.bytes("x")
        let y = try vector.bytes("y")
        #expect(code { try P256PublicKey(x: x, y: x) } == .invalidKey)
        #expect(code { try P256PublicKey(x: [1] + x, y: y) } == .invalidKey)
        #expect(code { try P256PublicKey(x: [], y: []) } == .invalidKey)
        let order = try #require(Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        for scalar in [[], [0], order, [UInt8](repeating: 0xff, count: 32), [UInt8](repeating: 1, count: 33)] as [[UInt8]] {
            #expect(code { try P256PrivateKey(scalar: scalar) } == .invalidKey)
        }
        #expect(try P256PrivateKey(scalar: order.dropLast() + [0x50]).publicKey.point.x.count == 32)
        let p384 = try CryptoVectors.key("p384").value.string ?? ""
        #expect(code { try P256PrivateKey(pem: p384) } == .invalidKey)
        let rsa = try CryptoVectors.key("rsa").text("pkcs8")
        #expect(code { try P256PrivateKey(pem: rsa) } == .invalidKey)
    }

    @Test func signsEd25519LikeAnotherImplementation() throws {
        let vector = try CryptoVectors.key("ed25519")
        let message = try CryptoVectors.message()
        for key in [try Ed25519PrivateKey(pem: vector.text("pkcs8")), try Ed25519PrivateKey(seed: vector.bytes("seed"))] {
            #expect(try key.publicKey.bytes == vector.bytes("bytes"))
            #expect(try key.sign(message) == vector.bytes("signature"))
            #expect(key.pem.trimmingNewline == (try vector.text("pkcs8")))
            #expect(key.publicKey.pem.trimmingNewline == (try vector.text("public")))
        }
        let publicKey = try Ed25519PublicKey(pem: vector.text("public"))
        let signature = try vector.bytes("signature")
        #expect(publicKey.isValid(signature, for: message))
        #expect(!publicKey.isValid(signature, for: message + [0]))
        #expect(!publicKey.isValid(signature + [0], for: message))
        #expect(!publicKey.isValid([UInt8](repeating: 0, count: 64), for: message))
    }

    @Test func rejectsInvalidEd25519Keys() throws {
        #expect(code { try Ed25519PrivateKey(seed: [1]) } == .invalidKey)
        #expect(code { try Ed25519PublicKey([1]) } == .invalidKey)
        let other = try CryptoVectors.key("p256").text("pkcs8")
        #expect(code { try Ed25519PrivateKey(pem: other) } == .invalidKey)
    }

    @Test func keysAreSafeInConcurrentTasks() async throws {
        let key = try RSAPrivateKey(pem: CryptoVectors.key("rsa").text("pkcs8"))
        let expected = try key.sign([1])
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 { group.addTask { try key.sign([1]) == expected && key.publicKey.isValid(expected, for: [1]) } }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
