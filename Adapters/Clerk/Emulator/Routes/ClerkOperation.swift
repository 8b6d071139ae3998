internal import LockstepPrimitives

/// An operation in Clerk's API documents, with its support in the emulator.
public struct ClerkOperation: Sendable, Hashable {
    /// The API document that lists an operation.
    public enum API: String, Sendable, Hashable, CaseIterable {
        /// The Frontend API, for apps.
        case frontend
        /// The Backend API, for servers that have the secret key.
        case backend
    }

    /// The support for an operation in the emulator.
    public enum Standing: Sendable, Hashable {
        /// The emulator supports the operation as documented.
        case built
        /// The emulator supports the operation, except for the named part.
        case partly(without: String)
        /// The emulator rejects the operation with an error that names the operation.
        ///
        /// `because` is the reason for the whole group; `nil` if the group has none.
        case refused(because: String?)

        /// The word for this level of support in ``ClerkOperation/table``.
        public var word: String {
            switch self {
            case .built: "built"
            case .partly: "partly"
            case .refused: "refused"
            }
        }
    }

    /// The API document that lists the operation.
    public let api: API
    /// The section of ``table`` that contains the operation.
    public let group: String
    /// The HTTP method in capital letters.
    public let method: String
    /// The absolute path on the server; placeholders are in braces.
    public let path: String
    /// The id of the operation in its API document.
    public let id: String
    /// The support for the operation in the emulator.
    public let standing: Standing

    /// Whether the emulator supports the operation, at least partly.
    public var isBuilt: Bool {
        if case .refused = standing { false } else { true }
    }

    /// The operations of both API documents, in the order of ``table``.
    public static let all: [ClerkOperation] = frontend + backend

    /// Returns the operations of both documents whose pattern matches the path of a request: each part is the same
    /// word, or a placeholder.
    static func all(at rawPath: String) -> [ClerkOperation] {
        let slash = UInt8(ascii: "/")
        let pieces = rawPath.utf8.split(separator: slash).map { piece in
            let text = String(Substring(piece))
            return Percent.decode(text) ?? text
        }
        return all.filter { operation in
            let words = operation.path.utf8.split(separator: slash)
            return words.count == pieces.count
                && zip(words, pieces).allSatisfy { $0.first == UInt8(ascii: "{") || $0.elementsEqual($1.utf8) }
        }
    }
}

/// The format of the lists of operations.
extension ClerkOperation {
    /// A group of operations that are supported or left out together.
    struct Group {
        let name: String
        /// The reason why the rejected operations of the group are missing, or `nil`.
        let reason: String?
        let rows: [Row]

        static func group(_ name: String, because reason: String? = nil, _ rows: [Row]) -> Group {
            Group(name: name, reason: reason, rows: rows)
        }
    }

    /// One operation of a group.
    struct Row {
        let method: String
        let path: String
        let id: String
        /// The support for the operation; `nil` if it is rejected.
        let standing: Standing?

        static func built(_ method: String, _ path: String, _ id: String) -> Row {
            Row(method: method, path: path, id: id, standing: .built)
        }

        static func partly(_ method: String, _ path: String, _ id: String, without missing: String) -> Row {
            Row(method: method, path: path, id: id, standing: .partly(without: missing))
        }

        static func refused(_ method: String, _ path: String, _ id: String) -> Row {
            Row(method: method, path: path, id: id, standing: nil)
        }
    }

    /// The operations of a document.
    static func all(of api: API, _ groups: [Group]) -> [ClerkOperation] {
        groups.flatMap { group in
            group.rows.map { row in
                ClerkOperation(
                    api: api, group: group.name, method: row.method, path: row.path, id: row.id,
                    standing: row.standing ?? .refused(because: group.reason))
            }
        }
    }
}

/// The table as text and as JSON.
extension ClerkOperation {
    /// The operations as Markdown tables, one table for each API document.
    ///
    /// The text also contains the numbers of supported, partly supported and rejected operations.
    public static var table: String {
        var lines: [String] = []
        for api in API.allCases {
            let operations = all.filter { $0.api == api }
            let built = operations.count { $0.isBuilt }
            lines.append("\(api.rawValue): \(built) of \(operations.count) built, \(operations.count - built) refused by name")
            for operation in operations {
                let note: String =
                    switch operation.standing {
                    case .built: ""
                    case .partly(let missing): "  without \(missing)"
                    case .refused(let reason): reason.map { "  \($0)" } ?? ""
                    }
                let word = operation.standing.word.padded(to: 8)
                lines.append("  \(word) \(operation.method.padded(to: 6)) \(operation.path)  \(operation.id)\(note)")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
