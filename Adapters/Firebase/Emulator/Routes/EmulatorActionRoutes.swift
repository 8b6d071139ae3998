internal import LockstepEmulation
internal import LockstepPrimitives

/// `GET /emulator/action`: the target of an emailed link in emulator mode.
///
/// Opening the link runs the action, even for a scanner's GET or HEAD.
struct EmulatorActionRoutes {
    static let path = "/emulator/action"

    let context: RequestContext

    /// Runs the action of the link.
    func run() throws -> EmulatorResponse {
        guard context.query["apiKey"]?.isEmpty == false else { return Self.missing("apiKey", "YOUR_API_KEY", an: "an apiKey") }
        guard let code = context.query["oobCode"], !code.isEmpty else {
            return Self.missing("oobCode", "YOUR_OOB_CODE", an: "an oobCode")
        }
        switch context.query["mode"] {
        case "resetPassword": return try reset(code)
        case "verifyEmail":
            return try apply(
                code, done: "The email has been successfully verified.", key: "email",
                refusal: "Your request to verify your email has expired or the link has already been used.",
                advice: "Try verifying your email again.")
        case "verifyAndChangeEmail":
            return try apply(
                code, done: "The email has been successfully changed.", key: "newEmail",
                refusal: "Your request to change your email has expired or the link has already been used.",
                advice: "Try changing your email again.")
        case "recoverEmail": return try recover(code)
        case "signIn": return signIn()
        default: return Self.json(["error": "Invalid mode"], status: 400)
        }
    }

    private func apply(
        _ code: String, done: String, key: String, refusal: String, advice: String, goesOn: Bool = true
    ) throws -> EmulatorResponse {
        do {
            let response = try context.actionCodes.apply(code)
            if goesOn, let next = context.query["continueUrl"], !next.isEmpty { return Self.redirect(to: next) }
            var result: JSONObject = ["success": .string(done)]
            result[key] = response[key]
            return Self.json(result)
        } catch let error as APIError where error.status == 501 || error.message == ErrorCode.invalidOobCode.rawValue {
            return Self.refused(refusal, advice)
        }
    }

    private func recover(_ code: String) throws -> EmulatorResponse {
        let advice = "If you're trying to test the reverting email flow, try changing the email again to generate a new link."
        guard try kind(of: code) == .recoverEmail else {
            return Self.refused("Requested mode does not match the OOB code provided.", advice)
        }
        return try apply(
            code, done: "The email has been successfully reset.", key: "email",
            refusal: "Your request to revert your email has expired or the link has already been used.", advice: advice,
            goesOn: false)
    }

    private func reset(_ code: String) throws -> EmulatorResponse {
        let placeholder = "NEW_PASSWORD_HERE"
        guard let action = try context.actionCodes.find(code), action.kind == .passwordReset
        else {
            return Self.refused(
                "Your request to reset your password has expired or the link has already been used.",
                "Try resetting your password again.")
        }
        let template: JSON = .string("\(action.link)&newPassword=\(placeholder)")
        guard let password = context.query["newPassword"], !password.isEmpty else {
            return Self.json(
                [
                    "error": "missing newPassword query parameter",
                    "instructions":
                        .string("To reset the password for \(action.email), send an HTTP GET request to the following URL."),
                    "instructions2": "You may use a web browser or any HTTP client, such as curl.", "urlTemplate": template,
                ], status: 400)
        }
        guard password != placeholder else {
            return Self.json(
                [
                    "error": .string("newPassword must be something other than '\(placeholder)'"),
                    "instructions": .string("The string '\(placeholder)' is just a placeholder."),
                    "instructions2": "Please change the URL to specify a new password instead.", "urlTemplate": template,
                ], status: 400)
        }
        let response = try context.actionCodes.resetPassword(code: code, password)
        if let next = context.query["continueUrl"], !next.isEmpty { return Self.redirect(to: next) }
        return Self.json(["success": "The password has been successfully updated.", "email": response["email"] ?? .null])
    }

    /// The server passes the code to the app without a check.
    private func signIn() -> EmulatorResponse {
        guard let next = context.query["continueUrl"], !next.isEmpty, var address = WebAddress(next) else {
            return Self.refused(
                "Missing continueUrl query parameter", "To sign in, append &continueUrl=YOUR_APP_URL to the link.")
        }
        for (name, value) in context.query.pairs where name != "continueUrl" { address.set(name, to: value) }
        return Self.redirect(to: address.text)
    }

    private func kind(of code: String) throws -> ActionCode.Kind? {
        try context.actionCodes.find(code)?.kind
    }

    private static func missing(_ name: String, _ example: String, an article: String) -> EmulatorResponse {
        refused(
            "missing \(name) query parameter",
            "Please modify the URL to specify \(article), such as ...&\(name)=\(example)")
    }

    private static func refused(_ error: String, _ instructions: String) -> EmulatorResponse {
        json(["error": .string(error), "instructions": .string(instructions)], status: 400)
    }

    private static func json(_ result: JSONObject, status: Int = 200) -> EmulatorResponse {
        .json(["authEmulator": .object(result)], status: status, contentType: "application/json; charset=utf-8")
    }

    private static func redirect(to address: String) -> EmulatorResponse {
        .text("See Other. Redirecting to \(address)", status: 303).with("Location", address)
    }
}
