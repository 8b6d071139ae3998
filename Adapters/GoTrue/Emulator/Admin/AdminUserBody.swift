internal import LockstepEmulation
internal import LockstepPrimitives

/// The body of an administrator's request about a user.
struct AdminUserBody {
    static let shape = BodyShape(
        "AdminUserParams",
        [
            ("id", .text), ("aud", .text), ("role", .text), ("email", .text), ("phone", .text), ("password", .text),
            ("password_hash", .text), ("email_confirm", .flag), ("phone_confirm", .flag), ("user_metadata", .object),
            ("app_metadata", .object), ("ban_duration", .text),
        ])

    let body: Body

    init(_ request: EmulatorRequest) throws(GoTrueError) { body = try Body(of: request, as: Self.shape) }

    var userMetadata: JSONObject? { body[object: "user_metadata"] }
    var appMetadata: JSONObject? { body[object: "app_metadata"] }
    var confirmsEmail: Bool { body[flag: "email_confirm"] }
    var confirmsPhone: Bool { body[flag: "phone_confirm"] }

    /// The end of a ban from `now` on; the outer `nil` where the body has none, the inner one lifts a ban.
    func ban(from now: Instant) throws(GoTrueError) -> Instant?? {
        let text = body[text: "ban_duration"]
        if text.isEmpty { return nil }
        if text == "none" { return .some(nil) }
        do {
            let duration = try GoDuration.parse(text)
            return .some(duration == .zero ? nil : now + duration)
        } catch {
            throw GoTrueError.invalid("invalid format for ban duration: \(error.message)")
        }
    }
}
