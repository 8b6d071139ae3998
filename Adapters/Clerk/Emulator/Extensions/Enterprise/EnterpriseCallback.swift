import LockstepPrimitives

/// Handles browsers that return from the provider of an enterprise connection.
struct EnterpriseCallback {
    let context: RequestContext

    /// The redirect verifies an address of a user.
    static let addressPurpose = "address"
    /// The redirect verifies a session again.
    static let sessionPurpose = "session"

    /// Exchanges the provider's code, and ends the attempt with the result.
    ///
    /// A failure at the provider is stored in the attempt, so the person returns to the app and can try another way.
    /// The result is the response to the browser; `nil` if no connection began the redirect.
    ///
    /// - `flow`: The redirect that has ended.
    /// - `fields`: The query or the form that the browser sends.
    func answer(_ flow: NonceRecord, _ fields: Form) throws -> Answer? {
        guard let id = flow.payload["connection"]?.string else { return nil }
        let runs = context.enterpriseTestRuns
        let answer: Result<EnterpriseIssuer.Answer, ClerkError>
        do {
            guard let connection = try context.enterpriseConnections.all("id = \(id)").first,
                connection.isActive || runs.isTest(flow)
            else {
                let isSignUp = flow.payload["purpose"]?.string == ProviderRedirects.Purpose.signUp.rawValue
                throw isSignUp ? ClerkError.signUpConnectionMissing : .signInConnectionMissing
            }
            guard let code = fields.text("code") else { throw ClerkError.accessDenied(connection.name) }
            let issuer = EnterpriseIssuer(context: context, connection: connection)
            answer = .success(try issuer.answer(to: code, of: fields["iss"], flow.payload))
        } catch let refusal as ClerkError {
            answer = .failure(refusal)
        }
        if runs.isTest(flow) {
            context.redirect = try runs.finish(flow, answer)
            return .page("The test has ended.")
        }
        let profile = answer.map(\.profile)
        return try context.providerRedirects.finish(flow, profile) { purpose, attempt in
            switch purpose {
            case Self.addressPurpose: try context.enterpriseFlow.finishAddress(attempt, flow.nonce, profile)
            case Self.sessionPurpose: try context.enterpriseFlow.finishSession(attempt, flow.nonce, profile)
            default: throw ClerkError.badCallback
            }
        }
    }
}
