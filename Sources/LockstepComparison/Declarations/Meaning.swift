/// The words for a statement of `ProviderBehavior`, and what each of its values means for an app that moves to it.
struct Meaning: Sendable {
    /// One value of a statement.
    struct Value: Sendable {
        /// The raw value in the declaration.
        let name: String
        /// The same in words, to follow the title and a colon.
        let words: String
        let effect: Effect
        /// What happens to an app that comes from a value which costs more; `nil` if it has the effect of any other.
        let gain: String?

        init(
            _ name: String, _ words: String, _ cost: Cost, _ consequence: String, _ action: String = "", call: String? = nil,
            needs: Effect.Need? = nil, gain: String? = nil
        ) {
            self.gain = gain
            self.name = name
            self.words = words
            effect = Effect(cost, consequence, action, call: call, needs: needs)
        }
    }

    /// The statement, as in `ProviderBehavior.statements`.
    let name: String
    /// What it is about, for people.
    let title: String
    let values: [Value]

    init(_ name: String, _ title: String, _ values: [Value]) {
        self.name = name
        self.title = title
        self.values = values
    }

    /// The words for a value, also for one that has none yet.
    func words(for value: String) -> String { values.first { $0.name == value }?.words ?? value.inWords }

    /// What it means to come from one value to another.
    func effect(of value: String, from before: String) -> Effect {
        let effect = effect(of: value)
        guard let gain = values.first(where: { $0.name == value })?.gain, effect.cost < self.effect(of: before).cost else {
            return effect
        }
        return Effect(5, gain)
    }

    /// What a value means, also for one that has no words yet: no declared difference stays out of a report.
    func effect(of value: String) -> Effect {
        values.first { $0.name == value }?.effect
            ?? Effect(20, "the two backends differ here", "read about `\(name)` in ProviderBehavior, and try the screen")
    }

    /// The meaning of a statement, also of one that has no words yet.
    static func of(_ name: String) -> Meaning {
        table.first { $0.name == name } ?? Meaning(name, name.inWords.capitalizedFirst, [])
    }

    static let table = signIn + proofs + sessions
}

extension String {
    /// `sessionOfDeletedUser` as "session of deleted user".
    var inWords: String {
        reduce(into: "") { text, character in
            if character.isUppercase, !text.isEmpty { text += " " }
            text += character.lowercased()
        }
    }

    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
