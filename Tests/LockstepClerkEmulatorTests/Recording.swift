import Foundation
import LockstepPrimitives
import Testing

/// One recorded conversation with Clerk's own Frontend API (Tests/Fixtures/Recordings/clerk).
///
/// `LockstepRecordings` cannot play these recordings. They have no statuses, no headers and few values of requests, and masks in
/// the responses' texts, some of them by mistake (`"first_name": "%%FIRSTNAME%%"` for `on`). So a test must supply the requests,
/// and can compare only types and closed words. Files in that format would claim values that nobody has recorded.
struct Recording: CustomTestStringConvertible, Sendable {
    struct Exchange: Sendable {
        let method: String
        /// The path and query as recorded, below `/v1`.
        let path: String
        /// The names of the form's fields, with the recorded values.
        let fields: [(name: String, value: String?)]
        let body: JSON
    }

    let name: String
    let exchanges: [Exchange]

    var testDescription: String { name }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Recordings/clerk")

    static let all: [Recording] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { try? Recording($0) }
    }()

    init(_ file: String) throws {
        name = String(file.dropLast(".json".count))
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(file))
        exchanges = try JSON.parse(Array(data)).array?.compactMap(Exchange.init) ?? []
    }
}

extension Recording.Exchange {
    fileprivate init?(_ json: JSON) {
        guard let key = json["key"]?.string, let body = json["body"] else { return nil }
        let words = key.split(separator: " ", maxSplits: 2).map(String.init)
        method = words[0]
        path = String(words[1].dropFirst("/v1".count))
        fields = (words.count == 3 ? words[2].split(separator: "&") : []).map { field in
            let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count == 2 ? parts[1] : nil)
        }
        self.body = body
    }
}
