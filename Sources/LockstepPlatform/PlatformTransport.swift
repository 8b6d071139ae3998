#if canImport(Darwin)
@_exported public import LockstepURLSession

/// The transport that the platform uses by default: URLSession on Apple systems.
public typealias PlatformTransport = URLSessionTransport
#else
@_exported public import LockstepCurl

/// The transport that the platform uses by default: libcurl on Linux.
public typealias PlatformTransport = CurlTransport
#endif

extension HTTPTransport where Self == PlatformTransport {
    /// Creates the platform's default transport: URLSession on Apple systems, libcurl elsewhere.
    ///
    /// Each use creates a new transport with its own connections.
    ///
    /// ```swift
    /// let adapter = try GoTrueAdapter(url: "https://ref.supabase.co/auth/v1", key: "sb_publishable_…", transport: .platform)
    /// let client = try AuthClient(adapter: adapter)
    /// print(client.adapterName)
    /// ```
    public static var platform: PlatformTransport { PlatformTransport() }
}
