import LockstepPrimitives

extension [String] {
    /// The one of these words that is meant: itself, or a provider by another name; `nil` for none.
    func word(for text: String) -> String? {
        if contains(text) { return text }
        return Providers.aliases[text].flatMap { contains($0) ? $0 : nil }
    }

    /// " Did you mean X?" where one of the words is near; nothing otherwise.
    func suggestion(for word: String) -> String {
        let aliases = Providers.aliases.filter { contains($0.value) }.map(\.key)
        return (self + aliases).nearest(to: word).map { " Did you mean \($0)?" } ?? ""
    }

    /// "a, b or c".
    var listedAsChoice: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
