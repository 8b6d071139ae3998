#if canImport(SwiftUI)
import LockstepGoTrue
import LockstepModels
import LockstepPlatform
import SwiftUI

// The values of your project.
private let projectURL = "https://ref.supabase.co"
private let anonKey = "sb_publishable_…"

/// The app. Copy the folder, and change the line of the configuration.
@main
struct OrdersApp: App {
    /// `nil` if a value of the configuration is invalid, or if this device cannot store a session.
    @State private var auth = try? OrdersApp.authenticated()

    var body: some Scene {
        WindowGroup {
            if let auth {
                AuthenticatedContent(auth) { session in OrdersView(auth: auth, session: session) }
            } else {
                Text("The app cannot start. See the log.")
            }
        }
    }

    private static func authenticated() throws -> AuthModel {
        let auth = try AuthClient(
            GoTrueConfiguration(url: projectURL, key: anonKey, callback: "myapp://auth/callback"),
            options: .init(apiOrigins: ["https://api.example.com"]))  // tokens go only to these servers
        return AuthModel(auth)  // says which screen is due; SwiftUI, UIKit or a terminal draws it
    }
}

/// The app behind the sign-in: your own views, and the user's account.
struct OrdersView: View {
    let auth: AuthModel
    let session: Session
    @State private var isDeleting = false

    var body: some View {
        VStack {
            Text(session.user.displayName ?? session.user.email ?? "Guest").font(.title)
            switch (session.user.isAnonymous, isDeleting) {
            case (true, _): GuestView(model: AnonymousUserModel(auth))
            case (false, true): DeletionView(model: DeletionModel(auth))
            case (false, false): AccountView(model: AccountModel(auth)) { isDeleting = true }
            }
        }
    }
}
#endif
