internal import LockstepContracts
internal import LockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives
internal import Synchronization

/// The emails and SMS of an Auth emulator.
///
/// The emulator lists only unused codes, so this type keeps every code that it has seen.
final class OobCodes: Outbox {
    /// The lists of the emulator: for emails and for SMS.
    private enum List: String, CaseIterable {
        case oobCodes, verificationCodes

        /// The member that contains the id of an entry.
        var id: String { self == .oobCodes ? "oobCode" : "sessionInfo" }

        func message(_ entry: JSON) -> SentMessage {
            switch self {
            case .oobCodes:
                SentMessage(
                    recipient: entry["newEmail"]?.string ?? entry["email"]?.string ?? "", link: entry["oobLink"]?.string)
            case .verificationCodes:
                SentMessage(channel: .sms, recipient: entry["phoneNumber"]?.string ?? "", code: entry["code"]?.string)
            }
        }
    }

    private let url: String
    private let transport = CurlTransport()
    private let seen = Mutex<[(id: String, message: SentMessage)]>([])

    /// The ids of earlier unused codes, which belong to other environments.
    private let former: Set<String>

    /// Creates a list of all later messages.
    init(base: String, project: String) async throws {
        url = "\(base)/emulator/v1/projects/\(project)/"
        former = Set(try await Self.open(transport, url).map(\.id))
    }

    private static func open(_ transport: CurlTransport, _ url: String) async throws -> [(id: String, message: SentMessage)] {
        var open: [(id: String, message: SentMessage)] = []
        for list in List.allCases {
            let response = try await transport.send(HTTPRequest(.get, url + list.rawValue))
            for entry in try JSON.parse(response.body)[list.rawValue]?.array ?? [] {
                if let id = entry[list.id]?.string { open.append((id, list.message(entry))) }
            }
        }
        return open
    }

    func messages() async throws -> [SentMessage] {
        let open = try await Self.open(transport, url)
        return seen.withLock { seen in
            for (id, message) in open where !former.contains(id) && !seen.contains(where: { $0.id == id }) {
                seen.append((id, message))
            }
            return seen.map(\.message)
        }
    }
}
