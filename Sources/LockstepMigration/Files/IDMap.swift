internal import LockstepPrimitives

/// The file `map.csv`, which gives the source id and the target id of each user of a run.
public struct IDMap: Sendable, Hashable {
    /// The file with the ids.
    public let file: RunFile
    /// The number of ids that begin like a formula.
    ///
    /// A spreadsheet would run such an id.
    public let formulas: Int
}

extension RunFolder {
    /// The path of the file `map.csv`.
    ///
    /// The file may not exist.
    public var map: String { "\(path)/map.csv" }

    /// Writes the ids of all users of the run who are on the target.
    ///
    /// The ids are written unchanged, so that programs can use them to match users.
    ///
    /// - Returns: The map.
    /// - Throws: `journal` if the file cannot be written.
    @discardableResult
    public func writeMap() async throws(MigrationError) -> IDMap {
        var writer = try await RunFileWriter(map)
        try await writer.append(CSV.line(["source_id", "target_id"]), users: 0)
        var last = 0
        var formulas = 0
        do throws(MigrationError) {
            while true {
                let users = try await journal.users(after: last, limit: Self.pageSize)
                guard let end = users.last?.number else { break }
                let there = users.compactMap { user in user.isOnTarget ? user.targetID.map { (user.sourceID, $0) } : nil }
                formulas += there.count { CSV.isFormula($0.0) }
                try await writer.append(there.flatMap { CSV.line([$0.0, $0.1]) }, users: there.count)
                last = end
            }
        } catch {
            writer.discard()
            throw error
        }
        return IDMap(file: try await writer.finish(), formulas: formulas)
    }

    /// The number of users that are read from the journal at a time.
    static var pageSize: Int { 1000 }
}

extension JournalUser {
    /// Whether the run knows that the user is on the target, with the id from the run.
    var isOnTarget: Bool { [.complete, .verified, .adopted, .differs, .kept].contains(state) }
}

/// Lines of comma-separated values (RFC 4180).
enum CSV {
    /// Returns a line with its end; a value is in quotes if it is empty, or contains a comma, a quote, a space or a control
    /// character.
    static func line(_ values: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (place, value) in values.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            line += field(value)
        }
        return line + [0x0d, 0x0a]
    }

    private static func field(_ value: String) -> [UInt8] {
        let bytes = Array(value.utf8)
        let isPlain = !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
        guard !isPlain else { return bytes }
        return [UInt8(ascii: "\"")] + bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] } + [UInt8(ascii: "\"")]
    }

    /// Returns whether a spreadsheet could interpret a value as a formula.
    static func isFormula(_ value: String) -> Bool {
        // Some spreadsheets read the wide forms, too.
        guard let first = value.unicodeScalars.first else { return false }
        return ["=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains(first)
    }
}
