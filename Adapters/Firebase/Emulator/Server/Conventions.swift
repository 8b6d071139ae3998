internal import LockstepEmulation
internal import LockstepPrimitives

/// Rules of all answers: origins, errors, methods.
enum Conventions {
    /// Answers a browser's preflight request.
    static let preflight: @Sendable (EmulatorRequest) throws -> EmulatorResponse? = { request in
        guard request.method == "OPTIONS" else { return nil }
        var answer = EmulatorResponse.empty()
            .with("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
            .with("Vary", "Origin, Access-Control-Request-Headers")
        answer.headers["Access-Control-Allow-Headers"] = request.headers["access-control-request-headers"]
        return answer
    }

    static let allowOrigin: @Sendable (EmulatorRequest, inout EmulatorResponse) -> Void = { request, answer in
        answer.headers["Access-Control-Allow-Origin"] = request.headers["origin"]
        if answer.headers["Vary"] == nil { answer.headers["Vary"] = "Origin" }
        if request.headers["access-control-request-private-network"] != nil {
            answer.headers["Access-Control-Allow-Private-Network"] = "true"
        }
    }

    /// Firebase's emulator answers these without its error envelope.
    static let methodNotAllowed: @Sendable (EmulatorRequest, [String]) -> EmulatorResponse = { request, methods in
        let target = request.rawPath + (request.rawQuery.isEmpty ? "" : "?" + request.rawQuery)
        return EmulatorResponse.json(
            ["message": .string("Method \(request.method) not allowed for \(target)")], status: 405,
            contentType: "application/json; charset=utf-8"
        ).with("Allow", methods.joined(separator: ", "))
    }

    static func answer(_ error: any Error) -> EmulatorResponse {
        answer(error as? APIError ?? .inside("\(type(of: error)): \(error)"))
    }

    static func answer(_ error: APIError) -> EmulatorResponse {
        .json(error.body, status: error.status, contentType: "application/json; charset=utf-8")
    }

    static func answer(_ refusal: Refusal) -> EmulatorResponse {
        answer(APIError.unreadable(refusal.sentence, status: refusal.status))
    }
}
