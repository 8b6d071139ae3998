internal import LockstepPrimitives

/// Decoded pairs of a query or a form, in order, repeats included.
public struct Parameters: Sendable {
    /// Name and value of each.
    public var pairs: [(name: String, value: String)]

    /// The pairs given.
    public init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
    }

    /// The pairs of `text`; a pair whose percent signs are broken is left out, as most servers do.
    init(lenient text: some StringProtocol) {
        pairs = text.isEmpty ? [] : text.split(separator: "&").flatMap { Percent.decodeForm($0) ?? [] }
    }

    /// The first value of a name.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of a name, in order.
    public func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Whether there is no pair.
    public var isEmpty: Bool { pairs.isEmpty }
}
