internal import LockstepContracts
internal import LockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives
internal import Synchronization

/// The messages of an Auth emulator: it lists only open codes, so this keeps the ones that it has seen.
final class OobCodes: Outbox {
    private let url: String
    private let transport = CurlTransport()
    private let seen = Mutex<[(code: String, message: SentMessage)]>([])

    /// Codes that were open before: other environments' messages.
    private let former: Set<String>

    /// The messages from now on.
    init(base: String, project: String) async throws {
        url = "\(base)/emulator/v1/projects/\(project)/oobCodes"
        former = Set(try await Self.codes(transport, url).compactMap { $0["oobCode"]?.string })
    }

    private static func codes(_ transport: CurlTransport, _ url: String) async throws -> [JSON] {
        let response = try await transport.send(HTTPRequest(.get, url))
        return try JSON.parse(response.body)["oobCodes"]?.array ?? []
    }

    func messages() async throws -> [SentMessage] {
        let codes = try await Self.codes(transport, url)
        return seen.withLock { seen in
            for entry in codes {
                guard let code = entry["oobCode"]?.string, !former.contains(code), !seen.contains(where: { $0.code == code })
                else { continue }
                let recipient = entry["newEmail"]?.string ?? entry["email"]?.string ?? ""
                seen.append((code, SentMessage(recipient: recipient, link: entry["oobLink"]?.string)))
            }
            return seen.map(\.message)
        }
    }
}
