import Foundation

/// The project's own source files, as text.
struct House {
    struct File {
        /// Relative to the project's folder.
        let path: String
        let lines: [Substring]
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The Swift files below these folders, sorted.
    static func files(below folders: [String] = ["Sources", "Adapters", "Contracts", "Tests"]) throws -> [File] {
        try folders.flatMap { folder in
            let paths =
                FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap { $0 as? String }
                ?? []
            return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
                let text = try String(contentsOf: root.appendingPathComponent("\(folder)/\(path)"), encoding: .utf8)
                return File(path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
            }
        }
    }
}

extension House.File {
    /// The modules that are imported, with the number of the line.
    var imports: [(module: String, line: Int)] {
        lines.enumerated().compactMap { index, line in
            let words = line.split(separator: " ").drop {
                ["public", "internal", "package", "private", "@testable", "@_exported"].contains($0)
            }
            guard words.first == "import", let module = words.dropFirst().first, words.count == 2 else { return nil }
            return (String(module), index + 1)
        }
    }

    /// The lines without comments, with their numbers.
    var code: [(text: String, line: Int)] {
        lines.enumerated().compactMap { index, line in
            let text = line.drop { $0 == " " }
            return text.hasPrefix("//") ? nil : (String(text), index + 1)
        }
    }
}
