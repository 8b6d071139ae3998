internal import LockstepPrimitives

/// Generates requests: mostly like a client's, with one or more faults.
struct FuzzGenerator {
    let dice: Dice
    let routes: [FuzzRoute]
    /// Headers that identify a caller, of every kind.
    let callers: [FuzzCaller]
    /// The headers for a route.
    let fitting: @Sendable (FuzzRoute) -> [FuzzCaller]
    /// Whether a path belongs to a disabled feature.
    let isQuiet: @Sendable (String) -> Bool
    /// Whether bodies are forms and not JSON.
    let isForm: Bool
    var pool = ValuePool()

    mutating func request() -> FuzzRequest {
        var route = dice.pick(routes)
        // A disabled feature is soon seen.
        if isQuiet(route.path), dice.roll(5) > 0 { route = dice.pick(routes) }
        // A third of all requests are correct, so that there are users, sessions and factors to attack.
        let care = dice.hits(oneIn: 3) ? 1_000 : 2 + dice.roll(6)
        var request = FuzzRequest(method: route.method, target: target(route, care), headers: [], body: [])
        if dice.hits(oneIn: care * 4) { request.method = dice.pick(HostileValues.methods) }
        let caller = dice.hits(oneIn: care) || fitting(route).isEmpty ? dice.pick(callers) : dice.pick(fitting(route))
        if let header = header(caller) { request.headers.append(header) }
        if !["GET", "DELETE", "HEAD"].contains(request.method) || dice.hits(oneIn: 10) { fill(&request, route, care) }
        while dice.hits(oneIn: 6) { request.headers.append(dice.pick(HostileValues.headers)) }
        if dice.hits(oneIn: 40), let header = request.headers.first { request.headers.append(header) }
        if dice.hits(oneIn: 150) { breakFraming(&request) }
        return request
    }

    private func header(_ caller: FuzzCaller) -> (name: String, value: String)? {
        switch caller {
        case .none: nil
        case .fixed(let name, let value): (name, value)
        case .known(let name, let prefix, let key): pool.value(for: key, dice).map { (name, prefix + $0) }
        case .damaged(let name, let prefix, let key): pool.value(for: key, dice).map { (name, prefix + damaged($0)) }
        }
    }

    private func damaged(_ text: String) -> String {
        var units = Array(text.utf8)
        let place = dice.roll(units.count)
        if !units.isEmpty { units[place] = Array("A.-_z".utf8)[dice.roll(5)] }
        return String(decoding: units, as: UTF8.self)
    }

    private func target(_ route: FuzzRoute, _ care: Int) -> String {
        var path = ""
        for piece in route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let start = piece.firstIndex(of: "{"), let end = piece.firstIndex(of: "}") else {
                path += "/" + piece
                continue
            }
            let name = piece[piece.index(after: start)..<end].filter { $0 != "." }
            let value =
                dice.hits(oneIn: care)
                ? dice.pick(HostileValues.texts) : pool.value(for: name, dice) ?? "11111111-1111-4111-8111-111111111111"
            path += "/" + piece[..<start] + Percent.encode(value) + piece[piece.index(after: end)...]
        }
        if dice.hits(oneIn: care * 8) {
            path += dice.pick(["/", "//", "/..", "/%2e%2e", "/%00", "%", ";a=b", "/" + String(repeating: "a", count: 3000)])
        }
        var pairs: [(name: String, value: String)] = []
        for (name, kind) in route.query where dice.hits(oneIn: 2) || kind.array != nil {
            let value = self.value(name, kind, care)
            pairs.append((name, value.string ?? value.text()))
        }
        if dice.hits(oneIn: care) { pairs.append((dice.pick(HostileValues.texts), dice.pick(HostileValues.texts))) }
        if dice.hits(oneIn: care), let first = pairs.first { pairs.append(first) }
        var query = Percent.encodeForm(pairs)
        if dice.hits(oneIn: care * 6) { query += dice.pick(["&", "&&=", "%zz", "=", "a=%ff%fe", "?", "&a&b&c", "%00=%00"]) }
        return query.isEmpty ? path : path + "?" + query
    }

    func value(_ name: String, _ kind: JSON, _ care: Int) -> JSON {
        if dice.hits(oneIn: care) { return dice.pick(HostileValues.json) }
        if let words = kind.array, !words.isEmpty { return dice.pick(words) }
        if let members = kind.object {
            return .object(JSONObject(members.filter { _ in dice.roll(3) > 0 }.map { ($0.name, value($0.name, $0.value, care)) }))
        }
        switch kind.string {
        case "boolean": return .bool(dice.hits(oneIn: 2))
        case "integer", "number": return .int(Int64(dice.roll(4)))
        case "array": return [.string(usual(name))]
        case "object": return ["plan": .string(dice.pick(["free", "paid"]))]
        default: return .string(usual(name))
        }
    }

    /// The value that a client would send under that name.
    private func usual(_ name: String) -> String {
        let key = ValuePool.key(name)
        if key.contains("email") || key == "identifier" { return "user\(dice.roll(6))@example.com" }
        if key.contains("phone") { return "+1555000000\(dice.roll(6))" }
        if key.contains("password") { return dice.pick(["Password-1", "Password-2"]) }
        if key.contains("redirect") { return dice.pick(["http://localhost:3000/a", "https://evil.example.com"]) }
        if key == "codechallenge" || key == "codeverifier" { return String(repeating: "c", count: 50) }
        if key == "provider" || key == "providerid" {
            return dice.pick(["keycloak", "google.com", "google", "apple", "password"])
        }
        return pool.value(for: name, dice) ?? dice.pick(["a word", "123456", "x"])
    }
}

/// How a request identifies its caller.
enum FuzzCaller: Sendable {
    /// Without a header.
    case none
    /// With a header that never changes.
    case fixed(String, String)
    /// With a value that the server has returned, after a prefix.
    case known(String, String, String)
    /// With such a value that has a fault.
    case damaged(String, String, String)
}
