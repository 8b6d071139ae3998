/// A control route: its method, its path after ``ControlRoutes/prefix``, a sentence about it, and its handler.
struct ControlRoute: Sendable {
    /// The programs that may call a control route.
    enum Caller: Sendable {
        /// A program that has the control token.
        case tester
        /// Any program on this machine, as with Mailpit's inbox, but no page of another site.
        case anyProgram
    }

    let method: String
    let path: String
    let caller: Caller
    let summary: String
    /// The names of the query's parameters.
    ///
    /// Any other parameter is rejected.
    let query: [String]
    let answer: RouteHandler

    init(
        _ method: String, _ path: String, by caller: Caller = .tester, _ summary: String, query: [String] = [],
        _ answer: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        self.init(method, path, by: caller, summary, query: query) { request -> Reply in .now(try answer(request)) }
    }

    init(
        _ method: String, _ path: String, by caller: Caller = .tester, _ summary: String, query: [String] = [],
        _ answer: @escaping RouteHandler
    ) {
        self.method = method
        self.path = path
        self.caller = caller
        self.summary = summary
        self.query = query
        self.answer = answer
    }
}

/// The error of a control route: its status, what is wrong and what to do.
struct ControlError: Error {
    let status: Int
    let message: String

    init(_ status: Int = 400, _ message: String) {
        self.status = status
        self.message = message
    }

    static let noToken = ControlError(
        401, "Missing or wrong control token. Send the Authorization header from \"control\" in the ready line.")

    /// Creates the error for an unknown name in a route or a body.
    init(unknown what: String, _ name: String, among known: [String]) {
        let remedy =
            known.nearest(to: name).map { "Did you mean \"\($0)\"?" }
            ?? (known.isEmpty ? "This route does not accept \(what)s." : "Known: \(known.joined(separator: ", ")).")
        self.init(400, "Unknown \(what) \"\(name.prefix(100))\". \(remedy)")
    }

    /// Creates the error for a response with a text.
    ///
    /// The new response is JSON.
    init(_ refusal: EmulatorResponse) {
        var text = String(decoding: refusal.body, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        self.init(refusal.status, text)
    }

    var response: EmulatorResponse { .json(["error": .string(message)], status: status) }
}

extension EmulatorRequest {
    /// Rejects a query with a parameter that the route does not read.
    ///
    /// Otherwise a misspelled parameter would silently change the response.
    func checkQuery(of route: ControlRoute) throws(ControlError) {
        for (name, _) in query.pairs where !route.query.contains(name) {
            throw ControlError(unknown: "parameter", name, among: route.query)
        }
    }

    /// Returns a whole number from 0 to `limit` in the query.
    ///
    /// - Throws: ``ControlError`` for any other text.
    func count(_ name: String, upTo limit: Int, default standard: Int) throws(ControlError) -> Int {
        guard let text = query[name] else { return standard }
        guard let number = Int(text), (0...limit).contains(number) else {
            throw ControlError(400, "invalid value \"\(text.prefix(40))\" for \(name): expected a number from 0 to \(limit)")
        }
        return number
    }

    /// Returns a text to search for; `nil` if it is missing or empty.
    ///
    /// - Throws: ``ControlError`` for a text that is longer than an id or an address can be.
    func searchText(_ name: String) throws(ControlError) -> String? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.searchLimit else {
            throw ControlError(400, "invalid value for \(name): expected at most \(Self.searchLimit) bytes")
        }
        return text
    }

    private static var searchLimit: Int { 256 }

    /// Returns how long a request waits for an event: `wait`, in seconds.
    func patience() throws(ControlError) -> Duration { .seconds(try count("wait", upTo: 300, default: 0)) }
}
