import LockstepEmulation
import LockstepPrimitives

/// The routes of the Backend API, below `/v1` (https://clerk.com/docs/reference/backend-api).
extension RouteTable.Backend {
    static let all = users + userActions + sessions + identifications + tickets + settings + organizations

    private static var users: [Endpoint] {
        [
            .post("/users", .server, body: AdminUserCreationRoutes.createBody, .repeats) {
                try AdminUserCreationRoutes(context: $0).create()
            },
            .get("/users", .server, .writes) { try AdminUserListRoutes(context: $0).list() },
            .get("/users/count", .server, .writes) { try AdminUserListRoutes(context: $0).count() },
            .get("/users/{user_id}", .server, .writes) { .resource(try $0.privateJSON(try $0.namedUser())) },
            .patch("/users/{user_id}", .server, body: AdminUserRoutes.updateBody, .repeats) {
                try AdminUserRoutes(context: $0).update()
            },
            .delete("/users/{user_id}", .server) { try AdminUserRoutes(context: $0).delete() },
            .patch("/users/{user_id}/metadata", .server, body: AdminUserRoutes.metadataBody) {
                try AdminUserRoutes(context: $0).mergeMetadata()
            },
            .put("/users/{user_id}/metadata", .server, body: AdminUserRoutes.metadataBody) {
                try AdminUserRoutes(context: $0).replaceMetadata()
            },
            .delete("/users/{user_id}/passkeys/{passkey_id}", .server) { try AdminUserActionRoutes(context: $0).removePasskey() },
            .get("/users/{user_id}/oauth_access_tokens/{provider}", .server) {
                try AdminUserActionRoutes(context: $0).accessTokens()
            },
            .post("/users/{user_id}/profile_image", .server) { try AdminUserActionRoutes(context: $0).setImage() },
            .delete("/users/{user_id}/profile_image", .server) { try AdminUserActionRoutes(context: $0).removeImage() },
            .put("/users/{user_id}/phone_number", .server, body: AdminIdentificationRoutes.replaceBody(.phone)) {
                try AdminIdentificationRoutes(context: $0, kind: .phone).replace()
            },
            .put("/users/{user_id}/email_address", .server, body: AdminIdentificationRoutes.replaceBody(.email)) {
                try AdminIdentificationRoutes(context: $0, kind: .email).replace()
            },
        ]
    }

    private static var userActions: [Endpoint] {
        let one = "/users/{user_id}"
        return [
            .post(one + "/ban", .server) { try AdminUserActionRoutes(context: $0).ban(true) },
            .post(one + "/unban", .server) { try AdminUserActionRoutes(context: $0).ban(false) },
            .post("/users/ban", .server, body: ["user_ids": .anything]) { try AdminUserActionRoutes(context: $0).banAll(true) },
            .post("/users/unban", .server, body: ["user_ids": .anything]) {
                try AdminUserActionRoutes(context: $0).banAll(false)
            },
            .post(one + "/lock", .server) { try AdminUserActionRoutes(context: $0).lock() },
            .post(one + "/unlock", .server) { try AdminUserActionRoutes(context: $0).unlock() },
            .post(one + "/verify_password", .server, body: ["password": .text], .repeats) {
                try AdminUserActionRoutes(context: $0).verifyPassword()
            },
            .post(one + "/verify_totp", .server, body: ["code": .text]) { try AdminUserActionRoutes(context: $0).verifyTOTP() },
            .post(one + "/remove_password", .server) { try AdminUserActionRoutes(context: $0).removePassword() },
            .post(one + "/password/set_compromised", .server, body: ["revoke_all_sessions": .flag]) {
                try AdminUserActionRoutes(context: $0).setCompromised(true)
            },
            .post(one + "/password/unset_compromised", .server, body: ["revoke_all_sessions": .flag]) {
                try AdminUserActionRoutes(context: $0).setCompromised(false)
            },
            .delete(one + "/mfa", .server) { try AdminUserActionRoutes(context: $0).removeFactors() },
            .delete(one + "/totp", .server) { try AdminUserActionRoutes(context: $0).removeTOTP() },
            .delete(one + "/backup_code", .server) { try AdminUserActionRoutes(context: $0).removeBackupCodes() },
            .delete(one + "/external_accounts/{external_account_id}", .server) {
                try AdminUserActionRoutes(context: $0).removeExternalAccount()
            },
        ]
    }

