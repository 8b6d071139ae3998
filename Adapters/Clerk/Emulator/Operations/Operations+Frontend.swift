/// Every operation of Clerk's Frontend API as its document of 2026-05-12 lists them.
extension ClerkOperation {
    static let frontend = """
        # Well-known addresses
        ~ GET /.well-known/assetlinks.json getAndroidAssetLinks; registered apps
        + GET /.well-known/jwks.json getJWKS
        ~ GET /.well-known/apple-app-site-association getAppleAppSiteAssociation; registered apps
        ~ GET /.well-known/openid-configuration getOpenIDConfiguration; the endpoints that it names
        ~ GET /.well-known/oauth-authorization-server getOAuth2AuthorizationServerMetadata; the endpoints that it names
        + GET /.well-known/webauthn getWebAuthnRelatedOrigins
        # Billing: billing is a product of its own
        - GET /v1/me/billing/subscription GetUserMainBillingSubscription
        - GET /v1/me/billing/subscription_items GetUserBillingSubscriptionItems
        - DELETE /v1/me/billing/subscription_items/{subscriptionItemID} DeleteUserBillingSubscriptionItem
        - GET /v1/me/billing/payment_methods GetUserPaymentMethods
        - POST /v1/me/billing/payment_methods CreateUserPaymentMethod
        - POST /v1/me/billing/payment_methods/initialize InitializeUserPaymentMethod
        - DELETE /v1/me/billing/payment_methods/{paymentMethodID} DeleteUserPaymentMethod
        - POST /v1/me/billing/checkouts CreateUserBillingCheckout
        - GET /v1/me/billing/checkouts/{checkoutID} GetUserBillingCheckout
        - PATCH /v1/me/billing/checkouts/{checkoutID} UpdateUserBillingCheckout
        - PATCH /v1/me/billing/checkouts/{checkoutID}/confirm ConfirmUserBillingCheckout
        - GET /v1/me/billing/payment_attempts GetUserPaymentAttempts
        - GET /v1/me/billing/payment_attempts/{paymentAttemptID} GetUserPaymentAttempt
        - PUT /v1/me/billing/payers/default_payment_method SetUserDefaultPaymentMethod
        - GET /v1/me/billing/statements GetUserStatements
        - GET /v1/me/billing/statements/{statementID} GetUserStatement
        - POST /v1/organizations/{organizationID}/billing/checkouts CreateOrganizationBillingCheckout
        - GET /v1/organizations/{organizationID}/billing/checkouts/{checkoutID} GetOrganizationBillingCheckout
        - PATCH /v1/organizations/{organizationID}/billing/checkouts/{checkoutID} UpdateOrganizationBillingCheckout
        - PATCH /v1/organizations/{organizationID}/billing/checkouts/{checkoutID}/confirm ConfirmOrganizationBillingCheckout
        - GET /v1/organizations/{organizationID}/billing/payment_methods GetOrganizationPaymentMethods
        - POST /v1/organizations/{organizationID}/billing/payment_methods CreateOrganizationPaymentMethod
        - POST /v1/organizations/{organizationID}/billing/payment_methods/initialize InitializeOrganizationPaymentMethod
        - DELETE /v1/organizations/{organizationID}/billing/payment_methods/{paymentMethodID} DeleteOrganizationPaymentMethod
        - GET /v1/organizations/{organizationID}/billing/statements GetOrganizationStatements
        - GET /v1/organizations/{organizationID}/billing/statements/{statementID} GetOrganizationStatement
        - PUT /v1/organizations/{organizationID}/billing/payers/default_payment_method SetOrganizationDefaultPaymentMethod
        - GET /v1/organizations/{organizationID}/billing/subscription GetOrganizationBillingSubscription
        - GET /v1/organizations/{organizationID}/billing/subscription_items GetOrganizationBillingSubscriptionItems
        - DELETE /v1/organizations/{organizationID}/billing/subscription_items/{subscriptionItemID} DeleteOrganizationBillingSubscriptionItem
        - GET /v1/billing/plans GetBillingPlanList
        - GET /v1/billing/plans/{planIdOrSlug} GetBillingPlan
        # SAML: the emulator reads no XML
        - GET /v1/saml/metadata/{saml_connection_id}.xml samlMetadata
        - POST /v1/saml/acs/{saml_connection_id} acs
        # OAuth server: the instance is no identity provider for other apps
        - GET /oauth/authorize requestOAuthAuthorize
        - POST /oauth/authorize requestOAuthAuthorizePOST
        - POST /oauth/register registerOAuthClient
        - POST /oauth/token getOAuthToken
        - GET /oauth/userinfo getOAuthUserInfo
        - POST /oauth/userinfo getOAuthUserInfoPOST
        - POST /oauth/token_info getOAuthTokenInfo
        - POST /oauth/token/revoke revokeOAuthToken
        - GET /v1/me/oauth/consent/{client_id} getOAuthConsent
        - POST /v1/me/oauth/consent/{client_id} submitOAuthConsent
        # Trusted devices: needs a device's attestation
        - POST /v1/client/trusted_devices/validate validateTrustedDevice
        - GET /v1/me/trusted_devices listTrustedDevices
        - POST /v1/me/trusted_devices/prepare prepareTrustedDevice
        - POST /v1/me/trusted_devices/attempt attemptTrustedDevice
        - DELETE /v1/me/trusted_devices/{trusted_device_id} revokeTrustedDevice
        # Keys and agents: machine credentials are a product of their own
        - GET /v1/agents/tasks createAgentTask
        - GET /api_keys getApiKeys
        - POST /api_keys createApiKey
        - PATCH /api_keys/{apiKeyID} updateApiKey
        - POST /api_keys/{apiKeyID}/revoke revokeApiKey
        # Wallets: no wallet can be proven without its chain
        - GET /v1/me/web3_wallets getWeb3Wallets
        - POST /v1/me/web3_wallets postWeb3Wallets
        - GET /v1/me/web3_wallets/{web3_wallet_id} readWeb3Wallet
        - DELETE /v1/me/web3_wallets/{web3_wallet_id} deleteWeb3Wallet
        - POST /v1/me/web3_wallets/{web3_wallet_id}/prepare_verification prepareWeb3WalletVerification
        - POST /v1/me/web3_wallets/{web3_wallet_id}/attempt_verification attemptWeb3WalletVerification
        # Passkeys
        + POST /v1/me/passkeys postPasskey
        + GET /v1/me/passkeys/{passkey_id} readPasskey
        + PATCH /v1/me/passkeys/{passkey_id} patchPasskey
        + DELETE /v1/me/passkeys/{passkey_id} deletePasskey
        + POST /v1/me/passkeys/{passkey_id}/attempt_verification attemptPasskeyVerification
        # Enterprise connections
        + GET /v1/organizations/{organizationID}/enterprise_connections listOrganizationEnterpriseConnections
        + POST /v1/organizations/{organizationID}/enterprise_connections createOrganizationEnterpriseConnection
        + PATCH /v1/organizations/{organizationID}/enterprise_connections/{enterprise_connection_id} updateOrganizationEnterpriseConnection
        + DELETE /v1/organizations/{organizationID}/enterprise_connections/{enterprise_connection_id} deleteOrganizationEnterpriseConnection
        + GET /v1/organizations/{organizationID}/enterprise_connections/{enterprise_connection_id}/test_runs listOrganizationEnterpriseConnectionTestRuns
        + POST /v1/organizations/{organizationID}/enterprise_connections/{enterprise_connection_id}/test_runs createOrganizationEnterpriseConnectionTestRun
        + GET /v1/me/enterprise_connections getMeEnterpriseConnections
        + POST /v1/me/enterprise_connections createMeEnterpriseConnection
        + PATCH /v1/me/enterprise_connections/{enterprise_connection_id} updateMeEnterpriseConnection
        + DELETE /v1/me/enterprise_connections/{enterprise_connection_id} deleteMeEnterpriseConnection
        + GET /v1/me/enterprise_connections/{enterprise_connection_id}/test_runs listMeEnterpriseConnectionTestRuns
        + POST /v1/me/enterprise_connections/{enterprise_connection_id}/test_runs createMeEnterpriseConnectionTestRun
        + GET /v1/enterprise_connections/{enterpriseConnectionID}/init_test_run initEnterpriseConnectionTestRun
        + GET /v1/enterprise_connections/{enterpriseConnectionID}/test_runs/{testRunID} getEnterpriseConnectionTestRunResult
        # Organizations
        ~ GET /v1/me/organization_creation_defaults getOrganizationCreationDefaults; anything known of the user's company
        + GET /v1/me/organization_memberships getOrganizationMemberships
        + DELETE /v1/me/organization_memberships/{organization_id} deleteOrganizationMemberships
        + GET /v1/me/organization_invitations getUsersOrganizationInvitations
        + POST /v1/me/organization_invitations/{invitation_id}/accept acceptOrganizationInvitation
        + GET /v1/me/organization_suggestions getOrganizationSuggestions
        + POST /v1/me/organization_suggestions/{suggestion_id}/accept acceptOrganizationSuggestion
        + POST /v1/organizations createOrganization
        + GET /v1/organizations/{organization_id} getOrganization
        + PATCH /v1/organizations/{organization_id} updateOrganization
        + DELETE /v1/organizations/{organization_id} deleteOrganization
        + PUT /v1/organizations/{organization_id}/logo updateOrganizationLogo
        + DELETE /v1/organizations/{organization_id}/logo deleteOrganizationLogo
        + POST /v1/organizations/{organization_id}/invitations createOrganizationInvitations
        + GET /v1/organizations/{organization_id}/invitations getOrganizationInvitations
        + POST /v1/organizations/{organization_id}/invitations/bulk bulkCreateOrganizationInvitations
        + GET /v1/organizations/{organization_id}/invitations/pending getAllPendingOrganizationInvitations
        + POST /v1/organizations/{organization_id}/invitations/{invitation_id}/revoke revokePendingOrganizationInvitation
        + POST /v1/organizations/{organization_id}/memberships CreateOrganizationMembership
        + GET /v1/organizations/{organization_id}/memberships ListOrganizationMemberships
        + PATCH /v1/organizations/{organization_id}/memberships/{user_id} UpdateOrganizationMembership
        + DELETE /v1/organizations/{organization_id}/memberships/{user_id} removeOrganizationMember
        + POST /v1/organizations/{organization_id}/domains CreateOrganizationDomain
        + GET /v1/organizations/{organization_id}/domains ListOrganizationDomains
        + POST /v1/organizations/{organization_id}/domains/bulk createOrganizationDomainsBulk
        + POST /v1/organizations/{organization_id}/domains/prepare_ownership_verification/bulk prepareOrganizationDomainsOwnershipVerification
        ~ POST /v1/organizations/{organization_id}/domains/attempt_ownership_verification/bulk attemptOrganizationDomainsOwnershipVerification; a name server to ask
        + GET /v1/organizations/{organization_id}/domains/{domain_id} GetOrganizationDomain
        + DELETE /v1/organizations/{organization_id}/domains/{domain_id} deleteOrganizationDomain
        + POST /v1/organizations/{organization_id}/domains/{domain_id}/update_enrollment_mode UpdateOrganizationDomainEnrollmentMode
        + POST /v1/organizations/{organization_id}/domains/{domain_id}/prepare_affiliation_verification prepareOrganizationDomainVerification
        + POST /v1/organizations/{organization_id}/domains/{domain_id}/attempt_affiliation_verification attemptOrganizationDomainVerification
        + POST /v1/organizations/{organization_id}/domains/{domain_id}/prepare_ownership_verification prepareOrganizationDomainOwnershipVerification
        ~ POST /v1/organizations/{organization_id}/domains/{domain_id}/attempt_ownership_verification attemptOrganizationDomainOwnershipVerification; a name server to ask
        + GET /v1/organizations/{organization_id}/membership_requests listOrganizationMembershipRequests
        + POST /v1/organizations/{organization_id}/membership_requests/{request_id}/accept acceptOrganizationMembershipRequest
        + POST /v1/organizations/{organization_id}/membership_requests/{request_id}/reject rejectOrganizationMembershipRequest
        + GET /v1/organizations/{organization_id}/roles ListOrganizationRoles
        # Sign-ins and sign-ups
        + POST /v1/client/sign_ins createSignIn
        + GET /v1/client/sign_ins/{sign_in_id} getSignIn
        + POST /v1/client/sign_ins/{sign_in_id}/reset_password resetPassword
        + POST /v1/client/sign_ins/{sign_in_id}/prepare_first_factor prepareSignInFactorOne
        + POST /v1/client/sign_ins/{sign_in_id}/attempt_first_factor attemptSignInFactorOne
        + POST /v1/client/sign_ins/{sign_in_id}/prepare_second_factor prepareSignInFactorTwo
        + POST /v1/client/sign_ins/{sign_in_id}/attempt_second_factor attemptSignInFactorTwo
        + POST /v1/client/sign_ups createSignUps
        + GET /v1/client/sign_ups/{sign_up_id} getSignUps
        + PATCH /v1/client/sign_ups/{sign_up_id} updateSignUps
        + POST /v1/client/sign_ups/{sign_up_id}/prepare_verification prepareSignUpsVerification
        + POST /v1/client/sign_ups/{sign_up_id}/attempt_verification attemptSignUpsVerification
        + GET /v1/oauth_callback getOauthCallback
        + POST /v1/oauth_callback postOauthCallback
        + GET /v1/tickets/accept acceptTicket
        + GET /v1/verify verify
        + POST /v1/waitlist joinWaitlist
        # Sessions
        + DELETE /v1/client/sessions removeClientSessionsAndRetainCookie
        + GET /v1/client/sessions/{session_id} getSession
        + POST /v1/client/sessions/{session_id}/touch touchSession
        + POST /v1/client/sessions/{session_id}/end endSession
        + POST /v1/client/sessions/{session_id}/remove removeSession
        + GET /v1/me/sessions/active getSessions
        + POST /v1/me/sessions/{session_id}/revoke revokeSession
        + POST /v1/client/sessions/{session_id}/tokens createSessionToken
        + POST /v1/client/sessions/{session_id}/tokens/{template_name} createSessionTokenWithTemplate
        + POST /v1/client/sessions/{session_id}/verify startSessionReverification
        + POST /v1/client/sessions/{session_id}/verify/prepare_first_factor prepareSessionReverificationFirstFactor
        + POST /v1/client/sessions/{session_id}/verify/attempt_first_factor attemptSessionReverificationFirstFactor
        + POST /v1/client/sessions/{session_id}/verify/prepare_second_factor prepareSessionReverificationSecondFactor
        + POST /v1/client/sessions/{session_id}/verify/attempt_second_factor attemptSessionReverificationSecondFactor
        + GET /v1/me/sessions getUsersSessions
        # The user
        + GET /v1/me/email_addresses getEmailAddresses
        + POST /v1/me/email_addresses createEmailAddresses
        + POST /v1/me/email_addresses/{email_id}/attempt_verification verifyEmailAddress
        + POST /v1/me/email_addresses/{email_id}/prepare_verification sendVerificationEmail
        + GET /v1/me/email_addresses/{email_id} getEmailAddress
        + DELETE /v1/me/email_addresses/{email_id} DeleteEmailAddress
        + GET /v1/me/phone_numbers getPhoneNumbers
        + POST /v1/me/phone_numbers postPhoneNumbers
        + POST /v1/me/phone_numbers/{phone_number_id}/attempt_verification verifyPhoneNumber
        + POST /v1/me/phone_numbers/{phone_number_id}/prepare_verification sendVerificationSMS
        + GET /v1/me/phone_numbers/{phone_number_id} ReadPhoneNumber
        + PATCH /v1/me/phone_numbers/{phone_number_id} UpdatePhoneNumber
        + DELETE /v1/me/phone_numbers/{phone_number_id} DeletePhoneNumber
        + POST /v1/me/external_accounts postOAuthAccounts
        + PATCH /v1/me/external_accounts/{external_account_id}/reauthorize reauthorizeExternalAccount
        + DELETE /v1/me/external_accounts/{external_account_id} deleteExternalAccount
        + DELETE /v1/me/external_accounts/{external_account_id}/tokens revokeExternalAccountTokens
        + POST /v1/me/totp postTOTP
        + DELETE /v1/me/totp deleteTOTP
        + POST /v1/me/totp/attempt_verification verifyTOTP
        + POST /v1/me/backup_codes createBackupCodes
        + GET /v1/me getUser
        + PATCH /v1/me patchUser
        + DELETE /v1/me deleteUser
        + PATCH /v1/me/metadata patchUserMetadata
        ~ POST /v1/me/tokens createServiceToken; other services than JWT templates
        + POST /v1/me/profile_image updateProfileImage
        + DELETE /v1/me/profile_image deleteProfileImage
        + POST /v1/me/change_password changePassword
        + POST /v1/me/remove_password removePassword
        # The client, the browser, the instance
        ~ GET /v1/account_portal getAccountPortal; the portal's pages
        + GET /v1/environment getEnvironment
        + PATCH /v1/environment updateEnvironment
        + GET /v1/health getHealth
        + GET /v1/proxy-health getProxyHealth
        + GET /v1/client getClient
        + PUT /v1/client putClient
        + POST /v1/client postClient
        + DELETE /v1/client deleteClientSessions
        - GET /v1/client/sync syncClient
        - GET /v1/client/link linkClient
        + GET /v1/client/handshake handshakeClient
        + POST /v1/dev_browser createDevBrowser
        + POST /v1/dev_browser/set_first_party_cookie postDevBrowserInitSetCookie
        ~ GET /v1/dev_browser/init getDevBrowserInit; a script
        + GET /v1/clear-site-data clearSiteData
        + GET /v1/redirect redirectToUrl
        """
}
