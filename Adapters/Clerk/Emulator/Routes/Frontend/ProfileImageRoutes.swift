import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/me/profile_image`, and `/images/{image_id}`, which returns pictures.
struct ProfileImageRoutes {
    let context: RequestContext

    func set() throws -> Answer {
        var user = try context.user
        let (record, url) = try context.images.store(try context.file("file"), replacing: user.imageURL)
        user.imageURL = url
        try context.users.save(&user)
        return .resource([
            "object": "image", "id": .string(record.id), "name": .string("profile_image"), "public_url": .string(url),
        ])
    }

    func delete() throws -> Answer {
        var user = try context.user
        guard let url = user.imageURL else { throw ClerkError.imageNotFound }
        try context.images.delete(url)
        user.imageURL = nil
        try context.users.save(&user)
        return .resource([
            "object": "image", "id": .string(url.pieces(at: "/").last.map(String.init) ?? ""), "deleted": true,
        ])
    }

    func show() throws -> Answer {
        let id = context.piece("image_id")
        guard let image = try context.db.find(ImageRecord.self, "id = \(id)") else { throw ClerkError.imageNotFound }
        return .file(image.bytes, type: image.type)
    }
}
