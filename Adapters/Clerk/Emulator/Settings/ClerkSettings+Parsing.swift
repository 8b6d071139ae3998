internal import LockstepEmulation
import LockstepPrimitives

extension ClerkSettings {
    /// Reads settings from a text.
    ///
    /// The text consists of `NAME=value` lines, in which `#` begins a comment, or of one JSON object. Names may begin
    /// with `CLERK_`, and may be in upper or lower case. Missing settings keep their defaults.
    ///
    /// - Throws: ``ClerkSettingsError`` for the first invalid line.
    public init(text: String) throws(ClerkSettingsError) {
        try self.init(Self.pairs(of: text))
    }

    /// Splits the text of a settings file into names and values.
    ///
    /// - Parameter text: The text: `NAME=value` lines, or one JSON object.
    /// - Returns: The names and values, in order.
    /// - Throws: ``ClerkSettingsError`` for the first line that is not a setting.
    public static func pairs(of text: String) throws(ClerkSettingsError) -> [(name: String, value: String)] {
        text.trimmed.hasPrefix("{") ? try object(text) : try lines(text)
    }

    /// Reads settings from names and values, such as environment variables.
    ///
    /// - Parameters:
    ///   - defaults: The names and values to use for settings that `pairs` does not contain.
    /// - Throws: ``ClerkSettingsError`` for the first invalid name or value.
    public init(
        _ pairs: [(name: String, value: String)], defaults: [(name: String, value: String)] = []
    ) throws(ClerkSettingsError) {
        self.init()
        func values(_ pairs: [(name: String, value: String)]) -> [(name: String, value: JSON)] {
            pairs.map { ($0.name, .string($0.value.trimmed)) }
        }
        var (given, unwritten) = (GivenNames(), GivenNames())
        let problems = Self.table.apply(values(defaults), to: &self, given: &unwritten)
        if let problem = (problems + Self.table.apply(values(pairs), to: &self, given: &given)).first {
            throw ClerkSettingsError(problem)
        }
        self.given = given.with(defaults: unwritten)
        try check()
    }

    /// Checks that settings do not contradict each other, and that the emulator may call the webhook.
    ///
    /// - Throws: ``ClerkSettingsError`` with `contradiction` or `badValue` if a setting is not usable.
    public func check() throws(ClerkSettingsError) {
        func contradiction(_ sentence: String) -> ClerkSettingsError {
            ClerkSettingsError(code: .contradiction, sentence: sentence)
        }
        if !emailAddress.isEnabled, !phoneNumber.isEnabled, !username.isEnabled {
            throw contradiction(
                "Users have no way to sign in: set EMAIL_ADDRESS, PHONE_NUMBER or USERNAME to optional or required.")
        }
        if emailAddress.isEnabled, verifiesEmailAtSignUp, emailVerification.isEmpty {
            throw contradiction(
                "Email addresses must be verified, but no method is on: set EMAIL_VERIFICATION, or set VERIFY_EMAIL_AT_SIGN_UP to false."
            )
        }
        if passwordPolicy.minimumLength > passwordPolicy.maximumLength {
            throw contradiction("PASSWORD_MIN_LENGTH is above PASSWORD_MAX_LENGTH, so no password is valid.")
        }
        if usernameRules.minimumLength > usernameRules.maximumLength {
            throw contradiction("USERNAME_MIN_LENGTH is above USERNAME_MAX_LENGTH, so no user name is valid.")
        }
        let unusable = enterprise.connections.first { $0.domains.isEmpty || !$0.discoveryURL.contains(bytesOf: "://") }
        if let connection = unusable {
            let name = connection.name.uppercased()
            throw contradiction(
                "The enterprise connection \(connection.name) would never be used: set ENTERPRISE_\(name)_DOMAINS and _ISSUER values."
            )
        }
        if let webhookURL, !LoopbackClient.reaches(webhookURL) {
            throw ClerkSettingsError(
                code: .badValue, sentence: "WEBHOOK_URL is \(webhookURL), but expected a plain http:// address on this machine.")
        }
    }

    private static func lines(_ text: String) throws(ClerkSettingsError) -> [(name: String, value: String)] {
        do throws(EnvironmentFileError) {
            return try EnvironmentFile.parse(text)
        } catch {
            throw ClerkSettingsError(code: .malformed, sentence: "The settings cannot be read: \(error)")
        }
    }

    private static func object(_ text: String) throws(ClerkSettingsError) -> [(name: String, value: String)] {
        guard let object = (try? JSON.parse(Array(text.utf8)))?.object else {
            throw ClerkSettingsError(code: .malformed, sentence: "The settings begin with { but are not a JSON object.")
        }
        var pairs: [(name: String, value: String)] = []
        for (name, value) in object {
            guard let text = value.settingText else {
                throw ClerkSettingsError(
                    code: .badValue, sentence: "\(name) must be a string, a whole number, true or false in the JSON settings.")
            }
            pairs.append((name, text))
        }
        return pairs
    }
}

/// An error in the settings.
public struct ClerkSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text is neither a list of `NAME=value` lines nor a JSON object.
        public static let malformed = Code(rawValue: "malformed")
        /// No setting has that name.
        public static let unknownName = Code(rawValue: "unknownName")
        /// The setting does not accept this value.
        public static let badValue = Code(rawValue: "badValue")
        /// Each setting is valid, but two settings contradict each other.
        public static let contradiction = Code(rawValue: "contradiction")
    }

    /// The kind of error.
    public let code: Code
    /// The error and what to do about it, in one sentence.
    public let sentence: String

    /// The text of ``sentence``.
    public var description: String { sentence }
}

extension ClerkSettingsError {
    fileprivate init(_ problem: SettingProblem) {
        switch problem {
        case .unknownName(let name):
            code = .unknownName
            let meant = ClerkSettings.table.names.nearest(to: ClerkSettings.table.likeliestName(of: name))
            sentence =
                "There is no setting \(name) of the Clerk emulator. "
                + (meant.map { "Did you mean \($0)?" } ?? "Remove it, or correct its name.")
        case .wrongValue(let name, let value, let wants):
            code = .badValue
            sentence = "\(name) is \(value.settingText ?? value.text()), but expected \(wants)."
        }
    }
}
