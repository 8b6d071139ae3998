import LockstepPrimitives

/// One setting by name: how its text is read, and where it goes.
struct SettingName: Sendable {
    let name: String
    /// The values that it takes, for the error message.
    let takes: String
    /// Puts the value into the settings; `false` where the text is not such a value.
    let apply: @Sendable (inout ClerkSettings, String) -> Bool
}

extension SettingName {
    static func text(_ name: String, _ path: any WritableKeyPath<ClerkSettings, String> & Sendable) -> SettingName {
        SettingName(name: name, takes: "a text") { settings, text in
            guard !text.isEmpty else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    static func flag(_ name: String, _ path: any WritableKeyPath<ClerkSettings, Bool> & Sendable) -> SettingName {
        SettingName(name: name, takes: "true or false") { settings, text in
            switch text.lowercased() {
            case "true", "on", "yes", "1": settings[keyPath: path] = true
            case "false", "off", "no", "0": settings[keyPath: path] = false
            default: return false
            }
            return true
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<ClerkSettings, Choice> & Sendable
    ) -> SettingName {
        SettingName(name: name, takes: "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") { settings, text in
            guard let choice = Choice(rawValue: text) else { return false }
            settings[keyPath: path] = choice
            return true
        }
    }

    static func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<ClerkSettings, Set<Choice>> & Sendable
    ) -> SettingName {
        SettingName(name: name, takes: "none, or some of \(Choice.allCases.map(\.rawValue).joined(separator: ","))") {
            settings, text in
            guard text != "none" else {
                settings[keyPath: path] = []
                return true
            }
            let choices = text.split(separator: ",").map { Choice(rawValue: String($0).trimmed) }
            guard !choices.isEmpty, choices.allSatisfy({ $0 != nil }) else { return false }
            settings[keyPath: path] = Set(choices.compactMap(\.self))
            return true
        }
    }

    static func number(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<ClerkSettings, Int> & Sendable
    ) -> SettingName {
        SettingName(name: name, takes: "a whole number from \(range.lowerBound) to \(range.upperBound)") { settings, text in
            guard let number = Int(text), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func seconds(_ name: String, _ path: any WritableKeyPath<ClerkSettings, Duration> & Sendable) -> SettingName {
        SettingName(name: name, takes: "a number of seconds, 1 or more") { settings, text in
            guard let seconds = Int64(text), (1...31_536_000_000).contains(seconds) else { return false }
            settings[keyPath: path] = .seconds(seconds)
            return true
        }
    }
}
