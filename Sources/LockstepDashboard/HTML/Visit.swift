internal import LockstepEmulation
internal import LockstepPrimitives

/// A request of a browser, with the data that pages need.
struct Visit: Sendable {
    let emulators: [DashboardEmulator]
    let request: EmulatorRequest
    let session: BrowserSession
    /// The fields of a form.
    let fields: Parameters
    /// The machine's clock.
    let clock: any DeviceClock
    /// The numbers of the last changes before the page reads anything, so that a change during the reading is not missed.
    let position: String

    init(_ request: EmulatorRequest, _ session: BrowserSession, to emulators: [DashboardEmulator], clock: any DeviceClock) {
        self.emulators = emulators
        self.request = request
        self.session = session
        self.clock = clock
        position = Feed.position(of: emulators)
        fields = request.method == "POST" ? request.form() : Parameters()
    }

    /// The provider that the query selects; `nil` for all.
    var chosen: DashboardEmulator? {
        request.query["provider"].flatMap { name in emulators.first { $0.name == name } }
    }

    /// The emulators on the page.
    var shown: [DashboardEmulator] { chosen.map { [$0] } ?? emulators }

    /// Returns the emulator in the path.
    func emulator() throws(ErrorPage) -> DashboardEmulator {
        let name = request[placeholder: "provider"]
        guard let emulator = emulators.first(where: { $0.name == name }) else {
            throw ErrorPage(404, "No emulator \"\(name.prefix(40))\" is running here. Choose one on the start page.")
        }
        return emulator
    }

    /// Returns a search text of the query; `nil` for none.
    func query(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the text to search for; `nil` for none.
    func searchText() throws(ErrorPage) -> String? {
        guard let text = query("query") else { return nil }
        guard text.utf8.count <= 256 else { throw ErrorPage(422, "The search text is too long. Use at most 256 bytes.") }
        return text
    }

    /// Returns a field of the form; empty if it is missing.
    func field(_ name: String) -> String { fields[name] ?? "" }

    /// Returns the field of a form if a person has changed it; `nil` if it is unchanged.
    ///
    /// A page shows hidden characters as code points, and shortens long texts. Such a text is never written back.
    func changed(_ name: String) -> String? {
        guard let value = fields[name].map(Self.lines) else { return nil }
        return value == Self.lines(field("was-" + name)) ? nil : value
    }

    /// Returns the text without the carriage returns that a browser adds to line breaks.
    private static func lines(_ text: String) -> String { text.replacingScalars { $0 == "\r" ? "" : nil } }

    /// Returns the response after a form: a redirect to a page with a notice.
    func done(_ notice: Notice, at address: PageAddress) -> EmulatorResponse {
        .redirect(to: address.text + (address.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "done=" + notice.rawValue)
    }
}

extension DashboardEmulator {
    /// Calls a control route.
    ///
    /// - Returns: The document.
    /// - Throws: ``ErrorPage`` with the route's error message.
    @discardableResult
    func call(
        _ method: String, _ path: PageAddress, query: [(name: String, value: String)] = [], _ body: JSON? = nil
    ) async throws(ErrorPage) -> JSON {
        let answer = await server.controlCalls.send(method, path.text, query: query, body)
        if let refusal = answer.refusal { throw ErrorPage(answer.status == 404 ? 404 : 422, refusal) }
        return answer.document
    }
}

/// The notice on the next page after a form.
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
        case .faultLifted: "The fault was removed. Requests on hold continue."
        case .faultReleased: "The requests on hold were released."
        case .clockChanged: "The clock was changed."
        case .settingChanged: "The setting was changed. The change lasts until the next reset."
        case .callRepeated: "The call was repeated."
        case .messagesDeleted: "The messages were deleted."
        case .outboxChanged: "The mail server and the SMS provider were changed."
        case .isReset: "Everything was deleted, and the seed was restored."
        }
    }
}
