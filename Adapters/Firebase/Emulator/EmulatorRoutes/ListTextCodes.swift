internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /emulator/v1/projects/{p}/verificationCodes`: the codes that were sent by text message and are open.
struct ListTextCodes: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let codes = try call.reading { db in try db.textCodes(in: call.space) }
        return ["verificationCodes": .array(codes.map(\.json))]
    }
}
