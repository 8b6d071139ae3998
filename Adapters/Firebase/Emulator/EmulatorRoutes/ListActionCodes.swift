internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /emulator/v1/projects/{p}/oobCodes`: the codes that were mailed and are open.
struct ListActionCodes: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let codes = try call.reading { db in try db.actionCodes(in: call.space) }
        return ["oobCodes": .array(codes.map(\.json))]
    }
}
