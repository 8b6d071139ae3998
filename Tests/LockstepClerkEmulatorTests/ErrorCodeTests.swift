import Foundation
import LockstepTestConcurrency
import Testing

/// Every code that the emulator's source can return, compared with Clerk's catalog.
@Suite(.limitedConcurrency)
struct ErrorCodeTests {
    /// An error in the source.
    ///
    /// Interpolated parts of its code are `*`.
    private struct Refusal: Hashable {
        let status: Int?
        let code: String
    }

    /// In the source: `ClerkError(422, "form_param_nil"` or `row(422, "form_param_missing"`, over one line or two.
    private static func refusals() throws -> Set<Refusal> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Adapters/Clerk/Emulator")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var found: Set<Refusal> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?:ClerkError|row)\(\s*([\w.]+),\s*"((?:[^"\\]|\\\([^()]*(?:\([^()]*\))?[^()]*\))*)"/)
            {
                let code = String(match.2).replacing(/\\\([^()]*(?:\([^()]*\))?[^()]*\)/, with: "*")
                found.insert(Refusal(status: Int(match.1), code: code))
            }
        }
        return found
    }

    @Test func everyCodeIsInTheCatalog() throws {
        let refusals = try Self.refusals()
        // If the source were written in another way, the test would find nothing.
        #expect(refusals.count > 150)
        let catalogue = Documents.shared.codes
        for refusal in refusals.sorted(by: { $0.code < $1.code }) where AnswerCheck.otherCodes[refusal.code] == nil {
            let parts = refusal.code.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
            let known = catalogue.filter { name, _ in
                parts.count == 1 ? name == refusal.code : name.hasPrefix(parts[0]) && name.hasSuffix(parts[parts.count - 1])
            }
            #expect(!known.isEmpty, "\(refusal.code) is not in the catalogue")
            // A wrong method has no code.
            guard let status = refusal.status, status != 405, parts.count == 1, let right = known[refusal.code] else { continue }
            #expect(status == right, "\(refusal.code) has \(status) and not \(right)")
        }
    }

    /// An exception for a code is an error if the code is no longer used or the catalog contains it.
    @Test func everyExceptionIsNeeded() throws {
        let used = Set(try Self.refusals().map(\.code))
        for code in AnswerCheck.otherCodes.keys {
            #expect(used.contains(code), "\(code) is excused and not used")
            #expect(Documents.shared.codes[code] == nil, "\(code) is in the catalogue")
        }
    }
}
