internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

extension ClerkAPI {
    /// Asks for the code of a sign-up's address.
    func sendSignUpCode(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let id = flow.text(.signUp) ?? ""
        let answer = try await call(
            .post, "/client/sign_ups/\(id)/prepare_verification", [("strategy", "email_code")], in: flow)
        flow.note(.stage, "address")
        flow.note(.strategy, "email_code")
        flow.become(.confirmation)
        let attempt = try answer.resource()
        flow.note(.destination, attempt["email_address"]?.filled.map(EmailAddress.masked))
        return challenge(attempt["verifications"]?["email_address"], answer, .email, in: flow)
    }

    /// Asks for the code, or the link, of a first factor.
    func sendFirstFactorCode(
        _ factor: JSONObject, strategy: String, in flow: FlowMemory, also form: [(name: String, value: String)] = []
    ) async throws(AuthError) -> Challenge {
        flow.note(.stage, "firstFactor")
        flow.note(.strategy, strategy)
        flow.note(.identification, factor["email_address_id"]?.string ?? factor["phone_number_id"]?.string)
        flow.note(.destination, factor["safe_identifier"]?.filled)
        return try await sendFirstFactorCode(in: flow, also: form)
    }

    private func sendFirstFactorCode(
        in flow: FlowMemory, also form: [(name: String, value: String)] = []
    ) async throws(AuthError) -> Challenge {
        let strategy = flow.text(.strategy) ?? ""
        let answer = try await call(
            .post, "/client/sign_ins/\(flow.text(.signIn) ?? "")/prepare_first_factor",
            [("strategy", strategy), (Self.member(of: strategy), flow.text(.identification) ?? "")] + form, in: flow)
        return challenge(try answer.resource()["first_factor_verification"], answer, Self.channel(of: strategy), in: flow)
    }

    /// Asks for the code of a second factor, or of a device that Clerk does not know yet.
    func sendSecondFactorCode(_ factor: JSONObject, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow.note(.stage, "secondFactor")
        flow.note(.strategy, factor["strategy"]?.string)
        flow.note(.identification, factor["email_address_id"]?.string ?? factor["phone_number_id"]?.string)
        flow.note(.destination, factor["safe_identifier"]?.filled)
        return try await sendSecondFactorCode(in: flow)
    }

    private func sendSecondFactorCode(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let strategy = flow.text(.strategy) ?? ""
        let answer = try await call(
            .post, "/client/sign_ins/\(flow.text(.signIn) ?? "")/prepare_second_factor",
            [("strategy", strategy), (Self.member(of: strategy), flow.text(.identification) ?? "")], in: flow)
        return challenge(try answer.resource()["second_factor_verification"], answer, Self.channel(of: strategy), in: flow)
    }

    /// Sends the message of the flow again.
    func resend(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        switch flow.text(.stage) {
        case "address": try await sendSignUpCode(in: flow)
        case "firstFactor": try await sendFirstFactorCode(in: flow)
        case "secondFactor": try await sendSecondFactorCode(in: flow)
        case "newAddress": try await sendNewAddressCode(in: flow)
        default: throw AuthError(.unsupported, "This step sends no message, so there is nothing to send again.")
        }
    }

    /// What has to be answered after a message was sent.
    func challenge(
        _ verification: JSON?, _ answer: ClerkAnswer, _ channel: Challenge.Channel, in flow: FlowMemory,
        accepts: Set<Answer.Kind> = [.code]
    ) -> Challenge {
        let end = (verification?["expire_at"]?.int).map { Instant(milliseconds: $0) }
        // The server's dates count by its clock; the life counts from its answer.
        let life = end.flatMap { end in answer.date.map { end - $0 } } ?? configuration.proofLife
        return Challenge(
            flow: flow.flow, channel: channel, destination: flow.text(.destination) ?? "",
            accepts: flow.text(.strategy) == "email_link" ? [.link] : accepts, expiresAt: clock.now + life,
            resendAvailableAt: clock.now + configuration.resendInterval)
    }

    private static func channel(of strategy: String) -> Challenge.Channel {
        strategy.contains("phone") ? .sms : .email
    }

    private static func member(of strategy: String) -> String {
        strategy.contains("phone") ? "phone_number_id" : "email_address_id"
    }
}
