internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /factors`.
struct EnrollEndpoint: Endpoint {
    static let shape = BodyShape(
        "EnrollFactorParams", [("friendly_name", .text), ("factor_type", .text), ("issuer", .text), ("phone", .text)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
        guard turn.caller?.session != nil else {
            throw GoTrueError.failure("A valid session and a registered user are required to enroll a factor")
        }
        let body = try Body(of: turn.request, as: Self.shape)
        guard let kind = Factor.Kind(rawValue: body[text: "factor_type"]) else {
            throw GoTrueError.invalid("factor_type needs to be totp, phone, or webauthn")
        }
        let rules = turn.settings.factors
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
        var user = try turn.user()
        var factor = Factor(
            id: turn.uuid(), userID: user.id, name: body[text: "friendly_name"], kind: kind, createdAt: turn.now,
            updatedAt: turn.now)
        if kind == .phone {
            guard !body[text: "phone"].isEmpty else {
                throw GoTrueError.invalid("Phone number required to enroll Phone factor")
            }
            factor.phone = try Address.phone(body[text: "phone"])
        }
        try makeRoom(for: factor, &user, turn, &db)
        if kind == .totp { factor.secret = TOTP.newSecret(turn.randomness) }
        do {
            try db.insert(factor)
        } catch let error as SQLiteError where error.isDuplicate {
            throw Self.nameConflict(factor.name)
        }
        var traits: JSONObject = ["factor_id": .string(factor.id)]
        if kind != .totp { traits["factor_type"] = .string(kind.rawValue) }
        try turn.audit(.factorEnrolled, user, &db, traits: traits)
        return .go(try answer(factor, body, user, turn))
    }

    private static func nameConflict(_ name: String) -> GoTrueError {
        .unprocessable(
            .factorNameConflict, "A factor with the friendly name \(GoText.quoted(name)) for this user already exists")
    }

    /// Deletes abandoned factors, for good, and checks the limit.
    private func makeRoom(
        for factor: Factor, _ user: inout User, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws {
        let rules = turn.settings.factors
        let end = turn.now - rules.unverifiedLife
        for old in user.factors where !old.isVerified && old.createdAt < end { try db.deleteFactor(id: old.id) }
        user.factors = try db.factors(of: user.id)
        if factor.kind == .phone {
            for old in user.factors where old.kind == .phone && old.phone == factor.phone {
                guard !old.isVerified else {
                    throw GoTrueError.unprocessable(
                        .verifiedFactorExists, "A verified phone factor already exists, unenroll the existing factor to continue")
                }
                try db.deleteFactor(id: old.id)
            }
            user.factors = try db.factors(of: user.id)
        }
        if user.factors.contains(where: { $0.name == factor.name }) { throw Self.nameConflict(factor.name).kept }
        let verified = user.factors.count { $0.isVerified }
        guard user.factors.count < rules.maximumEnrolled, verified < rules.maximumVerified else {
            throw GoTrueError.unprocessable(
                .tooManyFactors, "Maximum number of verified factors reached, unenroll to continue"
            ).kept
        }
        if verified > 0, turn.caller?.session?.isSecondFactor != true {
            throw GoTrueError.forbidden(.insufficientAAL, "AAL2 required to enroll a new factor").kept
        }
    }

    private func answer(_ factor: Factor, _ body: Body, _ user: User, _ turn: Turn) throws -> JSONObject {
        var json: JSONObject = [
            "id": .string(factor.id), "type": .string(factor.kind.rawValue), "friendly_name": .string(factor.name),
        ]
        switch factor.kind {
        case .phone: json["phone"] = .string(body[text: "phone"])
        case .webAuthn: break
        case .totp:
            guard !user.email.isEmpty else { throw GoTrueError.failure("Error generating QR Code") }
            var issuer = body[text: "issuer"]
            if issuer.isEmpty, let site = GoURL(turn.settings.siteURL) {
                issuer = site.host + (site.port.isEmpty ? "" : ":" + site.port)
            }
            let secret = factor.secret ?? ""
            let address = TOTP.address(secret: secret, issuer: issuer, account: user.email)
            json["totp"] = ["qr_code": .string(QRImage.svg(of: address)), "secret": .string(secret), "uri": .string(address)]
        }
        return json
    }
}
