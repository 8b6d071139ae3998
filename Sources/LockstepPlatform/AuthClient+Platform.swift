@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives

extension AuthClient {
    /// Creates a client that keeps its session in the platform's place: the Keychain on Apple systems, a private file elsewhere.
    ///
    /// For one user of an app or a command-line tool. A server with many users chooses its store itself.
    ///
    /// - Parameters:
    ///   - adapter: The provider.
    ///   - app: The name of the app, by which its sessions are found again; see ``PlatformStore/open(app:clock:randomness:)``.
    ///     Default: the bundle identifier on Apple systems, the name of the program elsewhere.
    ///   - effects: Time, randomness and event sink.
    ///   - options: Time limits and origins.
    /// - Throws: `StoreError` with code `unwritable` if the place cannot be used, with what to do.
    public convenience init(
        adapter: any AuthAdapter, app: String? = nil, effects: ClientEffects = .live(), options: Options = Options()
    ) throws(StoreError) {
        let store = try PlatformStore.open(app: app, clock: effects.clock, randomness: effects.randomness)
        self.init(adapter: adapter, store: store, effects: effects, options: options)
    }
}
