internal import LockstepEmulation
internal import LockstepPrimitives
internal import Synchronization

/// `/side-by-side`: the same sign-up on each backend, in columns that fill while it runs.
struct SideBySidePage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/side-by-side") { SideBySidePage(visit: $0).response() }
        page("POST", "/side-by-side") { visit in
            let email = "person\(visit.memory.nextRun())@example.com"
            visit.memory.run.withLock { $0 = SignUpRun(email: email, on: visit.emulators, clock: visit.clock) }
            return .redirect(to: "/side-by-side")
        }
    }

    private func response() -> EmulatorResponse {
        let run = visit.memory.run.withLock { $0 }
        let rows: [Markup] = SignUpRun.Step.allCases.map { step in
            let cells: [Markup] = visit.emulators.map { emulator in
                "<td>\(run.map { cell($0.cell(step, of: emulator.name), of: emulator, isRunning: $0.isRunning) })</td>"
            }
            return "<td><strong>\(step.rawValue)</strong></td>\(cells)"
        }
        let columns: [Markup] = ["Step"] + visit.emulators.map(\.mark)
        return Layout.page(
            visit, "Side by side", in: "", following: [.requests, .messages],
            tools: Layout.Tools(
                filters: false, action: visit.button("Run a sign-up on all", PageAddress("side-by-side"), isMain: true)),
            """
            <p>The same sign-up, with the requests that each provider's SDK sends. <code>lockstep compare</code> measures every other journey.</p>
            \(.live("columns", """
                \(.table("Side by side", columns, run == nil ? [] : rows, empty: "Press the button: three columns fill while the sign-ups run."))\
                \(run.map { run in "<p class=\"quiet\">\(run.isRunning ? "Running" : "Done"): \(run.email)</p>" })
                """))
            """)
    }

    private func cell(_ cell: SignUpRun.Cell?, of emulator: DashboardEmulator, isRunning: Bool) -> Markup {
        guard let cell else { return isRunning ? "…" : "–" }
        let request: Markup? = cell.request.map { request in
            let last = request.path.pieces(at: "/").last.map(String.init) ?? "/"
            let tenths = Int((request.took / .milliseconds(0.1)).rounded())
            return """
                <br><small>\(.status(Int64(request.status))) \(request.method) \(last, upTo: 80) · \(tenths / 10).\(tenths % 10) ms</small>
                """
        }
        let message: Markup? = cell.message.map { message in
            """
            <br><a href="\(message.address)">\(message.title, upTo: 60)</a> \(message.code.map { CopyableCode(text: $0).markup } ?? message.opening ?? "")
            """
        }
        return "<span\(cell.isBad ? " class=\"bad\"" : "" as Markup)>\(cell.words, upTo: 120)</span>\(message)\(request)"
    }
}
