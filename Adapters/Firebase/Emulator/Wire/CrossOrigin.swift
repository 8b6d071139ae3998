internal import LockstepEmulation

/// The headers that browsers need before a page may call another origin.
enum CrossOrigin {
    static func install(in router: inout Router) {
        router.before = preflight
        router.after = allowOrigin
    }

    /// Responds to a browser's preflight request.
    @Sendable private static func preflight(_ request: EmulatorRequest) -> EmulatorResponse? {
        guard request.method == "OPTIONS" else { return nil }
        var response = EmulatorResponse.empty()
            .with("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
            .with("Vary", "Origin, Access-Control-Request-Headers")
        response.headers["Access-Control-Allow-Headers"] = request.headers["access-control-request-headers"]
        return response
    }

    /// Pages do not have this header: they are opened directly, and no script of another site may read the accounts and
    /// codes in them.
    @Sendable private static func allowOrigin(_ request: EmulatorRequest, _ response: inout EmulatorResponse) {
        if response.headers["Content-Type"]?.hasPrefix("text/html") == true { return }
        response.headers["Access-Control-Allow-Origin"] = request.headers["origin"]
        if response.headers["Vary"] == nil { response.headers["Vary"] = "Origin" }
        if request.headers["access-control-request-private-network"] != nil {
            response.headers["Access-Control-Allow-Private-Network"] = "true"
        }
    }
}
