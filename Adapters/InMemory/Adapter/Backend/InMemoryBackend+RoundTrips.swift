public import Lockstep
internal import LockstepPrimitives

extension InMemoryBackend {
    /// The prefix that the URLs of all identity provider pages share.
    public static let pages = "https://accounts.memory.invalid/authorize?"

    /// Approves a sign-in on an identity provider's page, as a person would.
    ///
    /// ```swift
    /// if case .redirect(let step) = try await client.signIn(with: .oauth(.google)) {
    ///     let person = InMemoryIDToken(provider: .google, subject: "person-1", expiresAt: clock.now + .seconds(600))
    ///     _ = await client.handle(try await backend.consent(to: step.url, as: person))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - person: The person's account at the provider.
    /// - Returns: The URL that opens the app.
    /// - Throws: `linkInvalid` if no sign-in returned this page, or if the page belongs to another provider.
    public func consent(to page: String, as person: InMemoryIDToken) throws(AuthError) -> String {
        let state = Secret(try Callback(page).parameters["state"] ?? "")
        guard page.hasPrefix(Self.pages), var trip = roundTrips[state], trip.provider == person.provider else {
            throw AuthError(.linkInvalid, "No sign-in opened this page.")
        }
        let token = secret()
        trip.consent = (token, person)
        roundTrips[state] = trip
        let query = Percent.encodeForm([
            (name: "token", value: token.reveal()), (name: "kind", value: trip.kind.rawValue),
            (name: "state", value: state.reveal()),
        ])
        return "\(settings.callbackURL)?\(query)"
    }

    /// Begins a redirect.
    ///
    /// - Returns: The page to open, and the id of the redirect.
    func beginRoundTrip(
        _ credential: OAuthCredential, kind: Flow.Kind, target: InMemoryIdentityTarget
    ) async throws(AuthError) -> (page: String, state: Secret) {
        let strange: @Sendable (String) -> (page: String, state: Secret) = { (page: $0, state: "") }
        return try await exchange(.signIn, otherAddress: strange) { backend throws(AuthError) in
            try backend.refuseIfOff(.oauth)
            let state = backend.secret()
            backend.roundTrips[state] = InMemoryRoundTripRecord(
                provider: credential.provider, user: try backend.user(of: target), kind: kind, startedAt: backend.clock.now)
            var query = [(name: "provider", value: credential.provider.rawValue), (name: "state", value: state.reveal())]
            if !credential.scopes.isEmpty { query.append((name: "scope", value: credential.scopes.joined(separator: " "))) }
            query += credential.parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
            return (Self.pages + Percent.encodeForm(query), state)
        }
    }

    /// Ends a redirect; `nil` if the token belongs to another link.
    func end(roundTripBy token: Secret) throws(AuthError) -> InMemoryOutcome? {
        guard let (state, trip) = roundTrips.first(where: { $0.value.consent?.token == token }), let consent = trip.consent
        else { return nil }
        guard !trip.isUsed else {
            throw AuthError(
                .linkUsed, "The link was already used.", remedies: [.startAgain],
                provider: ProviderDetail(code: "link_used", status: 422))
        }
        guard trip.startedAt + settings.proofLife > clock.now else {
            throw AuthError(
                .linkExpired, "The link has expired.", remedies: [.startAgain],
                provider: ProviderDetail(code: "link_expired", status: 422))
        }
        roundTrips[state]?.isUsed = true
        return try enter(consent.person, name: consent.person.name, as: trip.user)
    }
}
