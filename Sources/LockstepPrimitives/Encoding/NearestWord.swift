extension Sequence<String> {
    /// Returns the word that a misspelled word most likely means.
    ///
    /// - Parameters:
    ///   - word: The misspelled word.
    ///   - limit: The maximum number of letters that may differ. Default: a third of the letters.
    /// - Returns: The nearest word; `nil` if every word differs in more letters.
    package func nearest(to word: String, within limit: Int? = nil) -> String? {
        let word = word.unicodeScalars.prefix(64)
        let near = map { (distance: $0.distance(to: word), word: $0) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= (limit ?? (word.count > 3 ? Swift.max(2, word.count / 3) : 1)) else { return nil }
        return near.word
    }
}

extension String {
    /// Returns the number of edits between two words: letters to add, remove, change, or swap with their neighbor.
    fileprivate func distance(to word: String.UnicodeScalarView.SubSequence) -> Int {
        let other = Array(word)
        var (earlier, row) = ([Int](), Array(0...other.count))
        var previous: Unicode.Scalar?
        for (index, letter) in unicodeScalars.enumerated() {
            var next = [index + 1]
            for column in other.indices {
                let change = row[column] + (letter == other[column] ? 0 : 1)
                var least = Swift.min(change, row[column + 1] + 1, next[column] + 1)
                if column > 0, letter == other[column - 1], previous == other[column] {
                    least = Swift.min(least, earlier[column - 1] + 1)
                }
                next.append(least)
            }
            (earlier, row, previous) = (row, next, letter)
        }
        return row[other.count]
    }
}
