internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /emulator/v1/projects/{p}/verificationCodes`: the codes that were sent by text message and are open.
struct ListTextCodes: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let codes = try request.db.textCodes(in: request.scope)
        return ["verificationCodes": .array(codes.map(\.json))]
    }
}
