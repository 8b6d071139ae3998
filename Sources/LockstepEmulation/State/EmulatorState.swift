internal import LockstepPrimitives
internal import Synchronization

/// The state behind an emulator's routes, which all requests of a server share.
public protocol EmulatorState: AnyObject, Sendable {
    /// The settings; each request reads one snapshot of them.
    associatedtype Settings: Sendable

    /// Who may call an endpoint.
    associatedtype Access: Sendable = Void

    /// What is known of a request besides its rows: what it says itself, who sends it, and what its response needs.
    associatedtype Call: Sendable = Void

    /// What a handler returns.
    associatedtype Answer = EmulatorResponse

    /// Clock, randomness, outbox, workers.
    var environment: EmulationEnvironment { get }

    /// The tables.
    var database: Database { get }

    /// The current settings.
    var settings: Settings { get }

    /// The call of an administrator in this process, who sends no request.
    var ownCall: Call { get }

    /// Reads what a request says itself: credentials and body, as far as they need no table.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - endpoint: The endpoint that it is for.
    ///   - settings: The settings at the request's start.
    /// - Returns: The call, with which each run of the handler begins.
    /// - Throws: The provider's refusal.
    func call(of request: EmulatorRequest, to endpoint: Endpoint<Self>, _ settings: Settings) throws -> Call

    /// Finds the sender in the tables, inside the transaction and before the handler.
    ///
    /// - Throws: The provider's refusal.
    func admit(_ context: RequestContext<Self>, to endpoint: Endpoint<Self>) throws

    /// The response with what a handler has returned.
    func response(with answer: Answer, in context: RequestContext<Self>) throws -> EmulatorResponse

    /// The provider's response to an error that a handler has thrown; an error that is none of the provider's refusals is an
    /// internal failure.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse
}

extension EmulatorState where Call == Void {
    /// Default: no facts about an administrator's call.
    public var ownCall: Void { () }
    /// Default: nothing is read from a request.
    public func call(of request: EmulatorRequest, to endpoint: Endpoint<Self>, _ settings: Settings) throws {}
    /// Default: every caller is admitted.
    public func admit(_ context: RequestContext<Self>, to endpoint: Endpoint<Self>) throws {}
}

extension EmulatorState where Answer == EmulatorResponse {
    /// Default: the response itself.
    public func response(with answer: EmulatorResponse, in context: RequestContext<Self>) throws -> EmulatorResponse { answer }
}

/// An error that determines whether the changes of its request are kept.
public protocol TransactionalError: Error {
    /// Whether the transaction is committed; otherwise it is rolled back.
    var keepsChanges: Bool { get }
}

/// The settings of a server, which administrators may change while it runs.
public final class SettingsStore<Settings: Sendable>: Sendable {
    /// The initial settings.
    public let initial: Settings
    private let settings: Mutex<Settings>
    private let patched = Mutex<Set<String>>([])

    /// Creates a store with settings that ``reset()`` restores.
    public init(_ settings: Settings) {
        initial = settings
        self.settings = Mutex(settings)
    }

    /// The current settings.
    public var current: Settings { settings.withLock { $0 } }

    /// Changes the settings of later requests.
    public func change(_ body: (inout Settings) -> Void) {
        settings.withLock { body(&$0) }
    }

    /// Restores the initial settings.
    public func reset() {
        settings.withLock { $0 = initial }
        patched.withLock { $0 = [] }
    }

    /// Notes the whole names of settings that were changed by their names.
    func notePatched(_ names: Set<String>) { patched.withLock { $0.formUnion(names) } }
}

extension SettingsStore where Settings: EmulatorSettings {
    /// Returns every setting with its value and origin.
    func shown() -> [ShownSetting] {
        Settings.table.shown(
            current, initial: initial, standard: initial.standard, given: initial.given, patched: patched.withLock(\.self))
    }
}

extension SettingsStore where Settings: EmulatorSettings {
    /// The values that differ from those of the start, secrets included, by name.
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

/// A value that is derived from settings, and derived again after they change.
public final class SettingsDerived<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private let make: @Sendable (Key) -> Value
    private let known: Mutex<(key: Key, value: Value)>

    /// Creates a value for the initial settings.
    ///
    /// - Parameters:
    ///   - key: The part of the settings from which it is derived.
    ///   - make: Derives the value.
    public init(_ key: Key, _ make: @escaping @Sendable (Key) -> Value) {
        self.make = make
        known = Mutex((key, make(key)))
    }

    /// Returns the value for these settings.
    public func value(of key: Key) -> Value {
        known.withLock { known in
            if known.key != key { known = (key, make(key)) }
            return known.value
        }
    }
}
