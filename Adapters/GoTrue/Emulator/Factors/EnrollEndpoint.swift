internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /factors`.
struct EnrollEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("EnrollFactorParams", ["friendly_name": .text, "factor_type": .text, "issuer": .text, "phone": .text])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        var user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        guard context.session != nil else {
            throw GoTrueError.failure("A valid session and a registered user are required to enroll a factor")
        }
        let body = try Body(of: context.request, as: Self.shape)
        guard let kind = Factor.Kind(rawValue: body[text: "factor_type"]) else {
            throw GoTrueError.invalid("factor_type needs to be totp, phone, or webauthn")
        }
        let rules = context.settings.factors
        let isAllowed =
            switch kind {
            case .totp: rules.totp.mayEnroll
            case .phone: rules.phone.mayEnroll
            case .webAuthn: rules.webAuthn.mayEnroll
            }
        guard isAllowed else {
            let name = kind == .totp ? "TOTP" : kind == .phone ? "Phone" : "WebAuthn"
            throw GoTrueError.unprocessable(
                ErrorCode(rawValue: "mfa_\(kind == .webAuthn ? "webauthn" : kind.rawValue)_enroll_not_enabled"),
                "MFA enroll is disabled for \(name)")
        }
        var factor = Factor(
            id: context.uuid(), userID: user.id, name: body[text: "friendly_name"], kind: kind, createdAt: context.now,
            updatedAt: context.now)
        if kind == .phone {
            guard !body[text: "phone"].isEmpty else {
                throw GoTrueError.invalid("Phone number required to enroll Phone factor")
            }
            factor.phone = try Address.phone(body[text: "phone"])
        }
        try makeRoom(for: factor, &user, context)
        if kind == .totp { factor.secret = TOTP.newSecret(context.randomness) }
        do {
            try context.db.insert(factor)
        } catch let error as SQLiteError where error.isDuplicate {
            throw Self.nameConflict(factor.name)
        }
        var traits: JSONObject = ["factor_id": .string(factor.id)]
        if kind != .totp { traits["factor_type"] = .string(kind.rawValue) }
        try context.auditLog.record(.factorEnrolled, user, traits: traits)
        return .go(try answer(factor, body, user, context))
    }

    private static func nameConflict(_ name: String) -> GoTrueError {
        .unprocessable(
            .factorNameConflict, "A factor with the friendly name \(GoText.quoted(name)) for this user already exists")
    }

    /// Deletes abandoned factors, for good, and checks the limit.
    private func makeRoom(for factor: Factor, _ user: inout User, _ context: RequestContext) throws {
        let rules = context.settings.factors
        let end = context.now - rules.unverifiedLife
        for old in user.factors where !old.isVerified && old.createdAt < end { try context.db.deleteFactor(id: old.id) }
        user.factors = try context.db.factors(of: user.id)
        if factor.kind == .phone {
            for old in user.factors where old.kind == .phone && old.phone == factor.phone {
                guard !old.isVerified else {
                    throw GoTrueError.unprocessable(
                        .verifiedFactorExists, "A verified phone factor already exists, unenroll the existing factor to continue")
                }
                try context.db.deleteFactor(id: old.id)
            }
            user.factors = try context.db.factors(of: user.id)
        }
        if user.factors.contains(where: { $0.name == factor.name }) { throw Self.nameConflict(factor.name).kept }
        let verified = user.factors.count { $0.isVerified }
        guard user.factors.count < rules.maximumEnrolled, verified < rules.maximumVerified else {
            throw GoTrueError.unprocessable(
                .tooManyFactors, "Maximum number of verified factors reached, unenroll to continue"
            ).kept
        }
        if verified > 0, context.session?.isSecondFactor != true {
            throw GoTrueError.forbidden(.insufficientAAL, "AAL2 required to enroll a new factor").kept
        }
    }

    private func answer(_ factor: Factor, _ body: Body, _ user: User, _ context: RequestContext) throws -> JSONObject {
        var json: JSONObject = [
            "id": .string(factor.id), "type": .string(factor.kind.rawValue), "friendly_name": .string(factor.name),
        ]
        switch factor.kind {
        case .phone: json["phone"] = .string(body[text: "phone"])
        case .webAuthn: break
        case .totp:
            guard !user.email.isEmpty else { throw GoTrueError.failure("Error generating QR Code") }
            var issuer = body[text: "issuer"]
            if issuer.isEmpty, let site = GoURL(context.settings.siteURL) {
                issuer = site.host + (site.port.isEmpty ? "" : ":" + site.port)
            }
            let secret = factor.secret ?? ""
            let address = TOTP.address(secret: secret, issuer: issuer, account: user.email)
            json["totp"] = ["qr_code": .string(QRImage.svg(of: address)), "secret": .string(secret), "uri": .string(address)]
        }
        return json
    }
}

extension TOTP {
    /// The key's address for an authenticator app.
    static func address(secret: String, issuer: String, account: String) -> String {
        "otpauth://totp/\(pathEscaped(issuer)):\(pathEscaped(account))?algorithm=SHA1&digits=6&issuer=\(queryEscaped(issuer))&period=30&secret=\(secret)"
    }

    /// As Go's `url.URL` writes a path: `&`, `+`, `:`, `@` and the like stay.
    private static func pathEscaped(_ text: String) -> String { escaped(text, keeping: "-._~$&+,/:;=@!'()*") }

    private static func queryEscaped(_ text: String) -> String { escaped(text, keeping: "-._~$&+,/:;=@!'()*?") }

    private static func escaped(_ text: String, keeping kept: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || kept.unicodeScalars.contains(scalar) ? String(scalar) : Percent.encode(String(scalar))
        }.joined()
    }
}

/// The picture of a key for authenticator apps: three points a module, a margin of four modules.
enum QRImage {
    static func svg(of text: String) -> String {
        guard let code = QRCode(text) else { return #"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>"# }
        let side = 3 * (code.size + 8)
        var path = ""
        for (row, modules) in code.isDark.enumerated() {
            for (column, isDark) in modules.enumerated() where isDark {
                path += "M\(3 * (column + 4)) \(3 * (row + 4))h3v3h-3z"
            }
        }
        return """
            <?xml version="1.0"?>
            <!-- Generated by Lockstep -->
            <svg width="\(side)" height="\(side)" xmlns="http://www.w3.org/2000/svg">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }
}

/// Answers `DELETE /factors/{factor_id}`.
struct UnenrollEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        let factor = try context.factors.factorOfPath(user)
        guard let session = context.session else {
            throw GoTrueError.failure("A valid session and factor are required to unenroll a factor")
        }
        if factor.isVerified, !session.isSecondFactor {
            throw GoTrueError.unprocessable(.insufficientAAL, "AAL2 required to unenroll verified factor")
        }
        try context.db.deleteFactor(factor)
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "factor_status": .string(factor.status), "session_id": .string(session.id),
        ]
        try context.auditLog.record(.factorUnenrolled, user, traits: traits)
        return .go(["id": .string(factor.id)] as JSONObject)
    }
}
