internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The user's organizations.
///
/// Clerk keeps the active organization in the session (`touch`), and puts it into every later token that names no other
/// one (Clerk's Frontend API, `createSessionToken`: "If absent, the previous active organization for the session will
/// be used").
struct OwnOrganizations: OrganizationSwitching {
    let api: ClerkAPI

    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization]) {
        var (user, organizations): (String?, [Organization]) = (nil, [])
        repeat {
            // Without `paginated`, the document also allows a bare array.
            let query = [
                (name: "paginated", value: "true"), (name: "limit", value: String(Self.page)),
                (name: "offset", value: String(organizations.count)),
            ]
            let page = try await api.about(session, .get, "/me/organization_memberships", query: query).resource()
            guard let elements = page["data"]?.array, let total = page["total_count"]?.int else {
                throw ErrorMapping.incomplete("the list of organizations")
            }
            for element in elements {
                guard let organization = Organization(membership: element) else {
                    throw ErrorMapping.incomplete("the organization of a membership")
                }
                let member = element["public_user_data"]?["user_id"]?.filled
                guard user == nil || member == user else {
                    throw ErrorMapping.incomplete("a list with the organizations of one user only")
                }
                user = member
                organizations.append(organization)
            }
            guard elements.count == Self.page, organizations.count < total else { break }
        } while true
        return (user, organizations)
    }

    /// The number of organizations in one request; Clerk returns at most 500.
    private static let page = 100

    /// Sets the active organization; an empty name means the personal account.
    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session {
        guard let id = session.id else { throw ErrorMapping.incomplete("the session's id") }
        let form = [(name: "active_organization_id", value: organization?.id ?? ""), (name: "intent", value: "select_org")]
        let response: ClerkResponse
        do {
            response = try await api.deciding(about: id, client: session.refreshToken) { () async throws(AuthError) in
                try await api.call(.post, "/client/sessions/\(id)/touch", form, client: session.refreshToken)
            }
        } catch  where error.mayHaveTakenEffect {
            // If the switch was made, the next token is for the organization in any case, so the session must contain
            // it, too.
            guard let now = try? await api.session(id, user: session.user, client: session.refreshToken),
                now.organizationID?.exact == organization?.id.exact, now.organizationID?.exact != session.organizationID?.exact
            else { throw error }
            return now
        }
        let client = response.client ?? session.refreshToken
        let switched: Session
        do {
            switched = try await api.session(id, user: session.user, client: client)
        } catch  where !error.isVerdict {
            // The organization is switched, so the next use requests a token for it.
            var expired = session
            expired.refreshToken = client
            expired.lifetime = TokenLifetime(life: .zero, clock: api.clock)
            return expired
        }
        if organization == nil, switched.organizationID != nil {
            throw AuthError(
                .notEnabled, "The instance requires an organization in every session. Make another organization active instead.")
        }
        guard switched.organizationID?.exact == organization?.id.exact else {
            throw ErrorMapping.incomplete("the chosen organization")
        }
        return switched
    }
}

extension Organization {
    fileprivate init?(membership: JSON) {
        guard let organization = membership["organization"], let id = organization["id"]?.filled else { return nil }
        self.init(id: id, name: organization["name"]?.filled ?? id, role: membership["role"]?.filled)
    }
}
