internal import LockstepPrimitives

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
    public static let all = API.allCases.flatMap { read($0) }

    /// The operations of both documents whose pattern fits the path of a request: piece by piece its word, or a placeholder.
    static func all(at rawPath: String) -> [ClerkOperation] {
        let pieces = rawPath.utf8.split(separator: UInt8(ascii: "/")).map { piece in
            let text = String(Substring(piece))
            return Percent.decode(text) ?? text
        }
        return API.allCases.flatMap { api in
            read(api) { pattern in
                var rest = pieces[...]
                if api == .backend, rest.popFirst() != "v1" { return false }
                for word in pattern.split(separator: UInt8(ascii: "/")) {
                    guard let piece = rest.popFirst() else { return false }
                    guard word.first == UInt8(ascii: "{") || word.elementsEqual(piece.utf8) else { return false }
                }
                return rest.isEmpty
            }
        }
    }

    /// Reads the lines of a table whose pattern is wanted: `# Group: reason` begins a group, `+` a built operation, `~` a partly built
    /// one with what is missing behind a semicolon, `-` a refused one.
    ///
    /// The table is read by bytes, and a line that is not wanted makes no text: a request of a path without a route reads all lines.
    private static func read(_ api: API, where isWanted: (Substring.UTF8View) -> Bool = { _ in true }) -> [ClerkOperation] {
        let text =
            switch api {
            case .frontend: frontend
            case .backend: backend
            }
        var operations: [ClerkOperation] = []
        var heading: Substring.UTF8View?
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "#") {
                heading = line.dropFirst()
                continue
            }
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            guard words.count == 4, isWanted(words[2]) else { continue }
            let title = halves(heading, at: ":")
            let (id, missing) = halves(words[3], at: ";")
            let standing: Standing =
                switch words[0].first {
                case UInt8(ascii: "+"): .built
                case UInt8(ascii: "~"): .partly(without: missing ?? "")
                default: .refused(because: title.after)
                }
            let path = String(Substring(words[2]))
            operations.append(
                ClerkOperation(
                    api: api, group: title.before, method: String(Substring(words[1])),
                    path: api == .backend ? "/v1" + path : path, id: id, standing: standing))
        }
        return operations
    }

    /// The text before and behind a mark, without spaces around it; `nil` behind where there is no mark.
    private static func halves(_ text: Substring.UTF8View?, at mark: Unicode.Scalar) -> (before: String, after: String?) {
        let parts = (text ?? Substring().utf8).split(separator: UInt8(ascii: mark), maxSplits: 1).map {
            String(Substring($0)).trimmed
        }
        return (parts.first ?? "", parts.count == 2 ? parts[1] : nil)
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
