import LockstepPrimitives

/// The proof of one factor or address: its request and its status.
///
/// Kept as one value in the row of the sign-in, sign-up, address or session that it belongs to.
struct Verification: JSONColumn {
    enum Status: String, Codable {
        case unverified, verified, failed, expired, transferable
    }

    /// The `object` on the wire: `verification_otp`, `verification_password`.
    var object: String
    var strategy: String
    var status = Status.unverified
    /// `nil` where attempts are not counted (links, providers, administrators).
    var attempts: Int?
    var expireAt: Instant?
    /// `sms` for codes to a telephone.
    var channel: String?
    /// The failure, where a 200 carries the reason.
    var failure: ProofFailure?
    /// The address to send the browser to.
    var redirectURL: String?
    /// The client that opened the link.
    var verifiedAtClient: String?
    /// Options of a passkey or the nonce of a provider.
    var nonce: String?

    // Members that the server does not show.

    /// The six digits that are expected.
    var code: String?
    /// When the message was sent.
    var sentAt: Instant?
    /// The id of the address that the message went to, or the address itself.
    var target: String?
    /// The token in the link that was mailed last.
    var linkToken: String?

    /// An existing proof: made by the dashboard, the Backend API or a provider.
    static func given(by strategy: String) -> Verification {
        let object = strategy == "admin" ? "verification_admin" : "verification_from_oauth"
        return Verification(object: object, strategy: strategy, status: .verified)
    }

    /// A right password.
    static let password = Verification(object: "verification_password", strategy: "password", status: .verified, attempts: 1)

    /// An accepted ticket.
    static func ticket(expireAt: Instant?) -> Verification {
        Verification(object: "verification_ticket", strategy: "ticket", status: .verified, expireAt: expireAt)
    }

    var isVerified: Bool { status == .verified }
}
