/// Every operation of Clerk's Backend API as its document of 2026-05-12 lists them.
extension ClerkOperation {
    static let backend = """
        # Billing: billing is a product of its own
        - GET /users/{user_id}/billing/subscription GetUserBillingSubscription
        - GET /users/{user_id}/billing/credits GetUserBillingCreditBalance
        - POST /users/{user_id}/billing/credits AdjustUserBillingCreditBalance
        - GET /organizations/{organization_id}/billing/subscription GetOrganizationBillingSubscription
        - GET /organizations/{organization_id}/billing/credits GetOrganizationBillingCreditBalance
        - POST /organizations/{organization_id}/billing/credits AdjustOrganizationBillingCreditBalance
        - GET /billing/plans GetCommercePlanList
        - GET /billing/prices GetBillingPriceList
        - POST /billing/prices CreateBillingPrice
        - GET /billing/subscription_items GetCommerceSubscriptionItemList
        - DELETE /billing/subscription_items/{subscription_item_id} CancelCommerceSubscriptionItem
        - POST /billing/subscription_items/{subscription_item_id}/extend_free_trial ExtendBillingSubscriptionItemFreeTrial
        - POST /billing/subscription_items/{subscription_item_id}/price_transition CreateBillingPriceTransition
        - POST /billing/subscription_items/{subscription_item_id}/discounts ApplyBillingSubscriptionItemDiscount
        - DELETE /billing/subscription_items/{subscription_item_id}/discounts/{discount_id} RemoveBillingSubscriptionItemDiscount
        - GET /billing/statements GetBillingStatementList
        - GET /billing/statements/{statementID} GetBillingStatement
        - GET /billing/statements/{statementID}/payment_attempts GetBillingStatementPaymentAttempts
        # SCIM and directories: needs a company's directory
        - GET /scim_directories ListSCIMDirectories
        - POST /scim_directories CreateSCIMDirectory
        - GET /scim_directories/{scim_directory_id} GetSCIMDirectory
        - PATCH /scim_directories/{scim_directory_id} UpdateSCIMDirectory
        - DELETE /scim_directories/{scim_directory_id} DeleteSCIMDirectory
        - POST /scim_directories/{scim_directory_id}/rotate_api_key RotateSCIMDirectoryAPIKey
        - GET /scim_directories/{scim_directory_id}/group_role_mappings ListSCIMGroupRoleMappings
        - POST /scim_directories/{scim_directory_id}/group_role_mappings CreateSCIMGroupRoleMapping
        - PUT /scim_directories/{scim_directory_id}/group_role_mappings ReplaceSCIMGroupRoleMappings
        - DELETE /scim_directories/{scim_directory_id}/group_role_mappings/{mapping_id} DeleteSCIMGroupRoleMapping
        - GET /directories ListDirectories
        - POST /directories CreateDirectory
        - GET /directories/{directory_id} GetDirectory
        - PATCH /directories/{directory_id} UpdateDirectory
        - DELETE /directories/{directory_id} DeleteDirectory
        - POST /directories/{directory_id}/rotate_api_key RotateDirectoryAPIKey
        - GET /directories/{directory_id}/group_role_mappings ListDirectoryGroupRoleMappings
        - POST /directories/{directory_id}/group_role_mappings CreateDirectoryGroupRoleMapping
        - PUT /directories/{directory_id}/group_role_mappings ReplaceDirectoryGroupRoleMappings
        - DELETE /directories/{directory_id}/group_role_mappings/{mapping_id} DeleteDirectoryGroupRoleMapping
        # SAML and the portal of its administrators: the emulator reads no XML
        - GET /saml_connections ListSAMLConnections
        - POST /saml_connections CreateSAMLConnection
        - GET /saml_connections/{saml_connection_id} GetSAMLConnection
        - PATCH /saml_connections/{saml_connection_id} UpdateSAMLConnection
        - DELETE /saml_connections/{saml_connection_id} DeleteSAMLConnection
        - POST /admin_portal_link_tokens createAdminPortalLinkToken
        - POST /admin_portal_link_tokens/{adminPortalLinkTokenID}/revoke revokeAdminPortalLinkToken
        # Machines, keys and agents: machine credentials are a product of their own
        - GET /machines ListMachines
        - POST /machines CreateMachine
        - GET /machines/{machine_id} GetMachine
        - PATCH /machines/{machine_id} UpdateMachine
        - DELETE /machines/{machine_id} DeleteMachine
        - GET /machines/{machine_id}/secret_key GetMachineSecretKey
        - POST /machines/{machine_id}/secret_key/rotate RotateMachineSecretKey
        - POST /machines/{machine_id}/scopes CreateMachineScope
        - DELETE /machines/{machine_id}/scopes/{other_machine_id} DeleteMachineScope
        - POST /agents/tasks CreateAgentTask
        - POST /agents/tasks/{agent_task_id}/revoke RevokeAgentTask
        - POST /api_keys createApiKey
        - GET /api_keys getApiKeys
        - GET /api_keys/{apiKeyID} getApiKey
        - PATCH /api_keys/{apiKeyID} updateApiKey
        - DELETE /api_keys/{apiKeyID} deleteApiKey
        - GET /api_keys/{apiKeyID}/secret getApiKeySecret
        - POST /api_keys/{apiKeyID}/revoke revokeApiKey
        - POST /api_keys/verify verifyApiKey
        - POST /m2m_tokens createM2MToken
        - GET /m2m_tokens getM2MTokens
        - POST /m2m_tokens/{m2m_token_id}/revoke revokeM2MToken
        - POST /m2m_tokens/verify verifyM2MToken
        # OAuth applications: the instance is no identity provider for other apps
        - GET /oauth_applications ListOAuthApplications
        - POST /oauth_applications CreateOAuthApplication
        - GET /oauth_applications/{oauth_application_id} GetOAuthApplication
        - PATCH /oauth_applications/{oauth_application_id} UpdateOAuthApplication
        - DELETE /oauth_applications/{oauth_application_id} DeleteOAuthApplication
        - PUT /oauth_applications/{oauth_application_id}/logo UploadOAuthApplicationLogo
        - POST /oauth_applications/{oauth_application_id}/rotate_secret RotateOAuthApplicationSecret
        - POST /oauth_applications/{oauth_application_id}/revoke_token RevokeOAuthApplicationToken
        - POST /oauth_applications/access_tokens/verify verifyOAuthAccessToken
        # Enterprise connections
        + GET /enterprise_connections ListEnterpriseConnections
        + POST /enterprise_connections CreateEnterpriseConnection
        + GET /enterprise_connections/{enterprise_connection_id} GetEnterpriseConnection
        + PATCH /enterprise_connections/{enterprise_connection_id} UpdateEnterpriseConnection
        + DELETE /enterprise_connections/{enterprise_connection_id} DeleteEnterpriseConnection
        + GET /enterprise_connections/{enterprise_connection_id}/test_runs ListEnterpriseConnectionTestRuns
        + POST /enterprise_connections/{enterprise_connection_id}/test_runs CreateEnterpriseConnectionTestRun
        # Organizations
        + GET /users/{user_id}/organization_memberships UsersGetOrganizationMemberships
        + GET /users/{user_id}/organization_invitations UsersGetOrganizationInvitations
        + GET /organization_invitations ListInstanceOrganizationInvitations
        + GET /instance/organization_settings GetInstanceOrganizationSettings
        + PATCH /instance/organization_settings UpdateInstanceOrganizationSettings
        + GET /organizations ListOrganizations
        + POST /organizations CreateOrganization
        + GET /organizations/{organization_id} GetOrganization
        + PATCH /organizations/{organization_id} UpdateOrganization
        + DELETE /organizations/{organization_id} DeleteOrganization
        + PATCH /organizations/{organization_id}/metadata MergeOrganizationMetadata
        + PUT /organizations/{organization_id}/metadata ReplaceOrganizationMetadata
        + PUT /organizations/{organization_id}/logo UploadOrganizationLogo
        + DELETE /organizations/{organization_id}/logo DeleteOrganizationLogo
        + POST /organizations/{organization_id}/invitations CreateOrganizationInvitation
        + GET /organizations/{organization_id}/invitations ListOrganizationInvitations
        + POST /organizations/{organization_id}/invitations/bulk CreateOrganizationInvitationBulk
        + GET /organizations/{organization_id}/invitations/pending ListPendingOrganizationInvitations
        + GET /organizations/{organization_id}/invitations/{invitation_id} GetOrganizationInvitation
        + POST /organizations/{organization_id}/invitations/{invitation_id}/revoke RevokeOrganizationInvitation
        + GET /organization_roles ListOrganizationRoles
        + POST /organization_roles CreateOrganizationRole
        + GET /organization_roles/{organization_role_id} GetOrganizationRole
        + PATCH /organization_roles/{organization_role_id} UpdateOrganizationRole
        + DELETE /organization_roles/{organization_role_id} DeleteOrganizationRole
        + POST /organization_roles/{organization_role_id}/permissions/{permission_id} AssignPermissionToOrganizationRole
        + DELETE /organization_roles/{organization_role_id}/permissions/{permission_id} RemovePermissionFromOrganizationRole
        + POST /organizations/{organization_id}/memberships CreateOrganizationMembership
        + GET /organizations/{organization_id}/memberships ListOrganizationMemberships
        + PATCH /organizations/{organization_id}/memberships/{user_id} UpdateOrganizationMembership
        + DELETE /organizations/{organization_id}/memberships/{user_id} DeleteOrganizationMembership
        + PATCH /organizations/{organization_id}/memberships/{user_id}/metadata UpdateOrganizationMembershipMetadata
        + POST /organizations/{organization_id}/domains CreateOrganizationDomain
        + GET /organizations/{organization_id}/domains ListOrganizationDomains
        + PATCH /organizations/{organization_id}/domains/{domain_id} UpdateOrganizationDomain
        + DELETE /organizations/{organization_id}/domains/{domain_id} DeleteOrganizationDomain
        + POST /organizations/{organization_id}/domains/{domain_id}/verify_ownership VerifyOrganizationDomainOwnership
        + GET /organization_domains ListAllOrganizationDomains
        + GET /organization_memberships InstanceGetOrganizationMemberships
        + GET /organization_permissions ListOrganizationPermissions
        + POST /organization_permissions CreateOrganizationPermission
        + GET /organization_permissions/{permission_id} GetOrganizationPermission
        + PATCH /organization_permissions/{permission_id} UpdateOrganizationPermission
        + DELETE /organization_permissions/{permission_id} DeleteOrganizationPermission
        + GET /role_sets ListRoleSets
        + POST /role_sets CreateRoleSet
        + GET /role_sets/{role_set_key_or_id} GetRoleSet
        + PATCH /role_sets/{role_set_key_or_id} UpdateRoleSet
        + POST /role_sets/{role_set_key_or_id}/replace ReplaceRoleSet
        + POST /role_sets/{role_set_key_or_id}/roles AddRolesToRoleSet
        + POST /role_sets/{role_set_key_or_id}/roles/replace ReplaceRoleInRoleSet
        # Users
        + PUT /users/{user_id}/email_address ReplaceUserEmailAddress
        + PUT /users/{user_id}/phone_number ReplaceUserPhoneNumber
        + GET /users GetUserList
        + POST /users CreateUser
        + GET /users/count GetUsersCount
        + GET /users/{user_id} GetUser
        + PATCH /users/{user_id} UpdateUser
        + DELETE /users/{user_id} DeleteUser
        + POST /users/{user_id}/ban BanUser
        + POST /users/{user_id}/unban UnbanUser
        + POST /users/ban UsersBan
        + POST /users/unban UsersUnban
        + POST /users/{user_id}/lock LockUser
        + POST /users/{user_id}/unlock UnlockUser
        + POST /users/{user_id}/profile_image SetUserProfileImage
        + DELETE /users/{user_id}/profile_image DeleteUserProfileImage
        + PATCH /users/{user_id}/metadata UpdateUserMetadata
        + PUT /users/{user_id}/metadata ReplaceUserMetadata
        ~ GET /users/{user_id}/oauth_access_tokens/{provider} GetOAuthAccessToken; refreshing, and expiry
        + POST /users/{user_id}/remove_password RemoveUserPassword
        + POST /users/{user_id}/verify_password VerifyPassword
        + POST /users/{user_id}/verify_totp VerifyTOTP
        + DELETE /users/{user_id}/mfa DisableMFA
        + DELETE /users/{user_id}/backup_code DeleteBackupCode
        + DELETE /users/{user_id}/passkeys/{passkey_identification_id} UserPasskeyDelete
        - GET /users/{user_id}/trusted_devices ListUserTrustedDevices
        - DELETE /users/{user_id}/trusted_devices/{trusted_device_id} RevokeUserTrustedDevice
        - DELETE /users/{user_id}/web3_wallets/{web3_wallet_identification_id} UserWeb3WalletDelete
        + DELETE /users/{user_id}/totp DeleteTOTP
        + DELETE /users/{user_id}/external_accounts/{external_account_id} DeleteExternalAccount
        + POST /users/{user_id}/password/set_compromised SetUserPasswordCompromised
        + POST /users/{user_id}/password/unset_compromised UnsetUserPasswordCompromised
        # E-mail addresses and phone numbers
        + POST /email_addresses CreateEmailAddress
        + GET /email_addresses/{email_address_id} GetEmailAddress
        + DELETE /email_addresses/{email_address_id} DeleteEmailAddress
        + PATCH /email_addresses/{email_address_id} UpdateEmailAddress
        + POST /email_addresses/{email_address_id}/prepare_verification PrepareEmailAddressVerification
        + POST /email_addresses/{email_address_id}/attempt_verification AttemptEmailAddressVerification
        + POST /phone_numbers CreatePhoneNumber
        + GET /phone_numbers/{phone_number_id} GetPhoneNumber
        + DELETE /phone_numbers/{phone_number_id} DeletePhoneNumber
        + PATCH /phone_numbers/{phone_number_id} UpdatePhoneNumber
        + POST /phone_numbers/{phone_number_id}/prepare_verification PreparePhoneNumberVerification
        + POST /phone_numbers/{phone_number_id}/attempt_verification AttemptPhoneNumberVerification
        # Clients and sessions
        + GET /clients GetClientList
        + POST /clients/verify VerifyClient
        + GET /clients/{client_id} GetClient
        + GET /sessions GetSessionList
        + POST /sessions createSession
        + GET /sessions/{session_id} GetSession
        + POST /sessions/{session_id}/refresh RefreshSession
        + POST /sessions/{session_id}/revoke RevokeSession
        + POST /sessions/{session_id}/tokens CreateSessionToken
        + POST /sessions/{session_id}/tokens/{template_name} CreateSessionTokenFromTemplate
        + GET /sign_ups/{id} GetSignUp
        + PATCH /sign_ups/{id} UpdateSignUp
        # Tickets and invitations
        + POST /invitations CreateInvitation
        + GET /invitations ListInvitations
        + POST /invitations/bulk CreateBulkInvitations
        + POST /invitations/{invitation_id}/revoke RevokeInvitation
        + POST /actor_tokens CreateActorToken
        + POST /actor_tokens/{actor_token_id}/revoke RevokeActorToken
        + POST /sign_in_tokens CreateSignInToken
        + POST /sign_in_tokens/{sign_in_token_id}/revoke RevokeSignInToken
        + POST /testing_tokens CreateTestingToken
        + GET /waitlist_entries ListWaitlistEntries
        + POST /waitlist_entries CreateWaitlistEntry
        + POST /waitlist_entries/bulk CreateBulkWaitlistEntries
        + DELETE /waitlist_entries/{waitlist_entry_id} DeleteWaitlistEntry
        + POST /waitlist_entries/{waitlist_entry_id}/invite InviteWaitlistEntry
        + POST /waitlist_entries/{waitlist_entry_id}/reject RejectWaitlistEntry
        # Messages
        - GET /templates/{template_type} GetTemplateList
        - GET /templates/{template_type}/{slug} GetTemplate
        - PUT /templates/{template_type}/{slug} UpsertTemplate
        - POST /templates/{template_type}/{slug}/revert RevertTemplate
        - POST /templates/{template_type}/{slug}/preview PreviewTemplate
        - POST /templates/{template_type}/{slug}/toggle_delivery ToggleTemplateDelivery
        # The instance
        - GET /public/interstitial GetPublicInterstitial
        + GET /jwks GetJWKS
        + GET /allowlist_identifiers ListAllowlistIdentifiers
        + POST /allowlist_identifiers CreateAllowlistIdentifier
        + DELETE /allowlist_identifiers/{identifier_id} DeleteAllowlistIdentifier
        + GET /blocklist_identifiers ListBlocklistIdentifiers
        + POST /blocklist_identifiers CreateBlocklistIdentifier
        + DELETE /blocklist_identifiers/{identifier_id} DeleteBlocklistIdentifier
        ~ PATCH /beta_features/instance_settings UpdateInstanceAuthConfig; the sender's name and progressive sign-up
        + PUT /beta_features/domain UpdateProductionInstanceDomain
        ~ GET /domains ListDomains; DNS targets
        ~ POST /domains AddDomain; the syncing of satellites
        + DELETE /domains/{domain_id} DeleteDomain
        ~ PATCH /domains/{domain_id} UpdateDomain; the syncing of satellites
        + GET /instance GetInstance
        ~ PATCH /instance UpdateInstance; settings that the emulator has not
        ~ PATCH /instance/restrictions UpdateInstanceRestrictions; a list of disposable hosts
        ~ GET /instance/protect GetInstanceProtect; rules that the switches would switch
        ~ PATCH /instance/protect UpdateInstanceProtect; rules that the switches would switch
        + GET /instance/communication GetInstanceCommunication
        ~ PATCH /instance/communication UpdateInstanceCommunication; enforcement
        - GET /instance/oauth_application_settings GetInstanceOAuthApplicationSettings
        - PATCH /instance/oauth_application_settings UpdateInstanceOAuthApplicationSettings
        + POST /instance/change_domain ChangeProductionInstanceDomain
        ~ POST /webhooks/svix CreateSvixApp; Svix's dashboard
        + DELETE /webhooks/svix DeleteSvixApp
        ~ POST /webhooks/svix_url GenerateSvixAuthURL; Svix's dashboard
        + GET /jwt_templates ListJWTTemplates
        + POST /jwt_templates CreateJWTTemplate
        + GET /jwt_templates/{template_id} GetJWTTemplate
        + PATCH /jwt_templates/{template_id} UpdateJWTTemplate
        + DELETE /jwt_templates/{template_id} DeleteJWTTemplate
        + POST /proxy_checks VerifyDomainProxy
        + GET /redirect_urls ListRedirectURLs
        + POST /redirect_urls CreateRedirectURL
        + GET /redirect_urls/{id} GetRedirectURL
        + DELETE /redirect_urls/{id} DeleteRedirectURL
        """
}
