import LockstepPrimitives
import Testing

/// Text that is split and searched by scalars.
@Suite struct MarkedTextTests {
    private static let texts = [
        "", "/", "//", "a", "a/b", "/a//b/", "a\u{301}/\u{301}b", "/\u{D4E}x", "é/ü/€/😀", "a/b/c/d", "\u{301}/", "x€y€€z",
    ]

    /// The expected parts by definition: scalar by scalar.
    private func expected(_ text: String, _ mark: Unicode.Scalar, _ maxSplits: Int, _ omitsEmpty: Bool) -> [[Unicode.Scalar]] {
        Array(text.unicodeScalars).split(separator: mark, maxSplits: maxSplits, omittingEmptySubsequences: omitsEmpty).map(
            Array.init)
    }

    @Test(arguments: texts, ["/", "€"] as [Unicode.Scalar])
    func piecesAreSplitByScalars(text: String, mark: Unicode.Scalar) {
        for maxSplits in [0, 1, 2, .max] {
            for omitsEmpty in [true, false] {
                let parts = expected(text, mark, maxSplits, omitsEmpty)
                let found = text.pieces(at: mark, maxSplits: maxSplits, omittingEmptySubsequences: omitsEmpty)
                #expect(found.map { Array($0.unicodeScalars) } == parts)
                // The same for a part of a longer text.
                let part = ("/€" + text + "€/").unicodeScalars.dropFirst(2).dropLast(2)
                let again = Substring(part).pieces(at: mark, maxSplits: maxSplits, omittingEmptySubsequences: omitsEmpty)
                #expect(again.map { Array($0.unicodeScalars) } == parts)
            }
        }
    }

    @Test(arguments: texts, ["/", "€", "/€", "a/", "b\u{301}", "zz", "€€"])
    func rangesAreThoseOfTheBytes(text: String, other: String) {
        let (bytes, wanted) = (Array(text.utf8), Array(other.utf8))
        let start = bytes.indices.first { bytes[$0...].starts(with: wanted) }
        let range = text.range(ofBytes: other)
        #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == start)
        #expect(range.map { Array(text.utf8[$0]) } == start.map { _ in wanted })
        #expect(text.contains(bytesOf: other) == (start != nil))
        let part = ("/€" + text + "€/").unicodeScalars.dropFirst(2).dropLast(2)
        #expect(Substring(part).contains(bytesOf: other) == (start != nil))
    }

    @Test(arguments: texts) func piecesAreCutAtEachOfSeveralMarks(text: String) {
        let parts = Array(text.unicodeScalars).split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "€" }.map(Array.init)
        let all = text.pieces(atAnyOf: "/€", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
        #expect(all == parts)
        #expect(text.pieces(atAnyOf: "/€").map { Array($0.unicodeScalars) } == parts.filter { !$0.isEmpty })
    }

    @Test(arguments: texts, ["/", "€"] as [Unicode.Scalar])
    func cutsAreMadeAtScalars(text: String, mark: Unicode.Scalar) {
        let scalars = Array(text.unicodeScalars)
        let (first, last) = (text.cut(at: mark), text.cut(atLast: mark))
        let (start, end) = (scalars.firstIndex(of: mark), scalars.lastIndex(of: mark))
        #expect(Array(first.head.unicodeScalars) == Array(scalars[..<(start ?? scalars.endIndex)]))
        #expect(first.tail.map { Array($0.unicodeScalars) } == start.map { Array(scalars[($0 + 1)...]) })
        #expect(last.head.map { Array($0.unicodeScalars) } == end.map { Array(scalars[..<$0]) })
        #expect(Array(last.tail.unicodeScalars) == Array(scalars[(end.map { $0 + 1 } ?? 0)...]))
    }
}
