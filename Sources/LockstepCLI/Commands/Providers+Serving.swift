import LockstepClerkEmulator
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepPrimitives

extension Providers {
    /// Starts the emulator of a provider.
    ///
    /// - Parameters:
    ///   - settings: the text of a file of settings, in the provider's own form.
    ///   - mode: whose rules Firebase's keeps.
    ///   - tell: is told of settings that have no effect.
    static func start(
        _ name: String, _ options: EmulatorOptions, settings: String?, mode: String?, tell: (String) -> Void
    ) throws -> any RunningEmulator {
        switch name {
        case "firebase": return try startFirebase(options, settings, mode)
        case "gotrue":
            let settings = try GoTrueSettings(environment: EnvironmentFile.parse(settings ?? goTrueDefaults))
            for notice in settings.notices { tell(notice) }
            return try EmulatorServer(options) { environment in try GoTrueEmulator(settings, in: environment) }
        default:
            let settings = try settings.map { try ClerkSettings(text: $0) } ?? ClerkSettings()
            return try EmulatorServer(options) { environment in try ClerkEmulator(settings, in: environment) }
        }
    }

    /// What holds where no settings are given: the server's own default mails hold no code, so the subjects name it.
    private static let goTrueDefaults = """
        GOTRUE_MAILER_SUBJECTS_CONFIRMATION="Confirm your address: {{ .Token }}"
        GOTRUE_MAILER_SUBJECTS_RECOVERY="Reset your password: {{ .Token }}"
        GOTRUE_MAILER_SUBJECTS_MAGIC_LINK="Your sign-in link: {{ .Token }}"
        GOTRUE_MAILER_SUBJECTS_EMAIL_CHANGE="Confirm your new address: {{ .Token }}"
        GOTRUE_MAILER_SUBJECTS_INVITE="You are invited: {{ .Token }}"
        """

    private static func startFirebase(_ options: EmulatorOptions, _ settings: String?, _ mode: String?) throws
        -> any RunningEmulator
    {
        let chosen = mode.map { ["mode=\($0)"] } ?? []
        let text = settings ?? ""
        let settings: FirebaseSettings
        if text.drop(while: \.isWhitespace).hasPrefix("{") {
            guard var json = try JSON.parse(Array(text.utf8)).object else {
                throw UsageError("the settings must be a JSON object.")
            }
            if let mode { json["mode"] = .string(mode) }
            settings = try FirebaseSettings(json: .object(json))
        } else {
            let lines = text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isEmpty && !$0.hasPrefix("#") }
            settings = try FirebaseSettings(lines: lines + chosen)
        }
        return try EmulatorServer(options) { environment in try FirebaseEmulator(settings, in: environment) }
    }
}
