internal import LockstepEmulation
internal import LockstepPrimitives

/// Which of the two error formats a request asked for.
enum APIVersion: Sendable {
    case legacy
    case dated

    /// The one dated version there is.
    static let date = "2024-01-01"

    init(_ request: EmulatorRequest) {
        let text = request.headers["X-Supabase-Api-Version"] ?? ""
        let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDate =
            pieces.count == 3 && pieces.map(\.count) == [4, 2, 2] && pieces.allSatisfy { Int($0) != nil }
            && (1...12).contains(Int(pieces[1]) ?? 0) && (1...31).contains(Int(pieces[2]) ?? 0)
        self = isDate && text >= APIVersion.date ? .dated : .legacy
    }
}

extension JSON.Style {
    /// In the form of Go's encoder.
    static let go = JSON.Style(escapesHTML: true)
}
