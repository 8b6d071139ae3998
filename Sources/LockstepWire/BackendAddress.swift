public import Lockstep
internal import LockstepHTTP

/// The address of a backend as an app's configuration gives it, checked before anything is sent there.
public struct BackendAddress: Sendable, Hashable {
    /// The address without slashes at its end.
    public let url: String

    /// An address such as `https://ref.supabase.co/auth/v1`.
    ///
    /// - Parameters:
    ///   - url: The address as it was given.
    ///   - name: What the configuration calls it, as in "The API address is not one".
    /// - Throws: `invalidConfiguration` for an address that is none, for one with a user, query or fragment, for one whose path
    ///   not every proxy reads alike, and for plain http to another machine.
    public init(_ url: String, called name: String) throws(AuthError) {
        let request = HTTPRequest(.get, url)
        do {
            try request.validate()
        } catch {
            throw AuthError(.invalidConfiguration, "The \(name) is not one: give one that begins with https:// and names a host.")
        }
        guard !url.contains(where: { "?#@".contains($0) }) else {
            throw AuthError(.invalidConfiguration, "The \(name) must hold no user, query or fragment.")
        }
        let trimmed = String(url.reversed().drop { $0 == "/" }.reversed())
        // A proxy that merges slashes, follows dots or decodes before it routes would send the requests, and the key, elsewhere.
        let path = trimmed.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard path.allSatisfy({ !["", ".", ".."].contains($0) }), !trimmed.contains(where: { "\\%".contains($0) }) else {
            throw AuthError(
                .invalidConfiguration,
                "The \(name) must hold no empty part (`//`), no part of dots, no backslash and nothing percent-encoded.")
        }
        guard url.lowercased().hasPrefix("https://") || request.isLoopback else {
            throw AuthError(
                .invalidConfiguration,
                "The \(name) is plain http to another machine, where an attacker on the network can read it. Use https.")
        }
        self.url = trimmed
    }
}
