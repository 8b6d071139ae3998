internal import Lockstep
internal import LockstepPrimitives

/// The values of a credential that calls and checks use.
extension Credential {
    /// The capability that a sign-in with the credential needs.
    var neededCapability: Capability { Self.capability }

    /// The email address in the credential.
    var address: String? {
        switch self {
        case let password as PasswordCredential: password.email
        case let link as EmailLinkCredential: link.email
        case let code as EmailCodeCredential: code.email
        default: nil
        }
    }

    /// The secrets in the credential.
    var secrets: [CallSecret] {
        switch self {
        case let password as PasswordCredential: [.value(password.password, "a password")]
        case let token as IDTokenCredential:
            [.value(token.token, "an ID token")] + (token.nonce.map { [.value($0, "a nonce")] } ?? [])
        case let ticket as TicketCredential: [.value(ticket.token, "a ticket")]
        default: []
        }
    }
}
