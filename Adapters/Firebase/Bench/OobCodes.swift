internal import LockstepContracts
internal import LockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives
internal import Synchronization

/// The messages of an Auth emulator: it lists the codes that are open, so those that were seen once are kept here.
final class OobCodes: Outbox {
    private let url: String
    private let transport = CurlTransport()
    private let seen = Mutex<[(code: String, message: SentMessage)]>([])

    init(base: String, project: String) { url = "\(base)/emulator/v1/projects/\(project)/oobCodes" }

    func messages() async throws -> [SentMessage] {
        let answer = try await transport.send(HTTPRequest(.get, url))
        let codes = try JSON.parse(answer.body)["oobCodes"]?.array ?? []
        return seen.withLock { seen in
            for entry in codes {
                guard let code = entry["oobCode"]?.string, !seen.contains(where: { $0.code == code }) else { continue }
                let recipient = entry["newEmail"]?.string ?? entry["email"]?.string ?? ""
                seen.append((code, SentMessage(recipient: recipient, link: entry["oobLink"]?.string)))
            }
            return seen.map(\.message)
        }
    }
}
