/// An operation of Clerk's documents, and whether the emulator has it.
public struct ClerkOperation: Sendable, Hashable {
    /// The document that lists it.
    public enum API: String, Sendable, Hashable, CaseIterable {
        /// The Frontend API, for apps.
        case frontend
        /// The Backend API, for servers with the secret key.
        case backend
    }

    /// Whether the emulator has an operation.
    public enum Standing: Sendable, Hashable {
        /// It is answered as the document says.
        case built
        /// It is answered, but for the named part.
        case partly(without: String)
        /// It is refused by name; the reason is the group's, where there is one.
        case refused(because: String?)

        /// The word of the table.
        public var word: String {
            switch self {
            case .built: "built"
            case .partly: "partly"
            case .refused: "refused"
            }
        }
    }

    /// The document that lists it.
    public let api: API
    /// The part of the table that it stands in.
    public let group: String
    /// The method, in capitals.
    public let method: String
    /// The path with its placeholders in braces, from the server's root.
    public let path: String
    /// The operation's id in its document.
    public let id: String
    /// Whether the emulator has it.
    public let standing: Standing

    /// Whether a handler answers it.
    public var isBuilt: Bool {
        if case .refused = standing { false } else { true }
    }

    /// The operations of both documents, in the order of the table.
    public static let all = frontend + backend

    /// Reads a table: `# Group: reason` begins a group, `+` a built operation, `~` a partly built one with what is missing behind a
    /// semicolon, `-` a refused one.
    static func read(_ api: API, _ text: String) -> [ClerkOperation] {
        var operations: [ClerkOperation] = []
        var group = ""
        var reason: String?
        // By bytes: every start of the emulator reads both tables, and characters take many times as long.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "#") {
                let parts = line.dropFirst().split(separator: UInt8(ascii: ":"), maxSplits: 1).map {
                    String(Substring($0)).trimmed
                }
                (group, reason) = (parts[0], parts.count == 2 ? parts[1] : nil)
                continue
            }
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            guard words.count == 4, let mark = words[0].first else { continue }
            let last = words[3].split(separator: UInt8(ascii: ";"), maxSplits: 1)
            let standing: Standing =
                switch mark {
                case UInt8(ascii: "+"): .built
                case UInt8(ascii: "~"): .partly(without: last.count == 2 ? String(Substring(last[1])).trimmed : "")
                default: .refused(because: reason)
                }
            let (method, path, id) = (String(Substring(words[1])), String(Substring(words[2])), String(Substring(last[0])))
            operations.append(
                ClerkOperation(
                    api: api, group: group, method: method, path: api == .backend ? "/v1" + path : path, id: id,
                    standing: standing))
        }
        return operations
    }
}

/// The table as text and as JSON.
extension ClerkOperation {
    /// A line an operation below its document, and how many are built, partly built and refused.
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
