/// One attack or fault that the project must withstand, with the expected result.
public struct AttackCase: Sendable, Identifiable, Hashable {
    /// A letter for the target of the attack and two digits: `E04`.
    public let id: String
    /// The attack, an arrow, and the expected result.
    public let sentence: String

    /// Creates a case.
    public init(_ id: String, _ sentence: String) {
        self.id = id
        self.sentence = sentence
    }

    /// Every case, in the order of the ids.
    public static let all: [AttackCase] =
        callbacks + mails + federated + tokens + sessions + transport + storage + privacy + servers + migration + command + moves

    /// Whether a text has the form of an id, known or unknown.
    static func isID(_ text: some StringProtocol) -> Bool {
        text.count == 3 && text.first.map { ("A"..."Z").contains($0) } == true
            && text.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    }
}
