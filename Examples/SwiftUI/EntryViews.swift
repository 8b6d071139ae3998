#if canImport(SwiftUI)
import Lockstep
import LockstepModels
import SwiftUI

/// Sign-in, sign-up or a forgotten password.
struct EntryView: View {
    enum Page: Hashable { case signIn, signUp, passwordReset }

    let auth: AuthModel
    let reason: SignOutReason
    @State private var page = Page.signIn

    var body: some View {
        VStack {
            Text(AuthStrings.english.sentence(for: reason))
            switch page {
            case .signIn: SignInView(model: SignInModel(auth, identityProviders: [.apple])) { page = .passwordReset }
            case .signUp: SignUpView(model: SignUpModel(auth))
            case .passwordReset: PasswordResetView(model: PasswordResetModel(auth))
            }
            Button("Sign in") { page = .signIn }
            Button("Sign up") { page = .signUp }
        }
    }
}

/// The sign-in form, and the other ways that the provider has.
struct SignInView: View {
    @State var model: SignInModel
    let forgotPassword: @MainActor () -> Void
    @Environment(\.platformSheets) private var sheets

    init(model: SignInModel, forgotPassword: @escaping @MainActor () -> Void) {
        self.model = model
        self.forgotPassword = forgotPassword
    }

    var body: some View {
        Form {
            Picker("", selection: $model.way) {
                ForEach(model.ways, id: \.rawValue) { way in Text(AuthStrings.english.label(ofWay: way)).tag(way) }
            }
            ForEach(model.fields, id: \.rawValue) { field in
                switch field {
                case .password: SecureField(AuthStrings.english.label(of: field), text: $model.password)
                case .phone: TextField(AuthStrings.english.label(of: field), text: $model.phone)
                default: TextField(AuthStrings.english.label(of: field), text: $model.email)
                }
                ProblemText(problem: model.form.problem(for: field))
            }
            SubmitButton(title: "Sign in", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
            if model.offersPasswordReset { Button("Forgot password?", action: forgotPassword) }
            if let ask = sheets.identity {
                ForEach(model.sheetProviders, id: \.rawValue) { provider in
                    Button(AuthStrings.english.label(ofProvider: provider)) {
                        Task { if let answer = await ask(model.identityRequest(provider)) { await model.submit(answer) } }
                    }
                }
            }
            ForEach(model.pageProviders, id: \.rawValue) { provider in
                Button(AuthStrings.english.label(ofProvider: provider)) { Task { await model.signIn(with: provider) } }
            }
            if model.offersPasskey, sheets.passkey != nil { Button("Passkey") { Task { await model.signInWithPasskey() } } }
            if model.offersAnonymous {
                Button(AuthStrings.english.label(ofWay: .anonymous)) { Task { await model.signInAnonymously() } }
            }
        }
        .onDisappear { model.form.cancel() }
    }
}

/// The sign-up form, with the estimate of the password.
struct SignUpView: View {
    @State var model: SignUpModel

    var body: some View {
        Form {
            if model.offersName {
                TextField(AuthStrings.english.label(of: .displayName), text: $model.displayName)
                if model.canSuggestName { Button("Another name") { model.suggestName() } }
            }
            TextField(AuthStrings.english.label(of: .email), text: $model.email)
            ProblemText(problem: model.form.problem(for: .email))
            SecureField(AuthStrings.english.label(of: .password), text: $model.password)
            ProblemText(problem: model.form.problem(for: .password))
            if let strength = model.strength { StrengthText(strength: strength) }
            SubmitButton(title: "Sign up", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
        }
        .onDisappear { model.form.cancel() }
    }
}

/// The form for a forgotten password.
struct PasswordResetView: View {
    @State var model: PasswordResetModel

    var body: some View {
        Form {
            TextField(AuthStrings.english.label(of: .email), text: $model.email)
            ProblemText(problem: model.form.problem(for: .email))
            SubmitButton(title: "Send", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
        }
        .onDisappear { model.form.cancel() }
    }
}

/// How strong a password is, why, and what would help.
struct StrengthText: View {
    let strength: PasswordStrength

    var body: some View {
        Text("\(AuthStrings.english.label(of: strength.score)). \(AuthStrings.english.sentence(for: strength))")
    }
}

/// What is wrong.
struct ProblemText: View {
    let problem: FormProblem?

    var body: some View {
        if let problem { Text(problem.text()).foregroundStyle(.red) }
    }
}

/// The button of a form, with what is wrong with the whole of it and what is under way.
struct SubmitButton: View {
    let title: String
    let form: FormState
    let isEnabled: Bool
    let submit: () async -> Void

    var body: some View {
        ProblemText(problem: form.problem)
        Button(title) { Task { await submit() } }.disabled(!isEnabled)
        if let activity = form.activity { ProgressView(AuthStrings.english.sentence(for: activity)) }
    }
}
#endif