    private static var sessions: [Endpoint] {
        [
            .get("/sessions", .server) { try AdminSessionRoutes(context: $0).list() },
            .post("/sessions", .server, body: ["user_id": .text, "active_organization_id": .anything]) {
                try AdminSessionRoutes(context: $0).create()
            },
            .get("/sessions/{session_id}", .server) { try AdminSessionRoutes(context: $0).get() },
            .post("/sessions/{session_id}/revoke", .server) { try AdminSessionRoutes(context: $0).revoke() },
            .post("/sessions/{session_id}/refresh", .server, .repeats) { try AdminSessionRoutes(context: $0).refresh() },
            .post("/sessions/{session_id}/tokens", .server, body: ["expires_in_seconds": .whole], .repeats) {
                try AdminSessionRoutes(context: $0).token()
            },
            .post("/sessions/{session_id}/tokens/{template_name}", .server, body: ["expires_in_seconds": .whole], .repeats) {
                try AdminSessionRoutes(context: $0).templateToken()
            },
            .get("/sign_ups/{id}", .server, .writes) { try AdminSignUpRoutes(context: $0).get() },
            .patch("/sign_ups/{id}", .server, body: ["external_id": .text, "custom_action": .flag]) {
                try AdminSignUpRoutes(context: $0).update()
            },
            .get("/clients", .server) { try AdminClientRoutes(context: $0).list() },
            .post("/clients/verify", .server, body: ["token": .text]) { try AdminClientRoutes(context: $0).verify() },
            .get("/clients/handshake_payload", .server, .writes) { try AdminClientRoutes(context: $0).handshake() },
            .get("/clients/{client_id}", .server) { try AdminClientRoutes(context: $0).get() },
        ]
    }

    private static var identifications: [Endpoint] {
        [IdentificationRecord.Kind.email, .phone].flatMap { kind -> [Endpoint] in
            let path = kind == .email ? "/email_addresses" : "/phone_numbers"
            let one = path + "/{identification_id}"
            return [
                .post(path, .server, body: AdminIdentificationRoutes.createBody(kind)) {
                    try AdminIdentificationRoutes(context: $0, kind: kind).create()
                },
                .get(one, .server, .writes) { try AdminIdentificationRoutes(context: $0, kind: kind).get() },
                .patch(one, .server, body: AdminIdentificationRoutes.updateBody(kind)) {
                    try AdminIdentificationRoutes(context: $0, kind: kind).update()
                },
                .delete(one, .server) { try AdminIdentificationRoutes(context: $0, kind: kind).delete() },
                .post(one + "/prepare_verification", .server) { try AdminVerificationRoutes(context: $0, kind: kind).prepare() },
                .post(one + "/attempt_verification", .server, body: ["verification_id": .text, "code": .text]) {
                    try AdminVerificationRoutes(context: $0, kind: kind).attempt()
                },
            ]
        }
    }

    private static var tickets: [Endpoint] {
        [
            .post("/sign_in_tokens", .server, body: AdminTicketRoutes.createSignInTokenBody) {
                try AdminTicketRoutes(context: $0).createSignInToken()
            },
            .post("/sign_in_tokens/{ticket_id}/revoke", .server) { try AdminTicketRoutes(context: $0).revoke(.signInToken) },
            .post("/actor_tokens", .server, body: AdminTicketRoutes.createActorTokenBody) {
                try AdminTicketRoutes(context: $0).createActorToken()
            },
            .post("/actor_tokens/{ticket_id}/revoke", .server) { try AdminTicketRoutes(context: $0).revoke(.actorToken) },
            .post("/invitations", .server, body: AdminTicketRoutes.createInvitationBody) {
                try AdminTicketRoutes(context: $0).createInvitation()
            },
            .post("/invitations/bulk", .server, body: AdminTicketRoutes.createInvitationBody) {
                try AdminTicketRoutes(context: $0).createInvitations()
            },
            .get("/invitations", .server) { try AdminTicketRoutes(context: $0).listInvitations() },
            .post("/invitations/{ticket_id}/revoke", .server) { try AdminTicketRoutes(context: $0).revoke(.invitation) },
            .post("/testing_tokens", .server) { try AdminTicketRoutes(context: $0).createTestingToken() },
        ]
    }

}
