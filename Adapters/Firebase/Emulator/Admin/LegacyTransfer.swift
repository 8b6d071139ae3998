internal import LockstepEmulation
internal import LockstepPrimitives

/// `downloadAccount` and `uploadAccount` of version 3, which `firebase auth:export` and `auth:import` call: the same as `batchGet` and
/// `batchCreate`, with the project in the body.
enum LegacyTransfer {
    /// The request in the form of `batchGet`, and the project: the other members of the body become the query.
    static func download(_ request: EmulatorRequest) throws(APIError) -> (EmulatorRequest, project: String) {
        let (project, members) = try body(of: request)
        var changed = EmulatorRequest(
            method: "GET", target: request.rawPath + (request.rawQuery.isEmpty ? "" : "?" + request.rawQuery),
            headers: request.headers, remoteAddress: request.remoteAddress)
        for (name, value) in members {
            changed.query.pairs.append((name, value.string ?? value.int.map { String($0) } ?? ""))
        }
        return (changed, project)
    }

    /// The request in the form of `batchCreate`, and the project.
    static func upload(_ request: EmulatorRequest) throws(APIError) -> (EmulatorRequest, project: String) {
        (request, try body(of: request).project)
    }

    private static func body(of request: EmulatorRequest) throws(APIError) -> (project: String, members: JSONObject) {
        let parsed = request.body.isEmpty ? [:] : try? JSON.parse(request.body)
        guard let members = parsed?.object else { throw .badPayload(" must be object", reason: "parseError") }
        var camel = JSONObject()
        for (name, value) in members { camel[MemberSpelling.camelCase(name)] = value }
        guard let project = camel["targetProjectId"]?.string, !project.isEmpty else { throw .refused(.insufficientPermission) }
        camel["targetProjectId"] = nil
        return (project, camel)
    }
}
