import FoundationEssentials

/// Files of this package, as the tests read them.
enum SourceFile {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: root + "/" + path), encoding: .utf8)
    }
}
