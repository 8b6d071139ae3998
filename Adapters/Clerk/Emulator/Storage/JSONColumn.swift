#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value stored in one column as JSON text, which only this module reads.
protocol JSONColumn: Codable {}

extension JSONColumn {
    /// The value that ``stored`` wrote; `nil` where there is none.
    init?(stored text: String?) {
        guard let text, let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }

    /// The value as text.
    var stored: String? {
        guard let data = try? JSONEncoder().encode(self) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
