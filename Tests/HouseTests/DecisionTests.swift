import Foundation
import Testing

/// The records of docs/decisions have one format.
@Suite("Decisions")
struct DecisionTests {
    private struct Record {
        let number: String
        let title: String
        /// The names of the parts of a record, in their order.
        let parts: [String]
    }

    private struct Topic {
        let file: String
        let records: [Record]

        init(file: String, text: String) {
            self.file = file
            let sections = text.components(separatedBy: "\n## ")
            records = sections.dropFirst().map { section in
                let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
                let heading = lines.first ?? ""
                return Record(
                    number: String(heading.prefix(4)), title: String(heading.dropFirst(5)),
                    parts: lines.compactMap { $0.firstMatch(of: /^- \*\*(\w+):\*\* \S/).map { String($0.output.1) } })
            }
        }
    }

    private static let folder = House.root.appendingPathComponent("docs/decisions")

    private static let topics = Result {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
            Topic(file: file, text: try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
        }
    }

    @Test func recordsHaveOneFormat() throws {
        let topics = try Self.topics.get()
        for topic in topics {
            for (place, record) in topic.records.enumerated() {
                let name = "\(topic.file): \(record.number) \(record.title)"
                let first = Int(topic.file.prefix(4)) ?? 0
                #expect(Int(record.number) == first + place + 1, "\(name): numbers of a topic are in order")
                let order = ["Context", "Decision", "Consequences", "Rejected"].filter(record.parts.contains)
                #expect(record.parts == order, "\(name): parts in order, each once")
                #expect(order.contains("Decision") && order.contains("Rejected"), "\(name): a decision and what was rejected")
            }
        }
    }
}
