/// One attack or fault that the project must withstand, with what is expected of it.
public struct AttackCase: Sendable, Identifiable, Hashable {
    /// A letter for what is attacked and two digits: `E04`.
    public let id: String
    /// What is done, an arrow, and what must come of it.
    public let sentence: String

    /// A case.
    public init(_ id: String, _ sentence: String) {
        self.id = id
        self.sentence = sentence
    }

    /// Every case, in the order of the ids.
    public static let all: [AttackCase] =
        callbacks + mails + federated + tokens + sessions + transport + storage + privacy + servers + migration + command + moves

    /// Whether a text has the form of an id, known or not.
    static func isID(_ text: some StringProtocol) -> Bool {
        text.count == 3 && text.first.map { ("A"..."Z").contains($0) } == true
            && text.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    }
}
