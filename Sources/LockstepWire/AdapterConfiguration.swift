public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// A validated configuration of an adapter, which creates the adapter over any transport.
///
/// With this protocol, an app's client can choose the transport and needs to know no adapter:
///
/// ```swift
/// let auth = try AuthClient(GoTrueConfiguration(url: url, key: key))
/// ```
public protocol AdapterConfiguration: Sendable {
    /// The type of the adapter.
    associatedtype Adapter: AuthAdapter

    /// Creates the adapter.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    /// - Returns: The adapter.
    func adapter(over transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness) -> Adapter
}
