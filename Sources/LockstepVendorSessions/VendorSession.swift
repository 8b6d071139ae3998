@_exported public import Lockstep
@_exported public import LockstepKeychainStore
internal import LockstepPlatform
internal import LockstepPrimitives
internal import LockstepSystem
public import LockstepWire

/// The place where a vendor's SDK has stored the session of an app's user.
///
/// If an app moves from the SDK to this client, its users stay signed in: the client takes over the SDK's session at its
/// first launch. No request is sent for this. The next call that needs a token refreshes the session as usual.
///
/// ```swift
/// let auth = try AuthClient(
///     GoTrueConfiguration(url: url, key: key, callback: "myapp://auth/callback"), adopting: .supabase(in: keychain))
/// ```
public struct VendorSession: Sendable {
    /// The name of the adapter that can read the session.
    let provider: String
    /// The account of the entry; `nil` for the accounts that the SDK uses for the adapter's project.
    var account: String?
    let setup: VendorSetup
    var keepsEntries = false
    let read: @Sendable (VendorAccount) async throws(StoreError) -> [UInt8]?
    /// Removes an entry, and returns whether there was one.
    let remove: @Sendable (VendorAccount) async throws(StoreError) -> Bool

    /// A session of supabase-swift in the Keychain.
    ///
    /// - Parameters:
    ///   - keychain: The Keychain: `SystemKeychain()` on Apple systems.
    ///   - service: The service that the SDK uses: `supabase.gotrue.swift` before version 3, and the bundle identifier
    ///     since then, unless the app has passed its own `KeychainLocalStorage`.
    ///   - accessGroup: The access group that the app has passed to the SDK. Default: none.
    ///   - key: The `storageKey` that the app has passed to the SDK. Default: the SDK's own keys. With `nil`, the client
    ///     uses only a session whose key or token names the adapter's project.
    /// - Returns: The place.
    public static func supabase(
        in keychain: any Keychain, service: String = "supabase.gotrue.swift", accessGroup: String? = nil, key: String? = nil
    ) -> VendorSession {
        stored(in: keychain, accessGroup, "gotrue", VendorSetup(service: service, project: key))
    }

    /// A session of supabase-swift in the app's own `AuthLocalStorage`.
    ///
    /// - Parameters:
    ///   - key: The `storageKey` that the app has passed to the SDK. Default: the SDK's own keys.
    ///   - read: Returns the bytes under a key; `nil` if there are none.
    ///   - remove: Removes the bytes under a key.
    /// - Returns: The place.
    public static func supabase(
        key: String? = nil, read: @escaping @Sendable (String) async throws(StoreError) -> [UInt8]?,
        remove: @escaping @Sendable (String) async throws(StoreError) -> Void
    ) -> VendorSession {
        VendorSession(provider: "gotrue", setup: VendorSetup(project: key)) { account async throws(StoreError) in
            try await read(account.name)
        } remove: { account async throws(StoreError) in
            try await remove(account.name)
            return true
        }
    }

    /// A session of firebase-ios-sdk in the Keychain.
    ///
    /// - Parameters:
    ///   - keychain: The Keychain: `SystemKeychain()` on Apple systems.
    ///   - googleAppID: The `GOOGLE_APP_ID` in GoogleService-Info.plist.
    ///   - app: The name of the `FirebaseApp`. Default: the name of the default app.
    ///   - apiKey: The `API_KEY` that the SDK used, if it is not the key of the adapter. Default: the adapter's key.
    ///   - keepsEntry: Whether the SDK's entry stays until the user signs out, so that an older version of the app works
    ///     again. This is possible because Firebase's refresh tokens are not single use. Default: no.
    /// - Returns: The place.
    public static func firebase(
        in keychain: any Keychain, googleAppID: String, app: String = "__FIRAPP_DEFAULT", apiKey: String? = nil,
        keepsEntry: Bool = false
    ) -> VendorSession {
        stored(
            in: keychain, nil, "firebase", VendorSetup(service: "firebase_auth_" + googleAppID, project: apiKey),
            account: "firebase_auth_1_\(app)_firebase_user", keepsEntries: keepsEntry)
    }

    /// A session of firebase-ios-sdk in the Keychain of an access group (`useUserAccessGroup(_:)`).
    ///
    /// - Parameters:
    ///   - keychain: The Keychain: `SystemKeychain()` on Apple systems.
    ///   - accessGroup: The access group.
    ///   - apiKey: The `API_KEY` that the SDK used.
    ///   - keepsEntry: Whether the SDK's entry stays until the user signs out, for the other apps of the group. Default: no.
    /// - Returns: The place.
    public static func firebase(
        in keychain: any Keychain, accessGroup: String, apiKey: String, keepsEntry: Bool = false
    ) -> VendorSession {
        stored(
            in: keychain, accessGroup, "firebase", VendorSetup(service: apiKey, project: apiKey),
            account: "firebase_auth_firebase_user", keepsEntries: keepsEntry)
    }

