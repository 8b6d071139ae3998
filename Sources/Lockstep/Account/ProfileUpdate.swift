/// Changing the name and the photo.
public protocol ProfileUpdate: Sendable {
    /// Whether a photo can be set.
    var takesPhoto: Bool { get }

    /// Changes what is given and leaves the rest.
    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session
}

/// What to change of a profile; `nil` leaves a value as it is.
public struct ProfileChanges: Sendable, Hashable {
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?

    /// Changes.
    public init(displayName: String? = nil, photoURL: String? = nil) {
        self.displayName = displayName
        self.photoURL = photoURL
    }
}
