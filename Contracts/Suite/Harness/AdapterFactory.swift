public import Lockstep

/// A factory that creates adapters from a developer's configuration.
public struct AdapterFactory: Sendable {
    /// The configuration of a developer.
    public enum Entry: Sendable, Hashable {
        /// The configuration of the project that the environment uses.
        case sameProject
        /// The URL or the key of another project. That project need not exist.
        case otherProject
        /// A configuration with a mistake.
        case mistake(ConfigurationMistake)
    }

    /// Creates the adapter; returns `nil` if the adapter's configuration cannot contain the mistake.
    public let make: @Sendable (Entry) throws(AuthError) -> (any AuthAdapter)?

    /// Creates a factory.
    ///
    /// - Parameter make: Creates the adapter; returns `nil` if the adapter's configuration cannot contain the mistake.
    public init(_ make: @escaping @Sendable (Entry) throws(AuthError) -> (any AuthAdapter)?) { self.make = make }
}

/// A mistake in a configuration.
///
/// An adapter must reject a configuration with this mistake.
public enum ConfigurationMistake: String, Sendable, CaseIterable {
    /// A malformed URL of the backend.
    case malformedAddress
    /// A URL of another machine without TLS.
    case insecureAddress
    /// An empty key.
    case emptyKey
    /// A key with additional characters around it, such as spaces from copying.
    case paddedKey
    /// The key of an administrator, which an app must not contain.
    case administratorsKey
    /// A malformed callback address.
    case malformedCallback
    /// A callback address that a browser would run as a script.
    case scriptCallback
    /// A callback address that names a file of this device.
    case fileCallback
    /// A callback address with a host and a port, but without a scheme.
    case callbackWithoutScheme

    /// An example of the mistake.
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
