import LockstepPrimitives

/// The routes of the Backend API, below `/v1` (https://clerk.com/docs/reference/backend-api).
enum BackendRoutes {
    typealias Route = (method: String, pattern: String, handler: BackendService.Handler)

    static var all: [Route] { users + userActions + sessions + identifications + tickets + instance + settings + organizations }

    private static var users: [Route] {
        [
            ("POST", "/users", { try BackendUserCreation(call: $0).create() }),
            ("GET", "/users", { try BackendUserList(call: $0).list() }),
            ("GET", "/users/count", { try BackendUserList(call: $0).count() }),
            ("GET", "/users/{user_id}", { .resource(try $0.json(try $0.user())) }),
            ("PATCH", "/users/{user_id}", { try BackendUserRoutes(call: $0).update() }),
            ("DELETE", "/users/{user_id}", { try BackendUserRoutes(call: $0).delete() }),
            ("PATCH", "/users/{user_id}/metadata", { try BackendUserRoutes(call: $0).mergeMetadata() }),
            ("PUT", "/users/{user_id}/metadata", { try BackendUserRoutes(call: $0).replaceMetadata() }),
            ("DELETE", "/users/{user_id}/passkeys/{passkey_id}", { try BackendUserActions(call: $0).removePasskey() }),
            ("GET", "/users/{user_id}/oauth_access_tokens/{provider}", { try BackendUserActions(call: $0).accessTokens() }),
            ("POST", "/users/{user_id}/profile_image", { try BackendUserActions(call: $0).setImage() }),
            ("DELETE", "/users/{user_id}/profile_image", { try BackendUserActions(call: $0).removeImage() }),
            ("PUT", "/users/{user_id}/phone_number", { try BackendIdentificationRoutes(call: $0, kind: .phone).replace() }),
            ("PUT", "/users/{user_id}/email_address", { try BackendIdentificationRoutes(call: $0, kind: .email).replace() }),
        ]
    }

    private static var userActions: [Route] {
        let one = "/users/{user_id}"
        return [
            ("POST", one + "/ban", { try BackendUserActions(call: $0).ban(true) }),
            ("POST", one + "/unban", { try BackendUserActions(call: $0).ban(false) }),
            ("POST", "/users/ban", { try BackendUserActions(call: $0).banAll(true) }),
            ("POST", "/users/unban", { try BackendUserActions(call: $0).banAll(false) }),
            ("POST", one + "/lock", { try BackendUserActions(call: $0).lock() }),
            ("POST", one + "/unlock", { try BackendUserActions(call: $0).unlock() }),
            ("POST", one + "/verify_password", { try BackendUserActions(call: $0).verifyPassword() }),
            ("POST", one + "/verify_totp", { try BackendUserActions(call: $0).verifyTOTP() }),
            ("POST", one + "/remove_password", { try BackendUserActions(call: $0).removePassword() }),
            ("POST", one + "/password/set_compromised", { try BackendUserActions(call: $0).setCompromised(true) }),
            ("POST", one + "/password/unset_compromised", { try BackendUserActions(call: $0).setCompromised(false) }),
            ("DELETE", one + "/mfa", { try BackendUserActions(call: $0).removeFactors() }),
            ("DELETE", one + "/totp", { try BackendUserActions(call: $0).removeTOTP() }),
            ("DELETE", one + "/backup_code", { try BackendUserActions(call: $0).removeBackupCodes() }),
            (
                "DELETE", one + "/external_accounts/{external_account_id}",
                { try BackendUserActions(call: $0).removeExternalAccount() }
            ),
        ]
    }

