/// The texts for a statement of `ProviderBehavior`, and the meaning of each value for an app that moves to it.
struct Meaning: Sendable {
    /// A value of a statement.
    struct Value: Sendable {
        /// The raw value in the declaration.
        let name: String
        /// The value in words, to follow the title and a colon.
        let words: String
        let effect: Effect
        /// The consequence for an app that comes from a more expensive value; `nil` if it is the same as for other values.
        let gain: String?

        init(
            _ name: String, _ words: String, _ cost: Cost, _ effort: Effort, _ consequence: String, _ action: String = "",
            call: String? = nil, needs: Effect.Need? = nil, gain: String? = nil
        ) {
            self.gain = gain
            self.name = name
            self.words = words
            effect = Effect(cost, effort, consequence, action, call: call, needs: needs)
        }
    }

    /// The statement, as in `ProviderBehavior.statements`.
    let name: String
    /// The title for readers.
    let title: String
    let values: [Value]

    init(_ name: String, _ title: String, _ values: [Value]) {
        self.name = name
        self.title = title
        self.values = values
    }

    /// Returns the words for a value, even if no text exists for it.
    func words(for value: String) -> String { values.first { $0.name == value }?.words ?? value.inWords }

    /// Returns the meaning of a change from one value to another.
    func effect(of value: String, from before: String) -> Effect {
        let effect = effect(of: value)
        guard let gain = values.first(where: { $0.name == value })?.gain, effect.cost < self.effect(of: before).cost else {
            return effect
        }
        return Effect(5, .none, gain)
    }

    /// Returns the meaning of a value, even if no text exists for it, so that a report omits no declared difference.
    func effect(of value: String) -> Effect {
        if let effect = values.first(where: { $0.name == value })?.effect { return effect }
        var effect = Effect(
            20, .screen, "the two backends differ here", "read about `\(name)` in ProviderBehavior, and try the screen")
        effect.isGeneral = true
        return effect
    }

    /// Returns the meaning of a statement, even if no text exists for it.
    static func of(_ name: String) -> Meaning {
        table.first { $0.name == name } ?? Meaning(name, name.inWords.capitalizedFirst, [])
    }

    static let table = signIn + proofs + sessions
}

extension String {
    /// The name in words: `sessionOfDeletedUser` becomes "session of deleted user".
    var inWords: String {
        reduce(into: "") { text, character in
            if character.isUppercase, !text.isEmpty { text += " " }
            text += character.lowercased()
        }
    }

    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
