internal import LockstepSystem
public import Testing

/// Runs at most eight test cases at the same time in all suites with this trait.
///
/// A test runner starts every case at once. Cases that start servers then hold thousands of files and threads; an ordinary user's limit
/// is 1,024 files, macOS's 256.
public struct LimitedConcurrency: SuiteTrait, TestTrait, TestScoping {
    /// Whether this task has its turn already: it takes no second one.
    @TaskLocal private static var hasTurn = false

    private static let semaphore: AsyncSemaphore = {
        // If the limit cannot be raised, eight at a time get by with what there is.
        OpenFiles.raiseLimit()
        return AsyncSemaphore(width: 8)
    }()

    /// Runs `body` when a place is free, in the same way as a case of such a suite.
    public static func turn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if hasTurn { return try await body() }
        return try await semaphore.pass { try await $hasTurn.withValue(true) { try await body() } }
    }

    /// Applies to the suites inside a suite.
    public var isRecursive: Bool { true }

    /// Applies to each case, not to a suite as a whole.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> LimitedConcurrency? {
        testCase == nil ? nil : self
    }

    /// Waits for a free place, and runs the case.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await Self.turn { try await function() }
    }
}

extension Trait where Self == LimitedConcurrency {
    /// Runs at most eight test cases at the same time in all suites with this trait.
    public static var limitedConcurrency: LimitedConcurrency { LimitedConcurrency() }
}

extension Duration {
    /// The time after which a wait in a test counts as hung.
    ///
    /// It is far longer than the work takes on a busy machine.
    ///
    /// Use it for every wait that should succeed. Use a short deadline only if it is expected to pass.
    public static let hangLimit = Duration.seconds(600)
}
