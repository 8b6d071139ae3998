#if canImport(SwiftUI)
import Foundation
import Lockstep
import LockstepModels
import SwiftUI

/// A code or a link, with its countdown.
struct VerificationView: View {
    @Bindable var model: VerificationModel
    @Environment(\.platformSheets) private var sheets

    var body: some View {
        VStack {
            if model.takesCode {
                TextField(AuthStrings.english.label(of: .code), text: $model.code)
                ProblemText(problem: model.form.problem(for: .code))
                SubmitButton(title: "Confirm", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
            }
            if let request = model.passkeyRequest, let ask = sheets.passkey {
                Button(request.action == .make ? "Make a passkey" : "Use a passkey") {
                    Task { if let answer = await ask(request) { await model.submit(passkey: answer) } }
                }
                ProblemText(problem: model.form.problem)
            }
            if model.canCheck { Button("I have opened the link") { Task { await model.check() } } }
            ResendButton(countdown: model.resendCountdown, isEnabled: model.canResend) { await model.resend() }
            if model.offersLeaving {
                Button(model.endsOnWebPage ? "Back to sign-in" : "Cancel") { Task { await model.cancel() } }
            }
            if model.offersSignOut { Button("Sign out") { Task { await model.signOut() } } }
        }
        .onDisappear { model.form.cancel() }
    }
}

/// The button that sends a message again, which counts down before.
struct ResendButton: View {
    let countdown: Countdown?
    let isEnabled: Bool
    let resend: () async -> Void

    var body: some View {
        if let countdown {
            Button(AuthStrings.english.sentence(forResend: countdown)) { Task { await resend() } }
                .disabled(!isEnabled)
                .task(id: ObjectIdentifier(countdown)) { await countdown.watch() }
        }
    }
}

/// A choice among second factors, and its code.
struct SecondFactorView: View {
    @Bindable var model: SecondFactorModel
    @Environment(\.platformSheets) private var sheets

    var body: some View {
        VStack {
            if model.takesCode {
                TextField(AuthStrings.english.label(of: .code), text: $model.code)
                ProblemText(problem: model.form.problem(for: .code))
                SubmitButton(title: "Confirm", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
            }
            if let request = model.passkeyRequest, let ask = sheets.passkey {
                Button("Use a passkey") { Task { if let answer = await ask(request) { await model.submit(passkey: answer) } } }
            }
            if !model.takesCode { ProblemText(problem: model.form.problem) }
            ForEach(model.choices, id: \.id) { choice in
                Button(choice.label ?? AuthStrings.english.label(ofFactor: choice.kind)) { Task { await model.choose(choice) } }
            }
            ResendButton(countdown: model.resendCountdown, isEnabled: model.canResend) { await model.resend() }
            Button("Cancel") { Task { await model.cancel() } }
        }
    }
}

/// A new password.
struct NewPasswordView: View {
    @Bindable var model: NewPasswordModel

    var body: some View {
        VStack {
            SecureField(AuthStrings.english.label(of: .newPassword), text: $model.password)
            ProblemText(problem: model.form.problem(for: .newPassword))
            if let strength = model.strength { StrengthText(strength: strength) }
            SubmitButton(title: "Save", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
            Button("Cancel") { Task { await model.cancel() } }
        }
    }
}

/// Fields that the provider wants.
struct MissingFieldsView: View {
    @Bindable var model: MissingFieldsModel

    var body: some View {
        VStack {
            ForEach(model.fields, id: \.rawValue) { field in
                if model.isSecret(field) {
                    SecureField(AuthStrings.english.label(of: FormField(field)), text: $model[field])
                } else {
                    TextField(AuthStrings.english.label(of: FormField(field)), text: $model[field])
                }
                ProblemText(problem: model.form.problem(for: FormField(field)))
            }
            SubmitButton(title: "Go on", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
            Button("Cancel") { Task { await model.cancel() } }
        }
    }
}

/// A page to open: in the system's sheet, or else in the browser, which returns by `onOpenURL`.
struct BrowserView: View {
    let model: BrowserModel
    @Environment(\.openURL) private var openURL
    @Environment(\.platformSheets) private var sheets

    var body: some View {
        VStack {
            if let show = sheets.page {
                Button("Open") { Task { await show(model) } }
            } else if let page = model.page.flatMap({ URL(string: $0) }) {
                Button("Open") { openURL(page) }
            }
            Button("Cancel") { Task { await model.cancel() } }
        }
    }
}
#endif
