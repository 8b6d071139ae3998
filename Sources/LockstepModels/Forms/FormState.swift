internal import Lockstep
public import Observation

/// What a form is doing, and what went wrong: one for each model.
///
/// A call is made once however often its button is tapped: while one is under way, further taps wait for it and send nothing.
@MainActor @Observable
public final class FormState {
    /// What is under way; `nil` where nothing is.
    public private(set) var activity: Activity?
    /// What went wrong at the last call, beside its fields.
    public private(set) var problems: [FormProblem] = []

    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private let changed: @MainActor () -> Void

    /// - Parameter changed: called after every call: the client may show something else now.
    init(changed: @escaping @MainActor () -> Void) { self.changed = changed }

    /// Whether a call is under way.
    public var isBusy: Bool { activity != nil }

    /// What went wrong with the whole form.
    public var problem: FormProblem? { problems.first { $0.field == nil } }

    /// What went wrong with a field.
    public func problem(for field: FormField) -> FormProblem? { problems.first { $0.field == field } }

    /// Ends what is under way, because its screen has gone: a sign-in whose answer comes later signs no user in.
    public func cancel() { task?.cancel() }

    /// The user edits a field: what was wrong with it is not shown any more.
    func edited(_ field: FormField) {
        guard problems.contains(where: { $0.field == field }) else { return }
        problems.removeAll { $0.field == field }
    }

    /// Shows an error.
    func show(_ error: AuthError, in fields: [FormField] = [], blank: [FormField] = []) {
        guard error.code != .cancelled else { return }
        problems = [FormProblem(error, in: fields, blank: blank)]
    }

    /// Makes one call; the error lands beside its field.
    ///
    /// A cancelled caller ends it. Where one is under way already, this waits for that one's end and makes none.
    ///
    /// - Parameters:
    ///   - activity: What to show meanwhile.
    ///   - fields: The fields that the user sees, in their order, each with whether nothing stands in it.
    ///   - body: Makes the call.
    /// - Returns: whether this call was made and has succeeded.
    @discardableResult
    func run(
        _ activity: Activity, _ fields: [(FormField, isBlank: Bool)] = [],
        _ body: @escaping @MainActor () async throws(AuthError) -> Void
    ) async -> Bool {
        if let task {
            await task.value
            return false
        }
        self.activity = activity
        problems = []
        var succeeded = false
        let task = Task {
            do throws(AuthError) {
                try await body()
                succeeded = true
            } catch {
                show(error, in: fields.map(\.0), blank: fields.filter(\.isBlank).map(\.0))
            }
            self.task = nil
            self.activity = nil
            changed()
        }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return succeeded
    }
}

/// What a form is doing.
public enum Activity: String, Sendable, Hashable, CaseIterable {
    /// Signs in.
    case signingIn
    /// Makes an account.
    case signingUp
    /// Asks for a message.
    case sending
    /// Gives an answer to a step.
    case answering
    /// Asks whether the proof was given elsewhere.
    case checking
    /// Loads what is shown.
    case loading
    /// Stores a change.
    case saving
    /// Signs out.
    case signingOut
    /// Deletes the account.
    case deleting
}
