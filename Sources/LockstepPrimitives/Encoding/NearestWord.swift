extension Sequence<String> {
    /// The word that was probably meant by a misspelt one.
    ///
    /// - Parameters:
    ///   - word: The misspelt word.
    ///   - limit: The most letters that may differ. Default: a third of them.
    /// - Returns: The nearest word; `nil` if every word differs in more letters.
    package func nearest(to word: String, within limit: Int? = nil) -> String? {
        let word = word.unicodeScalars.prefix(64)
        let near = map { (distance: $0.distance(to: word), word: $0) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= (limit ?? (word.count > 3 ? Swift.max(2, word.count / 3) : 1)) else { return nil }
        return near.word
    }
}

extension String {
    /// The number of letters to add, remove or change to make one word of the other (Levenshtein).
    fileprivate func distance(to word: String.UnicodeScalarView.SubSequence) -> Int {
        let other = Array(word)
        var row = Array(0...other.count)
        for (index, letter) in unicodeScalars.enumerated() {
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
