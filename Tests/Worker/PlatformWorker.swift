import LockstepGoTrue
import LockstepPlatform
import LockstepSystem

/// An app with the platform's defaults: it signs in, or shows the user of an earlier start.
enum PlatformWorker {
    /// Runs the app once.
    ///
    /// - Parameter words: `sign-in URL KEY EMAIL PASSWORD`, or `restore URL KEY`.
    /// - Throws: Errors of the configuration and of the sign-in.
    static func run(_ words: [String]) async throws {
        let auth = try AuthClient(GoTrueConfiguration(url: words[1], key: words[2]), app: "lockstep-tests")
        if words[0] == "sign-in" {
            _ = try await auth.signIn(with: .password(email: words[3], password: words[4]))
        }
        switch await auth.restore() {
        case .signedIn(let session): try StandardStream.output.write("signed in as \(session.user.id)\n")
        case let state: try StandardStream.output.write("\(state)\n")
        }
        _ = try await auth.refreshUser()
    }
}
