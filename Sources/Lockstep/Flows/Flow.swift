public import LockstepPrimitives

/// A sign-up, sign-in or other exchange that is not finished yet.
///
/// It has no secrets: those are in the store, under its id. So it may be kept, shown and sent anywhere.
public struct Flow: Sendable, Hashable, Codable, Identifiable {
    /// The goal of a flow.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// To prove the address of an account: after a sign-up, or at a sign-in before it was proven.
        case confirmation
        /// To sign in.
        case signIn
        /// To replace a forgotten password.
        case passwordReset
        /// To change the address of an account.
        case emailChange
        /// To add an identity to the user who is signed in.
        case linking
        /// To renew the sign-in of the user who is signed in.
        case reauthentication
    }

    /// Names the flow on this device.
    public let id: String
    /// The goal.
    public let kind: Kind
    /// The capability that began it.
    public let capability: Capability
    /// When it began, by this device's clock.
    public let startedAt: Instant

    /// How long a flow lives that is neither completed nor cancelled: seven days from its beginning, or until the proof that it
    /// waits for expires where that is later (``Challenge/expiresAt``).
    ///
    /// The first call, or launch, after that ends it: its secrets leave memory and store, and an answer to it is `flowNotFound`.
    public static let longestLife = Duration.seconds(7 * 24 * 3600)

    /// A flow.
    public init(id: String, kind: Kind, capability: Capability, startedAt: Instant) {
        self.id = id
        self.kind = kind
        self.capability = capability
        self.startedAt = startedAt
    }
}
