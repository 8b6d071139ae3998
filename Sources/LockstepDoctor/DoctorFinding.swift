internal import LockstepPrimitives

/// One statement about a project: what an app can rely on, what is risky, or what the project did not report.
public struct DoctorFinding: Sendable, Hashable {
    /// The weight of a finding.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// It must be changed before users come.
        case fail
        /// It is risky, or it may surprise an app.
        case warn
        /// An app can rely on it.
        case info
        /// The project did not report it: neither good nor bad.
        case unknown
    }

    /// The rule that was applied.
    public let rule: Rule
    /// The weight.
    public let level: Level
    /// What was found, in one sentence.
    public let sentence: String

    /// The finding's stable name, such as `gotrue.sign-up-proof`.
    public var id: String { rule.id }

    /// Whether two findings say the same.
    public static func == (one: DoctorFinding, other: DoctorFinding) -> Bool {
        one.id == other.id && one.level == other.level && one.sentence == other.sentence
    }

    /// Hashes what the finding says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(level)
        hasher.combine(sentence)
    }
}

/// A subject that doctor judges, the same for every project of a provider.
public struct Rule: Sendable {
    /// The stable name of its findings.
    public let id: String
    /// The subject, as a headline.
    public let subject: String
    /// The response that it reads.
    public let source: Source
    /// Why it matters.
    public let reason: String
    /// What to change.
    public let remedy: String
    /// The provider's own page about it.
    public let link: String
    /// The statement of `ProviderBehavior`, or the setting of the adapter or verifier, that it touches.
    public let touches: String
    let judge: @Sendable (JSON, Facts) -> Judgement?

    /// Applies the rule.
    ///
    /// - Parameter facts: What the project has answered.
    /// - Returns: The finding; ``DoctorFinding/Level/unknown`` if the project did not report the value.
    func finding(_ facts: Facts) -> DoctorFinding {
        guard let document = facts.documents[source] else {
            return DoctorFinding(rule: self, level: .unknown, sentence: facts.absence(of: source))
        }
        guard let judgement = judge(document, facts) else {
            return DoctorFinding(rule: self, level: .unknown, sentence: "\(source.title) does not report it.")
        }
        return DoctorFinding(rule: self, level: judgement.level, sentence: judgement.sentence)
    }
}

/// The level and the sentence of a finding.
struct Judgement: Sendable {
    let level: DoctorFinding.Level
    let sentence: String

    static func fail(_ sentence: String) -> Judgement { Judgement(level: .fail, sentence: sentence) }
    static func warn(_ sentence: String) -> Judgement { Judgement(level: .warn, sentence: sentence) }
    static func info(_ sentence: String) -> Judgement { Judgement(level: .info, sentence: sentence) }
}
