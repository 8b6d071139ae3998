internal import LockstepPrimitives

/// A statement about a project.
///
/// A finding names a fact on which the app can rely, a risk, or a setting that the project does not return.
package struct DoctorFinding: Sendable, Hashable {
    /// The importance of a finding.
    package enum Level: String, Sendable, Hashable, CaseIterable {
        /// The setting must be changed before the app is released.
        case fail
        /// The setting is a risk, or may surprise an app.
        case warn
        /// An app can rely on the setting.
        case info
        /// The project does not return the setting.
        case unknown
    }

    /// The rule that was applied.
    package let rule: Rule
    /// The importance of the finding.
    package let level: Level
    /// The finding in one sentence.
    package let sentence: String

    /// The id of the finding, such as `gotrue.sign-up-proof`.
    ///
    /// It never changes.
    package var id: String { rule.id }

    /// Returns whether two findings have the same rule, level and sentence.
    ///
    /// - Parameters:
    ///   - one: The first finding.
    ///   - other: The second finding.
    /// - Returns: Whether they are equal.
    package static func == (one: DoctorFinding, other: DoctorFinding) -> Bool {
        one.id == other.id && one.level == other.level && one.sentence == other.sentence
    }

    /// Adds the rule, the level and the sentence to a hash.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(level)
        hasher.combine(sentence)
    }
}

/// A rule that the doctor applies to every project of a provider.
package struct Rule: Sendable {
    /// The id of the findings of this rule.
    ///
    /// It never changes.
    package let id: String
    /// The title of the rule, which names its subject.
    package let subject: String
    /// The response to which the rule is applied.
    package let source: Source
    /// The reason why the rule matters.
    package let reason: String
    /// What to do.
    package let remedy: String
    /// The URL of the provider's own page about the setting.
    package let link: String
    /// The statement of `ProviderBehavior`, or the setting of the adapter or verifier, that depends on this setting.
    package let touches: String
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
            return DoctorFinding(
                rule: self, level: .unknown,
                sentence: facts.isEmulator ? Facts.noSuchSetting : "\(source.title) does not report this value.")
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
