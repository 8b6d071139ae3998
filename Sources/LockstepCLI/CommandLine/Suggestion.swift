extension [String] {
    /// The one of these words that is meant: itself, or a provider by another name; `nil` for none.
    func word(for text: String) -> String? {
        if contains(text) { return text }
        return Providers.aliases[text].flatMap { contains($0) ? $0 : nil }
    }

    /// " Did you mean X?" where one of the words is near; nothing otherwise.
    func suggestion(for word: String) -> String {
        let aliases = Providers.aliases.filter { contains($0.value) }.map(\.key)
        let near = (self + aliases).map { (distance: $0.distance(to: word), word: $0) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= (word.count > 3 ? Swift.max(2, word.count / 3) : 1) else { return "" }
        return " Did you mean \(near.word)?"
    }

    /// "a, b or c".
    var listedAsChoice: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension String {
    /// How many letters must be added, removed or changed to make one word of the other (Levenshtein).
    fileprivate func distance(to other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, letter) in enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let change = diagonal + (letter == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(change, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
