import Foundation
import LockstepGoTrueEmulator
import LockstepPrimitives
import Testing

/// A conversation that was had with the real server: requests, and what it answered (Tests/Fixtures/Recordings/gotrue).
struct Recording: Sendable, CustomTestStringConvertible {
    let id: String
    /// The configuration that it was made with.
    let variant: String
    let steps: [JSON]
    /// Headers that are compared in every answer.
    let checked: [String]
    /// Names of lists that may come in any order.
    let unordered: Set<String>

    var testDescription: String { "\(id) (\(variant))" }

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures")

    /// All of them, in the order of their names.
    static func all() throws -> [Recording] {
        try FileManager.default.contentsOfDirectory(
            at: fixtures.appendingPathComponent("Recordings/gotrue"), includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "json" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
        .map { file in
            let document = try JSON.parse(Array(Data(contentsOf: file)))
            return Recording(
                id: document["id"]?.string ?? "", variant: document["variant"]?.string ?? "",
                steps: document["steps"]?.array ?? [], checked: document["checked"]?.array?.compactMap(\.string) ?? [],
                unordered: Set(document["unordered"]?.array?.compactMap(\.string) ?? []))
        }
    }

    /// The settings of the configuration.
    func settings() throws -> [(name: String, value: String)] {
        let file = Self.fixtures.appendingPathComponent("Settings/gotrue/\(variant).env")
        return EnvironmentFile.parse(try String(contentsOf: file, encoding: .utf8))
    }
}
