internal import LockstepPrimitives

/// The routes as a tree of the parts of their paths.
///
/// Each part of a path needs one access to a dictionary. No pattern is compiled or searched.
struct RouteTree: Sendable {
    /// The result of looking up a route.
    enum Match: Sendable {
        case route(RouteHandler, placeholders: [(name: String, value: String)])
        case otherMethods([String])
        case nothing
    }

    private struct Placeholder: Sendable {
        var name: String
        var suffix: String
        var node: Int
    }

    private struct Node: Sendable {
        var words: [ExactString: Int] = [:]
        var placeholders: [Placeholder] = []
        var rest: (name: String, node: Int)?
        var handlers: [ExactString: RouteHandler] = [:]
    }

    private var nodes = [Node()]
    /// The routes, in the order in which they were added.
    private(set) var routes: [(method: String, pattern: String)] = []

    mutating func insert(method: String, pattern: String, handler: @escaping RouteHandler) {
        routes.append((method, pattern))
        var pieces = Self.pieces(of: pattern)
        let endsEitherWay = pieces.last == "?"
        if endsEitherWay { pieces.removeLast() }
        let place = pieces.reduce(0) { child(of: $0, $1) }
        nodes[place].handlers[method.exact] = handler
        if endsEitherWay { nodes[child(of: place, "")].handlers[method.exact] = handler }
    }

    func match(method: String, rawPath: some StringProtocol) -> Match {
        let pieces = Self.pieces(of: rawPath)
        var found: [(name: String, value: String)] = []
        var methods: Set<ExactString> = []
        if let handler = search(pieces[...], at: 0, method, &found, &methods) { return .route(handler, placeholders: found) }
        return methods.isEmpty ? .nothing : .otherMethods(methods.sorted().map(\.text))
    }

    private func search(
        _ pieces: ArraySlice<String>, at place: Int, _ method: String, _ found: inout [(name: String, value: String)],
        _ methods: inout Set<ExactString>
    ) -> RouteHandler? {
        let node = nodes[place]
        guard let piece = pieces.first else {
            if let handler = node.handlers[method.exact] { return handler }
            methods.formUnion(node.handlers.keys)
            return nil
        }
        let rest = pieces.dropFirst()
        if let next = node.words[piece.exact], let handler = search(rest, at: next, method, &found, &methods) { return handler }
        for placeholder in node.placeholders
        where piece.utf8.count > placeholder.suffix.utf8.count && piece.hasSuffix(placeholder.suffix) {
            found.append(
                (placeholder.name, placeholder.suffix.isEmpty ? piece : String(piece.dropLast(placeholder.suffix.count))))
            if let handler = search(rest, at: placeholder.node, method, &found, &methods) { return handler }
            found.removeLast()
        }
        if let (name, next) = node.rest {
            if let handler = nodes[next].handlers[method.exact] {
                found.append((name, pieces.joined(separator: "/")))
                return handler
            }
            methods.formUnion(nodes[next].handlers.keys)
        }
        return nil
    }

    private mutating func child(of place: Int, _ piece: String) -> Int {
        let bytes = piece.utf8
        guard bytes.first == UInt8(ascii: "{"), let end = bytes.firstIndex(of: UInt8(ascii: "}")) else {
            if let known = nodes[place].words[piece.exact] { return known }
            nodes[place].words[piece.exact] = addNode()
            return nodes.count - 1
        }
        let name = String(piece[bytes.index(after: bytes.startIndex)..<end])
        if name.hasSuffix("...") {
            if let known = nodes[place].rest { return known.node }
            nodes[place].rest = (String(name.dropLast(3)), addNode())
            return nodes.count - 1
        }
        let suffix = String(piece[bytes.index(after: end)...])
        if let known = nodes[place].placeholders.first(where: { $0.suffix == suffix && $0.name == name }) { return known.node }
        nodes[place].placeholders.append(Placeholder(name: name, suffix: suffix, node: addNode()))
        // The placeholder with the longest fixed end is the most specific one.
        nodes[place].placeholders.sort { $0.suffix.utf8.count > $1.suffix.utf8.count }
        return nodes.count - 1
    }

    private mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Returns the parts between the slashes, each decoded separately.
    ///
    /// A slash at the end makes an empty last part.
    private static func pieces(of path: some StringProtocol) -> [String] {
        let slash = UInt8(ascii: "/")
        return path.utf8.drop { $0 == slash }.split(separator: slash, omittingEmptySubsequences: false).map { piece in
            let text = String(decoding: piece, as: UTF8.self)
            return piece.contains(UInt8(ascii: "%")) ? Percent.decode(text) ?? text : text
        }
    }
}
