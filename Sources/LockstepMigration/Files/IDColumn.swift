internal import LockstepPrimitives

/// A column of a table of the app that contains ids of users, as SQL names it.
public struct IDColumn: Sendable, Hashable {
    /// The type of a column.
    public enum Form: String, Sendable, CaseIterable {
        case text, uuid
    }

    /// The names: the table, with its schema if there is one.
    let table: [String]
    /// The name of the column.
    let name: String
    /// The type that the column gets; `nil` for its own.
    let form: Form?

    /// Reads a list of columns, such as `orders.user_id, public."Profile".id:uuid`.
    ///
    /// As in SQL, names without quotes are lower case, and a quote in a quoted name is doubled.
    ///
    /// - Parameter text: The list.
    /// - Returns: The columns.
    /// - Throws: `rewrite` with the part of the list that is not a column.
    public static func list(_ text: String) throws(MigrationError) -> [IDColumn] {
        var columns: [IDColumn] = []
        var names: [String] = []
        var rest = Array(text.utf8)[...]
        while true {
            names.append(try name(&rest, of: text))
            let next = rest.popFirst()
            if next == UInt8(ascii: ".") { continue }
            var form: Form?
            var end = next
            if next == UInt8(ascii: ":") {
                let word = String(decoding: rest.prefix { $0 != comma }.filter { $0 != 0x20 }, as: UTF8.self)
                form = Form(rawValue: word)
                guard form != nil else { throw malformed("the type \"\(word)\": expected text or uuid", text) }
                rest = rest.drop { $0 != comma }
                end = rest.popFirst()
            }
            guard (2...3).contains(names.count) else {
                throw malformed("a name that is not table.column or schema.table.column", text)
            }
            columns.append(IDColumn(table: Array(names.dropLast()), name: names[names.count - 1], form: form))
            names = []
            guard end != nil else { return columns }
            guard end == comma else { throw malformed("a comma after a column", text) }
        }
    }

    private static let comma = UInt8(ascii: ",")

    private static func name(_ rest: inout ArraySlice<UInt8>, of text: String) throws(MigrationError) -> String {
        let quote = UInt8(ascii: "\"")
        rest = rest.drop { $0 == 0x20 }
        var name: [UInt8] = []
        if rest.first == quote {
            rest.removeFirst()
            while true {
                guard let byte = rest.popFirst() else { throw malformed("a name with an open quote", text) }
                if byte != quote {
                    name.append(byte)
                } else if rest.first == quote {
                    name.append(quote)
                    rest.removeFirst()
                } else {
                    break
                }
            }
        } else {
            let ends = Array(".,: \"".utf8)
            name = rest.prefix { !ends.contains($0) }.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
            rest = rest.dropFirst(name.count)
            let isPlain = name.allSatisfy { byte in
                byte >= 0x80 || [UInt8(ascii: "_"), UInt8(ascii: "$")].contains(byte) || (0x30...0x39).contains(byte)
                    || (0x61...0x7a).contains(byte)
            }
            guard isPlain else { throw malformed("a name that needs quotes", text) }
        }
        rest = rest.drop { $0 == 0x20 }
        guard !name.isEmpty, !name.contains(0) else { throw malformed("an empty name", text) }
        return String(decoding: name, as: UTF8.self)
    }

    private static func malformed(_ what: String, _ text: String) -> MigrationError {
        MigrationError(
            .rewrite,
            "The list of columns \"\(text.visible)\" has \(what). Write it as in: orders.user_id,public.\"Profile\".id:uuid")
    }

    /// The column with the type that the way back needs.
    var reversed: IDColumn { IDColumn(table: table, name: name, form: form.map { $0 == .text ? .uuid : .text }) }
    /// The table as SQL names it.
    var tableName: String { table.map(\.sqlName).joined(separator: ".") }
}

extension String {
    /// The name in quotes.
    var sqlName: String { quoted(by: UInt8(ascii: "\"")) }
    /// The text as a literal, with `standard_conforming_strings`.
    var sqlText: String { quoted(by: UInt8(ascii: "'")) }

    private func quoted(by quote: UInt8) -> String {
        String(decoding: [quote] + utf8.flatMap { $0 == quote ? [$0, $0] : [$0] } + [quote], as: UTF8.self)
    }
}