    /// A session of clerk-ios in the Keychain.
    ///
    /// - Parameters:
    ///   - keychain: The Keychain: `SystemKeychain()` on Apple systems.
    ///   - service: The service that the SDK uses: the bundle identifier, unless the app has passed another. Early versions
    ///     used `clerk.` and the name of the app.
    ///   - bundleIdentifier: The bundle identifier of the app, if `service` is another name. Default: `service`.
    ///   - accessGroup: The access group that the app has passed to the SDK. Default: none.
    ///   - publishableKey: The publishable key that the SDK used. Without it, the stored token must name the adapter's
    ///     instance. Default: none.
    /// - Returns: The place.
    public static func clerk(
        in keychain: any Keychain, service: String, bundleIdentifier: String? = nil, accessGroup: String? = nil,
        publishableKey: String? = nil
    ) -> VendorSession {
        let setup = VendorSetup(service: service, bundleIdentifier: bundleIdentifier, project: publishableKey)
        return stored(in: keychain, accessGroup, "clerk", setup)
    }

    private static func stored(
        in keychain: any Keychain, _ accessGroup: String?, _ provider: String, _ setup: VendorSetup, account: String? = nil,
        keepsEntries: Bool = false
    ) -> VendorSession {
        @Sendable func query(_ account: VendorAccount) -> KeychainQuery {
            // The SDK's other services belong to the app alone.
            let group = account.service == nil ? accessGroup : nil
            return KeychainQuery(
                KeychainPlace(service: account.service ?? setup.service, accessGroup: group), account: account.name)
        }
        return VendorSession(provider: provider, account: account, setup: setup, keepsEntries: keepsEntries) {
            account async throws(StoreError) in
            let (status, items) = try await waiting { keychain.copy(query(account)) }
            if status == .itemNotFound { return nil }
            guard status == .success, let item = items.first else { throw refused("read", status) }
            return item.data
        } remove: { account async throws(StoreError) in
            let status = try await waiting { keychain.delete(query(account)) }
            guard status == .success || status == .itemNotFound else { throw refused("removed", status) }
            return status == .success
        }
    }

    /// Runs a call of the Keychain, which may wait for another process, on its own thread.
    private static func waiting<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async throws(StoreError) -> Value {
        do {
            return try await BlockingThread.run(call)
        } catch {
            throw StoreError(.unreadable, "No thread could be started for the Keychain: \(error).")
        }
    }

    private static func refused(_ what: String, _ status: KeychainStatus) -> StoreError {
        StoreError(
            .unreadable,
            "The session of the vendor's SDK could not be \(what) (status \(status.rawValue)). Unlock the device and try again.")
    }
}

extension AuthClient {
    /// Creates a client with the platform's default transport and store, which takes over the session of a vendor's SDK.
    ///
    /// ```swift
    /// let auth = try AuthClient(
    ///     GoTrueConfiguration(url: url, key: key, callback: "myapp://auth/callback"), adopting: .supabase(in: keychain))
    /// ```
    ///
    /// The rules are those of ``VendorSessionStore``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the adapter.
    ///   - vendor: The place where the SDK has stored its session.
    ///   - app: The name under which the platform keeps the app's session; see `PlatformStore.open(app:clock:randomness:)`.
    ///     Default: the bundle identifier on Apple systems, the name of the program elsewhere.
    ///   - effects: The clock, the source of randomness and the event sink.
    ///   - options: The time limits, and the app's servers that may get the user's token.
    /// - Throws: `StoreError` with code `unwritable` if the store cannot be used. The message says what to do.
    public convenience init(
        _ configuration: some AdapterConfiguration, adopting vendor: VendorSession, app: String? = nil,
        effects: ClientEffects = .live(), options: Options = Options()
    ) throws(StoreError) {
        self.init(
            adapter: configuration.adapter(over: .platform, clock: effects.clock, randomness: effects.randomness),
            store: try PlatformStore.open(app: app, clock: effects.clock, randomness: effects.randomness), adopting: vendor,
            effects: effects, options: options)
    }

    /// Creates a client that takes over the session of a vendor's SDK.
    ///
    /// ```swift
    /// let auth = AuthClient(adapter: adapter, store: store, adopting: .supabase(in: keychain))
    /// ```
    ///
    /// The rules are those of ``VendorSessionStore``. If the store is a `FreshInstallStore`, its policy also holds for the
    /// SDK's session.
    ///
    /// - Parameters:
    ///   - adapter: The provider's adapter.
    ///   - store: The store for the session.
    ///   - vendor: The place where the SDK has stored its session.
    ///   - effects: The clock, the source of randomness and the event sink.
    ///   - options: The time limits, and the app's servers that may get the user's token.
    public convenience init(
        adapter: any AuthAdapter, store: any SessionStore, adopting vendor: VendorSession, effects: ClientEffects = .live(),
        options: Options = Options()
    ) {
        let wrap = { @Sendable (base: any SessionStore) -> any SessionStore in
            VendorSessionStore(base, adopting: vendor, for: adapter, effects: effects)
        }
        let wrapped: any SessionStore = if let fresh = store as? FreshInstallStore { fresh.over(wrap) } else { wrap(store) }
        self.init(adapter: adapter, store: wrapped, effects: effects, options: options)
    }
}
