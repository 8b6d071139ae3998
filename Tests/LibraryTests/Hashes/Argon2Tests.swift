import LockstepPrimitives
import Testing

@testable import LockstepPasswords

@Suite struct Argon2Tests {
    @Test func agreesWithAnotherImplementation() throws {
        let vectors = try HashVectors.list("argon2")
        #expect(vectors.count == 18)
        for vector in vectors {
            let hash = try vector.bytes("hash")
            let argon2 = Argon2(
                try #require(Argon2.Variant(rawValue: vector.text("variant"))),
                version: try #require(Argon2.Version(rawValue: vector.number("version"))), memory: try vector.number("memory"),
                passes: try vector.number("passes"), lanes: try vector.number("lanes"), length: hash.count)
            #expect(try argon2.hash(vector.bytes("password"), salt: vector.bytes("salt")) == hash)
        }
    }

    /// RFC 9106, section 5.3: the vector with a secret and associated data.
    @Test func hashesWithSecretAndContext() throws {
        let argon2 = Argon2(.id, memory: 32, passes: 3, lanes: 4, length: 32)
        let hash = try argon2.hash(
            [UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 2, count: 16), secret: [UInt8](repeating: 3, count: 8),
            context: [UInt8](repeating: 4, count: 12))
        #expect(Hex.encode(hash) == "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
    }

    @Test(arguments: [
        Argon2(.id, memory: 7, passes: 1, lanes: 1, length: 32), Argon2(.id, memory: 8, passes: 0, lanes: 1, length: 32),
        Argon2(.id, memory: 8, passes: 1, lanes: 0, length: 32), Argon2(.id, memory: 8, passes: 1, lanes: 1, length: 3),
        Argon2(.id, memory: -1, passes: 1, lanes: 1, length: 32), Argon2(.id, memory: 8, passes: 1, lanes: 1 << 33, length: 32),
        Argon2(.id, memory: 8, passes: 1, lanes: 1, length: 1 << 30),
    ])
    func rejectsCostsOutOfRange(argon2: Argon2) {
        #expect(code { try argon2.hash([1], salt: [UInt8](0..<16)) } == .invalidParameter)
    }

    @Test func rejectsShortSalts() {
        #expect(
            code { try Argon2(.id, memory: 8, passes: 1, lanes: 1, length: 32).hash([1], salt: [UInt8](0..<7)) }
                == .invalidParameter)
    }
}

/// The code of the error that `operation` throws; `nil` if it succeeds.
func code<T>(_ operation: () throws -> T) -> HashError.Code? {
    do {
        _ = try operation()
        return nil
    } catch {
        return (error as? HashError)?.code
    }
}
