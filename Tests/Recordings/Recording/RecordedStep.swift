public import LockstepPrimitives

/// One step of a conversation.
public enum RecordedStep: Sendable {
    /// A request, and its response.
    case exchange(RecordedExchange)
    /// Concurrent requests.
    ///
    /// Their responses are sorted by status and body.
    case together([RecordedExchange])
    /// The newest unread mail to an address: its first link, and whether it shows a code.
    case mail(to: String, link: JSON?, hasCode: Bool)
    /// No unread mail to an address.
    case noMail(to: String)
    /// The newest text message to a number.
    case message(to: String)
    /// Advances the server's clock by this many seconds.
    case advance(Int64)

    init(_ json: JSON, _ place: String) throws(RecordingError) {
        if json["request"] != nil || json["response"] != nil {
            self = .exchange(try RecordedExchange(json, place))
        } else if let calls = json["together"] {
            guard let calls = calls.array, !calls.isEmpty else {
                throw RecordingError(place, "\"together\" must be a list of requests with their responses")
            }
            var exchanges: [RecordedExchange] = []
            for (number, call) in calls.enumerated() { exchanges.append(try RecordedExchange(call, "\(place).\(number)")) }
            self = .together(exchanges)
        } else if let mail = json["mail"] {
            let links = mail["links"]?.array ?? []
            self = .mail(to: try Self.address(mail, place), link: links.first, hasCode: mail["code"]?.string != nil)
        } else if let mail = json["no_mail"] {
            self = .noMail(to: try Self.address(mail, place))
        } else if let message = json["sms"] {
            self = .message(to: try Self.address(message, place))
        } else if let advance = json["advance"] {
            guard let seconds = advance.int else { throw RecordingError(place, "\"advance\" must be a whole number of seconds") }
            self = .advance(seconds)
        } else {
            throw RecordingError(place, "a step has \"request\", \"together\", \"mail\", \"no_mail\", \"sms\" or \"advance\"")
        }
    }

    private static func address(_ json: JSON, _ place: String) throws(RecordingError) -> String {
        guard let text = json["to"]?.string else { throw RecordingError(place, "\"to\" must be a text: the address") }
        return text
    }

    static func texts(_ value: JSON, _ name: String, _ place: String) throws(RecordingError) -> [String] {
        guard let array = value.array, array.allSatisfy({ $0.string != nil }) else {
            throw RecordingError(place, "\(name) must be a list of texts")
        }
        return array.compactMap(\.string)
    }
}
