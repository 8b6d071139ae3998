import LockstepEmulation
import LockstepPrimitives
import LockstepSystem

/// The format of a file of users, recognized by its content.
enum UserFileKind: Sendable {
    /// The neutral format as JSON Lines.
    case lines
    /// The neutral format as comma-separated values.
    case table
    /// The format of a provider's own tool.
    case export(ExportFormat)

    /// Reads the beginning of a file.
    ///
    /// - Throws: ``UsageError`` for a file that must be converted first, with the way to do so.
    init(of path: String) throws(UsageError) {
        self = try UserFilePlace.reading(path) { file in
            switch try Self.syntax(of: file, path) {
            case .lines: return .lines
            case .list: return try Self.list(file)
            case .table:
                var records = Records(file)
                let values = try records.next() ?? []
                return ExportFormat.recognized(values, isTable: true).map { .export($0) } ?? .table
            }
        }
    }

    /// Returns the syntax of a file in a format of one's own.
    static func syntax(of file: FileReader, _ path: String) throws -> ExportFormat.Syntax {
        let text = try head(file, path)
        switch text.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) {
        case nil: throw UsageError("the file is empty. Export the users again.")
        case UInt8(ascii: "{") where isNeutral(text): return .lines
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .list
        default: return .table(columns: nil)
        }
    }

    /// Opens the list of users in a JSON document.
    static func elements(_ file: FileReader, _ path: String) throws -> JSONElements {
        _ = try head(file, path)
        return try JSONElements(file)
    }

    /// Returns the beginning of the file without a byte order mark.
    private static func head(_ file: FileReader, _ path: String) throws -> ArraySlice<UInt8> {
        let head = try file.read(upTo: 1 << 16)
        try file.seek(to: 0)
        if let sentence = remedy(for: head, path) { throw UsageError(sentence) }
        return head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head[...]
    }

    /// Whether the first line is a whole JSON object without users, or a part of one that names its version first.
    private static func isNeutral(_ text: ArraySlice<UInt8>) -> Bool {
        let line = text.prefix { $0 != 0x0a }
        guard let object = (try? JSON.parse(Array(line)))?.object else {
            return line.firstRange(of: Array("\"\(JSONElements.member)\"".utf8)) == nil && line.contains(UInt8(ascii: ":"))
        }
        return object[JSONElements.member]?.array == nil
    }

    private static func list(_ file: FileReader) throws -> UserFileKind {
        var elements = try JSONElements(file)
        let names = try elements.names + (elements.next()?.object.names ?? [])
        guard let format = ExportFormat.recognized(names, isTable: false) else {
            throw UsageError(
                "it is a JSON list of users, but not in the format of \(ExportFormat.titles.listedAsChoice). Describe it in a "
                    + "mapping.json: lockstep migrate map-source (docs/migration.md).")
        }
        return .export(format)
    }

    /// Returns the sentence for a file that is recognizably no text in UTF-8; `nil` for any other file.
    private static func remedy(for head: [UInt8], _ path: String) -> String? {
        let archives: [(mark: [UInt8], name: String)] = [
            ([0x50, 0x4b, 0x03, 0x04], "a ZIP archive"), ([0x1f, 0x8b], "compressed (gzip)"),
            ([0x42, 0x5a, 0x68], "compressed (bzip2)"), ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed (xz)"),
            ([0x28, 0xb5, 0x2f, 0xfd], "compressed (zstd)"), ([0x37, 0x7a, 0xbc, 0xaf], "a 7z archive"),
        ]
        if let archive = archives.first(where: { head.starts(with: $0.mark) }) {
            return "it is \(archive.name). Unpack it, and name the file with the users."
        }
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) {
            return "it is a tar archive. Unpack it, and name the file with the users."
        }
        let isCustomDump = head.starts(with: "PGDMP".utf8)
        let marks = ["PostgreSQL database dump", "COPY auth.users ", "INSERT INTO auth.users ", "INSERT INTO \"auth\".\"users\""]
        let start = head.prefix(1 << 12)
        if isCustomDump || marks.contains(where: { start.firstRange(of: Array($0.utf8)) != nil }) {
            let restore = isCustomDump ? "pg_restore --no-owner -d restored" : "psql -d restored -f"
            return
                "it is a dump of PostgreSQL. Restore it into an empty database, and export the tables from there: createdb restored; "
                + "\(restore) \(path.shellWord); psql -d restored -c \"\\copy auth.users TO 'users.csv' CSV HEADER\"."
        }
        return head.isUTF16 ? "it is UTF-16. Save it as UTF-8." : nil
    }
}
