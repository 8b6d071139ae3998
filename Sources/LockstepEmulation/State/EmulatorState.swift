internal import LockstepPrimitives
internal import Synchronization

/// The state of an emulator, which all requests to its routes share.
public protocol EmulatorState: AnyObject, Sendable {
    /// The type of the settings.
    ///
    /// Each request uses the settings that are current when it starts.
    associatedtype Settings: Sendable

    /// The type that says which senders may call an endpoint.
    associatedtype Access: Sendable = Void

    /// The type of the facts about a request that are not stored in rows.
    ///
    /// Examples are its credentials, its sender, and what its response needs.
    associatedtype Call: Sendable = Void

    /// The type of the value that a handler returns.
    associatedtype Answer = EmulatorResponse

    /// The services that the emulator works with, such as its clock and its outbox.
    var environment: EmulationEnvironment { get }

    /// The database with the tables of the emulator.
    var database: Database { get }

    /// The current settings.
    var settings: Settings { get }

    /// The facts about a call that an administrator makes in the same process, without a request.
    var ownCall: Call { get }

    /// Reads the facts from a request that need no table, such as credentials and the body.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that handles the request.
    ///   - settings: The settings at the start of the request.
    /// - Returns: The facts. Each run of the handler starts with them.
    /// - Throws: The provider's error if the request is rejected.
    func call(of request: EmulatorRequest, to endpoint: Endpoint<Self>, _ settings: Settings) throws -> Call

    /// Finds the sender of a request in the tables, and rejects the request if the sender has no access.
    ///
    /// It is called inside the transaction, before the handler.
    ///
    /// - Throws: The provider's error if the request is rejected.
    func admit(_ context: RequestContext<Self>, to endpoint: Endpoint<Self>) throws

    /// Makes the response from the value that a handler has returned.
    ///
    /// - Throws: The provider's error if the response cannot be made.
    func response(with answer: Answer, in context: RequestContext<Self>) throws -> EmulatorResponse

    /// Makes the provider's response to an error that a handler has thrown.
    ///
    /// If the error is not one of the provider's errors, the response reports an internal failure.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse
}

extension EmulatorState where Call == Void {
    /// Default implementation: no facts.
    public var ownCall: Void { () }
    /// Reads nothing from a request.
    ///
    /// This default implementation is for emulators that read no facts from a request.
    ///
    /// - Parameters:
    ///   - settings: The settings at the start of the request.
    /// - Throws: Nothing.
    public func call(of request: EmulatorRequest, to endpoint: Endpoint<Self>, _ settings: Settings) throws {}
    /// Accepts every sender.
    ///
    /// This default implementation is for emulators without access rules.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that handles the request.
    /// - Throws: Nothing.
    public func admit(_ context: RequestContext<Self>, to endpoint: Endpoint<Self>) throws {}
}

extension EmulatorState where Answer == EmulatorResponse {
    /// Returns the handler's value.
    ///
    /// This default implementation is for handlers that return responses.
    ///
    /// - Returns: The same response.
    /// - Throws: Nothing.
    public func response(with answer: EmulatorResponse, in context: RequestContext<Self>) throws -> EmulatorResponse { answer }
}

/// An error of a provider's own rules.
public protocol ProviderError: Error {
    /// The error in one sentence, which the control routes show.
    var sentence: String { get }
}

/// An error that decides whether the changes of the failed request are kept.
public protocol TransactionalError: ProviderError {
    /// Whether the transaction is committed.
    ///
    /// If not, it is rolled back.
    var keepsChanges: Bool { get }
}

/// The settings of a server, which can be changed while the server runs.
public final class SettingsStore<Settings: Sendable>: Sendable {
    /// The settings at the start.
    public let initial: Settings
    private let settings: Mutex<Settings>
    private let patched = Mutex<Set<String>>([])

    /// Creates a store.
    ///
    /// - Parameter settings: The settings at the start of the server, which ``reset()`` restores.
    public init(_ settings: Settings) {
        initial = settings
        self.settings = Mutex(settings)
    }

    /// The current settings.
    public var current: Settings { settings.withLock { $0 } }

    /// Changes the settings for later requests.
    ///
    /// - Parameter body: A closure that changes the settings.
    public func change(_ body: (inout Settings) -> Void) {
        settings.withLock { body(&$0) }
    }

    /// Restores the settings from the start of the server.
    public func reset() {
        settings.withLock { $0 = initial }
        patched.withLock { $0 = [] }
    }

    /// Records the full names of settings that a patch has changed.
    func notePatched(_ names: Set<String>) { patched.withLock { $0.formUnion(names) } }
}

extension SettingsStore where Settings: EmulatorSettings {
    /// Returns all settings with their values and the origins of these values.
    func shown() -> [ShownSetting] {
        Settings.table.shown(
            current, initial: initial, standard: initial.standard, given: initial.given, patched: patched.withLock(\.self))
    }
}

extension SettingsStore where Settings: EmulatorSettings {
    /// The values that differ from those at the start, by name.
    ///
    /// They include secrets.
    var changedValues: JSONObject {
        let (current, initial) = (current, initial)
        let listed = Settings.table.sections.flatMap(\.settings)
        let others = patched.withLock(\.self).sorted().compactMap { Settings.table.setting($0) }
        var values: JSONObject = [:]
        for setting in listed + others where !setting.isFixed && !setting.isUnused {
            let value = setting.write(current)
            if value != setting.write(initial) { values[setting.name] = value }
        }
        return values
    }
}

/// A value that is computed from settings, and computed again when the settings change.
public final class SettingsDerived<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private let make: @Sendable (Key) -> Value
    private let known: Mutex<(key: Key, value: Value)>

    /// Computes the value for the settings at the start.
    ///
    /// - Parameters:
    ///   - key: The part of the settings from which the value is computed.
    public init(_ key: Key, _ make: @escaping @Sendable (Key) -> Value) {
        self.make = make
        known = Mutex((key, make(key)))
    }

    /// Returns the value for a part of the settings.
    public func value(of key: Key) -> Value {
        known.withLock { known in
            if known.key != key { known = (key, make(key)) }
            return known.value
        }
    }
}
