internal import LockstepPrimitives
internal import LockstepTokens

/// The self-contained tokens of Firebase's emulator: unsigned JSON in base 64.
enum OpenToken {
    private static let marker: JSON = "DO NOT MODIFY"
    private static let refreshMark = "_AuthEmulatorRefreshToken"
    private static let pendingMark = "_AuthEmulatorMfaPendingCredential"

    static func refresh(_ session: Session) -> String {
        let members = JSONObject(given: [
            refreshMark: marker, "localId": session.localID, "provider": session.grant.provider,
            "extraClaims": session.grant.claims, "projectId": session.project,
            "secondFactor": session.grant.secondFactor.map { JSONObject(given: ["identifier": $0.id, "provider": $0.kind]) },
            "tenantId": session.tenant,
        ])
        return Base64.encode(members.json.bytes())
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
        let members = JSONObject(given: [
            pendingMark: marker, "localId": user.localID, "signInProvider": provider, "projectId": scope.project,
            "tenantId": scope.tenant,
        ])
        return Base64.encode(members.json.bytes())
    }

    /// The members of a pending credential; `nil` for anything else.
    static func members(ofPending credential: String) -> JSONObject? { read(credential, mark: pendingMark) }

    /// Reads a token of any issuer; of its signature, only the alphabet is checked, because the signatures of example
    /// tokens are not whole bytes.
    static func foreign(_ token: String) -> UnverifiedToken? {
        guard let dot = token.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let signature = token.utf8[token.utf8.index(after: dot)...]
        guard signature.allSatisfy(\.isBase64URL) else { return nil }
        return try? UnverifiedToken(String(token[...dot]))
    }

    private static func read(_ token: String, mark: String) -> JSONObject? {
        guard let bytes = Base64.decode(token) ?? Base64.decode(token, .url), let members = (try? JSON.parse(bytes))?.object,
            members[mark] != nil
        else { return nil }
        return members
    }
}

extension UInt8 {
    fileprivate var isBase64URL: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
