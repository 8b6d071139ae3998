import LockstepPrimitives

extension [String] {
    /// Returns the word that a text means: the same word, or a provider by an alias; `nil` for none.
    func word(for text: String) -> String? {
        if contains(text) { return text }
        return Providers.aliases[text].flatMap { contains($0) ? $0 : nil }
    }

    /// Returns " Did you mean X?" if one of the words is similar; otherwise an empty string.
    func suggestion(for word: String) -> String {
        let aliases = Providers.aliases.filter { contains($0.value) }.map(\.key)
        return (self + aliases).nearest(to: word).map { " Did you mean \($0)?" } ?? ""
    }

    /// The elements as a choice: "a, b or c".
    var listedAsChoice: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
