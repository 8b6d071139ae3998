internal import Lockstep
public import Observation

/// The state of a form: its current activity, and its problems.
///
/// Each model of a screen has a form. If the user taps a button several times, the form makes its call only once. If
/// the user taps another button during that call, the form makes the second call afterwards. If the first call has
/// completed the form, the form does not make the second call.
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

    /// The call in progress, and the calls that wait for it, in their order.
    @ObservationIgnored private var calls: [(name: String, task: Task<Bool, Never>)] = []
    /// The number of cancellations.
    ///
    /// A call that waited during a cancellation is not made.
    @ObservationIgnored private var cancellations = 0
    @ObservationIgnored private let isDoneByOne: Bool
    @ObservationIgnored private let changed: @MainActor () -> Void

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - isDoneByOne: Whether one successful call completes the form, as a sign-in does. In that case waiting calls
    ///     are not made.
    ///   - changed: Called after every call, because the client may now show something else.
    init(isDoneByOne: Bool, changed: @escaping @MainActor () -> Void) {
        self.isDoneByOne = isDoneByOne
        self.changed = changed
    }

    /// Whether the form is making a call.
    public var isBusy: Bool { activity != nil }

    /// The problem that is about the whole form; `nil` if there is no such problem.
    public var problem: FormProblem? { problems.first { $0.field == nil } }

    /// Returns the problem of a field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The problem; `nil` if the field has no problem.
    public func problem(for field: FormField) -> FormProblem? { problems.first { $0.field == field } }

    /// Cancels the current call and the waiting calls because the user closed their screen.
    ///
    /// If the call is a sign-in that still succeeds on the backend, the user is not signed in. If a part of the call
    /// has taken effect, the call continues. For example, a deletion continues after the sign-in that it required.
    public func cancel() {
        cancellations += 1
        for call in calls { call.task.cancel() }
    }

    /// Removes the problem of a field because the user edits the field.
    func edited(_ field: FormField) {
        guard problems.contains(where: { $0.field == field }) else { return }
        problems.removeAll { $0.field == field }
    }

    /// Checks a field after the user left it, without a request.
    ///
    /// The form shows an error of the client next to the field.
    ///
    /// - Parameters:
    ///   - field: The field. A field that may be empty is not checked.
    ///   - text: The text in the field.
    ///   - fields: The fields that the user sees, in order.
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

    /// Removes the problems, because they belong to another user.
    func forget() { problems = [] }

    /// Makes one call, and shows an error next to its field.
    ///
    /// If the caller is cancelled, the call ends. If the same call is already in progress or waits for another call, this
    /// method waits for its end and makes no call.
    ///
    /// - Parameters:
    ///   - activity: The activity to show during the call.
    ///   - fields: The fields that the user sees, in order, and whether each field is blank.
    ///   - name: A name by which the form recognizes the same call.
    ///   - endsOthers: Whether to cancel all other calls instead of waiting for them.
    ///   - body: Makes the call.
    /// - Returns: Whether this call was made and has succeeded.
    @discardableResult
    func run(
        _ activity: Activity, _ fields: [(FormField, isBlank: Bool)] = [], named name: String = #function,
        endsOthers: Bool = false, _ body: @escaping @MainActor () async throws(AuthError) -> Void
    ) async -> Bool {
        guard await isFirst(name) else { return false }
        if endsOthers { cancel() }
        let earlier = calls.map(\.task)
        if earlier.isEmpty { begin(activity) }
        let task = Task {
            // A call ends after all earlier ones, so it is the first.
            defer { calls.removeFirst() }
            guard await isNext(after: earlier) else { return false }
            begin(activity)
            var succeeded = false
            do throws(AuthError) {
                try await body()
                succeeded = true
            } catch {
                show(error, in: fields.map(\.0), blank: fields.filter(\.isBlank).map(\.0))
            }
            self.activity = nil
            changed()
            return succeeded
        }
        calls.append((name, task))
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin(_ activity: Activity) {
        self.activity = activity
        problems = []
    }

    /// Waits for the end of the same call, whether it is in progress or waits itself.
    ///
    /// - Returns: Whether this call should be made: there is no such call, or its caller was cancelled.
    private func isFirst(_ name: String) async -> Bool {
        let before = cancellations
        while let same = calls.first(where: { $0.name == name && !$0.task.isCancelled })?.task {
            let hasSucceeded = await same.value
            guard same.isCancelled, !hasSucceeded, cancellations == before, !Task.isCancelled else { return false }
        }
        return true
    }

    /// Waits for the end of all earlier calls.
    ///
    /// - Returns: Whether this call should still be made.
    private func isNext(after earlier: [Task<Bool, Never>]) async -> Bool {
        var isDone = false
        for call in earlier where await call.value { isDone = isDoneByOne }
        return earlier.isEmpty || !isDone && !Task.isCancelled
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
