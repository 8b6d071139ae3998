import Foundation
import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepRecordings
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// The client's side of the recordings: the adapter must map the real responses to the portable results.
///
/// A few rules give the expected result of a response. They are written here and not in the adapter.
@Suite(.limitedConcurrency)
struct RecordedConversationTests {
    static let answers: [RecordedResponse] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Recordings/gotrue").path
        let files = (try? Recording.files(in: folder)) ?? []
        return files.compactMap { try? Recording(file: $0) }.flatMap { recording in
            recording.steps.flatMap { step -> [RecordedExchange] in
                switch step {
                case .exchange(let exchange): [exchange]
                case .together(let exchanges): exchanges
                default: []
                }
            }.compactMap { RecordedResponse($0, of: recording) }
        }
    }()

    static let conversations = Dictionary(grouping: answers, by: \.recording).sorted { $0.key < $1.key }.map(\.value)

    /// The part that the adapter and the directory can send; neither sends the requests of the other recordings.
    @Test func mostConversationsAreReplayed() {
        let driven = Self.answers.filter { Drive.of($0) != nil }
        #expect(Self.conversations.count == 269)
        #expect(Self.answers.count == 1355)
        #expect(driven.count == 1124)
        #expect(Set(driven.map(\.recording)).count == 254)
    }

    @Test(arguments: conversations)
    func conversationIsUnderstood(_ conversation: [RecordedResponse]) async throws {
        for answer in conversation {
            guard let drive = Drive.of(answer) else { continue }
            let label = "\(answer.recording): \(answer.method) \(answer.path) → \(answer.status) \(answer.json?.text() ?? "")"
            // A call that continues after the recorded response finds the unchanged user.
            let rest = HTTPResponse.json(GoTrue.user(id: RecordedResponse.id))
            let playback = Playback([answer.response, rest])
            let adapter = try GoTrue.adapter(playback)
            do {
                let outcome = try await drive.run(adapter, playback)
                Self.check(outcome, of: answer, label)
            } catch let error as AuthError {
                #expect(answer.status >= 400, "\(error): \(label)")
                var meaning = PortableMeaning.of(answer)
                // The server has one code for both. The hash of a token comes from a link.
                if meaning == .invalidCode, playback.requests.first?.json?["token_hash"] != nil, error.code == .linkExpired {
                    meaning = .linkExpired
                }
                // A directory has no user session, so the rejected token is the administrator's key.
                if meaning == .accessTokenRefused, answer.path.hasPrefix("/admin/") { meaning = .invalidKey }
                // The server returns 500 for a password that its hash would cut. The directory does not send it.
                if playback.requests.isEmpty, answer.status == 500, error.reasons == ["tooLong"] { meaning = .weakPassword }
                #expect(error.code == meaning, "\(error): \(label)")
            }
            guard answer.location == nil else { continue }
            guard let sent = playback.requests.first else {
                // A recognizable error is reported without a request.
                #expect(answer.status >= 400, "\(label)")
                continue
            }
            #expect(sent.method.rawValue == answer.method, "\(label)")
            #expect(sent.path.prefix { $0 != "?" } == answer.plainPath, "\(label)")
        }
    }

    private static func check(_ outcome: Drive.Outcome, of answer: RecordedResponse, _ label: String) {
        let json = answer.json ?? .null
        switch outcome {
        case .callback(let content): check(content, of: answer, label)
        case .session(let session): check(session, json["user"] ?? json, label)
        case .user(let user): check(user, json, label)
        case .challenge(let challenge): #expect(answer.status < 400 && !challenge.accepts.isEmpty, "\(label)")
        case .directory(let id):
            let expected = json["users"]?[0]?["id"] ?? json["id"]
            #expect(answer.status < 400 && id == expected?.string, "\(label)")
        case .nothing: #expect(answer.status == 204, "\(label)")
        case .step(let step): check(step, of: answer, label)
        }
    }

    private static func check(_ step: AuthStep, of answer: RecordedResponse, _ label: String) {
        let json = answer.json ?? .null
        let code = json["code"]?.string ?? json["error_code"]?.string
        switch step {
        case .complete(let session):
            #expect(answer.status < 400, "\(label)")
            if json["access_token"] != nil {
                let claims = CompactToken.unverifiedClaims(of: json["access_token"]?.string ?? "") ?? [:]
                #expect(session.id == claims["session_id"]?.string, "\(label)")
                #expect(session.refreshToken.reveal() == json["refresh_token"]?.string, "\(label)")
                #expect((session.assurance == .twoFactors) == (claims["aal"]?.string == "aal2"), "\(label)")
                #expect(session.lifetime.life == .seconds(json["expires_in"]?.int ?? 0), "\(label)")
                check(session, json["user"] ?? .null, label)
            }
        case .verify(let challenge):
            let isUnproven = code == "email_not_confirmed"
            #expect(answer.status < 400 || isUnproven, "\(label)")
            #expect(json["access_token"] == nil, "\(label)")
            if isUnproven || answer.path.hasPrefix("/signup") { #expect(challenge.flow.kind == .confirmation, "\(label)") }
        case .secondFactor(let second):
            let verified = (json["user"]?["factors"]?.array ?? []).filter { $0["status"]?.string == "verified" }
            #expect(second.choices.count == verified.count && !verified.isEmpty, "\(label)")
        case .newPassword: #expect(answer["type"] == "recovery" && json["access_token"] != nil, "\(label)")
        case .redirect(let step): #expect(step.url == json["url"]?.string, "\(label)")
        case .identityConflict:
            let taken: [AuthError.Code] = [.identityAlreadyInUse, .phoneAlreadyInUse, .emailAlreadyInUse]
            #expect(taken.contains(PortableMeaning.of(answer)), "\(label)")
        case .moreInformation, .other: Issue.record("\(step): \(label)")
        }
    }

    private static func check(_ session: Session, _ user: JSON, _ label: String) {
        if user["id"] != nil, user["aud"] != nil { check(session.user, user, label) }
    }

    private static func check(_ user: User, _ json: JSON, _ label: String) {
        func filled(_ name: String) -> String? { json[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        #expect(user.id == json["id"]?.string, "\(label)")
        #expect(user.email == filled("email"), "\(label)")
        #expect(user.phone == filled("phone").map { "+" + $0 }, "\(label)")
        #expect(user.isEmailVerified == (json["email_confirmed_at"] != nil), "\(label)")
        #expect(user.isAnonymous == (json["is_anonymous"]?.bool ?? false), "\(label)")
        #expect(user.identities.count == json["identities"]?.array?.count ?? 0, "\(label)")
        #expect(user.fields == json.object, "\(label)")
    }

    private static func check(_ content: CallbackContent, of answer: RecordedResponse, _ label: String) {
        let location = answer.location ?? ""
        switch content {
        case .proof: #expect(location.contains("code=") || location.contains("message="), "\(location) \(label)")
        case .refusal(let error):
            let isTokens = location.contains("access_token=")
            #expect(isTokens || location.contains("error"), "\(location) \(label)")
            if isTokens { #expect(error.code == .linkInvalid, "\(location)") }
            if location.contains("error_code=otp_expired") { #expect(error.code == .linkExpired, "\(location)") }
            #expect(error.code != .unknown, "\(location)")
        case .notOurs:
            let says = ["code=", "error=", "error_code=", "access_token=", "message="].contains { name in
                ["?", "&", "#"].contains { location.contains($0 + name) }
            }
            #expect(!says, "\(location) was not taken")
        }
    }
}
