internal import LockstepPrimitives
internal import LockstepTokens

/// The self-contained tokens of Firebase's emulator: unsigned JSON in base 64.
enum OpenToken {
    private static let marker: JSON = "DO NOT MODIFY"
    private static let refreshMark = "_AuthEmulatorRefreshToken"
    private static let pendingMark = "_AuthEmulatorMfaPendingCredential"

    static func refresh(_ session: Session) -> String {
        var members: JSONObject = [refreshMark: marker]
        members["localId"] = .string(session.localID)
        members["provider"] = .string(session.grant.provider)
        members["extraClaims"] = .object(session.grant.claims)
        members["projectId"] = .string(session.project)
        if let factor = session.grant.secondFactor {
            members["secondFactor"] = ["identifier": .string(factor.id), "provider": .string(factor.kind)]
        }
        members["tenantId"] = session.tenant.map(JSON.string)
        return Base64.encode(JSON.object(members).bytes())
    }

    static func session(ofRefresh token: String) -> Session? {
        guard let members = read(token, mark: refreshMark), let localID = members["localId"]?.string,
            let provider = members["provider"]?.string, let project = members["projectId"]?.string
        else { return nil }
        var factor: Grant.SecondFactor?
        if let id = members["secondFactor"]?["identifier"]?.string, let kind = members["secondFactor"]?["provider"]?.string {
            factor = Grant.SecondFactor(id: id, kind: kind)
        }
        return Session(
            project: project, tenant: members["tenantId"]?.string, localID: localID,
            grant: Grant(provider: provider, claims: members["extraClaims"]?.object ?? [:], secondFactor: factor), createdAt: nil)
    }

    static func pending(_ user: User, provider: String, in scope: ProjectScope) -> String {
        var members: JSONObject = [pendingMark: marker]
        members["localId"] = .string(user.localID)
        members["signInProvider"] = .string(provider)
        members["projectId"] = .string(scope.project)
        members["tenantId"] = scope.tenant.map(JSON.string)
        return Base64.encode(JSON.object(members).bytes())
    }

    /// The members of a pending credential; `nil` for anything else.
    static func members(ofPending credential: String) -> JSONObject? { read(credential, mark: pendingMark) }

    /// A token of any issuer, whose signature is only looked at for its alphabet: those of example tokens are no whole bytes.
    static func foreign(_ token: String) -> UnverifiedToken? {
        let parts = token.pieces(at: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
            return nil
        }
        return try? UnverifiedToken("\(parts[0]).\(parts[1]).")
    }

    private static func read(_ token: String, mark: String) -> JSONObject? {
        guard let bytes = Base64.decode(token) ?? Base64.decode(token, .url), let members = (try? JSON.parse(bytes))?.object,
            members[mark] != nil
        else { return nil }
        return members
    }
}
