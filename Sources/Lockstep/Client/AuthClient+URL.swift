#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthClient {
    /// Handles a URL that opened the app; see ``handle(_:)-(String)``.
    ///
    /// ```swift
    /// if case .refused(let error) = await client.handle(url) { print(error.message) }
    /// ```
    ///
    /// - Parameter url: The URL.
    /// - Returns: The outcome.
    @concurrent
    public func handle(_ url: URL) async -> CallbackOutcome { await handle(url.absoluteString) }
}
