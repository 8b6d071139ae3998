internal import LockstepPrimitives
internal import LockstepSystem

/// A route in a provider's description: only names and types.
package struct FuzzRoute: Sendable {
    let method: String
    let path: String
    /// Names of the query, each with its type.
    private(set) var query: JSONObject
    /// Names of the body, each with its type: a name of one, a list of words, or an object of further names.
    let body: JSONObject

    /// A route without a description.
    package init(method: String, path: String) {
        self.init(["method": .string(method), "path": .string(path)])
    }

    init(_ json: JSON, below prefix: String = "") {
        method = json["method"]?.string ?? "GET"
        let own = json["path"]?.string ?? "/"
        path = own.hasPrefix("/v") ? prefix + own : own
        query = json["query"]?.object ?? [:]
        body = json["body"]?.object ?? [:]
    }

    /// The same route with more query names.
    func asking(_ more: JSONObject) -> FuzzRoute {
        var route = self
        for (name, kind) in more { route.query[name] = kind }
        return route
    }

    /// The routes in a file of Tests/Fixtures/routes.py.
    ///
    /// - Throws: An error with a sentence if it cannot be read.
    static func read(_ provider: String, below prefix: String = "") throws -> [FuzzRoute] {
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Fixtures"
        let path = "\(folder)/\(provider)/routes.json"
        guard let bytes = try AtomicFile.read(path) else { throw FuzzError("there is no file \(path)") }
        return try JSON.parse(bytes).array?.map { FuzzRoute($0, below: prefix) } ?? []
    }
}

/// A run that cannot start.
package struct FuzzError: Error, CustomStringConvertible, Sendable {
    /// The reason.
    package let description: String

    init(_ description: String) { self.description = description }
}
