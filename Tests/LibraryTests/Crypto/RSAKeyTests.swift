import LockstepCrypto
import LockstepPrimitives
import Testing

@Suite struct RSAKeyTests {
    @Test func readsAndSignsLikeAnotherImplementation() throws {
        let vector = try CryptoVectors.key("rsa")
        let message = try CryptoVectors.message()
        for form in ["pkcs8", "pkcs1"] {
            let key = try RSAPrivateKey(pem: vector.text(form))
            #expect(try key.publicKey.modulus == vector.bytes("modulus"))
            #expect(try key.publicKey.exponent == vector.bytes("exponent"))
            for hash in [HashFunction.sha1, .sha256, .sha384, .sha512] {
                let signature = try CryptoVector(value: vector.value["signatures"] ?? .null).bytes(hash.rawValue)
                #expect(try key.sign(message, hash: hash) == signature)
                #expect(key.publicKey.isValid(signature, for: message, hash: hash))
            }
            #expect(try key.pem().trimmingNewline == vector.text("pkcs8"))
            #expect(try key.publicKey.pem.trimmingNewline == vector.text("public"))
        }
    }

    @Test func readsPublicKeysInEveryForm() throws {
        let vector = try CryptoVectors.key("rsa")
        let signature = try CryptoVector(value: vector.value["signatures"] ?? .null).bytes("sha256")
        let message = try CryptoVectors.message()
        let fromText = try RSAPublicKey(pem: vector.text("public"))
        let fromNumbers = try RSAPublicKey(modulus: [0, 0] + vector.bytes("modulus"), exponent: vector.bytes("exponent"))
        for key in [fromText, fromNumbers] { #expect(key.isValid(signature, for: message)) }
        #expect(fromText.der == fromNumbers.der)
    }

    @Test func acceptsOnlyTheRightSignature() throws {
        let key = try RSAPrivateKey(pem: CryptoVectors.key("rsa").text("pkcs8"))
        let signature = try key.sign([1, 2, 3])
        for place in [0, 100, 255] {
            var changed = signature
            changed[place] ^= 1
            #expect(!key.publicKey.isValid(changed, for: [1, 2, 3]))
        }
        #expect(!key.publicKey.isValid(signature, for: [1, 2]))
        #expect(!key.publicKey.isValid(signature, for: [1, 2, 3], hash: .sha512))
        #expect(!key.publicKey.isValid([], for: [1, 2, 3]))
        #expect(!key.publicKey.isValid(Array(signature.dropLast()), for: [1, 2, 3]))
    }

    @Test func keepsModulusAndExponent() throws {
        let key = try RSAPrivateKey(pem: CryptoVectors.key("rsa").text("pkcs8"))
        var numbers = try key.numbers()
        let again = try RSAPrivateKey(numbers)
        #expect(try again.der() == key.der())
        numbers.privateExponent[0] ^= 1
        numbers.primeExponents.first[0] ^= 1
        #expect(code { try RSAPrivateKey(numbers) } == .invalidKey)
    }

    @Test func generatesKeys() throws {
        let key = try RSAPrivateKey.generate()
        #expect(key.publicKey.modulus.count == 256)
        #expect(key.publicKey.exponent == [1, 0, 1])
        #expect(key.publicKey.isValid(try key.sign([7]), for: [7]))
        #expect(code { try RSAPrivateKey.generate(bits: 1024) } == .invalidParameter)
    }

    @Test func rejectsTextThatIsNotAKeyForRSA() throws {
        let weak = try CryptoVectors.key("weak").value.string ?? ""
        let curve = try CryptoVectors.key("p256")
        let texts = [
            "", "no PEM", weak, try curve.text("pkcs8"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        ]
        for text in texts {
            #expect(code { try RSAPrivateKey(pem: text) } == .invalidKey)
        }
        let point = try curve.text("public")
        #expect(code { try RSAPublicKey(pem: point) } == .invalidKey)
        #expect(code { try RSAPublicKey(modulus: [], exponent: [3]) } == .invalidKey)
        let modulus = try CryptoVectors.key("rsa").bytes("modulus")
        for exponent in [[], [1], [2]] as [[UInt8]] {
            #expect(code { try RSAPublicKey(modulus: modulus, exponent: exponent) } == .invalidKey)
        }
    }
}

extension String {
    var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
