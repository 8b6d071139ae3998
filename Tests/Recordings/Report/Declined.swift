/// Conversations with intentional differences, with the reason.
enum Declined {
    private static let reasons: [String: [String: String]] = [
        "firebase": [
            "request-no-body": "a POST without a body is an empty one, and no failure of the server",
            "import-real-hashes-are-useless": "users imported with real hashes can sign in",
            "idp-takes-over-unverified-user": "a password that is gone leaves no salt behind",
        ]
    ]

    static func reason(_ recording: Recording) -> String? { reasons[recording.provider]?[recording.id] }
}
