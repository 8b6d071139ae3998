internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /emulator/v1/projects/{p}/oobCodes`: the codes that were mailed and are open.
struct ListActionCodes: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let codes = try request.db.actionCodes(in: request.scope)
        return ["oobCodes": .array(codes.map(\.json))]
    }
}
