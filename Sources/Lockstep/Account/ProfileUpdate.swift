public import LockstepPrimitives

/// Changing the name, the photo and the user's own metadata.
public protocol ProfileUpdate: Sendable {
    /// Whether a photo can be set.
    var takesPhoto: Bool { get }

    /// Whether the backend keeps metadata that a user may change.
    var takesMetadata: Bool { get }

    /// Changes what is given and leaves the rest.
    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session
}

extension ProfileUpdate {
    /// The backend keeps none.
    public var takesMetadata: Bool { false }
}

/// What to change of a profile; `nil` leaves a value as it is.
public struct ProfileChanges: Sendable, Hashable {
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Members of the user's own metadata: each one given takes the place of the one of its name, whole, `null` removes it, and
    /// all others stay.
    public var metadata: JSONObject?

    /// Changes.
    public init(displayName: String? = nil, photoURL: String? = nil, metadata: JSONObject? = nil) {
        self.displayName = displayName
        self.photoURL = photoURL
        self.metadata = metadata
    }
}
