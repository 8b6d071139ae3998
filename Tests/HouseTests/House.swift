import Foundation

/// The project's own source files, as text.
struct House {
    struct File {
        /// Relative to the project's folder.
        let path: String
        let lines: [Substring]
        /// The imported modules, with their line numbers.
        let imports: [(module: String, line: Int)]
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folders that call a system library.
    static let bindings = [
        "Sources/Bindings/", "Sources/Transports/Curl/", "Sources/Stores/KeychainStore/SystemKeychain.swift",
        "Sources/LockstepPasswords/Binding/", "Sources/LockstepPasswordStrength/Binding/", "Sources/LockstepDashboard/Binding/",
    ]

    /// The Swift files below these folders, sorted in each.
    static func files(below folders: [String] = ["Sources", "Adapters", "Contracts", "Tests"]) throws -> [File] {
        let all = try all.get()
        return folders.flatMap { folder in all.filter { $0.path.hasPrefix(folder + "/") } }
    }

    /// The files are read once for all tests.
    private static let all = Result {
        try ["Adapters", "Contracts", "Sources", "Tests"].flatMap { folder in
            let paths =
                FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap { $0 as? String }
                ?? []
            return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
                File(
                    path: "\(folder)/\(path)",
                    text: try String(contentsOf: root.appendingPathComponent("\(folder)/\(path)"), encoding: .utf8))
            }
        }
    }
}

extension House.File {
    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        imports = Self.imports(in: lines, hasTexts: text.contains("\"\"\""))
    }

    /// Finds the imports among the lines.
    ///
    /// Lines of a text between `"""` are not imports.
    private static func imports(in lines: [Substring], hasTexts: Bool) -> [(module: String, line: Int)] {
        var isText = false
        return lines.enumerated().compactMap { index, line in
            let start = line.utf8.drop { $0 == UInt8(ascii: " ") }
            if hasTexts, start.first != UInt8(ascii: "/"), line.contains("\"\"\"") { isText.toggle() }
            guard !isText, let first = start.first, "ipf@".utf8.contains(first) else { return nil }
            let words = line.split(separator: " ").drop {
                ["public", "internal", "package", "private", "fileprivate", "@testable", "@_exported"].contains($0)
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
