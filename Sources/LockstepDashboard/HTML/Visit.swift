internal import LockstepEmulation
internal import LockstepPrimitives

/// One request of a person's browser, with what pages need to answer it.
struct Visit: Sendable {
    let emulators: [DashboardEmulator]
    let request: EmulatorRequest
    let session: BrowserSession
    /// The fields of a form.
    let fields: Parameters
    /// The machine's clock.
    let clock: any DeviceClock

    init(_ request: EmulatorRequest, _ session: BrowserSession, to emulators: [DashboardEmulator], clock: any DeviceClock) {
        self.emulators = emulators
        self.request = request
        self.session = session
        self.clock = clock
        fields = request.method == "POST" ? request.form() : Parameters()
    }

    /// The provider that the query chooses; `nil` for all.
    var chosen: DashboardEmulator? {
        request.query["provider"].flatMap { name in emulators.first { $0.name == name } }
    }

    /// The emulators that a page shows.
    var shown: [DashboardEmulator] { chosen.map { [$0] } ?? emulators }

    /// The emulator that the path names.
    func emulator() throws(ErrorPage) -> DashboardEmulator {
        let name = request[placeholder: "provider"]
        guard let emulator = emulators.first(where: { $0.name == name }) else {
            throw ErrorPage(404, "No emulator \"\(name.prefix(40))\" is running here. Choose one on the start page.")
        }
        return emulator
    }

    /// A search text of the query; `nil` for none.
    func query(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A field of the form; empty if it is missing.
    func field(_ name: String) -> String { fields[name] ?? "" }

    /// The field of a form if a person has changed it, and `nil` if it is as the page has shown it.
    ///
    /// A page shows hidden characters as code points and long texts cut: such a text is never written back.
    func changed(_ name: String) -> String? {
        guard let value = fields[name].map(Self.lines) else { return nil }
        return value == Self.lines(field("was-" + name)) ? nil : value
    }

    /// A browser writes each line end of a field as CR LF.
    private static func lines(_ text: String) -> String { text.replacingScalars { $0 == "\r" ? "" : nil } }

    /// The response after a form: another page, which says what was done.
    func done(_ notice: Notice, at address: PageAddress) -> EmulatorResponse {
        .redirect(to: address.text + (address.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "done=" + notice.rawValue)
    }
}

extension DashboardEmulator {
    /// Calls a control route.
    ///
    /// - Returns: The document.
    /// - Throws: ``ErrorPage`` with the route's own sentence.
    @discardableResult
    func call(
        _ method: String, _ path: PageAddress, query: [(name: String, value: String)] = [], _ body: JSON? = nil
    ) async throws(ErrorPage) -> JSON {
        let answer = await server.controlCalls.send(method, path.text, query: query, body)
        if let refusal = answer.refusal { throw ErrorPage(answer.status == 404 ? 404 : 422, refusal) }
        return answer.document
    }
}

/// What a form has done, as the next page says it.
enum Notice: String, CaseIterable {
    case userCreated, userChanged, userDeleted, sessionEnded, sessionsEnded, factorAdded, factorRemoved
    case faultSet, faultLifted, faultReleased, clockChanged, settingChanged, callRepeated, messagesDeleted, outboxChanged, isReset

    var sentence: String {
        switch self {
        case .userCreated: "The user was created."
        case .userChanged: "The user was changed."
        case .userDeleted: "The user was deleted."
        case .sessionEnded: "The session was ended."
        case .sessionsEnded: "All sessions of the user were ended."
        case .factorAdded: "The second factor was added."
        case .factorRemoved: "The second factor was removed."
        case .faultSet: "The fault was set."
        case .faultLifted: "The fault was lifted. Requests on hold continue."
        case .faultReleased: "The requests on hold were released."
        case .clockChanged: "The clock was changed."
        case .settingChanged: "The setting was changed. It holds until the next reset."
        case .callRepeated: "The call was repeated."
        case .messagesDeleted: "The messages were deleted."
        case .outboxChanged: "The mail server and the SMS provider were changed."
        case .isReset: "Everything was deleted, and the seed was restored."
        }
    }
}
