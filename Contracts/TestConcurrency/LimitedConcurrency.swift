internal import LockstepSystem
package import Testing

/// A trait that limits the test cases of all its suites to eight at the same time.
///
/// A test runner starts all cases at the same time. Cases that start servers would then need thousands of files and threads. An
/// ordinary user may open 1,024 files on Linux, and 256 on macOS.
package struct LimitedConcurrency: SuiteTrait, TestTrait, TestScoping {
    /// Whether this task already has a place.
    ///
    /// Such a task does not wait for a second one.
    @TaskLocal private static var hasTurn = false

    private static let semaphore: AsyncSemaphore = {
        // If the limit on open files cannot be raised, eight cases at a time still fit.
        OpenFiles.raiseLimit()
        return AsyncSemaphore(width: 8)
    }()

    /// Waits until fewer than eight cases run, and then runs a closure as one more case.
    ///
    /// - Throws: The error that `body` throws.
    package static func turn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if hasTurn { return try await body() }
        return try await semaphore.pass { try await $hasTurn.withValue(true) { try await body() } }
    }

    /// `true`, because the trait also applies to suites inside a suite.
    package var isRecursive: Bool { true }

    /// Returns this trait for a test case, and `nil` for a suite.
    ///
    /// - Parameters:
    ///   - testCase: The case; `nil` for a suite.
    /// - Returns: The trait, or `nil`.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> LimitedConcurrency? {
        testCase == nil ? nil : self
    }

    /// Waits until fewer than eight cases run, and then runs a case.
    ///
    /// - Throws: The error that `function` throws.
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await Self.turn { try await function() }
    }
}

extension Trait where Self == LimitedConcurrency {
    /// A trait that limits the test cases of all its suites to eight at the same time.
    package static var limitedConcurrency: LimitedConcurrency { LimitedConcurrency() }
}

extension Duration {
    /// The time after which a test assumes that a wait never ends.
    ///
    /// This time is far longer than any such wait takes on a busy machine. Use it for every wait that should succeed. Use a short
    /// time limit only if the test expects the time to pass.
    package static let hangLimit = Duration.seconds(600)
}
