internal import Lockstep
internal import LockstepContracts

/// A configuration of a provider that a comparison shows, with all that is declared there.
public struct Configuration: Sendable, Hashable {
    /// The name of the harness's variant.
    public var name: String
    /// What it is, in half a sentence.
    public var summary: String
    /// Every statement of `ProviderBehavior`, and every capability as `can:…`, by name.
    public var statements: [Statement]

    /// A name with its value, as it is declared.
    public struct Statement: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A statement.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A configuration.
    public init(name: String, summary: String, statements: [Statement]) {
        self.name = name
        self.summary = summary
        self.statements = statements
    }

    /// What a variant declares, and what its adapter can do.
    init(_ variant: Variant, _ capabilities: Set<Capability>) {
        let can = Capability.all.map { Statement("can:\($0.rawValue)", capabilities.contains($0) ? "yes" : "no") }
        self.init(
            name: variant.name, summary: variant.summary,
            statements: variant.behavior.statements.map { Statement($0.name, $0.value) } + can)
    }

    /// The declared value of a name.
    public subscript(name: String) -> String? { statements.first { $0.name == name }?.value }

    /// A value that another variant of the provider has.
    func setting(of provider: String, _ subject: String, _ words: String) -> Setting {
        Setting(provider: provider, variant: name, summary: summary, subject: subject, words: words)
    }
}

extension Comparison {
    /// The names of everything that is declared, in the order of declaration.
    private var statementNames: [String] {
        var names: [String] = []
        for configuration in configurations.joined() {
            for statement in configuration.statements where !names.contains(statement.name) { names.append(statement.name) }
        }
        return names
    }

    /// What is declared differently, in the configurations that the platforms begin with.
    public var declaredDifferences: [Difference] {
        statementNames.compactMap { name in
            let values = configurations.map { $0.first?[name] ?? "not declared" }
            guard Set(values).count > 1 else { return nil }
            let meaning = Meaning.of(statement: name)
            let words = values.map { meaning.words(for: $0) }
            var notes: [Difference.Note] = []
            for value in Set(values).sorted() {
                let places = values.indices.filter { values[$0] == value }
                // The same value is another effect where the advised call is rejected.
                let effects = places.map { meaning.effect(of: value).on(configurations[$0].first) }
                for effect in effects.enumerated().filter({ effects.firstIndex(of: $0.element) == $0.offset }).map(\.element) {
                    let who = zip(places, effects).filter { $0.1 == effect }.map { titles[$0.0] }.listed
                    notes.append(
                        Difference.Note(
                            text: "\(who): \(meaning.words(for: value)). \(effect.sentence)", call: effect.call,
                            cost: effect.cost,
                            short: "\(who): \(effect.consequence.capitalizedFirst)."
                        ))
                }
            }
            return Difference(
                observation: meaning.title, values: Dictionary(uniqueKeysWithValues: zip(providers, words)),
                notes: notes
                    + providers.indices.flatMap { settings(of: $0, name) }.map {
                        Difference.Note(text: $0.sentence)
                    },
                cost: Set(values).map { meaning.effect(of: $0).cost }.max() ?? 0, statement: name)
        }
    }

    /// The values of a statement in the other variants of a provider, where they differ from the first one's.
    func settings(of provider: Int, _ name: String) -> [Setting] {
        let usual = configurations[provider].first?[name]
        let meaning = Meaning.of(statement: name)
        return configurations[provider].dropFirst().compactMap { configuration in
            guard let value = configuration[name], value != usual else { return nil }
            return configuration.setting(of: titles[provider], meaning.title, meaning.words(for: value))
        }
    }

    /// Every declared difference between two providers, and every setting that makes one.
    func declaredChanges(_ old: Int, _ new: Int) -> [DeclaredChange] {
        guard let from = configurations[old].first, let to = configurations[new].first else { return [] }
        let evidence =
            "declared for \(titles[old]) “\(from.name)” and \(titles[new]) “\(to.name)”; the contract suite checks it"
        return statementNames.compactMap { name in
            let (before, after) = (from[name] ?? "not declared", to[name] ?? "not declared")
            let meaning = Meaning.of(statement: name)
            let settings = settings(of: old, name) + settings(of: new, name)
            var change = Change(
                kind: .declared, observation: meaning.title, before: meaning.words(for: before), after: meaning.words(for: after),
                effect: meaning.effect(of: after, from: before).on(to), evidence: evidence, settings: settings)
            if before == after {
                guard !settings.isEmpty else { return nil }
                change.kind = .setting
                change.effect = Effect(2, "nothing changes with the default settings", "check that the setting suits the app")
            }
            return DeclaredChange(statement: name, change: change)
        }
    }
}

/// What another variant of a provider makes of a row.
public struct Setting: Sendable, Hashable {
    /// The provider, for people.
    public var provider: String
    /// The variant's name.
    public var variant: String
    /// What the variant is, in half a sentence.
    public var summary: String
    /// What has another value.
    public var subject: String
    /// The value.
    public var words: String

    /// A setting.
    public init(provider: String, variant: String, summary: String, subject: String, words: String) {
        self.provider = provider
        self.variant = variant
        self.summary = summary
        self.subject = subject
        self.words = words
    }

    /// The setting and its value in a sentence.
    public var sentence: String { "\(provider), variant “\(variant)” (\(summary)): \(words)" }
}

extension Meaning {
    /// The meaning of a statement or of a capability.
    static func of(statement name: String) -> Meaning {
        guard name.hasPrefix("can:") else { return of(name) }
        return of(capability: String(name.dropFirst("can:".count)))
    }
}
