internal import LockstepPrimitives

/// A value of a report for people: words, and the name in the code, if there is one.
///
/// JSON contains the value as it was recorded.
struct PlainValue {
    let words: String
    /// The name of an error or of a reason in Swift, such as `verificationRequired`.
    let code: String?

    init(_ value: String) {
        if value.hasPrefix("refused: ") {
            (words, code) = ("fails", String(value.dropFirst("refused: ".count)))
            return
        }
        // The reason of a sign-out is code, whatever stands before it and after it.
        if let start = value.firstRange(of: "signedOut(") {
            let (before, (reason, rest)) = (value[..<start.lowerBound], value[start.upperBound...].cut(at: ")"))
            let head = before.hasSuffix(": ") ? String(before.dropLast(2)) : before + "signed out"
            (words, code) = (head + (rest ?? ""), String(reason))
            return
        }
        let (state, rest) = value.cut(at: ",")
        words = (Self.states[String(state)] ?? String(state)) + (rest.map { ",\($0)" } ?? "")
        code = nil
    }

    /// What the results of calls and the states of a client are called in a sentence.
    private static let states = [
        "signedIn": "signed in", "signedOut": "signed out", "anonymous": "signed in anonymously", "complete": "succeeds",
        "verify": "asks for a verification", "secondFactor": "asks for the second factor",
        "newPassword": "asks for a new password", "redirect": "opens a web page", "moreInformation": "asks for more fields",
        "identityConflict": "asks to link the identity", "authenticatorApp": "authenticator app", "backupCode": "backup code",
    ]

    var text: String { code.map { "\(words) (\($0))" } ?? words }

    var html: String { words.escapedForHTML + (code.map { " <code>\($0.escapedForHTML)</code>" } ?? "") }

    var markdown: String { words.escapedForMarkdown + (code.map { " \($0.asCodeInMarkdown)" } ?? "") }
}

extension String {
    /// The value in words, for a terminal.
    var inPlainWords: String { PlainValue(self).text }
}
