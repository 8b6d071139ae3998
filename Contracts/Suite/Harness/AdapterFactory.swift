public import Lockstep

/// A factory for adapters, from the configuration that a developer enters.
public struct AdapterFactory: Sendable {
    /// The configuration that a developer enters.
    public enum Entry: Sendable, Hashable {
        /// The project of the environment's adapter.
        case sameProject
        /// The address or the key of another project, which need not exist.
        case otherProject
        /// A configuration with a mistake.
        case mistake(ConfigurationMistake)
    }

    /// Creates the adapter; returns `nil` if its configuration has no such value.
    public let make: @Sendable (Entry) throws(AuthError) -> (any AuthAdapter)?

    /// Creates a factory.
    public init(_ make: @escaping @Sendable (Entry) throws(AuthError) -> (any AuthAdapter)?) { self.make = make }
}

/// A mistake in a configuration, with an example that an adapter must reject.
public enum ConfigurationMistake: String, Sendable, CaseIterable {
    /// A malformed address of the backend.
    case malformedAddress
    /// An address of another machine without TLS.
    case insecureAddress
    /// No key.
    case emptyKey
    /// A key with surrounding characters, as copied from a page.
    case paddedKey
    /// An administrator's key, which must not be in an app.
    case administratorsKey
    /// A malformed callback address.
    case malformedCallback
    /// A callback address that a browser would run as a script.
    case scriptCallback
    /// A callback address that names a file of this device.
    case fileCallback
    /// A callback address with a host and a port, and without a scheme.
    case callbackWithoutScheme

    /// An example.
    ///
    /// The example of an administrator's key depends on the provider.
    public var example: String {
        switch self {
        case .malformedAddress: "auth.example.com"
        case .insecureAddress: "http://auth.example.com"
        case .emptyKey: ""
        case .paddedKey: "key: abc\n"
        case .administratorsKey: "administrators-key"
        case .malformedCallback: "callback"
        case .scriptCallback: "javascript:alert(1)"
        case .fileCallback: "file:///auth/callback"
        case .callbackWithoutScheme: "localhost:8080/callback"
        }
    }
}
