import LockstepComparison
import LockstepPrimitives
import LockstepVerifier

/// A token's header and claims as text, without the token and its signature.
struct TokenPage {
    /// The current time.
    let now: Instant
    let paint: Paint

    /// The maximum number of characters of a claim to show.
    private static let widest = 300
    /// The claims that are times.
    private static let times: Set<String> = ["exp", "iat", "nbf", "auth_time"]

    /// Returns the header and the claims.
    func contents(of token: UnverifiedToken) -> String {
        let rows = table("Header", token.header) + [""] + table("Claims", token.claims) + [""]
        return rows.joined(separator: "\n")
    }

    /// Returns the checks and the final sentence.
    ///
    /// - Parameters:
    ///   - isUnsigned: Whether only an emulator accepts the token.
    ///   - failure: The reason why an address returned no response; `nil` if all did.
    func verdicts(_ checks: [TokenCheck], by authority: String, isUnsigned: Bool, failure: String?) -> String {
        let column = 2 + (checks.map(\.subject.rawValue.count).max() ?? 0)
        var lines = [paint.bold("Checked with \(authority.visible)")]
        for check in checks {
            let verdict = check.verdict.rawValue.padded(to: 9)
            let marked = check.verdict == .passed ? verdict : paint.red(verdict)
            lines.append("  " + marked + check.subject.rawValue.padded(to: column) + check.reason.visible)
        }
        let failed = checks.filter { $0.verdict == .failed }
        let unknown = checks.filter { $0.verdict == .unknown }
        let end =
            !failed.isEmpty
            ? "The token is not valid: \(failed.map(\.subject.rawValue).joined(separator: ", "))."
            : unknown.isEmpty
                ? isUnsigned ? "The token is unsigned: accepted by this emulator only." : "The token is valid."
                : "The token could not be checked: \(unknown.map(\.subject.rawValue).joined(separator: ", "))."
        let note = unknown.isEmpty ? [] : [failure?.visible].compactMap(\.self)
        return (lines + [""] + note + [end]).joined(separator: "\n")
    }

    private func table(_ title: String, _ object: JSONObject) -> [String] {
        let column = min(24, 2 + (object.map(\.name.count).max() ?? 0))
        return [paint.bold(title)] + object.map { "  " + $0.name.shown(60).padded(to: column) + words($0.name, $0.value) }
    }

    /// Returns a claim's value, with times in words.
    private func words(_ name: String, _ value: JSON) -> String {
        if Self.times.contains(name), let time = Instant(seconds: value) { return "\(value.text())  \(time.inWords(at: now))" }
        if name == "amr", let entries = value.array, !entries.isEmpty {
            let methods = entries.map { entry in
                let method = entry["method"]?.string ?? entry.string ?? entry.text()
                return method + (Instant(seconds: entry["timestamp"]).map { ", " + $0.inWords(at: now) } ?? "")
            }
            return methods.joined(separator: "; ").shown(Self.widest)
        }
        return (value.string ?? value.text()).shown(Self.widest)
    }
}

extension Instant {
    /// Creates a time from a token's seconds; `nil` for anything else.
    fileprivate init?(seconds value: JSON?) {
        guard let seconds = value?.double, abs(seconds) < 253_402_300_800 else { return nil }
        self.init(milliseconds: Int64(seconds * 1000))
    }

    /// Returns the time and its distance from now: `2026-11-21 13:32:29 UTC, in 59 minutes`.
    func inWords(at now: Instant) -> String {
        let seconds = (milliseconds - now.milliseconds) / 1000
        let distance = abs(seconds)
        let (count, unit) =
            distance < 120
            ? (distance, "second")
            : distance < 7200
                ? (distance / 60, "minute")
                : distance < 172_800 ? (distance / 3600, "hour") : (distance / 86_400, "day")
        let span = "\(count) \(unit)\(count == 1 ? "" : "s")"
        let stamp = rfc3339.prefix(19).replacing("T", with: " ") + " UTC"
        return stamp + (seconds == 0 ? ", now" : seconds > 0 ? ", in \(span)" : ", \(span) ago")
    }
}

extension String {
    /// Returns the text on one line, shortened.
    fileprivate func shown(_ limit: Int) -> String {
        let text = prefix(limit + 1).description
        return text.count <= limit ? visible : text.prefix(limit).description.visible + "… (\(utf8.count) bytes)"
    }

    /// Returns the text padded with spaces.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
