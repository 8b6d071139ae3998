public import Lockstep
internal import LockstepHTTP
@_exported public import LockstepPrimitives
internal import LockstepWire

/// An app's Firebase project, and the addresses that its messages lead back to; validated at creation.
public struct FirebaseConfiguration: Sendable {
    /// The project's web API key.
    public let apiKey: Secret
    /// The address of an emulator; `nil` for Google's own servers.
    public let emulator: String?
    /// Where the app takes links back.
    ///
    /// Firebase's pages lead there (`continueUrl`) where it is a page itself, of a domain that the project authorises. It refuses an
    /// app's own scheme (`INVALID_CONTINUE_URI`), which is therefore never sent: the pages end at Firebase then, the app polls, and
    /// there are no sign-in links.
    public let callback: CallbackAddress?
    /// The address of the project's action links, where these open the app itself.
    ///
    /// That is the "action URL" of the message templates, such as `https://project.firebaseapp.com/__/auth/action`, made a
    /// universal link of the app. Without it the pages of Firebase take confirmations, and the app polls.
    public let actionLinks: CallbackAddress?
    /// The language of messages, as a BCP 47 tag.
    public var locale: String?
    /// The shortest interval between two messages to one address; Firebase itself names none.
    public var resendInterval: Duration = .seconds(30)
    /// The timeout of a request.
    public var deadline: Duration = .seconds(30)

    /// A configuration, checked.
    ///
    /// - Parameters:
    ///   - apiKey: The project's web API key.
    ///   - callback: Where the app takes links back: `https://app.example.com/callback`, whose domain the project authorises, so that
    ///     pages lead there; or an address of the app's own scheme, to which none do.
    ///   - actionLinks: Where action links open the app itself.
    ///   - emulator: The address of an emulator, such as `http://127.0.0.1:9099`.
    /// - Throws: `invalidConfiguration` with what is wrong.
    public init(
        apiKey: Secret, callback: String? = nil, actionLinks: String? = nil, emulator: String? = nil
    ) throws(AuthError) {
        try Self.check(apiKey)
        self.apiKey = apiKey
        self.emulator = if let emulator { try BackendAddress(emulator, called: "emulator's address").url } else { nil }
        self.callback = if let callback { try CallbackAddress(callback) } else { nil }
        self.actionLinks = if let actionLinks { try CallbackAddress(actionLinks) } else { nil }
    }

    /// The `continueUrl` of Firebase's pages; sign-in links need it.
    var continueURL: String? {
        callback.flatMap { callback in
            let url = callback.url.lowercased()
            return url.hasPrefix("https://") || url.hasPrefix("http://") ? callback.url : nil
        }
    }

    /// The address of the account service: an emulator carries the host's name as the first part of its paths.
    var identityToolkit: String { service("identitytoolkit.googleapis.com") }
    /// The address of the token service.
    var secureToken: String { service("securetoken.googleapis.com") }

    private func service(_ host: String) -> String { emulator.map { "\($0)/\(host)" } ?? "https://\(host)" }

    /// The addresses that links come back to: the callback addresses of the app's client.
    public var addresses: [CallbackAddress] { [actionLinks, callback].compactMap { $0 } }
}

extension FirebaseConfiguration {
    private static func check(_ key: Secret) throws(AuthError) {
        let text = key.reveal()
        guard !text.isEmpty else {
            throw AuthError(.invalidConfiguration, "The API key is empty: give the project's web API key.")
        }
        guard !text.contains("private_key"), !text.contains("PRIVATE KEY"), !text.hasPrefix("ya29."), text.lowercased() != "owner"
        else {
            throw AuthError(
                .invalidConfiguration,
                "The key is an administrator's. Anyone who has the app could read it and do anything: give the project's web API key."
            )
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration, "The API key holds spaces or control characters: copy it again, without line ends.")
        }
    }
}
