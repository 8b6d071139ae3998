import LockstepEmulation
import LockstepPrimitives

/// The routes of the Backend API, below `/v1` (https://clerk.com/docs/reference/backend-api).
extension RouteTable.Backend {
    static let all = users + userActions + sessions + identifications + tickets + settings + organizations

    private static var users: [Endpoint] {
        [
            .post("/users", .server, body: BackendUserCreation.createBody, .repeats) {
                try BackendUserCreation(context: $0).create()
            },
            .get("/users", .server, .writes) { try BackendUserList(context: $0).list() },
            .get("/users/count", .server, .writes) { try BackendUserList(context: $0).count() },
            .get("/users/{user_id}", .server, .writes) { .resource(try $0.privateJSON(try $0.namedUser())) },
            .patch("/users/{user_id}", .server, body: BackendUserRoutes.updateBody, .repeats) {
                try BackendUserRoutes(context: $0).update()
            },
            .delete("/users/{user_id}", .server) { try BackendUserRoutes(context: $0).delete() },
            .patch("/users/{user_id}/metadata", .server, body: BackendUserRoutes.metadataBody) {
                try BackendUserRoutes(context: $0).mergeMetadata()
            },
            .put("/users/{user_id}/metadata", .server, body: BackendUserRoutes.metadataBody) {
                try BackendUserRoutes(context: $0).replaceMetadata()
            },
            .delete("/users/{user_id}/passkeys/{passkey_id}", .server) { try BackendUserActions(context: $0).removePasskey() },
            .get("/users/{user_id}/oauth_access_tokens/{provider}", .server) {
                try BackendUserActions(context: $0).accessTokens()
            },
            .post("/users/{user_id}/profile_image", .server) { try BackendUserActions(context: $0).setImage() },
            .delete("/users/{user_id}/profile_image", .server) { try BackendUserActions(context: $0).removeImage() },
            .put("/users/{user_id}/phone_number", .server, body: BackendIdentificationRoutes.replaceBody(.phone)) {
                try BackendIdentificationRoutes(context: $0, kind: .phone).replace()
            },
            .put("/users/{user_id}/email_address", .server, body: BackendIdentificationRoutes.replaceBody(.email)) {
                try BackendIdentificationRoutes(context: $0, kind: .email).replace()
            },
        ]
    }

    private static var userActions: [Endpoint] {
        let one = "/users/{user_id}"
        return [
            .post(one + "/ban", .server) { try BackendUserActions(context: $0).ban(true) },
            .post(one + "/unban", .server) { try BackendUserActions(context: $0).ban(false) },
            .post("/users/ban", .server, body: ["user_ids": .anything]) { try BackendUserActions(context: $0).banAll(true) },
            .post("/users/unban", .server, body: ["user_ids": .anything]) { try BackendUserActions(context: $0).banAll(false) },
            .post(one + "/lock", .server) { try BackendUserActions(context: $0).lock() },
            .post(one + "/unlock", .server) { try BackendUserActions(context: $0).unlock() },
            .post(one + "/verify_password", .server, body: ["password": .text], .repeats) {
                try BackendUserActions(context: $0).verifyPassword()
            },
            .post(one + "/verify_totp", .server, body: ["code": .text]) { try BackendUserActions(context: $0).verifyTOTP() },
            .post(one + "/remove_password", .server) { try BackendUserActions(context: $0).removePassword() },
            .post(one + "/password/set_compromised", .server, body: ["revoke_all_sessions": .flag]) {
                try BackendUserActions(context: $0).setCompromised(true)
            },
            .post(one + "/password/unset_compromised", .server, body: ["revoke_all_sessions": .flag]) {
                try BackendUserActions(context: $0).setCompromised(false)
            },
            .delete(one + "/mfa", .server) { try BackendUserActions(context: $0).removeFactors() },
            .delete(one + "/totp", .server) { try BackendUserActions(context: $0).removeTOTP() },
            .delete(one + "/backup_code", .server) { try BackendUserActions(context: $0).removeBackupCodes() },
            .delete(one + "/external_accounts/{external_account_id}", .server) {
                try BackendUserActions(context: $0).removeExternalAccount()
            },
        ]
    }

