import Foundation
import LockstepPrimitives
import Testing

/// Results of other implementations: Tests/Fixtures/Hashes/vectors.json.
enum HashVectors {
    static func list(_ name: String) throws -> [HashVector] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Fixtures/Hashes/vectors.json")
        let all = try JSON.parse(Array(Data(contentsOf: file)))
        return try #require(all[name]?.array).map { HashVector(value: $0) }
    }
}

struct HashVector {
    let value: JSON

    func bytes(_ name: String) throws -> [UInt8] { try #require(value[name]?.string.flatMap { Hex.decode($0) }) }
    func text(_ name: String) throws -> String { try #require(value[name]?.string) }
    func number(_ name: String) throws -> Int { Int(try #require(value[name]?.int)) }
}
