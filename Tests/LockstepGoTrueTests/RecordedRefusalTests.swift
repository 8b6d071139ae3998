import Foundation
import Lockstep
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepGoTrue

/// Errors of the real server, word for word (Fixtures/GoTrue/refusals.json).
@Suite(.limitedConcurrency)
struct RecordedRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: JSON
        let testDescription: String
    }

    /// Codes of administrators' calls, and codes without a meaning.
    private static let notForApps: Set<String> = ["unknown"]

    static let all: [Refusal] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let bytes = (try? Data(contentsOf: folder.appendingPathComponent("Fixtures/GoTrue/refusals.json"))) ?? Data()
        return ((try? JSON.parse(Array(bytes)))?.array ?? []).map { entry in
            Refusal(
                status: Int(entry["status"]?.int ?? 0), body: entry["body"] ?? .null,
                testDescription: "\(entry["from"]?.string ?? ""): \(entry["body"]?.text() ?? "")")
        }
    }()

    @Test func moreThanSixtyRefusalsAreRecorded() {
        #expect(Self.all.count > 60)
    }

    @Test(arguments: all)
    func refusalHasAPortableCode(_ refusal: Refusal) {
        let error = ErrorMapping.error(for: .json(refusal.status, refusal.body))
        #expect(error.code != .invalidResponse)
        if !Self.notForApps.contains(error.provider?.code ?? "") { #expect(error.code != .unknown, "\(error)") }
    }
}
