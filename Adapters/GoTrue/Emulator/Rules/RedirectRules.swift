internal import LockstepEmulation
internal import LockstepPrimitives

/// The allowed targets of links and callbacks.
struct RedirectRules: Sendable {
    /// The settings from which the rules are built.
    struct Source: Sendable, Equatable {
        let siteURL: String
        let allowed: [String]

        init(_ settings: GoTrueSettings) {
            siteURL = settings.siteURL
            allowed = settings.allowedRedirects
        }
    }

    let siteURL: String
    private let site: GoURL?
    private let globs: [RedirectGlob]

    init(_ source: Source) {
        siteURL = source.siteURL
        site = GoURL(siteURL)
        globs = source.allowed.map(RedirectGlob.init)
    }

    /// Returns the first allowed target: from the header, query or form, then `Referer`, then the site.
    func target(of request: EmulatorRequest) -> String {
        var candidates = [request.headers["redirect_to"], request.query["redirect_to"]]
        if request.mediaType == "application/x-www-form-urlencoded" { candidates.append(request.form()["redirect_to"]) }
        // If the header is empty, the query is used.
        let asked = candidates.compactMap { $0 }.first { !$0.isEmpty }
        for candidate in [asked, request.headers["referer"]] {
            if let candidate, allows(candidate) { return candidate }
        }
        return siteURL
    }

    func allows(_ text: String) -> Bool {
        guard !text.isEmpty, let url = GoURL(text) else { return false }
        let host = url.hostname
        if !host.isEmpty, host.allSatisfy({ $0.isASCII && $0.isNumber }) { return false }
        if let site, site.scheme == url.scheme, site.hostname == host, isLocal(host) || site.port == url.port { return true }
        if let isLoopback = Self.isLoopback(host) { return isLoopback }
        let bare = text.cut(at: "#").head
        return globs.contains { $0.matches(String(bare)) }
    }

    private func isLocal(_ host: String) -> Bool { host == "localhost" || host.hasSuffix(".localhost") }

    /// Returns whether an IP address is a loopback address; `nil` for names.
    private static func isLoopback(_ host: String) -> Bool? {
        if host.contains(":") { return host == "::1" || host == "0:0:0:0:0:0:0:1" || host.hasPrefix("::ffff:127.") }
        let numbers = host.pieces(at: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard numbers.count == 4, !numbers.contains(nil) else { return nil }
        return numbers[0] == 127
    }
}

/// A pattern of the allow list: `*` and `?` stop at `.` and `/`, `**` does not, and `[a-z]` and `{a,b}` have their
/// usual meaning.
struct RedirectGlob: Sendable {
    private indirect enum Piece: Sendable {
        case scalar(Unicode.Scalar)
        case one
        case some
        case any
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
        case alternatives([[Piece]])
    }

    private static let separators: Set<Unicode.Scalar> = [".", "/"]
    private let pieces: [Piece]

    init(_ pattern: String) {
        var scalars = Array(pattern.unicodeScalars)[...]
        pieces = Self.parse(&scalars, isNested: false).first ?? []
    }

    func matches(_ text: String) -> Bool {
        var budget = 100_000
        return Self.match(pieces[...], Array(text.unicodeScalars)[...], &budget)
    }

    private static func parse(_ rest: inout ArraySlice<Unicode.Scalar>, isNested: Bool) -> [[Piece]] {
        var choices: [[Piece]] = [[]]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": if let next = rest.popFirst() { choices[choices.count - 1].append(.scalar(next)) }
            case "?": choices[choices.count - 1].append(.one)
            case "*":
                let isDouble = rest.first == "*"
                while rest.first == "*" { rest.removeFirst() }
                choices[choices.count - 1].append(isDouble ? .any : .some)
            case "[": choices[choices.count - 1].append(set(&rest))
            case "{": choices[choices.count - 1].append(.alternatives(parse(&rest, isNested: true)))
            case "," where isNested: choices.append([])
            case "}" where isNested: return choices
            default: choices[choices.count - 1].append(.scalar(scalar))
            }
        }
        return choices
    }

    private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Piece {
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var isNegated = false
        if rest.first == "!" { isNegated = true; rest.removeFirst() }
        while let scalar = rest.popFirst(), scalar != "]" {
            if rest.first == "-", let end = rest.dropFirst().first, end != "]", end >= scalar {
                rest = rest.dropFirst(2)
                ranges.append(scalar...end)
            } else {
                ranges.append(scalar...scalar)
            }
        }
        return .set(ranges, isNegated: isNegated)
    }

    private static func match(_ pieces: ArraySlice<Piece>, _ text: ArraySlice<Unicode.Scalar>, _ budget: inout Int) -> Bool {
        budget -= 1
        guard budget > 0 else { return false }
        guard let piece = pieces.first else { return text.isEmpty }
        let rest = pieces.dropFirst()
        switch piece {
        case .scalar(let scalar): return text.first == scalar && match(rest, text.dropFirst(), &budget)
        case .one:
            guard let first = text.first, !separators.contains(first) else { return false }
            return match(rest, text.dropFirst(), &budget)
        case .set(let ranges, let isNegated):
            guard let first = text.first, ranges.contains(where: { $0.contains(first) }) != isNegated else { return false }
            return match(rest, text.dropFirst(), &budget)
        case .alternatives(let choices):
            for choice in choices where match(choice[...] + rest, text, &budget) { return true }
            return false
        case .some, .any:
            var tail = text
            while true {
                if match(rest, tail, &budget) { return true }
                guard let first = tail.popFirst() else { return false }
                if case .some = piece, separators.contains(first) { return false }
            }
        }
    }
}
