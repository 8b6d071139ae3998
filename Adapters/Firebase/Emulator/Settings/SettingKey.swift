internal import LockstepPrimitives

/// The parsing of one setting.
struct SettingKey: Sendable {
    /// The expected value, for the error.
    let wants: String
    /// Sets it; false where the value is wrong.
    let set: @Sendable (inout FirebaseSettings, JSON) -> Bool

    static func flag(_ path: any WritableKeyPath<FirebaseSettings, Bool> & Sendable) -> SettingKey {
        SettingKey(wants: "true or false") { settings, value in
            guard let flag = value.bool else { return false }
            settings[keyPath: path] = flag
            return true
        }
    }

    static func method(_ method: SignInMethods) -> SettingKey {
        SettingKey(wants: "true or false") { settings, value in
            guard let flag = value.bool else { return false }
            if flag { settings.methods.insert(method) } else { settings.methods.remove(method) }
            return true
        }
    }

    static func text(_ path: any WritableKeyPath<FirebaseSettings, String> & Sendable) -> SettingKey {
        SettingKey(wants: "a text that is not empty") { settings, value in
            let text = value.string ?? value.int.map { String($0) }
            guard let text, !text.isEmpty else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    static func whole(_ path: any WritableKeyPath<FirebaseSettings, Int> & Sendable, _ range: ClosedRange<Int>) -> SettingKey {
        SettingKey(wants: "a whole number from \(range.lowerBound) to \(range.upperBound)") { settings, value in
            guard let number = value.int.flatMap({ Int(exactly: $0) }), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func count(_ path: any WritableKeyPath<FirebaseSettings, Int?> & Sendable) -> SettingKey {
        SettingKey(wants: "a whole number above 0, or null for no limit") { settings, value in
            if value.isNull {
                settings[keyPath: path] = nil
                return true
            }
            guard let number = value.int.flatMap({ Int(exactly: $0) }), number > 0 else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func seconds(_ path: any WritableKeyPath<FirebaseSettings, Duration?> & Sendable) -> SettingKey {
        SettingKey(wants: "a number of seconds above 0, or null for no limit") { settings, value in
            if value.isNull {
                settings[keyPath: path] = nil
                return true
            }
            guard let seconds = value.double, seconds > 0, seconds < 1e12 else { return false }
            settings[keyPath: path] = .milliseconds(Int64(seconds * 1000))
            return true
        }
    }
}
