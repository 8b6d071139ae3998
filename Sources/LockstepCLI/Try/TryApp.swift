import Lockstep
import LockstepContracts
import LockstepModels
import LockstepPasswordStrength
import LockstepPrimitives
import LockstepSystem

/// An app whose screens are models of LockstepModels, shown as lines and numbered choices.
@MainActor
final class TryApp {
    struct Options: Sendable {
        var minimum: PasswordStrength.Score?
    }

    let project: TryProject
    let dialogue: Dialogue
    let words = AuthStrings.english
    let options: Options
    private let store: any SessionStore

    /// The model that selects the screen; a relaunch creates another model.
    private(set) var auth: AuthModel
    private var following: Task<Void, Never>?

    // Models that are kept as long as nobody is signed in: what was typed stays after a refusal.
    var signIn: SignInModel?
    var signUp: SignUpModel?
    var reset: PasswordResetModel?
    /// The last address that the app has sent, which all forms show at first.
    var sentEmail = ""
    // Models that are kept as long as their user is signed in.
    var account: AccountModel?
    var deletion: DeletionModel?
    var guest: AnonymousUserModel?
    /// The secrets of authenticator apps, and the backup codes.
    var factors: [EnrolledFactor] = []
    /// The number of inbox messages that were shown.
    var readMessages = 0
    private var lastShown: String?
    /// The changes of the account that were already printed.
    private var saidChange: AccountModel.Change?

    private init(_ project: TryProject, _ options: Options, _ dialogue: Dialogue) async {
        self.project = project
        self.options = options
        self.dialogue = dialogue
        store = MemorySessionStore(clock: project.clock)
        auth = await Self.launch(project, options, store)
    }

    /// Runs the app until the user quits.
    static func run(
        on project: TryProject, _ options: Options, _ place: String, variant: String, _ terminal: Terminal, _ lines: InputLines
    ) async throws {
        let app = await TryApp(project, options, Dialogue(terminal, lines))
        do {
            try await app.run(place, variant)
        } catch let ending as Dialogue.Ending {
            if ending == .inputEnded { try app.dialogue.say("The input ended.") }
        }
        app.following?.cancel()
        try app.dialogue.say(project.controls == nil ? "Goodbye." : "Goodbye. All data of this run was deleted.")
    }

    private func run(_ place: String, _ variant: String) async throws {
        try dialogue.heading("lockstep try")
        try dialogue.say("This is a demo app on \(place). Type a number and press Enter, or q to quit.")
        if !variant.isEmpty { try dialogue.say(variant) }
        follow()
        while true {
            do {
                try await showScreen()
            } catch Dialogue.Ending.back {
                // What was typed is still in its model.
            }
        }
    }

    // MARK: The app's start

    private static func launch(_ project: TryProject, _ options: Options, _ store: any SessionStore) async -> AuthModel {
        let client = AuthClient(
            adapter: project.adapter, store: store,
            effects: ClientEffects(clock: project.clock, randomness: project.randomness))
        await client.restore()
        return AuthModel(client, passwordAdvice: PasswordAdvice(ZxcvbnMeter(words: ["lockstep"]), minimum: options.minimum))
    }

    private func follow() {
        following?.cancel()
        let auth = auth
        following = Task { await auth.run() }
    }

    /// Ends the app and starts it again, with only the data of its store.
    private func relaunch() async throws {
        auth = await Self.launch(project, options, store)
        (account, deletion, guest, lastShown) = (nil, nil, nil, nil)
        (signIn, signUp, reset) = (nil, nil, nil)
        follow()
        try dialogue.say("The app was restarted.")
        throw Dialogue.Ending.back
    }

    // MARK: Screens

    private func showScreen() async throws {
        if let problem = auth.problem {
            try dialogue.complain(problem.text(in: words))
            auth.dismissProblem()
        }
        try tellLastChange()
        if auth.screen.name != .signedIn { (account, deletion) = (nil, nil) }
        if auth.screen.name != .signedOut { (signIn, signUp, reset) = (nil, nil, nil) }
        if auth.email != sentEmail { shareEmail() }
        if let sheet = auth.sheet { return try await show(sheet) }
        if let model = deletion?.reauthentication ?? account?.reauthentication, model.progress == .asking {
            return try await show(model)
        }
        switch auth.screen {
        case .restoring, .unavailable:
            try announce(auth.screen.name.rawValue, words.title(of: auth.screen.name), words.sentence(for: auth.screen))
            try await menu([])
        case .signedOut: try await showSignedOut()
        case .step(let step): try await show(step)
        case .anonymous(let session): try await showGuest(session)
        case .signedIn(let session): try await showAccount(session)
        }
    }

    /// Prints each change once.
    private func tellLastChange() throws {
        let change = account?.lastChange
        defer { saidChange = change }
        guard let change, change != saidChange else { return }
        try dialogue.say(words.sentence(for: change))
    }

    /// Makes a change of the account, and prints it even if the previous change was of the same kind.
    func change(_ model: AccountModel, _ call: @MainActor () async -> Void) async throws {
        saidChange = nil
        try await perform(model.form, call)
    }

    /// Prints the title of a screen, if the screen has changed.
    func announce(_ id: String, _ title: String, _ sentence: String) throws {
        guard id != lastShown else { return }
        lastShown = id
        try dialogue.heading(title)
        if !sentence.isEmpty { try dialogue.say(sentence) }
    }

    /// Asks for a choice of the app's screen, or for one of the letters.
    func menu(_ choices: [Dialogue.Choice]) async throws { try await dialogue.choose(choices, keys: try await keys()) }

    /// Asks for a choice within the screen; a letter shows something, but does not answer the question.
    func ask(among choices: [Dialogue.Choice]) async throws {
        var isAnswered = false
        let choices = choices.map { option in
            choice(option.label) {
                isAnswered = true
                try await option.action()
            }
        }
        while !isAnswered { try await dialogue.choose(choices, keys: try await keys()) }
    }

    /// Whether the user agrees.
    func confirm(yes: String, no: String) async throws -> Bool {
        var isConfirmed = false
        try await ask(among: [choice(yes) { isConfirmed = true }, choice(no) {}])
        return isConfirmed
    }

    /// The letters that are available on each screen.
    ///
    /// A letter that changes the screen ends in ``Dialogue/Ending/back``.
    private func keys() async throws -> [(key: String, choice: Dialogue.Choice)] {
        var keys: [(String, Dialogue.Choice)] = []
        if project.controls != nil {
            let unread = try await messages().count - readMessages
            keys.append(("i", choice("inbox" + (unread > 0 ? " (\(unread) new)" : "")) { try await self.showInbox() }))
        }
        if !factors.isEmpty {
            keys.append(("a", choice("authenticator app") { try await self.showFactorCodes() }))
        }
        if project.controls?.backendClock != nil { keys.append(("t", choice("let time pass") { try await self.letTimePass() })) }
        keys.append(("d", choice("details") { try await self.showDetails() }))
        keys.append(("r", choice("relaunch the app") { try await self.relaunch() }))
        keys.append(("q", choice("quit") { throw Dialogue.Ending.quit }))
        return keys
    }

    func choice(_ label: String, _ action: @escaping @MainActor () async throws -> Void) -> Dialogue.Choice {
        Dialogue.Choice(label: label, action: action)
    }
}
