import Foundation
import Testing

/// The records of docs/decisions have one format, and their index lists them all.
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
        let title: String
        let records: [Record]

        init(file: String, text: String) {
            self.file = file
            let sections = text.components(separatedBy: "\n## ")
            title = String(sections[0].split(separator: "\n").first?.dropFirst(2) ?? "")
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
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "README.md" }.sorted().map { file in
            Topic(file: file, text: try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
        }
    }

    private static func index(of topics: [Topic]) -> String {
        var lines = [
            "# Decisions", "",
            "Each record states a decision, its reason, and the alternatives that were rejected. A file holds the records of one topic.",
            "The numbers are stable. A test writes this index (`LOCKSTEP_WRITE_PAGES=1 swift test --filter DecisionTests`).",
        ]
        for topic in topics {
            lines += ["", "## [\(topic.title)](\(topic.file))", ""]
            lines += topic.records.map { record in
                "- [\(record.number)](\(topic.file)#\(Page.anchor(of: "\(record.number) \(record.title)"))) \(record.title)"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func recordsHaveOneFormat() throws {
        let topics = try Self.topics.get()
        #expect(topics.flatMap(\.records).count > 300)
        for topic in topics {
            for (place, record) in topic.records.enumerated() {
                let name = "\(topic.file): \(record.number) \(record.title)"
                let first = Int(topic.file.prefix(4)) ?? 0
                #expect(Int(record.number) == first + place + 1, "\(name): numbers of a topic follow each other")
                let order = ["Context", "Decision", "Consequences", "Rejected"].filter(record.parts.contains)
                #expect(record.parts == order, "\(name): parts in order, each once")
                #expect(order.contains("Decision") && order.contains("Rejected"), "\(name): a decision and what was rejected")
            }
        }
    }

    @Test func indexListsEveryRecord() throws {
        let written = Self.index(of: try Self.topics.get())
        let file = Self.folder.appendingPathComponent("README.md")
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try written.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == written, "docs/decisions/README.md is old: write it anew")
    }
}
