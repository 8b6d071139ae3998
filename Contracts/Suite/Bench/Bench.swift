/// What the author of an adapter writes so that the contracts can be checked on it.
///
/// A bench must be dumb: it sets up a backend with nobody in it, gives the adapter and the hands on the backend that it has, and
/// takes all of it down again. It must not change what the adapter does, and it claims nothing: what the adapter can do is
/// asked of the adapter itself.
public protocol Bench: Sendable {
    /// The adapter's short name, as reports show it.
    var name: String { get }

    /// The configurations of the backend that the contracts run on; at least one, the usual one first.
    var variants: [Variant] { get }

    /// Sets up a fresh backend in the configuration of `variant`, runs `body` on it, and takes it down, also when `body` throws.
    ///
    /// Worlds run side by side: nothing may be shared between two of them but what never changes, such as signing keys.
    ///
    /// - Throws: whatever `body` throws, and a ``StageError`` where the backend cannot be set up.
    func withStage(_ variant: Variant, _ body: @Sendable (Stage) async throws -> Void) async throws
}
