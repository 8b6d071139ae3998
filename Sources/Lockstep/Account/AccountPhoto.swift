internal import LockstepPrimitives

extension AccountClient {
    /// Uploads a photo of the user.
    ///
    /// Afterwards, ``User/photoURL`` is the URL of the uploaded photo.
    ///
    /// Use this method only with a backend that stores photos. If the backend stores only the URL of a
    /// photo, call ``update(displayName:photoURL:metadata:)`` instead.
    ///
    /// ```swift
    /// let user = try await client.account.setPhoto(Photo(bytes, type: "image/jpeg"))
    /// print(user.photoURL ?? "no photo")
    /// ```
    ///
    /// - Parameter photo: The photo; `nil` removes the current photo.
    /// - Returns: The user with the new ``User/photoURL``.
    /// - Throws: `invalidInput` if the bytes are not a photo.
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

/// A photo to upload.
///
/// ```swift
/// let photo = Photo(bytes, type: "image/jpeg")
/// try await client.account.setPhoto(photo)
/// ```
public struct Photo: Sendable, Hashable {
    /// The content of the image file.
    public var bytes: [UInt8]
    /// The media type, such as `image/jpeg`.
    public var type: String

    /// Creates a photo.
    ///
    /// - Parameters:
    ///   - bytes: The content of the image file.
    ///   - type: The media type, such as `image/jpeg`.
    public init(_ bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
    }

    /// Checks that the photo is not empty and has an image type.
    ///
    /// - Returns: The photo, unchanged.
    /// - Throws: `invalidInput` if the photo is empty, or if its type is not an image type.
    public func normalized() throws(AuthError) -> Photo {
        guard !bytes.isEmpty else { throw AuthError(.invalidInput, "The photo is empty.") }
        let name = type.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard name.count == 2, name[0] == "image", !name[1].isEmpty,
            name[1].utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            })
        else {
            throw AuthError(.invalidInput, "Unsupported type of the photo. Use an image type such as image/jpeg or image/png.")
        }
        return Photo(bytes, type: type.lowercased())
    }
}

/// The adapter method that uploads a photo of the signed-in user.
public protocol PhotoUpload: Sendable {
    /// Sets or removes the user's photo.
    ///
    /// - Parameters:
    ///   - photo: The photo; `nil` removes the current photo.
    ///   - session: The session of the user.
    /// - Returns: The session with the changed user.
    /// - Throws: `invalidInput` if the backend does not accept the photo.
    func set(_ photo: Photo?, of session: Session) async throws(AuthError) -> Session
}
