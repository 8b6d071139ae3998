public import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// A device on which the app is installed.
///
/// The data that a device stores survives restarts of the app.
public struct Device: Sendable {
    let world: World
    /// The store that the app on this device uses.
    public let store: any SessionStore
    /// The disk of the store.
    ///
    /// A check can make it fail.
    let disk: FaultyStore
    /// The users who have signed in on the device.
    let known: KnownUsers

    /// Starts the app.
    ///
    /// - Returns: A client that has not read the store yet.
    public func launch() -> any PortableClient { launch(on: world.environment.adapter, isAltered: false) }

    /// Restarts the app, with a new adapter if the harness can create one.
    ///
    /// A new adapter has nothing from the previous launch in memory.
    func relaunch() throws -> any PortableClient {
        guard let make = world.environment.nextLaunch else { return launch() }
        // With this value, a faulty adapter distinguishes a later launch from the first one.
        var environment = world.environment
        environment.nextLaunch = nil
        do {
            return launch(on: world.mutation.adapter(try make(), environment), isAltered: false)
        } catch {
            throw HarnessFailure("the adapter of the next launch could not be created: \(error)")
        }
    }

    /// Starts the app with an adapter whose responses are changed.
    func launch(_ change: (inout AlteredAdapter.Changes) -> Void) -> any PortableClient {
        launch(on: world.mutation.adapter(AlteredAdapter(world.honest, change), world.environment), isAltered: true)
    }

    /// Starts the app, and records the session of each refresh.
    ///
    /// A sign-out may make a refresh and end its session, too.
    func launchNotingRefreshes(
        _ change: (inout AlteredAdapter.Changes) -> Void = { _ in }
    ) -> (client: any PortableClient, newest: @Sendable () -> Session?) {
        let newest = Newest()
        let client = launch { changes in
            change(&changes)
            changes.answering = { call, _, _, response throws(AuthError) in
                if call == .refresh { newest.session.withLock { $0 = response } }
                return response
            }
        }
        return (client, { newest.session.withLock { $0 } })
    }

    private final class Newest: Sendable {
        let session = Mutex<Session?>(nil)
    }

    /// Starts the app with another adapter.
    func launch(on adapter: any AuthAdapter) -> any PortableClient { launch(on: adapter, isAltered: false) }

    /// Starts the app with other options.
    func launch(with change: (inout AuthClient.Options) -> Void) -> any PortableClient {
        launch(on: world.environment.adapter, isAltered: false, with: change)
    }

    private func launch(
        on adapter: any AuthAdapter, isAltered: Bool, with change: (inout AuthClient.Options) -> Void = { _ in }
    ) -> any PortableClient {
        let log = world.events.sink(and: world.environment.events)
        let events = AuthEventSink { [mutation = world.mutation] event in mutation.events(event).map { log($0) } }
        let effects = ClientEffects(clock: world.clock, randomness: world.environment.randomness, events: events)
        var options = AuthClient.Options(apiOrigins: AppServer.origins)
        change(&options)
        let client = AuthClient(adapter: adapter, store: store, effects: effects, options: options)
        let context = Mutation.Context(
            contract: world.contract, environment: world.environment, behavior: world.behavior, adapter: adapter, store: store,
            effects: effects, options: options, notebook: world.notebook)
        return WatchedClient(
            base: world.mutation.client(client, context), world: world, known: known, isAltered: isAltered)
    }

    /// Returns whether the store contains a session.
    ///
    /// - Returns: Whether there is a session.
    /// - Throws: The error that the store throws.
    public func hasStoredSession() async throws(StoreError) -> Bool {
        try await store.load(key(.session)) != nil
    }

    /// Returns all values in the store.
    ///
    /// - Throws: The error that the store throws.
    public func contents() async throws(StoreError) -> [StoreKey: [UInt8]] {
        var contents: [StoreKey: [UInt8]] = [:]
        for key in try await store.keys() { contents[key] = try await store.load(key)?.bytes }
        return contents
    }

    /// Returns the bytes stored in a slot.
    func stored(_ slot: StoreKey.Slot) async throws(StoreError) -> [UInt8]? { try await disk.load(key(slot))?.bytes }

    /// Replaces the bytes in a slot directly on the disk.
    func put(_ bytes: [UInt8], under key: StoreKey) async throws(StoreError) {
        known.open()
        _ = try await disk.replace(key, with: bytes, unlessChangedSince: try await disk.load(key)?.revision)
    }

    /// Returns another device with a copy of everything stored on this device, like a backup.
    func copy() async throws(StoreError) -> Device {
        let copy = world.device()
        for (key, bytes) in try await contents() { try await copy.put(bytes, under: key) }
        return copy
    }

    /// Returns another device with the session of this device, as if another machine had stored it.
    func copyFromOtherMachine() async throws -> Device {
        let copy = try await copy()
        let bytes = try world.require(try await stored(.session), "the store contains no session")
        guard var envelope = try? JSON.parse(bytes).object, var value = envelope["value"]?.object,
            var lifetime = value["lifetime"]?.object
        else { try world.end("the stored value is not a valid envelope") }
        lifetime["bootID"] = "another"
        lifetime["hostID"] = "another"
        value["lifetime"] = .object(lifetime)
        envelope["value"] = .object(value)
        try await copy.put(JSON.object(envelope).bytes(), under: key(.session))
        return copy
    }

    /// This device for a process that ignores the store's exclusive locks.
    var unguarded: Device { Device(world: world, store: UnguardedStore(base: store), disk: disk, known: known) }

    func key(_ slot: StoreKey.Slot) -> StoreKey {
        StoreKey(provider: world.environment.adapter.name, backend: world.environment.adapter.backend, slot: slot)
    }
}

extension World {
    /// Returns a new device with an empty store.
    public func device() -> Device {
        let disk = FaultyStore(clock: clock)
        return Device(world: self, store: mutation.store(disk, environment), disk: disk, known: KnownUsers())
    }

    /// Returns a client on a new device.
    public func client() -> any PortableClient { device().launch() }
}
