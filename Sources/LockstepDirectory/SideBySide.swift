/// Runs the requests of a batch, several at the same time.
package enum SideBySide {
    /// Calls a closure for each element, for several elements at the same time.
    ///
    /// - Parameters:
    ///   - elements: The elements, in the order in which they begin.
    ///   - width: The maximum number of elements at the same time; at least 1.
    ///   - marks: A closure that returns the values that an element shares with others. Elements that share a value run one
    ///     after the other.
    ///   - act: The closure.
    ///   - isLast: A closure that decides after each result whether to start no more elements. Elements that have already begun
    ///     are awaited.
    /// - Returns: The results in the order of the elements; `nil` for an element that did not begin, for example because the task
    ///   was cancelled.
    package static func run<Element: Sendable, Value: Sendable>(
        _ elements: [Element], width: Int, marks: (Element) -> [String] = { _ in [] },
        _ act: @escaping @Sendable (Element) async -> Value, isLast: (Value) -> Bool
    ) async -> [Value?] {
        var results = [Value?](repeating: nil, count: elements.count)
        var marksOfBegun: [Int: [String]] = [:]
        await withTaskGroup(of: (Int, Value).self) { group in
            var isOpen = true
            for (index, element) in elements.enumerated() {
                let own = marks(element)
                while isOpen,
                    marksOfBegun.count >= max(width, 1) || marksOfBegun.values.contains(where: { !own.allSatisfy($0.isNew) })
                {
                    guard let (done, value) = await group.next() else { break }
                    marksOfBegun[done] = nil
                    results[done] = value
                    isOpen = isOpen && !isLast(value)
                }
                guard isOpen, !Task.isCancelled else { break }
                marksOfBegun[index] = own
                group.addTask { (index, await act(element)) }
            }
            for await (done, value) in group { results[done] = value }
        }
        return results
    }
}

extension [String] {
    fileprivate func isNew(_ mark: String) -> Bool { !contains(mark) }
}
