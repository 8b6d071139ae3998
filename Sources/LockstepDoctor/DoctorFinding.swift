internal import LockstepPrimitives

/// A statement about a project: a guarantee for an app, a risk, or a setting that the project did not report.
public struct DoctorFinding: Sendable, Hashable {
    /// The level of a finding.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// It must be changed before release.
        case fail
        /// It is risky, or may surprise an app.
        case warn
        /// An app can rely on it.
        case info
        /// The project did not report it.
        case unknown
    }

    /// The rule that was applied.
    public let rule: Rule
    /// The level.
    public let level: Level
    /// The finding in one sentence.
    public let sentence: String

    /// The finding's stable name, such as `gotrue.sign-up-proof`.
    public var id: String { rule.id }

    /// Whether two findings have the same rule, level and sentence.
    public static func == (one: DoctorFinding, other: DoctorFinding) -> Bool {
        one.id == other.id && one.level == other.level && one.sentence == other.sentence
    }

    /// Hashes the rule, the level and the sentence.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(level)
        hasher.combine(sentence)
    }
}

/// A rule that doctor applies to every project of a provider.
public struct Rule: Sendable {
    /// The stable name of its findings.
    public let id: String
    /// The subject, as a title.
    public let subject: String
    /// The response that the rule reads.
    public let source: Source
    /// The reason why it matters.
    public let reason: String
    /// The remedy.
    public let remedy: String
    /// The provider's own page about it.
    public let link: String
    /// The statement of `ProviderBehavior`, or the setting of the adapter or verifier, that depends on it.
    public let touches: String
    let judge: @Sendable (JSON, Facts) -> Judgement?

    /// Applies the rule.
    ///
    /// - Parameter facts: The responses of the project.
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
