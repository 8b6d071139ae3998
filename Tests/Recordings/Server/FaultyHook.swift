internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTestSupport

/// A receiver of the send-SMS hook: `/sms` confirms, and the last digits of the number decide the response of `/sms-faults`.
final class FaultyHook: Emulator {
    static let provider = "hook"
    let router: Router

    init() {
        var router = Router()
        router.on("POST", "/sms") { _ -> EmulatorResponse in .json([:]) }
        router.on("POST", "/sms-faults") { request -> Reply in
            let body = try request.json()
            let phone = body["sms"]?["phone"]?.string ?? body["user"]?["phone"]?.string ?? ""
            switch phone.suffix(3) {
            case "403": return .now(.json(["error": ["http_code": 403, "message": "This number is blocked"]]))
            case "500": return .now(.json(["message": "no"], status: 500))
            case "415": return .now(.text("{}", contentType: "text/plain"))
            case "408":
                return .later {
                    // The caller cancels before.
                    try await FixedClock().sleep(for: .seconds(7))
                    return .json([:])
                }
            default: return .now(.json([:]))
            }
        }
        self.router = router
    }

    func reset() {}
}
