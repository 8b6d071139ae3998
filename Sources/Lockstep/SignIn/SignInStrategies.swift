/// The sign-in strategies of an adapter, looked up by the credential's type.
@resultBuilder
public struct SignInStrategies: Sendable {
    private var strategies: [any SignInStrategy] = []

    /// The strategy that takes credentials of type `C`.
    public func strategy<C: Credential>(for type: C.Type) -> (any SignInStrategy<C>)? {
        for strategy in strategies {
            if let match = strategy as? any SignInStrategy<C> { return match }
        }
        return nil
    }

    /// The capabilities that follow from them.
    public var capabilities: [Capability] { strategies.map { Self.capability(of: $0) } }

    private static func capability<S: SignInStrategy>(of strategy: S) -> Capability { S.Input.capability }

    // MARK: Building

    /// One strategy.
    public static func buildExpression(_ strategy: some SignInStrategy) -> SignInStrategies {
        SignInStrategies(strategies: [strategy])
    }

    /// All of a block.
    public static func buildBlock(_ parts: SignInStrategies...) -> SignInStrategies {
        SignInStrategies(strategies: parts.flatMap(\.strategies))
    }

    /// What an `if` gives.
    public static func buildOptional(_ part: SignInStrategies?) -> SignInStrategies { part ?? SignInStrategies() }

    /// The one branch.
    public static func buildEither(first part: SignInStrategies) -> SignInStrategies { part }

    /// The other branch.
    public static func buildEither(second part: SignInStrategies) -> SignInStrategies { part }
}
