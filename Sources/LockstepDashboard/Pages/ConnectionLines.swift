internal import LockstepEmulation
internal import LockstepPrimitives

/// The lines that connect an app's code to an emulator, with its address and its keys.
enum ConnectionLines {
    struct Line: Sendable {
        let id: String
        let title: String
        let text: String
    }

    /// Returns the lines of an emulator; empty for an unknown provider.
    static func lines(of ready: ReadyLine) -> [Line] {
        let make = providers[ready.provider]
        let lines = make?(ready.base) { ready.variables[$0]?.string ?? "" } ?? []
        return lines.map { Line(id: $0.id, title: titles[$0.id] ?? $0.id, text: $0.text) }
    }

    private static let titles = ["curl": "curl", "js": "JavaScript", "python": "Python", "swift": "Swift"]

    private typealias Lines = @Sendable (_ base: String, _ variable: (String) -> String) -> [(id: String, text: String)]

    private static let providers: [String: Lines] = ["firebase": firebase, "gotrue": goTrue, "clerk": clerk]

    private static let firebase: Lines = { base, variable in
        let (key, project) = (variable("api_key"), variable("project"))
        let host = String(base.dropFirst("http://".count))
        return [
            (
                "curl",
                """
                curl -H 'Content-Type: application/json' -d '{"email":"grace@example.com","password":"Correct-Horse-1","returnSecureToken":true}' \
                '\(base)/identitytoolkit.googleapis.com/v1/accounts:signUp?key=\(key)'
                """
            ),
            (
                "js",
                """
                import { initializeApp } from "firebase/app"
                import { connectAuthEmulator, getAuth } from "firebase/auth"

                const auth = getAuth(initializeApp({ apiKey: "\(key)", projectId: "\(project)" }))
                connectAuthEmulator(auth, "\(base)")
                """
            ),
            (
                "python",
                """
                # FIREBASE_AUTH_EMULATOR_HOST=\(host) GOOGLE_CLOUD_PROJECT=\(project)
                import firebase_admin
                from firebase_admin import auth

                firebase_admin.initialize_app()
                users = list(auth.list_users().iterate_all())
                """
            ),
            (
                "swift",
                """
                let adapter = try FirebaseAdapter(
                    url: "\(base)", key: "\(key)", callback: "http://localhost:3000/callback", transport: .curl)
                """
            ),
        ]
    }

    private static let goTrue: Lines = { base, variable in
        let key = variable("publishable")
        return [
            (
                "curl",
                """
                curl -H 'apikey: \(key)' -H 'Content-Type: application/json' \
                -d '{"email":"grace@example.com","password":"Correct-Horse-1"}' '\(base)/auth/v1/signup'
                """
            ),
            (
                "js",
                """
                import { createClient } from "@supabase/supabase-js"

                const supabase = createClient("\(base)", "\(key)")
                """
            ),
            (
                "python",
                """
                from supabase_auth import SyncGoTrueClient

                auth = SyncGoTrueClient(url="\(base)/auth/v1", headers={"apikey": "\(key)"})
                """
            ),
            (
                "swift",
                """
                let adapter = try GoTrueAdapter(
                    url: "\(base)/auth/v1", key: "\(key)", callback: "myapp://auth/callback", transport: .curl)
                """
            ),
        ]
    }

    private static let clerk: Lines = { base, variable in
        let (key, secret) = (variable("publishable_key"), variable("secret_key"))
        return [
            (
                "curl",
                """
                curl -H 'Authorization: Bearer \(secret)' -H 'Content-Type: application/json' \
                -d '{"email_address":["grace@example.com"],"password":"Correct-Horse-1"}' '\(base)/v1/users'
                """
            ),
            (
                "js",
                """
                import { Clerk } from "@clerk/clerk-js"

                const clerk = new Clerk("\(key)", { proxyUrl: "\(base)" })
                """
            ),
            (
                "python",
                """
                from clerk_backend_api import Clerk

                clerk = Clerk(bearer_auth="\(secret)", server_url="\(base)/v1")
                """
            ),
            (
                "swift",
                """
                let adapter = try ClerkAdapter(
                    url: "\(base)", key: "\(key)", callback: "myapp://auth/callback", transport: .curl)
                """
            ),
        ]
    }
}
