internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes of the dashboard, and the headers of every response.
struct PageRoutes: Sendable {
    typealias Page = @Sendable (Visit) async throws -> EmulatorResponse

    let emulators: [DashboardEmulator]
    let tokenChecks: TokenChecks?
    let admission: Admission
    let clock: any DeviceClock
    private let memory = DashboardMemory()

    init(
        emulators: [DashboardEmulator], tokenChecks: TokenChecks?, admission: Admission, clock: any DeviceClock
    ) {
        (self.emulators, self.tokenChecks, self.admission, self.clock) = (emulators, tokenChecks, admission, clock)
    }

    func router() -> Router {
        var router = Router()
        router.before = { [admission] in admission.answer(to: $0) }
        router.after = { _, response in Self.protect(&response) }
        router.notFound = { [emulators, admission, clock, memory] request in
            let error = ErrorPage(404, "There is no page \"\(request.path.prefix(200))\".")
            guard let session = admission.session(of: request) else { return error.response }
            return error.response(to: Visit(request, session, to: emulators, clock: clock, memory: memory))
        }
        router.methodNotAllowed = { request, methods in
            let list = methods.joined(separator: ", ")
            return ErrorPage(405, "Method \(request.method) is not allowed here. Use \(list).").response.with("Allow", list)
        }
        router.refused = { refusal, _ in ErrorPage(refusal.status, refusal.sentence).response }
        router.failed = { error, _ in
            (error as? ErrorPage ?? ErrorPage(500, "Internal error: \(type(of: error)). Please report it.")).response
        }
        for (path, type, text) in Assets.all {
            router.on("GET", path) { _ in .text(text, contentType: type) }
        }
        router.on("POST", Admission.linkPath) { [admission] request in
            let key = admission.sessions.makeKey().reveal()
            return .json(["link": .string("http://\(request.headers["host"] ?? "")/?key=\(key)")], status: 201)
        }
        router.on("POST", Admission.forgetPath) { [admission, emulators] _ in
            admission.sessions.forget()
            // Pages that wait for a change ask again, and learn it.
            for emulator in emulators { emulator.server.panel.changes.note(.settings) }
            return .json([:])
        }
        add(to: &router)
        return router
    }

    private func add(to router: inout Router) {
        page("GET", "/", &router) { try await StartPage(visit: $0).response() }
        page("GET", "/changes", &router) { try await Feed(visit: $0).response() }
        page("POST", "/reset/{provider}", &router) { visit in
            try await visit.emulator().call("POST", PageAddress("reset"))
            return visit.done(.isReset, at: PageAddress())
        }
        for add in [
            InboxPage.add, UsersPage.add, SessionsPage.add(checkingBy: tokenChecks), RequestsPage.add, FaultsPage.add,
            ClockPage.add, SettingsPage.add, DeliveriesPage.add, SideBySidePage.add, CommandPage.add,
        ] {
            add { page($0, $1, &router, $2) }
        }
    }

    /// Adds a page for browsers with access.
    private func page(_ method: String, _ pattern: String, _ router: inout Router, _ page: @escaping Page) {
        let (emulators, admission, clock, memory) = (emulators, admission, clock, memory)
        router.on(
            method, pattern,
            suspending: { request in
                guard let session = admission.session(of: request) else {
                    return ErrorPage(401, "This browser no longer has access. Run \"lockstep open\" in a terminal.").response
                }
                let visit = Visit(request, session, to: emulators, clock: clock, memory: memory)
                do {
                    return try await page(visit)
                } catch let error as ErrorPage {
                    return error.response(to: visit)
                }
            })
    }

    /// Adds the security headers to a response.
    private static func protect(_ response: inout EmulatorResponse) {
        if response.headers["Content-Security-Policy"] == nil {
            response.headers.add("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        }
        let isFrame = response.headers["Content-Security-Policy"] == Layout.mailPolicy
        response.headers.add("X-Frame-Options", isFrame ? "SAMEORIGIN" : "DENY")
        response.headers.add("X-Content-Type-Options", "nosniff")
        response.headers.add("Referrer-Policy", "no-referrer")
        response.headers.add("Cache-Control", "no-store")
        response.headers.add("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.add("Cross-Origin-Opener-Policy", "same-origin")
    }
}
