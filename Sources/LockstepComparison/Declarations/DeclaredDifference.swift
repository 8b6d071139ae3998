internal import Lockstep
internal import LockstepContracts

/// A configuration of a provider in a comparison, with all statements of its adapter.
package struct Configuration: Sendable, Hashable {
    /// The name of the variant of the harness.
    package var name: String
    /// A short description of the configuration.
    package var summary: String
    /// The statements of the adapter, by name.
    ///
    /// The list contains the statements of `ProviderBehavior`, and each capability as `can:…`.
    package var statements: [Statement]

    /// A statement of an adapter: a name and a value.
    package struct Statement: Sendable, Hashable {
        /// The name of the statement.
        package var name: String
        /// The value of the statement.
        package var value: String

        /// Creates a statement.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - name: The name of the variant of the harness.
    ///   - summary: A short description of the configuration.
    ///   - statements: The statements of the adapter.
    package init(name: String, summary: String, statements: [Statement]) {
        self.name = name
        self.summary = summary
        self.statements = statements
    }

    /// Creates the configuration of a variant, with its adapter's capabilities.
    init(_ variant: Variant, _ capabilities: Set<Capability>) {
        let can = Capability.all.map { Statement("can:\($0.rawValue)", capabilities.contains($0) ? "yes" : "no") }
        self.init(
            name: variant.name, summary: variant.summary,
            statements: variant.behavior.statements.map { Statement($0.name, $0.value) } + can)
    }

    /// The value of a statement; `nil` if there is no such statement.
    package subscript(name: String) -> String? { statements.first { $0.name == name }?.value }

    /// Returns a setting for a value of another variant.
    func setting(of provider: String, _ subject: String, _ words: String) -> Setting {
        Setting(provider: provider, variant: name, summary: summary, subject: subject, words: words)
    }
}

extension Comparison {
    /// The names of all declarations, in order.
    private var statementNames: [String] {
        var names: [String] = []
        for configuration in configurations.joined() {
            for statement in configuration.statements where !names.contains(statement.name) { names.append(statement.name) }
        }
        return names
    }

    /// The differences that the adapters state, each for the platform's default configuration of a new project.
    package var declaredDifferences: [Difference] {
        statementNames.compactMap { name in
            let values = configurations.map { $0.first?[name] ?? "not declared" }
            guard Set(values).count > 1 else { return nil }
            let meaning = Meaning.of(statement: name)
            let words = values.map { meaning.words(for: $0) }
            var notes: [Difference.Note] = []
            for value in Set(values).sorted() {
                let places = values.indices.filter { values[$0] == value }
                // The same value is another effect if the advised call is rejected.
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

    /// Returns the values of a statement in the other variants of a provider that differ from the first variant.
    func settings(of provider: Int, _ name: String) -> [Setting] {
        let usual = configurations[provider].first?[name]
        let meaning = Meaning.of(statement: name)
        return configurations[provider].dropFirst().compactMap { configuration in
            guard let value = configuration[name], value != usual else { return nil }
            return configuration.setting(of: titles[provider], meaning.title, meaning.words(for: value))
        }
    }

    /// Returns all declared differences between two providers, and all settings that cause one.
    func declaredChanges(_ old: Int, _ new: Int) -> [DeclaredChange] {
        guard let from = configurations[old].first, let to = configurations[new].first else { return [] }
        let evidence =
            "declared for \(titles[old]) “\(from.name)” and \(titles[new]) “\(to.name)”; the contract suite checks these values"
        return statementNames.compactMap { name in
            let (before, after) = (from[name] ?? "not declared", to[name] ?? "not declared")
            let meaning = Meaning.of(statement: name)
            let settings = settings(of: old, name) + settings(of: new, name)
            var change = Change(
                kind: .declared, observation: meaning.title, before: meaning.words(for: before), after: meaning.words(for: after),
                effect: meaning.effect(of: after, from: before).on(to), evidence: evidence, settings: settings)
            if before != after, after == "no" { change.lost = Meaning.lost(capability: String(name.dropFirst("can:".count))) }
            if before == after {
                guard !settings.isEmpty else { return nil }
                change.kind = .setting
                change.effect = Effect(
                    2, .setting, "nothing changes with the default settings", "check that the setting suits the app")
            }
            return DeclaredChange(statement: name, change: change)
        }
    }
}

/// The value of a row in another variant of a provider.
package struct Setting: Sendable, Hashable {
    /// The display name of the provider.
    package var provider: String
    /// The name of the variant.
    package var variant: String
    /// A short description of the variant.
    package var summary: String
    /// The subject of the value.
    package var subject: String
    /// The value.
    package var words: String

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - provider: The display name of the provider.
    ///   - variant: The name of the variant.
    ///   - summary: A short description of the variant.
    package init(provider: String, variant: String, summary: String, subject: String, words: String) {
        self.provider = provider
        self.variant = variant
        self.summary = summary
        self.subject = subject
        self.words = words
    }

    /// The setting and its value as a sentence.
    package var sentence: String { "\(provider), variant “\(variant)” (\(summary)): \(words)" }
}

extension Meaning {
    /// Returns the meaning of a statement or a capability.
    static func of(statement name: String) -> Meaning {
        guard name.hasPrefix("can:") else { return of(name) }
        return of(capability: String(name.dropFirst("can:".count)))
    }
}
