@_exported public import Lockstep
internal import LockstepInMemory
public import LockstepModels

/// One screen of an app in one state, created without a backend.
///
/// Use it for previews, galleries and tests of views.
///
/// ```swift
/// for preview in ModelPreview.all {
///
///     let app = await preview.make()
///     show(app.auth.screen)
/// }
/// ```
@MainActor
public struct ModelPreview: Identifiable {
    /// The permanent name of the preview, such as `verify.code`.
    public nonisolated let id: String
    /// The name of the screen that ``AuthModel/screen`` shows.
    public let screen: ScreenName

    private let settings: InMemorySettings
    private let store: (any SessionStore)?
    private let minimum: PasswordStrength.Score?
    private let prepare: @MainActor (PreviewApp) async -> Void

    init(
        _ id: String, _ screen: ScreenName, _ settings: InMemorySettings = .confirmingByCode, store: (any SessionStore)? = nil,
        minimum: PasswordStrength.Score? = nil, _ prepare: @escaping @MainActor (PreviewApp) async -> Void
    ) {
        self.id = id
        self.screen = screen
        self.settings = settings
        self.store = store
        self.minimum = minimum
        self.prepare = prepare
    }

    /// Creates an app that shows this screen in this state.
    ///
    /// - Parameter effects: The clock and the randomness of the client.
    public func make(_ effects: ClientEffects = .live()) async -> PreviewApp {
        let app = PreviewApp(settings, effects, store: store, minimum: minimum)
        await prepare(app)
        return app
    }

    /// The previews of all states of all models.
    public static let all: [ModelPreview] = starts + forms + steps + users
}
