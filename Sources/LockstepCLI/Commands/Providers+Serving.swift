import LockstepClerkEmulator
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepPasswords
import LockstepPrimitives

extension Providers {
    /// The names of the environment variables that the emulators set.
    private static let environmentNames =
        FirebaseEmulator.environmentNames + GoTrueEmulator.environmentNames + ClerkEmulator.environmentNames

    /// Whether an emulator sets an environment variable with this name, byte by byte.
    static func declares(_ name: String) -> Bool { environmentNames.contains { $0.utf8.elementsEqual(name.utf8) } }

    /// Starts the emulator of a provider.
    ///
    /// - `file`: A settings file in the provider's own format.
    /// - `mode`: The rules of the Firebase emulator.
    /// - `hashing`: The cost of password hashes, `real` or `least`; `nil` for `least`, unless the file sets it.
    /// - `rows`: The database of GoTrue's users; `nil` if the emulator stores them itself.
    /// - `tell`: Called with the settings that have no effect.
    static func start(
        _ name: String, _ options: EmulatorOptions, settings file: SettingsFile?, mode: String?, hashing: PasswordCost?,
        rows: (any RowMirror)? = nil, tell: (String) -> Void
    ) throws -> any RunningEmulator {
        switch name {
        case "firebase":
            let settings = try read(file) { try firebaseSettings(file?.text ?? "", mode, hashing) }
            return try EmulatorServer(options) { environment in try FirebaseEmulator(settings, in: environment) }
        case "gotrue":
            let settings = try read(file) {
                let secret = options.hasLastingKeys ? [] : [(name: "GOTRUE_JWT_SECRET", value: SystemRandomness().text(48))]
                var settings = try GoTrueSettings(
                    environment: try file.map { try EnvironmentFile.parse($0.text) } ?? [], defaults: try goTrueDefaults + secret)
                if let hashing { settings.passwords.cost = hashing }
                return settings
            }
            for notice in settings.notices { tell(notice) }
            if let rows { tell("users are in \(rows.summary).") }
            return try EmulatorServer(options) { environment in try GoTrueEmulator(settings, in: environment, mirror: rows) }
        default:
            let settings = try read(file) {
                let given = try file.map { try ClerkSettings.pairs(of: $0.text) } ?? []
                var settings = try ClerkSettings(given, defaults: [("PASSWORD_COST", PasswordCost.least.rawValue)])
                if let hashing { settings.usesCheapHashes = hashing == .least }
                return settings
            }
            return try EmulatorServer(options) { environment in try ClerkEmulator(settings, in: environment) }
        }
    }

    /// Reads settings, and adds the name of the file to an error.
    private static func read<Settings>(_ file: SettingsFile?, _ body: () throws -> Settings) throws -> Settings {
        do {
            return try body()
        } catch let error where file != nil && !(error is UsageError) {
            throw UsageError("\(file?.path ?? ""): \(error)")
        }
    }

    /// The settings of GoTrue's emulator without a settings file, in the format for `--env`.
    static var goTrueEnvironment: String {
        get throws { GoTrueSettings.sampleEnvironment(of: try GoTrueSettings(environment: [], defaults: goTrueDefaults)) }
    }

    /// The defaults for missing settings.
    ///
    /// The server's own default emails contain no code, so the subjects contain it. Its own list of redirects is empty, so the
    /// links of an app's first callback, as the pages show it, would open the site.
    private static var goTrueDefaults: [(name: String, value: String)] {
        get throws {
            try EnvironmentFile.parse(
                """
                LOCKSTEP_PASSWORD_COST=\(PasswordCost.least.rawValue)
                GOTRUE_URI_ALLOW_LIST=myapp://**
                GOTRUE_MAILER_SUBJECTS_CONFIRMATION="Confirm your address: {{ .Token }}"
                GOTRUE_MAILER_SUBJECTS_RECOVERY="Reset your password: {{ .Token }}"
                GOTRUE_MAILER_SUBJECTS_MAGIC_LINK="Your sign-in link: {{ .Token }}"
                GOTRUE_MAILER_SUBJECTS_EMAIL_CHANGE="Confirm your new address: {{ .Token }}"
                GOTRUE_MAILER_SUBJECTS_INVITE="You are invited: {{ .Token }}"
                """)
        }
    }

    private static func firebaseSettings(_ text: String, _ mode: String?, _ hashing: PasswordCost?) throws -> FirebaseSettings {
        var settings = try firebaseSettings(text, mode)
        if let hashing { settings.hashing.memoryCost = ScryptSettings.memoryCost(hashing) }
        return settings
    }

    private static func firebaseSettings(_ text: String, _ mode: String?) throws -> FirebaseSettings {
        guard text.drop(while: \.isWhitespace).hasPrefix("{") else {
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            return try FirebaseSettings(lines: lines + (mode.map { ["mode=\($0)"] } ?? []), defaults: defaults)
        }
        guard let given = try JSON.parse(Array(text.utf8)).object else {
            throw UsageError("the settings must be a JSON object.")
        }
        var json = given
        if let mode { json["mode"] = .string(mode) }
        return try FirebaseSettings(json: .object(json), defaults: defaults)
    }

    private static let defaults: JSONObject = ["hashing.memoryCost": .int(Int64(ScryptSettings.memoryCost(.least)))]
}
