import Foundation
import LockstepPrimitives
import Testing

/// A conversation that was had with Firebase's own emulator: requests, and what it answered (Tests/Fixtures/Recordings).
struct Recording: Sendable, CustomTestStringConvertible {
    let id: String
    let steps: [JSON]

    var testDescription: String { id }

    /// All of a provider, in the order of their names.
    static func all(_ provider: String) throws -> [Recording] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Recordings/\(provider)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { file in
                let document = try JSON.parse(Array(Data(contentsOf: file)))
                return Recording(id: document["id"]?.string ?? "", steps: document["steps"]?.array ?? [])
            }
    }
}
