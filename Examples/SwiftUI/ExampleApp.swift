#if canImport(SwiftUI)
import Foundation
import Lockstep
import LockstepModels
import SwiftUI

/// What an app's `WindowGroup` holds: the screen that is due, and the URLs and the foreground that the model has to hear of.
///
/// The gates of the app's features live here, above every screen: a sign-in that a gate asks for takes the place of the button that
/// the user has tapped, and the gate waits all the same.
struct AuthenticatedContent<Content: View>: View {
    let auth: AuthModel
    let gates: [FeatureGate]
    let sheets: PlatformSheets
    let content: (Session) -> Content
    @Environment(\.scenePhase) private var phase

    init(
        _ auth: AuthModel, gates: [FeatureGate] = [], sheets: PlatformSheets = PlatformSheets(),
        content: @escaping (Session) -> Content
    ) {
        self.auth = auth
        self.gates = gates
        self.sheets = sheets
        self.content = content
    }

    var body: some View {
        RootView(auth: auth, gates: gates, content: content)
            .environment(\.platformSheets, sheets)
            .task { await auth.run() }
            .onOpenURL { url in Task { await auth.handle(url.absoluteString) } }
            .onChange(of: phase) { _, phase in
                if phase == .active { Task { await auth.becameActive() } }
            }
    }
}

/// The screen that is due.
struct RootView<Content: View>: View {
    let auth: AuthModel
    let gates: [FeatureGate]
    let content: (Session) -> Content

    var body: some View {
        VStack {
            if let problem = auth.problem {
                Button(problem.text()) { auth.dismissProblem() }
            }
            ForEach(gates.filter(\.isWaiting), id: \.id) { gate in GateView(gate: gate, auth: auth) }
            switch auth.screen {
            case .restoring: ProgressView()
            case .unavailable: Text(AuthStrings.english.sentence(for: auth.screen))
            case .signedOut(let reason): EntryView(auth: auth, reason: reason)
            case .step(let step): StepView(step: step)
            case .anonymous(let session), .signedIn(let session): content(session)
            }
            if let step = auth.sheet { StepView(step: step) }
        }
    }
}

/// A step of a flow.
struct StepView: View {
    let step: Step

    var body: some View {
        VStack {
            Text(AuthStrings.english.title(of: step.name)).font(.title)
            Text(AuthStrings.english.sentence(for: step))
            switch step {
            case .verify(let model): VerificationView(model: model)
            case .secondFactor(let model): SecondFactorView(model: model)
            case .newPassword(let model): NewPasswordView(model: model)
            case .missingFields(let model): MissingFieldsView(model: model)
            case .browser(let model), .unknown(let model): BrowserView(model: model)
            }
        }
    }
}
#endif
