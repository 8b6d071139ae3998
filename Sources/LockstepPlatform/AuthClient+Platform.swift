@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
public import LockstepWire

extension AdapterConfiguration {
    /// Creates the adapter over the platform's default transport: URLSession on Apple systems, libcurl elsewhere.
    ///
    /// ```swift
    /// let adapter = try GoTrueConfiguration(url: url, key: key).adapter()
    /// print(adapter.capabilities)
    /// ```
    ///
    /// - Returns: The adapter.
    public func adapter() -> Adapter {
        adapter(over: .platform, clock: SystemClock(), randomness: SystemRandomness())
    }
}

extension AuthClient {
    /// Creates a client with the platform's default transport and store.
    ///
    /// To change the backend, change the configuration and nothing else. The store is the Keychain on Apple systems, and
    /// a private file elsewhere. Use it in an app or a command-line tool with one user.
    ///
    /// ```swift
    /// let client = try AuthClient(GoTrueConfiguration(url: url, key: key, callback: "myapp://auth/callback"))
    /// await client.restore()
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the adapter.
    ///   - app: The name under which the platform keeps the app's session; see
    ///     ``PlatformStore/open(app:clock:randomness:)``. Default: the bundle identifier on Apple systems, the name of
    ///     the program elsewhere.
    ///   - effects: The clock, the source of randomness and the event sink.
    ///   - options: The time limits, and the app's servers that may get the user's token.
    /// - Throws: `StoreError` with code `unwritable` if the store cannot be used. The message says what to do.
    public convenience init(
        _ configuration: some AdapterConfiguration, app: String? = nil, effects: ClientEffects = .live(),
        options: Options = Options()
    ) throws(StoreError) {
        try self.init(
            adapter: configuration.adapter(over: .platform, clock: effects.clock, randomness: effects.randomness), app: app,
            effects: effects, options: options)
    }

    /// Creates a client with the platform's default store: the Keychain on Apple systems, a private file elsewhere.
    ///
    /// Use it in an app or a command-line tool with one user. A server with many users must choose its store itself.
    ///
    /// ```swift
    /// let client = try AuthClient(adapter: adapter)
    /// await client.restore()
    /// ```
    ///
    /// - Parameters:
    ///   - adapter: The adapter of the provider.
    ///   - app: The name under which the platform keeps the app's session; see
    ///     ``PlatformStore/open(app:clock:randomness:)``. Default: the bundle identifier on Apple systems, the name of
    ///     the program elsewhere.
    ///   - effects: The clock, the source of randomness and the event sink.
    ///   - options: The time limits, and the app's servers that may get the user's token.
    /// - Throws: `StoreError` with code `unwritable` if the store cannot be used. The message says what to do.
    public convenience init(
        adapter: any AuthAdapter, app: String? = nil, effects: ClientEffects = .live(), options: Options = Options()
    ) throws(StoreError) {
        let store = try PlatformStore.open(app: app, clock: effects.clock, randomness: effects.randomness)
        self.init(adapter: adapter, store: store, effects: effects, options: options)
    }
}
