import Foundation
import LockstepPrimitives
import Testing

/// Results of another implementation: Tests/Fixtures/Crypto/vectors.json.
enum CryptoVectors {
    static func list(_ name: String) throws -> [CryptoVector] {
        try (all()[name]?.array ?? []).map { CryptoVector(value: $0) }
    }

    static func key(_ name: String) throws -> CryptoVector {
        CryptoVector(value: try #require(all()["keys"]?[name]))
    }

    static func message() throws -> [UInt8] {
        try #require(all()["keys"]?["message"]?.string.flatMap { Hex.decode($0) })
    }

    private static func all() throws -> JSON {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Fixtures/Crypto/vectors.json")
        return try JSON.parse(Array(Data(contentsOf: file)))
    }
}

struct CryptoVector {
    let value: JSON

    func bytes(_ name: String) throws -> [UInt8] { try #require(value[name]?.string.flatMap { Hex.decode($0) }) }
    func text(_ name: String) throws -> String { try #require(value[name]?.string) }
    func number(_ name: String) throws -> Int { Int(try #require(value[name]?.int)) }
}
