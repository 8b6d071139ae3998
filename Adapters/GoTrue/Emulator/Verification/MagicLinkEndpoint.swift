internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /magiclink`.
struct MagicLinkEndpoint: Endpoint {
    static let shape = BodyShape(
        "MagicLinkParams", [("email", .text), ("data", .object), BodyShape.security] + BodyShape.proof)

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.magicLink)
        if turn.settings.asksForCaptcha { try turn.askForCaptcha(try Body(of: turn.request, as: Self.shape)) }
        try MagicLink.checkSettings(turn)
        // Only this endpoint reads a stream, whose error for an empty body differs.
        if turn.request.body.isEmpty { throw GoTrueError.bad(.badJSON, "Could not read verification params: EOF") }
        let body = try Body(of: turn.request, as: Self.shape, saying: "Could not read verification params: ")
        guard !body[text: "email"].isEmpty else {
            throw GoTrueError.unprocessable(.validationFailed, "Password recovery requires an email")
        }
        let email = try Address.email(body[text: "email"])
        return try MagicLink(email: email, data: body[object: "data"] ?? [:], proof: try ProofKey(body)).answer(&turn, &db)
    }
}
