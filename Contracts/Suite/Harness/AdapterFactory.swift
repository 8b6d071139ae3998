public import Lockstep

/// Makes adapters as an app does, from what its developer enters.
public struct AdapterFactory: Sendable {
    /// What is entered.
    public enum Entry: Sendable, Hashable {
        /// The same as for the adapter of the environment.
        case sameProject
        /// The address or key of another project of the provider; it need not exist.
        case otherProject
        /// A mistake.
        case mistake(ConfigurationMistake)
    }

    /// Makes the adapter; `nil` if its configuration has no place for this entry.
    public let make: @Sendable (Entry) throws(AuthError) -> (any AuthAdapter)?

    /// A factory.
    public init(_ make: @escaping @Sendable (Entry) throws(AuthError) -> (any AuthAdapter)?) { self.make = make }
}

/// A mistake in what a developer enters, with an example that an adapter must refuse.
public enum ConfigurationMistake: String, Sendable, CaseIterable {
    /// An address of the backend that is none.
    case malformedAddress
    /// An address of another machine without TLS.
    case insecureAddress
    /// No key.
    case emptyKey
    /// A key with a part of its surroundings, as it is copied from a page.
    case paddedKey
    /// A key that may do everything, and must be in no app.
    case administratorsKey
    /// A callback address that is none.
    case malformedCallback
    /// A callback address that a browser would run as a script.
    case scriptCallback
    /// A callback address that names a file of this device.
    case fileCallback
    /// A callback address with a host and a port, and without a scheme.
    case callbackWithoutScheme

    /// What is entered; for a key of an administrator the provider's form of one is needed.
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
