internal import LockstepEmulation
internal import LockstepPrimitives
internal import Synchronization

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
    /// What the dashboard remembers between requests.
    let memory: DashboardMemory

    init(
        _ request: EmulatorRequest, _ session: BrowserSession, to emulators: [DashboardEmulator], clock: any DeviceClock,
        memory: DashboardMemory = DashboardMemory()
    ) {
        self.emulators = emulators
        self.request = request
        self.session = session
        self.clock = clock
        self.memory = memory
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

    /// Whether each word of the search is in one of these texts.
    static func search(_ query: String?, in texts: [String?]) -> Bool {
        guard let query else { return true }
        let texts = texts.compactMap { $0?.lowercased() }
        return query.lowercased().pieces(at: " ").allSatisfy { word in texts.contains { $0.contains(bytesOf: String(word)) } }
    }

    /// Returns the text for a list in which the search or a filter leaves nothing.
    func noMatch(_ what: Markup, at path: String) -> Markup {
        "No \(what) matches. <a href=\"\(PageAddress(path, query: ["provider": chosen?.name]))\">Show all</a>."
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

    /// The path and the query of the page, without the notice of a form.
    var target: String {
        let pairs = request.query.pairs.filter { $0.name != "done" }
        return request.rawPath + (pairs.isEmpty ? "" : "?" + Percent.encodeForm(pairs))
    }

    /// Returns the response after a form: a redirect to a page with a notice.
    ///
    /// A button of the bar names its page in the field `back`. An address with a host is ignored.
    func done(_ notice: Notice, at address: PageAddress) -> EmulatorResponse {
        let back = field("back")
        let isOwn =
            back.hasPrefix("/") && !back.hasPrefix("//") && back.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != 0x5c }
        let place = isOwn ? back : address.text
        return .redirect(to: place + (place.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "done=" + notice.rawValue)
    }

    /// A text that differs after a restart of the dashboard.
    var start: String { memory.start }

    /// Whether nobody has opened a message on the dashboard.
    func isUnread(_ message: Message) -> Bool { !memory.hasOpened(message.number, of: message.emulator.name) }

    /// The number of these messages of an emulator.
    func unread(at emulator: DashboardEmulator) -> Int { Message.all(of: emulator).count(where: isUnread) }

    /// Notes that a person has opened a message.
    func open(_ message: Message) { memory.open(message.number, of: message.emulator.name) }
}

/// What the dashboard remembers between requests.
///
/// The emulators do not know it: reading a page changes no emulator.
final class DashboardMemory: Sendable {
    /// A text that differs after a restart.
    let start = SystemRandomness().text(8)
    /// The last sign-up on all backends.
    let run = Mutex<SignUpRun?>(nil)
    private let runs = Atomic(0)
    private let opened = Mutex<[String: Set<Int>]>([:])

    func nextRun() -> Int { runs.add(1, ordering: .relaxed).newValue }

    /// Whether a message was opened on the dashboard.
    func hasOpened(_ number: Int, of provider: String) -> Bool { opened.withLock { $0[provider]?.contains(number) == true } }

    func open(_ number: Int, of provider: String) { opened.withLock { _ = $0[provider, default: []].insert(number) } }
}

extension DashboardEmulator {
    /// The provider's name in a table: "Supabase" for "Supabase (GoTrue)".
    var word: String { title.range(ofBytes: " (").map { String(title[..<$0.lowerBound]) } ?? title }

    /// The provider's name with its colour.
    var mark: Markup { "<span class=\"p \(name)\">\(word)</span>" }

    /// The faults that will affect a request.
    var activeFaults: [Fault] { server.panel.faults.filter { $0.remaining > 0 } }

    /// Returns a time of the backend as an age, with the date in its tooltip.
    func time(_ text: String?) -> Markup {
        guard let text, let instant = Instant(rfc3339: text) else { return "–" }
        let clock = server.panel.clock
        let age = Age(of: instant, at: clock.now)
        // A script counts the seconds of a clock that runs.
        let counted: Markup = clock.isStopped || age.seconds < 0 ? "" : " data-age=\"\(age.seconds)\""
        return "<time datetime=\"\(text)\" title=\"\(instant.plain) UTC\"\(counted)>\(age.short)</time>"
    }

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
    case faultSet, faultLifted, faultReleased, clockChanged, settingChanged, callRepeated, messagesDeleted, messagesRead,
        outboxChanged, isReset

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
        case .messagesRead: "All messages are marked as read."
        case .outboxChanged: "The mail server and the SMS provider were changed."
        case .isReset: "Everything was deleted, and the seed was restored."
        }
    }
}
