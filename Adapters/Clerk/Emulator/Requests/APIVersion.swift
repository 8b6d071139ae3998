/// The versions of the API by date (reference, section 1.4).
enum APIVersion {
    static let known = ["2021-02-05", "2024-10-01", "2025-04-10", "2025-11-10", "2026-05-12"]

    /// Whether the requested version has session tokens of the first shape; the default version is the newest.
    static func read(header: String?, query: String?) throws(ClerkError) -> Bool {
        if header != nil, query != nil { throw .apiVersion("it was given both as a header and in the query") }
        guard let version = header ?? query else { return false }
        guard known.contains(version) else { throw .apiVersion("\(version.prefix(40)) is not a version") }
        return version < "2025-04-10"
    }
}
