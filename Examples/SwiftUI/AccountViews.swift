#if canImport(SwiftUI)
import Lockstep
import LockstepModels
import SwiftUI

/// The account of a user.
struct AccountView: View {
    @State var model: AccountModel
    let delete: @MainActor () -> Void

    var body: some View {
        Form {
            if model.offersName { TextField(AuthStrings.english.label(of: .displayName), text: $model.displayName) }
            if model.offersPhoto { TextField(AuthStrings.english.label(of: .photoURL), text: $model.photoURL) }
            SubmitButton(title: "Save", form: model.form, isEnabled: model.canSaveProfile) { await model.saveProfile() }
            if model.offersEmailChange {
                TextField(AuthStrings.english.label(of: .email), text: $model.newEmail)
                ProblemText(problem: model.form.problem(for: .email))
                Button("Change address") { Task { await model.changeEmail() } }.disabled(!model.canChangeEmail)
            }
            if model.offersPasswordChange {
                SecureField(AuthStrings.english.label(of: .currentPassword), text: $model.currentPassword)
                ProblemText(problem: model.form.problem(for: .currentPassword))
                SecureField(AuthStrings.english.label(of: .newPassword), text: $model.newPassword)
                ProblemText(problem: model.form.problem(for: .newPassword))
                if let strength = model.strength { StrengthText(strength: strength) }
                Button("Change password") { Task { await model.changePassword() } }.disabled(!model.canChangePassword)
            }
            ForEach(model.removableIdentities, id: \.id) { identity in
                Button("Remove \(identity.provider.rawValue)") { Task { await model.remove(identity) } }
            }
            if model.offersFactors { FactorsView(model: model) }
            AddIdentityButtons(model: model)
            if model.conflict != nil {
                Text(AuthStrings.english("account.conflict"))
                Button(AuthStrings.english("account.conflict.signIn")) { model.signInElsewhere() }
                Button("Stay here") { model.stay() }
            }
            if let other = model.otherAccount { SignInView(model: other) {} }
            if let change = model.lastChange { Text(AuthStrings.english.sentence(for: change)) }
            if let again = model.reauthentication { ReauthenticationView(model: again) }
            if model.offersSigningOutOthers { Button("Sign out other devices") { Task { await model.signOutOthers() } } }
            Button("Sign out") { Task { await model.signOut() } }
            if model.offersDeletion { Button("Delete account", action: delete) }
        }
    }
}

/// The identities that can be added.
struct AddIdentityButtons: View {
    let model: AccountModel
    @Environment(\.platformSheets) private var sheets

    var body: some View {
        VStack {
            if let ask = sheets.identity {
                ForEach(model.addableSheetProviders, id: \.rawValue) { provider in
                    Button(AuthStrings.english.label(ofProvider: provider)) {
                        Task { if let answer = await ask(model.identityRequest(provider)) { await model.add(answer) } }
                    }
                }
            }
            ForEach(model.addablePageProviders, id: \.rawValue) { provider in
                Button(AuthStrings.english.label(ofProvider: provider)) { Task { await model.add(provider) } }
            }
            if model.offersPasskey, sheets.passkey != nil { Button("Add a passkey") { Task { await model.addPasskey() } } }
        }
    }
}

/// The second factors of a user.
struct FactorsView: View {
    @Bindable var model: AccountModel

    var body: some View {
        VStack {
            ForEach(model.factors ?? [], id: \.id) { factor in
                Button("Remove \(factor.label ?? AuthStrings.english.label(ofFactor: factor.kind))") {
                    Task { await model.remove(factor) }
                }
            }
            if let key = model.enrolment?.key { Text(key.reveal()) }
            Button("Add an authenticator app") { Task { await model.addFactor(.authenticatorApp) } }
                .disabled(!model.canAdd(.authenticatorApp))
        }
        .task { await model.loadFactors() }
    }
}

/// Another sign-in before a sensitive call.
///
/// It ends no call when it disappears: its screen goes as soon as the user is signed in again, and what follows goes on.
struct ReauthenticationView: View {
    @Bindable var model: ReauthenticationModel
    @Environment(\.platformSheets) private var sheets

    var body: some View {
        VStack {
            if !model.formWays.isEmpty {
                Picker("", selection: $model.way) {
                    ForEach(model.formWays, id: \.rawValue) { way in Text(AuthStrings.english.label(ofWay: way)).tag(way) }
                }
                if model.way == .password {
                    SecureField(AuthStrings.english.label(of: .password), text: $model.password)
                    ProblemText(problem: model.form.problem(for: .password))
                }
                SubmitButton(title: "Sign in again", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
            } else {
                ProblemText(problem: model.form.problem)
            }
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
            if model.offersPasswordReset { Button("Forgot password?") { Task { await model.forgotPassword() } } }
            Button("Cancel") { Task { await model.cancel() } }
        }
    }
}

/// The end of an account.
struct DeletionView: View {
    @State var model: DeletionModel

    var body: some View {
        VStack {
            Text(AuthStrings.english(model.isDeleted ? "delete.done" : "delete.confirm"))
            Toggle("I understand", isOn: $model.isConfirmed)
            if let again = model.reauthentication {
                Text(AuthStrings.english("delete.reauthenticate"))
                ReauthenticationView(model: again)
            }
            SubmitButton(title: "Delete", form: model.form, isEnabled: model.canSubmit) { await model.submit() }
        }
        .onDisappear { Task { await model.cancel() } }
    }
}

/// A guest, who may become a user and keeps everything.
struct GuestView: View {
    @State var model: AnonymousUserModel

    var body: some View {
        VStack {
            SignUpView(model: model.signUp)
            if model.offersSignInElsewhere {
                Text(AuthStrings.english("anonymous.conflict"))
                Button(AuthStrings.english("anonymous.conflict.signIn")) { model.signInElsewhere() }
            }
            if let other = model.otherAccount {
                SignInView(model: other) {}
                Button("Stay here") { model.stayAnonymous() }
            }
            if model.isAskingToSignOut {
                Text(AuthStrings.english("anonymous.signOut"))
                Button("Sign out") { Task { await model.confirmSignOut() } }
                Button("Stay") { model.stayAnonymous() }
            }
        }
    }
}

/// A button before a feature that needs a user; `RootView` shows what stands before it.
struct GatedButton: View {
    let title: String
    let gate: FeatureGate
    let action: (Session) async -> Void

    var body: some View {
        Button(title) { Task { await gate.enter { await action($0) } } }.disabled(gate.isInside)
    }
}

/// What stands before a feature, over the screen that is due: a sign-in and a step are that screen.
struct GateView: View {
    let gate: FeatureGate
    let auth: AuthModel

    var body: some View {
        VStack {
            if let obstacle = gate.obstacle { Text(AuthStrings.english.sentence(for: obstacle)) }
            switch gate.obstacle {
            case nil, .signIn, .step, .noSecondFactor: EmptyView()
            case .linkAnonymousUser: GuestView(model: AnonymousUserModel(auth))
            case .secondFactor(let model), .reauthenticate(let model): ReauthenticationView(model: model)
            case .problem: Button("Try again") { gate.retry() }
            }
            Button("Cancel") { Task { await gate.cancel() } }
        }
    }
}
#endif
