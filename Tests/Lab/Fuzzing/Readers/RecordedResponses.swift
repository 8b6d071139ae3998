internal import LockstepHTTP
internal import LockstepPrimitives
internal import Synchronization

/// Genuine responses of an emulator, by the kind of their request.
struct RecordedResponses: Sendable {
    private(set) var all: [HTTPResponse] = []
    private var byKind: [String: [Int]] = [:]
    /// Every member's value, for wrong places.
    private(set) var values: [JSON] = []

    mutating func add(_ response: HTTPResponse, to request: HTTPRequest) {
        byKind[Self.kind(of: request), default: []].append(all.count)
        all.append(response)
        guard values.count < 2000, let json = try? response.json() else { return }
        collect(json)
    }

    private mutating func collect(_ value: JSON) {
        values.append(value)
        for member in value.object ?? [:] { collect(member.value) }
        for element in value.array ?? [] { collect(element) }
    }

    /// The responses to requests of the same kind.
    func answers(to request: HTTPRequest) -> [HTTPResponse] { (byKind[Self.kind(of: request)] ?? []).map { all[$0] } }

    /// Method and path without the ids, and the requested grant.
    private static func kind(of request: HTTPRequest) -> String {
        let address = request.url.split(separator: "?", maxSplits: 1)
        let path = (address.first ?? "").split(separator: "/").dropFirst(2).map { part in
            part.count >= 8 && part.contains(where: \.isNumber) ? "*" : String(part)
        }
        let grant = (address.dropFirst().first ?? "").split(separator: "&").first { $0.hasPrefix("grant_type=") }
        return request.method.rawValue + " " + path.joined(separator: "/") + (grant.map { "?\($0)" } ?? "")
    }
}

/// Sends requests to a real emulator, and stores the responses.
final class RecordingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let recorded = Mutex(RecordedResponses())

    init(_ base: any HTTPTransport) { self.base = base }

    var answers: RecordedResponses { recorded.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response = try await base.send(request)
        recorded.withLock { $0.add(response, to: request) }
        return response
    }
}
