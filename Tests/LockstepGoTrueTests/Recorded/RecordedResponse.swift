import LockstepHTTP
import LockstepPrimitives
import LockstepRecordings

@testable import LockstepGoTrue

/// One request of a recorded conversation with the real response, completed: real values replace the placeholders.
struct RecordedResponse: Sendable {
    static let id = "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d2c11"

    /// The conversation.
    let recording: String
    let method: String
    let path: String
    let query: JSONObject
    let hasBearer: Bool
    /// The members of the request's body.
    let body: JSONObject
    let status: Int
    let json: JSON?
    /// The redirect of a browser.
    let location: String?
    private let text: String

    init?(_ exchange: RecordedExchange, of recording: Recording) {
        guard exchange.request["at"] == nil, let body = Self.whole(exchange.request["json"] ?? [:]).object else { return nil }
        self.recording = recording.id
        self.body = body
        method = exchange.request["method"]?.string ?? ""
        path = Self.whole(exchange.request["path"] ?? "").string ?? ""
        query = Self.whole(exchange.request["query"] ?? [:]).object ?? [:]
        hasBearer = exchange.request["headers"]?["Authorization"] != nil
        status = Int(exchange.status)
        json = exchange.json.map(Self.whole)
        text = exchange.text
        location = exchange.headers["location"].flatMap { Self.whole($0).string }
    }

    /// The path without a slash at its end.
    var plainPath: Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }

    /// The response of the playing server.
    var response: HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Date": "Thu, 01 Jan 2026 00:00:00 GMT"], body: json?.bytes() ?? Array(text.utf8))
    }

    /// The text of a member of the request's body.
    subscript(name: String) -> String? {
        guard let text = body[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    private static func whole(_ value: JSON) -> JSON {
        switch value {
        case .string(let text): return whole(text)
        case .array(let elements): return .array(elements.map(whole))
        case .object(let members):
            if let token = members["<jwt>"] { return .string(GoTrue.token(whole(token["claims"] ?? [:]))) }
            if let url = members["<url>"] { return .string(address(url)) }
            if let inner = members["<json>"] { return .string(whole(inner).text()) }
            // Codes, tokens and passkeys that the runner generates for a server that checks them.
            if members.count == 1, members.contains(where: { $0.name.hasPrefix("$") }) { return .string("123456") }
            return .object(JSONObject(members.map { ($0.name, whole($0.value)) }))
        default: return value
        }
    }

    private static func address(_ url: JSON) -> String {
        func pairs(_ name: String) -> String {
            HTTPForm((whole(url[name] ?? [:]).object ?? [:]).map { ($0.name, $0.value.string ?? $0.value.text()) }).encoded
        }
        let (query, fragment) = (pairs("query"), pairs("fragment"))
        return (url["base"]?.string ?? "") + (query.isEmpty ? "" : "?" + query) + (fragment.isEmpty ? "" : "#" + fragment)
    }

    private static func whole(_ text: String) -> JSON {
        if text.hasPrefix("<"), text.hasSuffix(">") {
            let parts = text.dropFirst().dropLast().split(separator: ":", maxSplits: 1)
            let argument = parts.count == 2 ? String(parts[1]) : ""
            let count = Int64(argument.drop { $0 == "+" }) ?? 0
            switch parts.first {
            case "uuid": return .string(id)
            case "timestamp": return "2026-01-01T00:00:00.123456Z"
            case "epoch": return .int(1_767_225_600 + count)
            case "epoch-string": return .string(String(1_767_225_600 + count))
            case "int", "number": return 7
            case "opaque", "digits": return .string(String(repeating: "a", count: max(Int(count), 12)))
            case "prefix", "base64url": return .string(argument)
            case "any", "url": return "https://example.com/any"
            default: break
            }
        }
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let name = rest[start.upperBound..<end]
            result += rest[..<start.lowerBound]
            switch name.split(separator: ".").first {
            case "new": result += name.dropFirst(4) + "@example.com"
            case "phone": result += "15551230000"
            case "env": result += "http://127.0.0.1:9999/auth/v1"
            default: result += name.hasSuffix("email") ? "ada@example.com" : id
            }
            rest = rest[rest.index(after: end)...]
        }
        return .string(result + rest)
    }
}
