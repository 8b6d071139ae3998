internal import Synchronization

/// The state behind an emulator's routes: what every request of one server shares.
public protocol EmulatorState: AnyObject, Sendable {
    /// The settings; each request reads one snapshot of them.
    associatedtype Settings: Sendable

    /// What a handler has found out about the sender of a request.
    associatedtype Caller

    /// Clock, randomness, outbox, workers.
    var environment: EmulationEnvironment { get }

    /// The tables.
    var database: Database { get }

    /// The settings as they are now.
    var settings: Settings { get }

    /// The provider's answer to an error that a handler has thrown; an error that is none of the provider's refusals is an internal failure.
    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse
}

/// A refusal that decides what becomes of its request's changes.
public protocol TransactionalError: Error {
    /// Whether the transaction is committed; otherwise it is rolled back.
    var keepsChanges: Bool { get }
}

/// The settings of a server, which administrators may change while it runs.
public final class SettingsStore<Settings: Sendable>: Sendable {
    private let initial: Settings
    private let settings: Mutex<Settings>

    /// Settings that ``reset()`` restores.
    public init(_ settings: Settings) {
        initial = settings
        self.settings = Mutex(settings)
    }

    /// The settings as they are now.
    public var current: Settings { settings.withLock { $0 } }

    /// Changes the settings of later requests.
    public func change(_ body: (inout Settings) -> Void) {
        settings.withLock { body(&$0) }
    }

    /// Restores the settings of the start.
    public func reset() {
        settings.withLock { $0 = initial }
    }
}
