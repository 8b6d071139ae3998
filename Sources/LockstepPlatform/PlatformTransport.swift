#if canImport(Darwin)
@_exported public import LockstepURLSession

/// The default transport of Apple systems: URLSession.
public typealias PlatformTransport = URLSessionTransport
#else
@_exported public import LockstepCurl

/// The default transport of Linux: libcurl.
public typealias PlatformTransport = CurlTransport
#endif

extension HTTPTransport where Self == PlatformTransport {
    /// A new transport of the platform: URLSession on Apple systems, libcurl elsewhere.
    ///
    /// Each use creates a transport with its own connections.
    public static var platform: PlatformTransport { PlatformTransport() }
}
