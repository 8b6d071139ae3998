internal import LockstepPrimitives

extension AccountClient {
    /// Uploads a photo of the user, whose address is ``User/photoURL`` from then on; `nil` removes it.
    ///
    /// For a backend that keeps photos itself; one that keeps an address of a photo takes it by
    /// ``update(displayName:photoURL:metadata:)``.
    ///
    /// - Throws: `invalidInput` for bytes that are no photo.
    @concurrent
    @discardableResult
    public func setPhoto(_ photo: Photo?) async throws(AuthError) -> User {
        guard let feature = flows.adapter.photoUpload else { throw flows.context.unsupported(.photoUpload) }
        let photo = try photo?.normalized()
        return try await flows.sessions.call("account.setPhoto") { () async throws(AuthError) in
            try await flows.changes.changed { session async throws(AuthError) in try await feature.set(photo, of: session) }.user
        }
    }
}

/// A photo, to be uploaded.
public struct Photo: Sendable, Hashable {
    /// The file.
    public var bytes: [UInt8]
    /// Its media type, such as `image/jpeg`.
    public var type: String

    /// A photo.
    public init(_ bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
    }

    /// The same, checked.
    ///
    /// - Throws: `invalidInput` where it is empty, or no picture by its type.
    public func normalized() throws(AuthError) -> Photo {
        guard !bytes.isEmpty else { throw AuthError(.invalidInput, "The photo is empty.") }
        let name = type.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard name.count == 2, name[0] == "image", !name[1].isEmpty,
            name[1].utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            })
        else { throw AuthError(.invalidInput, "The photo's type is none of a picture: image/jpeg or image/png, for instance.") }
        return Photo(bytes, type: type.lowercased())
    }
}

/// Uploading a photo of the user who is signed in.
public protocol PhotoUpload: Sendable {
    /// Makes the photo the user's, or removes the one that is there, and returns the session with the user.
    ///
    /// - Throws: `invalidInput` where the bytes are no photo that the backend takes.
    func set(_ photo: Photo?, of session: Session) async throws(AuthError) -> Session
}
