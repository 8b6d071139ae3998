import LockstepEmulation
import LockstepPrimitives

/// `/v1/me/totp` and `/v1/me/backup_codes`.
struct FactorRoutes {
    let context: RequestContext

    /// Creates a secret for an authenticator app, which becomes active with its first code.
    func createTOTP() throws -> Answer {
        guard context.settings.secondFactors.contains(.totp) else { throw ClerkError.featureNotEnabled }
        var user = try context.freshUser()
        if user.isTOTPVerified { throw ClerkError.totpAlreadyEnabled }
        let secret = TOTP.newSecret(context.randomness)
        user.totpSecret = secret
        try context.users.save(&user)
        let name = try context.userJSON.publicData(user)["identifier"]?.string ?? user.id
        let label = Percent.encode("\(context.settings.applicationName):\(name)")
        let uri =
            "otpauth://totp/\(label)?algorithm=SHA1&digits=6&issuer=\(Percent.encode(context.settings.applicationName))&period=30&secret=\(secret)"
        return .resource(totp(user, secret: secret, uri: uri, codes: nil))
    }

    /// Checks the first code of the app, which activates the factor.
    ///
    /// A user without backup codes gets them, too.
    func attemptTOTP() throws -> Answer {
        var user = try context.user
        try context.lockout.check(user)
        let code = try context.form.required("code")
        if user.isTOTPVerified { throw ClerkError.totpAlreadyEnabled }
        guard let secret = user.totpSecret else { throw ClerkError.verificationMissing }
        guard code.count == 6 else { throw ClerkError.totpLength }
        guard TOTP(secret: secret).accepts(code, at: context.now) else {
            throw try context.lockout.refusal(.wrongTOTP, countedFor: user)
        }
        let isFirst = try !context.secondFactors.of(user).hasBackupCodes
        user.isTOTPVerified = true
        try context.secondFactors.settle(&user)
        try context.users.save(&user)
        let codes =
            isFirst && context.settings.secondFactors.contains(.backupCode)
            ? try context.secondFactors.renewBackupCodes(of: user) : nil
        return .resource(totp(user, secret: nil, uri: nil, codes: codes))
    }

    func deleteTOTP() throws -> Answer {
        var user = try context.user
        user.totpSecret = nil
        user.isTOTPVerified = false
        try context.secondFactors.settle(&user)
        try context.users.save(&user)
        return .resource(["id": .string("totp_" + user.id.dropFirst(5)), "object": "totp", "deleted": true])
    }

    /// Replaces the backup codes with ten new codes.
    func createBackupCodes() throws -> Answer {
        guard context.settings.secondFactors.contains(.backupCode) else { throw ClerkError.featureNotEnabled }
        let user = try context.freshUser()
        guard try context.secondFactors.of(user).isEnabled else { throw ClerkError.backupCodesNotAvailable }
        let codes = try context.secondFactors.renewBackupCodes(of: user)
        return .resource([
            "object": "backup_code", "id": .string("bc_" + user.id.dropFirst(5)), "codes": .strings(codes),
            "created_at": .time(context.now), "updated_at": .time(context.now),
        ])
    }

    private func totp(_ user: UserRecord, secret: String?, uri: String?, codes: [String]?) -> JSON {
        var json: JSONObject = ["object": "totp", "id": .string("totp_" + user.id.dropFirst(5))]
        json["secret"] = .text(secret)
        json["uri"] = .text(uri)
        json["verified"] = .bool(user.isTOTPVerified)
        json["backup_codes"] = codes.map { .strings($0) } ?? .null
        json["created_at"] = .time(context.now)
        json["updated_at"] = .time(context.now)
        return .object(json)
    }
}
