internal import LockstepEmulation
internal import LockstepPrimitives

/// A user in the form of the provider's own server API.
enum OwnDocument {
    /// The request for a user, and the path to the user in the response.
    private struct Call: Sendable {
        let request: @Sendable (_ id: String, _ variable: (String) -> String) -> EmulatorRequest
        var path: [String] = []
    }

    private static let calls: [String: Call] = [
        "firebase": Call(
            request: { id, variable in
                EmulatorRequest(
                    method: "POST",
                    target: "/identitytoolkit.googleapis.com/v1/projects/\(Percent.encode(variable("project")))/accounts:lookup",
                    headers: ["Authorization": "Bearer owner", "Content-Type": "application/json"],
                    body: JSON.object(["localId": [.string(id)]]).bytes())
            }, path: ["users"]),
        "gotrue": Call(request: { id, variable in
            EmulatorRequest(
                method: "GET", target: "/admin/users/\(Percent.encode(id))",
                headers: ["Authorization": "Bearer " + variable("service_role")])
        }),
        "clerk": Call(request: { id, variable in
            EmulatorRequest(
                method: "GET", target: "/v1/users/\(Percent.encode(id))",
                headers: ["Authorization": "Bearer " + variable("secret_key")])
        }),
    ]

    /// Returns the document; `nil` if the provider does not respond.
    static func user(_ id: String, of emulator: DashboardEmulator) async -> JSON? {
        let ready = emulator.server.ready
        guard let call = calls[emulator.name] else { return nil }
        let answer = await emulator.server.controlCalls.sendToProvider(call.request(id) { ready.variables[$0]?.string ?? "" })
        guard answer.status == 200 else { return nil }
        let document = call.path.reduce(answer.document) { $0[$1] ?? .null }
        return call.path.isEmpty ? document : document[0]
    }

    /// Returns the names of the passkeys in such a document.
    static func passkeys(in document: JSON) -> [String] {
        let lists = ["passkeys", "passkeyInfo"].flatMap { document[$0]?.array ?? [] }
        let factors = (document["factors"]?.array ?? []).filter { $0["factor_type"]?.string == "webauthn" }
        return (lists + factors).map { passkey in
            ["name", "friendly_name", "displayName", "id", "credentialId"].compactMap { passkey[$0]?.string }.first {
                !$0.isEmpty
            }
                ?? "(without a name)"
        }
    }
}
