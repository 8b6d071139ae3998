internal import LockstepEmulation
internal import LockstepPrimitives

/// The hub of Firebase's Emulator Suite, with its routes at the emulator's own port, and its environment variables.
///
/// The variables are those that `firebase emulators:exec` sets for the program that it starts, and
/// `__FIREBASE_DEFAULTS__`, which it does not set.
struct EmulatorHub {
    /// `127.0.0.1:PORT`.
    let authority: String
    let settings: FirebaseSettings

    init(_ state: ServerState) {
        authority = String(state.environment.base.dropFirst("http://".count))
        settings = state.settings
    }

    /// `GET /emulators`: the running emulators and their addresses (`EmulatorInfo` of firebase-tools).
    var emulators: JSON {
        let parts = authority.pieces(at: ":")
        let host = JSON.string(parts.first.map(String.init) ?? ""), port = JSON.int(parts.last.flatMap { Int64($0) } ?? 0)
        func info(_ name: String) -> JSON {
            [
                "name": .string(name), "host": host, "port": port,
                "listen": [["address": host, "family": "IPv4", "port": port]],
            ]
        }
        return ["auth": info("auth"), "hub": info("hub")]
    }

    /// The environment variables for the Admin SDKs, the JavaScript SDK and tests.
    ///
    /// `__FIREBASE_DEFAULTS__` contains the whole configuration of the JavaScript SDK (firebase-js-sdk,
    /// `packages/util/src/defaults.ts`).
    var variables: JSONObject {
        let defaults: JSON = [
            "config": [
                "apiKey": .string(settings.apiKey), "projectId": .string(settings.project),
                "authDomain": .string(settings.project + ".firebaseapp.com"),
            ],
            "emulatorHosts": ["auth": .string(authority)],
        ]
        return [
            "FIREBASE_AUTH_EMULATOR_HOST": .string(authority), "FIREBASE_EMULATOR_HUB": .string(authority),
            "GCLOUD_PROJECT": .string(settings.project), "GOOGLE_CLOUD_PROJECT": .string(settings.project),
            "__FIREBASE_DEFAULTS__": .string(defaults.text()),
        ]
    }
}
