public import Lockstep
internal import LockstepDirectory
internal import LockstepHTTP
public import LockstepPrimitives
internal import LockstepWire

/// A list that a Clerk instance has beside its users.
public enum ClerkList: String, Sendable, Hashable, CaseIterable {
    /// Organizations.
    case organizations
    /// The members of all organizations.
    case memberships = "organization_memberships"
    /// The roles that members can have.
    case roles = "organization_roles"
    /// The connections of organizations to their own identity providers.
    case connections = "enterprise_connections"
}

extension ClerkDirectory {
    /// Returns a part of a list, with the names of the provider-independent form of users.
    ///
    /// An instance in which organizations are off has none.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - start: The number of entries before the part.
    ///   - size: The maximum number of entries in the part. Default: 500, which is Clerk's maximum.
    /// - Returns: The entries, and the number of all entries of the list.
    /// - Throws: An `AuthError` of the backend.
    public func entries(
        of list: ClerkList, after start: Int, size: Int = 500
    ) async throws(AuthError) -> (entries: [JSONObject], total: Int) {
        let query: HTTPForm = ["limit": String(size), "offset": String(start)]
        let answer: JSONObject
        do throws(AuthError) {
            answer = try await call(.get, "/\(given: list.rawValue)", query: query).object
        } catch  where error.code == .notEnabled {
            return ([], 0)
        }
        guard let data = answer["data"]?.array, let total = answer["total_count"]?.int, total >= 0 else {
            throw DirectoryErrors.incomplete("the list \(list.rawValue)")
        }
        return (data.map { list.entry($0) }, Int(total))
    }
}

extension ClerkList {
    /// The names in an entry, and Clerk's names.
    private var members: [(name: String, clerk: String)] {
        switch self {
        case .organizations:
            [
                ("id", "id"), ("name", "name"), ("slug", "slug"), ("appMetadata", "public_metadata"),
                ("privateMetadata", "private_metadata"),
            ]
        case .memberships:
            [("role", "role"), ("appMetadata", "public_metadata"), ("privateMetadata", "private_metadata")]
        case .roles: [("id", "id"), ("role", "key"), ("name", "name"), ("description", "description")]
        case .connections:
            [
                ("id", "id"), ("name", "name"), ("provider", "provider"), ("domains", "domains"), ("active", "active"),
                ("organization", "organization_id"),
            ]
        }
    }

    fileprivate func entry(_ object: JSON) -> JSONObject {
        var entry: JSONObject = [:]
        switch self {
        case .memberships:
            entry["organization"] = object["organization"]?["id"]
            entry["user"] = object["public_user_data"]?["user_id"]
        default: break
        }
        for (name, clerk) in members {
            guard let value = object[clerk], !value.isNull, value.object?.isEmpty != true, value != "" else { continue }
            entry[name] = value
        }
        if self == .organizations, object["has_image"]?.bool == true { entry["photoURL"] = object["image_url"] }
        if self == .roles { entry["permissions"] = .array((object["permissions"]?.array ?? []).compactMap { $0["key"] }) }
        entry["createdAt"] = object["created_at"]?.int.map { .string(Instant(milliseconds: $0).rfc3339) }
        return entry
    }
}
