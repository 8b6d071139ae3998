package import LockstepSQLite

/// The tables of an emulator, by what becomes of their rows in a seed.
///
/// Each table is in one of the three lists, so an export can name what it leaves out.
package struct SeedContent: Sendable {
    /// The tables whose rows a seed contains.
    let contained: [String]
    /// The tables whose rows nobody needs after a while: codes, questions, logs.
    let passing: [String]
    /// The rows that a seed cannot contain: what they are, in the plural, their table, and a condition.
    let lost: [(name: String, table: String, condition: SQL)]

    package init(contained: [String], passing: [String], lost: [(name: String, table: String, condition: SQL)]) {
        self.contained = contained
        self.passing = passing
        self.lost = lost
    }

    /// The names of the tables in the lists.
    package var tables: [String] { contained + passing + lost.map(\.table) }

    /// Counts the rows that a seed cannot contain.
    ///
    /// - Returns: What is lost with its number, such as `passkeys (2)`.
    package func losses(in connection: inout SQLiteConnection) throws -> [String] {
        var losses: [String] = []
        for (name, table, condition) in lost {
            let count = try connection.value("SELECT count(*) FROM \(name: table) WHERE " + condition, as: Int.self) ?? 0
            if count > 0 { losses.append("\(name) (\(count))") }
        }
        return losses
    }
}
