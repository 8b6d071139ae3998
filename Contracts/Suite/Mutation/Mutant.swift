/// A fault that breaks one contract of a family.
///
/// A test shows that the check of this contract finds it.
public struct Mutant<Place: ContractWorld>: Sendable, CustomStringConvertible {
    /// The id of the contract that the fault breaks.
    public let breaks: String
    /// A short description of the fault.
    public let summary: String
    /// The change that causes the fault.
    public let mutation: Place.Mutation

    /// Creates a mutant.
    ///
    /// - Parameters:
    ///   - breaks: The id of the contract that the fault breaks.
    ///   - summary: A short description of the fault.
    ///   - mutation: The change that causes the fault.
    public init(_ breaks: String, _ summary: String, _ mutation: Place.Mutation) {
        self.breaks = breaks
        self.summary = summary
        self.mutation = mutation
    }

    /// The id of the contract, and the description of the fault.
    public var description: String { "\(breaks): \(summary)" }
}