    private static var sessions: [Endpoint] {
        [
            .get("/sessions", .server) { try BackendSessionRoutes(context: $0).list() },
            .post("/sessions", .server, body: ["user_id": .text, "active_organization_id": .anything]) {
                try BackendSessionRoutes(context: $0).create()
            },
            .get("/sessions/{session_id}", .server) { try BackendSessionRoutes(context: $0).get() },
            .post("/sessions/{session_id}/revoke", .server) { try BackendSessionRoutes(context: $0).revoke() },
            .post("/sessions/{session_id}/refresh", .server, .repeats) { try BackendSessionRoutes(context: $0).refresh() },
            .post("/sessions/{session_id}/tokens", .server, body: ["expires_in_seconds": .whole], .repeats) {
                try BackendSessionRoutes(context: $0).token()
            },
            .post("/sessions/{session_id}/tokens/{template_name}", .server, body: ["expires_in_seconds": .whole], .repeats) {
                try BackendSessionRoutes(context: $0).templateToken()
            },
            .get("/sign_ups/{id}", .server, .writes) { try BackendSignUpRoutes(context: $0).get() },
            .patch("/sign_ups/{id}", .server, body: ["external_id": .text, "custom_action": .flag]) {
                try BackendSignUpRoutes(context: $0).update()
            },
            .get("/clients", .server) { try BackendClientRoutes(context: $0).list() },
            .post("/clients/verify", .server, body: ["token": .text]) { try BackendClientRoutes(context: $0).verify() },
            .get("/clients/handshake_payload", .server, .writes) { try BackendClientRoutes(context: $0).handshake() },
            .get("/clients/{client_id}", .server) { try BackendClientRoutes(context: $0).get() },
        ]
    }

    private static var identifications: [Endpoint] {
        [IdentificationRecord.Kind.email, .phone].flatMap { kind -> [Endpoint] in
            let path = kind == .email ? "/email_addresses" : "/phone_numbers"
            let one = path + "/{identification_id}"
            return [
                .post(path, .server, body: BackendIdentificationRoutes.createBody(kind)) {
                    try BackendIdentificationRoutes(context: $0, kind: kind).create()
                },
                .get(one, .server, .writes) { try BackendIdentificationRoutes(context: $0, kind: kind).get() },
                .patch(one, .server, body: BackendIdentificationRoutes.updateBody(kind)) {
                    try BackendIdentificationRoutes(context: $0, kind: kind).update()
                },
                .delete(one, .server) { try BackendIdentificationRoutes(context: $0, kind: kind).delete() },
                .post(one + "/prepare_verification", .server) {
                    try BackendVerificationRoutes(context: $0, kind: kind).prepare()
                },
                .post(one + "/attempt_verification", .server, body: ["verification_id": .text, "code": .text]) {
                    try BackendVerificationRoutes(context: $0, kind: kind).attempt()
                },
            ]
        }
    }

    private static var tickets: [Endpoint] {
        [
            .post("/sign_in_tokens", .server, body: BackendTicketRoutes.createSignInTokenBody) {
                try BackendTicketRoutes(context: $0).createSignInToken()
            },
            .post("/sign_in_tokens/{ticket_id}/revoke", .server) { try BackendTicketRoutes(context: $0).revoke(.signInToken) },
            .post("/actor_tokens", .server, body: BackendTicketRoutes.createActorTokenBody) {
                try BackendTicketRoutes(context: $0).createActorToken()
            },
            .post("/actor_tokens/{ticket_id}/revoke", .server) { try BackendTicketRoutes(context: $0).revoke(.actorToken) },
            .post("/invitations", .server, body: BackendTicketRoutes.createInvitationBody) {
                try BackendTicketRoutes(context: $0).createInvitation()
            },
            .post("/invitations/bulk", .server, body: BackendTicketRoutes.createInvitationBody) {
                try BackendTicketRoutes(context: $0).createInvitations()
            },
            .get("/invitations", .server) { try BackendTicketRoutes(context: $0).listInvitations() },
            .post("/invitations/{ticket_id}/revoke", .server) { try BackendTicketRoutes(context: $0).revoke(.invitation) },
            .post("/testing_tokens", .server) { try BackendTicketRoutes(context: $0).createTestingToken() },
        ]
    }

}
