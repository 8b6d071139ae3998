internal import Lockstep
public import Observation

/// The state of a form: its current activity, and its problems.
///
/// Each model of a screen has a form. If the user taps a button several times, the form makes its call only once. If
/// the user taps another button of the form meanwhile, the form makes that call afterwards, unless the first call has
/// completed the form.
///
/// ```swift
/// if model.form.isBusy { print("show a spinner") }
/// for problem in model.form.problems { print(problem.field?.rawValue ?? "form", problem.text()) }
/// ```
@MainActor @Observable
public final class FormState {
    /// The current activity; `nil` if no call is running.
    public private(set) var activity: Activity?
    /// The problems of the last call.
    public private(set) var problems: [FormProblem] = []

    @ObservationIgnored private var running: (task: Task<Bool, Never>, name: String)?
    /// Counts the cancellations: a call that waited for its turn meanwhile is not made.
    @ObservationIgnored private var cancellations = 0
    @ObservationIgnored private let isDoneByOne: Bool
    @ObservationIgnored private let changed: @MainActor () -> Void

    /// - Parameters:
    ///   - isDoneByOne: Whether one call that succeeds is all that the form is for, as with a sign-in: those that wait are not made
    ///     then.
    ///   - changed: Called after every call: the client may show something else now.
    init(isDoneByOne: Bool, changed: @escaping @MainActor () -> Void) {
        self.isDoneByOne = isDoneByOne
        self.changed = changed
    }

    /// Whether the form is making a call.
    public var isBusy: Bool { activity != nil }

    /// The problem that is about the whole form; `nil` if there is none.
    public var problem: FormProblem? { problems.first { $0.field == nil } }

    /// Returns the problem of a field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The problem; `nil` if the field has none.
    public func problem(for field: FormField) -> FormProblem? { problems.first { $0.field == field } }

    /// Cancels the current call because the user closed its screen.
    ///
    /// If the call was a sign-in that succeeds at the backend, the user is still not signed in. If a part of the call
    /// has taken effect, the call continues: for example, a deletion continues after the sign-in that it required.
    public func cancel() {
        cancellations += 1
        running?.task.cancel()
    }

    /// Ends what is under way, and waits for its end.
    func end() async {
        cancel()
        _ = await running?.task.value
    }

    /// The user edits a field: what was wrong with it is not shown any more.
    func edited(_ field: FormField) {
        guard problems.contains(where: { $0.field == field }) else { return }
        problems.removeAll { $0.field == field }
    }

    /// Checks a field that the user has left: the error of the client stands beside it, and nothing is sent.
    ///
    /// - Parameters:
    ///   - field: The field; one that may be empty is not checked.
    ///   - text: The text in it.
    ///   - fields: The fields that the user sees, in their order.
    func check(_ field: FormField, _ text: String, in fields: [FormField]) {
        edited(field)
        guard fields.contains(field), field != .displayName else { return }
        do throws(AuthError) {
            guard !text.isEmpty else {
                throw AuthError(.invalidInput, "The field \"\(field)\" is empty. Ask the user to fill it in.")
            }
            if field == .email { _ = try EmailAddress(text) }
            if field == .phone { _ = try PhoneNumber(text) }
        } catch {
            problems.append(FormProblem(error, in: fields, blank: text.isEmpty ? [field] : []))
        }
    }

    /// Shows an error.
    func show(_ error: AuthError, in fields: [FormField] = [], blank: [FormField] = []) {
        guard error.code != .cancelled else { return }
        problems = [FormProblem(error, in: fields, blank: blank)]
    }

    /// Shows that a password is weaker than the app allows.
    func show(weakerThan minimum: PasswordStrength.Score?, in fields: [FormField]) {
        problems = [FormProblem(weakerThan: minimum, in: fields)]
    }

    /// Forgets what went wrong: it was another user's.
    func forget() { problems = [] }

    /// Makes one call; the error lands beside its field.
    ///
    /// A cancelled caller ends it. Where the same call is under way already, this waits for that one's end and makes none.
    ///
    /// - Parameters:
    ///   - activity: What to show meanwhile.
    ///   - fields: The fields that the user sees, in their order, each with whether nothing stands in it.
    ///   - name: Tells whether it is the same call.
    ///   - endsOthers: Whether what is under way is ended, instead of waiting for it.
    ///   - body: Makes the call.
    /// - Returns: whether this call was made and has succeeded.
    @discardableResult
    func run(
        _ activity: Activity, _ fields: [(FormField, isBlank: Bool)] = [], named name: String = #function,
        endsOthers: Bool = false, _ body: @escaping @MainActor () async throws(AuthError) -> Void
    ) async -> Bool {
        guard await isNext(name, endsOthers) else { return false }
        self.activity = activity
        problems = []
        let task = Task {
            var succeeded = false
            do throws(AuthError) {
                try await body()
                succeeded = true
            } catch {
                show(error, in: fields.map(\.0), blank: fields.filter(\.isBlank).map(\.0))
            }
            running = nil
            self.activity = nil
            changed()
            return succeeded
        }
        running = (task, name)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Waits until no other call is under way.
    ///
    /// - Returns: whether this one is to be made.
    private func isNext(_ name: String, _ endsOthers: Bool) async -> Bool {
        if endsOthers, let running, running.name != name { cancel() }
        let before = cancellations
        while let running {
            let hasSucceeded = await running.task.value
            guard running.name != name, cancellations == before, !Task.isCancelled, !(hasSucceeded && isDoneByOne) else {
                return false
            }
        }
        return true
    }
}

/// The current activity of a form.
public enum Activity: String, Sendable, Hashable, CaseIterable {
    /// The user is signing in.
    case signingIn
    /// The model is creating the account.
    case signingUp
    /// The backend is sending a message.
    case sending
    /// The model is sending the user's response to a step.
    case answering
    /// The model is asking the backend whether the user has opened the link.
    case checking
    /// The model is loading the data of the screen.
    case loading
    /// The model is saving a change.
    case saving
    /// The user is signing out.
    case signingOut
    /// The model is deleting the account.
    case deleting
}
