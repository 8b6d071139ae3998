internal import LockstepDirectory
internal import LockstepPrimitives

/// The members of a user's own data that contain the name and the photo, if a backend has no fields for them.
public struct ProfileMembers: Sendable, Hashable {
    /// The member with the name, such as `full_name`; `nil` for the directory's own choice.
    public var name: String?
    /// The member with the URL of the photo, such as `picture`; `nil` for the directory's own choice.
    public var photo: String?

    /// Creates a choice of members.
    ///
    /// - Parameters:
    ///   - name: The member with the name; `nil` for the directory's own choice.
    ///   - photo: The member with the URL of the photo; `nil` for the directory's own choice.
    public init(name: String? = nil, photo: String? = nil) {
        self.name = name
        self.photo = photo
    }

    /// Returns a user of the source with the name and the photo of these members, as far as they contain any.
    func naming(_ user: DirectoryUser) -> DirectoryUser {
        var user = user
        func text(_ member: String?) -> String? {
            member.flatMap { user.userMetadata[$0]?.string }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let name = text(self.name) { user.displayName = name }
        if let photo = text(self.photo) { user.photoURL = photo }
        return user
    }

    /// Returns data for the target, in which these members contain the name and the photo.
    func adding(_ name: String?, _ photo: String?, to data: JSONObject) -> JSONObject {
        var data = data
        for (member, value) in [(self.name, name), (self.photo, photo)] {
            if let member, let value { data[member] = .string(value) }
        }
        return data
    }
}
