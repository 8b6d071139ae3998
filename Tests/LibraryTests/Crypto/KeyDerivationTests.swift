import LockstepCrypto
import LockstepPrimitives
import Testing

@Suite struct KeyDerivationTests {
    @Test func derivesByPBKDF2() throws {
        let vectors = try CryptoVectors.list("pbkdf2")
        #expect(vectors.count == 18)
        for vector in vectors {
            let hash = try #require(HashFunction(rawValue: vector.text("hash")))
            let key = try vector.bytes("key")
            let derived = try KeyDerivation.pbkdf2(
                hash, password: vector.bytes("password"), salt: vector.bytes("salt"), iterations: vector.number("iterations"),
                length: key.count)
            #expect(derived == key)
        }
    }

    @Test func derivesByScrypt() throws {
        let vectors = try CryptoVectors.list("scrypt")
        #expect(vectors.count == 3)
        for vector in vectors {
            let key = try vector.bytes("key")
            let derived = try KeyDerivation.scrypt(
                password: vector.bytes("password"), salt: vector.bytes("salt"), cost: vector.number("cost"),
                blockSize: vector.number("blockSize"), parallelism: vector.number("parallelism"), length: key.count)
            #expect(derived == key)
        }
    }

    @Test func rejectsNumbersOutOfRange() {
        for (iterations, length) in [(0, 1), (1, 0), (-1, 1), (1 << 31, 1), (1, 1 << 31)] {
            #expect(
                code { try KeyDerivation.pbkdf2(.sha256, password: [], salt: [], iterations: iterations, length: length) }
                    == .invalidParameter)
        }
        for (cost, blockSize, parallelism, length) in [
            (0, 1, 1, 1), (1, 1, 1, 1), (3, 1, 1, 1), (16, 0, 1, 1), (16, 1, 0, 1), (16, 1, 1, 0),
        ] {
            #expect(
                code {
                    try KeyDerivation.scrypt(
                        password: [], salt: [], cost: cost, blockSize: blockSize, parallelism: parallelism, length: length)
                } == .invalidParameter)
        }
    }

    @Test func rejectsCostsBeyondTheMemoryLimit() throws {
        let derive = { limit in
            try KeyDerivation.scrypt(
                password: [1], salt: [2], cost: 1024, blockSize: 8, parallelism: 1, length: 32, memoryLimit: limit)
        }
        #expect(code { try derive(1 << 20) } == .invalidParameter)
        #expect(try derive(1 << 21).count == 32)
    }
}

/// The code of the error that `operation` throws; `nil` if it succeeds.
func code<T>(_ operation: () throws -> T) -> CryptoError.Code? {
    do {
        _ = try operation()
        return nil
    } catch {
        return (error as? CryptoError)?.code
    }
}
