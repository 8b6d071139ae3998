internal import LockstepEmulation
internal import LockstepPrimitives

extension SettingKind<Bool> {
    /// Reads a value as Go's `strconv.ParseBool` does.
    static var flag: SettingKind {
        .flag((yes: ["1", "t", "T", "true", "TRUE", "True"], no: ["0", "f", "F", "false", "FALSE", "False"]))
    }

    /// `off`, or anything else.
    static var onUnlessOff: SettingKind { .text("on or off", read: { $0 != "off" }, write: { $0 ? "on" : "off" }) }
}

extension SettingKind<Int> {
    /// The number of digits of a code: 6 if the value is outside the server's range.
    static var codeLength: SettingKind { number.adjusted { (6...10).contains($0) ? $0 : 6 } }
}

extension SettingKind<Duration> {
    /// Reads a value as Go's `time.ParseDuration` does.
    static var duration: SettingKind {
        .text("a duration such as 60s, 5m or 24h", read: { try? GoDuration.parse($0) }, write: GoDuration.text)
    }

    /// A duration above zero.
    static var life: SettingKind { duration.when("a duration above zero, such as 24h") { $0 > .zero } }

    /// The minimum time between two messages: a minute if it is zero.
    static var interval: SettingKind { duration.adjusted { $0 == .zero ? .seconds(60) : $0 } }

    /// A number of seconds.
    static var wholeSeconds: SettingKind {
        SettingKind(
            SettingKind<Int>.number.wants, read: { SettingKind<Int>.number.read($0).map { .seconds($0) } },
            write: { .int($0.components.seconds) })
    }

    /// The lifetime of codes in seconds, at most a day.
    static func codeLife(usually life: Duration) -> SettingKind {
        wholeSeconds.adjusted { $0 == .zero ? life : min($0, .seconds(86_400)) }
    }

    var atLeastFiveMinutes: SettingKind { adjusted { max($0, .seconds(300)) } }
}

extension SettingKind<Instant> {
    /// A time.
    static var time: SettingKind {
        .text("a time such as 2030-01-01T00:00:00Z", read: { Instant(rfc3339: $0) }, write: { $0.rfc3339 })
    }
}

extension SettingKind<SendingRate> {
    /// A rate.
    static var rate: SettingKind { .text("a number, or a rate such as 30/1h", read: { SendingRate($0) }, write: { $0.text }) }
}

extension SettingKind<String> {
    /// A publishable key of the gateway.
    static var projectKey: SettingKind { projectKey(ProjectKeys.publishablePrefix) }

    fileprivate static func projectKey(_ prefix: String) -> SettingKind {
        text.when("a string that begins with \(prefix), and has no spaces") { key in
            key.hasPrefix(prefix) && key.count > prefix.count && key.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        }
    }
}

extension SettingKind<Secret> {
    /// A secret that signs tokens.
    static var signingSecret: SettingKind { secret.when("a string of at least 32 characters") { $0.reveal().utf8.count >= 32 } }

    /// A secret key of the gateway.
    static var secretProjectKey: SettingKind {
        let kind = SettingKind<String>.projectKey(ProjectKeys.secretPrefix)
        return secret.when(kind.wants) { kind.read(.string($0.reveal())) != nil }
    }
}

extension SettingKind<[Secret]> {
    /// Secrets that are separated by a bar.
    static var secrets: SettingKind {
        var kind = text(
            "v1,whsec_ and base 64, several of them separated by |", read: { $0.pieces(at: "|").map { Secret(String($0)) } },
            write: { $0.map { $0.reveal() }.joined(separator: "|") })
        kind.isSecret = true
        return kind
    }
}

extension SettingKind<[String]> {
    /// Sets of characters that are separated by colons; after a backslash, a colon belongs to a set.
    static var characterSets: SettingKind {
        text(
            "sets of characters, separated by colons", read: sets,
            write: { $0.map { $0.replacing(":", with: "\\:") }.joined(separator: ":") })
    }

    @Sendable private static func sets(_ text: String) -> [String] {
        var sets = [""]
        for part in text.pieces(at: ":", omittingEmptySubsequences: false) {
            sets[sets.count - 1] += part
            if part.last == "\\" {
                sets[sets.count - 1].removeLast()
                sets[sets.count - 1].append(":")
            } else {
                sets.append("")
            }
        }
        return sets.filter { !$0.isEmpty }
    }
}

extension SettingKind<[String: String]> {
    /// Phone numbers with their codes.
    static var testCodes: SettingKind {
        SettingKind(
            "numbers with their codes, such as 15551230000:123456",
            read: { value in
                SettingKind<[String]>.list().read(value).map { pairs in
                    var codes: [String: String] = [:]
                    for pieces in pairs.map({ $0.pieces(at: ":", maxSplits: 1) }) where pieces.count == 2 {
                        codes[Address.digits(String(pieces[0]))] = String(pieces[1])
                    }
                    return codes
                }
            }, write: { .string($0.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")) })
    }
}
