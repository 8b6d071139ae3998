public import Lockstep
internal import LockstepHTTP
public import LockstepPrimitives
internal import LockstepWire

/// The address of a project's GoTrue, its key and its settings; validated at creation.
public struct GoTrueConfiguration: Sendable {
    /// The address of the API without a slash at the end, such as `https://ref.supabase.co/auth/v1`.
    public let url: String
    /// The app's public key; `nil` where no gateway stands in front of the server.
    public let key: Secret?
    /// Where links come back to the app.
    ///
    /// Without one, links are neither asked for nor taken.
    public let callback: CallbackAddress?
    /// The team's own server function that deletes its caller's account; see ``OwnAccountDeletion`` for its required answers.
    public let accountDeletion: String?
    /// Whether the project's mails show the code as well as the link (`{{ .Token }}` in the templates).
    ///
    /// `false` for a hosted project with its first templates: then no field for a code is offered that the mails do not hold, and
    /// signing in by a code by e-mail is none of the capabilities. Without a ``callback`` codes are all that can be taken.
    public var mailsShowCodes = true
    /// The project's shortest interval between two messages to one address (`SMTP_MAX_FREQUENCY`, by default 60 s).
    public var resendInterval: Duration = .seconds(60)
    /// The lifetime of the project's codes and links by e-mail (`MAILER_OTP_EXP`; hosted projects: an hour).
    public var emailProofLife: Duration = .seconds(3600)
    /// The lifetime of the project's codes by SMS (`SMS_OTP_EXP`, by default 60 s).
    public var smsProofLife: Duration = .seconds(60)
    /// The timeout of a request.
    public var deadline: Duration = .seconds(30)

    /// Whether a code from a mail is taken.
    var takesMailedCodes: Bool { mailsShowCodes || callback == nil }

    /// A configuration, checked.
    ///
    /// - Parameters:
    ///   - url: The address of the API. For a hosted project the bare `https://ref.supabase.co` works too.
    ///   - key: The anonymous or publishable key; `nil` for a server without a gateway.
    ///   - callback: The address at which the app takes links back; it must be in the project's list of redirect URLs.
    ///   - accountDeletion: The address of the team's own function for deleting accounts.
    /// - Throws: `invalidConfiguration` with the reason: a malformed address, plain http to another machine, an empty key,
    ///   a key that must never be in an app.
    public init(
        url: String, key: Secret?, callback: String? = nil, accountDeletion: String? = nil
    ) throws(AuthError) {
        self.url = Self.completed(try BackendAddress(url, called: "API address").url)
        if let key { try Self.check(key) }
        self.key = key
        self.callback =
            if let callback { try CallbackAddress(callback) } else { nil }
        self.accountDeletion =
            if let accountDeletion { try BackendAddress(accountDeletion, called: "account deletion address").url } else { nil }
    }
}

extension GoTrueConfiguration {
    /// Hosted projects serve GoTrue under one path only.
    private static func completed(_ url: String) -> String {
        let host = HTTPRequest(.get, url).host ?? ""
        let isBare = url.split(separator: "/").count == 2
        return isBare && host.hasSuffix(".supabase.co") ? url + "/auth/v1" : url
    }

    private static func check(_ key: Secret) throws(AuthError) {
        let text = key.reveal()
        guard !text.isEmpty else {
            throw AuthError(.invalidConfiguration, "The key is empty: give the project's anonymous or publishable key.")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration, "The key holds spaces or control characters: copy it again, without line ends.")
        }
        guard !text.hasPrefix("sb_secret_") else { throw administrators }
        guard let role = CompactToken.unverifiedClaims(of: text)?["role"]?.string, role != "anon" else { return }
        guard role != "service_role", role != "supabase_admin" else { throw administrators }
        throw AuthError(.invalidConfiguration, "The key is a token of role \(role): give the project's anonymous key.")
    }

    private static let administrators = AuthError(
        .invalidConfiguration,
        "The key is an administrator's. Anyone who has the app could read it and do anything: give the anonymous or publishable key."
    )
}
