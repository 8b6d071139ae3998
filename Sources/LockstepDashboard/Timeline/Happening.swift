internal import LockstepEmulation
internal import LockstepPrimitives

/// One line of the timeline: who did what, and what the backend sent, or why it sent nothing.
struct Happening: Sendable {
    let emulator: DashboardEmulator
    /// The request without secrets.
    let request: JSON
    /// The machine's uptime at the response: the backends' clocks differ, and a person moves them.
    let end: Duration
    /// What the request does; `nil` for a failed request outside a user's story.
    let deed: String?
    let userID: String?
    /// The name, address or number of the user.
    var who: String?
    /// The messages that were sent, and are not deleted.
    let messages: [Message]
    /// Why nothing was sent.
    let unsentReason: String?
    /// Whether the request repeats one that a fault has affected.
    var isRetry = false

    var number: Int64 { request["number"]?.int ?? 0 }
    var status: Int64? { request["status"]?.int }
    var isFaulty: Bool { request["fault"]?.bool == true }
    var method: String { request["method"]?.string ?? "" }
    var path: String { request["path"]?.string ?? "" }

    /// What has happened, without the messages.
    var words: String {
        let deed = deed ?? "\(method) \(path)"
        if isFaulty {
            return status == nil ? "\(deed): the answer was lost by a fault" : "\(deed): a fault has changed the answer"
        }
        let code = (status ?? 200) >= 400 ? ": rejected\(reason.map { " (\($0))" } ?? "")" : ""
        return (isRetry ? "\(deed) again" : deed) + code
    }

    /// The provider's code of an error.
    private var reason: String? {
        let answer = request["answer"] ?? .null
        let texts = [
            answer["error_code"], answer["errors"]?[0]?["code"], answer["error"]?["message"], answer["msg"], answer["message"],
        ]
        return texts.compactMap { $0?.string }.first.map { String($0.prefix(80)) }
    }
}
