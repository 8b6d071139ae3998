import LockstepPrimitives

/// An identifier, and the patterns in the lists that match it.
struct RestrictedIdentifier: Hashable {
    /// The normal form of the identifier.
    let text: String
    /// The parts of an address; `nil` for a number or a user name.
    private let address: (local: String, host: String)?

    /// The signs that begin a subaddress.
    private static let signs = Set("+#=".utf8)

    init(_ raw: String) {
        text = EmailAddress(raw)?.text ?? raw
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        address = parts.count == 2 ? (String(Substring(parts[0])), String(Substring(parts[1]))) : nil
    }

    static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether the address has a subaddress.
    var hasSubaddress: Bool { address.map { $0.local.utf8.contains(where: Self.signs.contains) } ?? false }

    /// The same Gmail address without dots; `nil` for any other address, or if the address has no dot.
    var withoutGmailDots: String? {
        guard let address, address.host == "gmail.com", address.local.utf8.contains(UInt8(ascii: ".")) else { return nil }
        return address.local.replacing(".", with: "") + "@gmail.com"
    }

    /// The identifier itself, its host, and the subdomains of each host above it.
    var patterns: [String] {
        guard let address else { return [text] }
        let labels = address.host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let above = labels.indices.dropFirst().map { "*@*." + labels[$0...].joined(separator: ".") }
        return [text, "*@" + address.host] + above
    }

    /// ``patterns``, and the addresses of which this is a subaddress: a blocked address blocks its subaddresses.
    var blockingPatterns: [String] {
        guard let address else { return patterns }
        let units = Array(address.local.utf8)
        let bases = units.indices.filter { $0 > 0 && Self.signs.contains(units[$0]) }.map {
            String(decoding: units[..<$0], as: UTF8.self) + "@" + address.host
        }
        return patterns + bases
    }
}