    private static var sessions: [Route] {
        [
            ("GET", "/sessions", { try BackendSessionRoutes(call: $0).list() }),
            ("POST", "/sessions", { try BackendSessionRoutes(call: $0).create() }),
            ("GET", "/sessions/{session_id}", { try BackendSessionRoutes(call: $0).get() }),
            ("POST", "/sessions/{session_id}/revoke", { try BackendSessionRoutes(call: $0).revoke() }),
            ("POST", "/sessions/{session_id}/refresh", { try BackendSessionRoutes(call: $0).refresh() }),
            ("POST", "/sessions/{session_id}/tokens", { try BackendSessionRoutes(call: $0).token() }),
            ("POST", "/sessions/{session_id}/tokens/{template_name}", { try BackendSessionRoutes(call: $0).templateToken() }),
            ("GET", "/sign_ups/{id}", { try BackendSignUpRoutes(call: $0).get() }),
            ("PATCH", "/sign_ups/{id}", { try BackendSignUpRoutes(call: $0).update() }),
            ("GET", "/clients", { try BackendClientRoutes(call: $0).list() }),
            ("POST", "/clients/verify", { try BackendClientRoutes(call: $0).verify() }),
            ("GET", "/clients/handshake_payload", { try BackendClientRoutes(call: $0).handshake() }),
            ("GET", "/clients/{client_id}", { try BackendClientRoutes(call: $0).get() }),
        ]
    }

    private static var identifications: [Route] {
        [IdentificationRecord.Kind.email, .phone].flatMap { kind -> [Route] in
            let path = kind == .email ? "/email_addresses" : "/phone_numbers"
            let one = path + "/{identification_id}"
            return [
                ("POST", path, { try BackendIdentificationRoutes(call: $0, kind: kind).create() }),
                ("GET", one, { try BackendIdentificationRoutes(call: $0, kind: kind).get() }),
                ("PATCH", one, { try BackendIdentificationRoutes(call: $0, kind: kind).update() }),
                ("DELETE", one, { try BackendIdentificationRoutes(call: $0, kind: kind).delete() }),
                ("POST", one + "/prepare_verification", { try BackendVerificationRoutes(call: $0, kind: kind).prepare() }),
                ("POST", one + "/attempt_verification", { try BackendVerificationRoutes(call: $0, kind: kind).attempt() }),
            ]
        }
    }

    private static var tickets: [Route] {
        [
            ("POST", "/sign_in_tokens", { try BackendTicketRoutes(call: $0).createSignInToken() }),
            ("POST", "/sign_in_tokens/{ticket_id}/revoke", { try BackendTicketRoutes(call: $0).revoke(.signInToken) }),
            ("POST", "/actor_tokens", { try BackendTicketRoutes(call: $0).createActorToken() }),
            ("POST", "/actor_tokens/{ticket_id}/revoke", { try BackendTicketRoutes(call: $0).revoke(.actorToken) }),
            ("POST", "/invitations", { try BackendTicketRoutes(call: $0).createInvitation() }),
            ("POST", "/invitations/bulk", { try BackendTicketRoutes(call: $0).createInvitations() }),
            ("GET", "/waitlist_entries", { try BackendWaitlistRoutes(call: $0).list() }),
            ("POST", "/waitlist_entries", { try BackendWaitlistRoutes(call: $0).create() }),
            ("POST", "/waitlist_entries/bulk", { try BackendWaitlistRoutes(call: $0).createAll() }),
            ("DELETE", "/waitlist_entries/{waitlist_entry_id}", { try BackendWaitlistRoutes(call: $0).delete() }),
            ("POST", "/waitlist_entries/{waitlist_entry_id}/invite", { try BackendWaitlistRoutes(call: $0).invite() }),
            ("POST", "/waitlist_entries/{waitlist_entry_id}/reject", { try BackendWaitlistRoutes(call: $0).reject() }),
            ("GET", "/invitations", { try BackendTicketRoutes(call: $0).listInvitations() }),
            ("POST", "/invitations/{ticket_id}/revoke", { try BackendTicketRoutes(call: $0).revoke(.invitation) }),
            ("POST", "/testing_tokens", { try BackendTicketRoutes(call: $0).createTestingToken() }),
        ]
    }

    private static var instance: [Route] {
        [
            ("GET", "/jwt_templates", { try BackendTemplateRoutes(call: $0).list() }),
            ("POST", "/jwt_templates", { try BackendTemplateRoutes(call: $0).create() }),
            ("GET", "/jwt_templates/{template_id}", { try BackendTemplateRoutes(call: $0).get() }),
            ("PATCH", "/jwt_templates/{template_id}", { try BackendTemplateRoutes(call: $0).update() }),
            ("DELETE", "/jwt_templates/{template_id}", { try BackendTemplateRoutes(call: $0).delete() }),
        ]
    }
}
