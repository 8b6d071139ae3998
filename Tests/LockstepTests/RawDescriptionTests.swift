import Lockstep
import Testing

/// The description of states and steps in a log.
@Suite("Names of raw values")
struct RawDescriptionTests {
    /// The description has no modules, types or `rawValue:`, also inside another value.
    @Test func rawValuesAreShownByTheirNames() {
        #expect("\(AuthState.signedOut(.neverSignedIn))" == "signedOut(neverSignedIn)")
        #expect("\(Set([ChallengeResponse.Kind.code]))" == "[code]")
        #expect("\([FactorChoice.Kind.authenticatorApp, .phone])" == "[authenticatorApp, phone]")
        #expect("\([MissingFieldsStep.Field.firstName])" == "[first_name]")
        #expect("\([AuthEvent.Name.callBegan])" == "[call.began]")
        #expect("\([Flow.Kind.signIn])" == "[signIn]")
        let all: [Any] = [
            SignOutReason.allCases, SignOutScope.allCases, SessionRequirement.allCases, [User.Standing.verified],
            [Session.Assurance.oneFactor], Flow.Kind.allCases, Challenge.Channel.allCases, Challenge.Ending.allCases,
            ChallengeResponse.Kind.allCases, FactorChoice.Kind.allCases, [NewPasswordStep.Reason.reset],
            [AuthEvent.Field.outcome],
        ]
        for values in all { #expect(!"\(values)".contains("Lockstep.") && !"\(values)".contains("("), "\(values)") }
    }
}
