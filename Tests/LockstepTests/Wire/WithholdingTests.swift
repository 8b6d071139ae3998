import Lockstep
import LockstepHTTP
import LockstepPrimitives
import LockstepWire
import Testing

@Suite("Secrets in errors")
struct WithholdingTests {
    private func secrets(_ password: String) -> RequestSecrets {
        var request = HTTPRequest(.post, "https://api.example.com/token")
        request.secrets = [Secret(password)]
        return RequestSecrets(of: request)
    }

    @Test(arguments: ["password", "Address", "length", "tooLong", "together", "weak_password"])
    func keepsTheLibrarysOwnTexts(_ password: String) {
        let error = AuthError(
            .weakPassword, "Address and password do not belong together: weak_password.", reasons: ["length", "tooLong"],
            provider: ProviderDetail(code: "weak_password", message: "You sent \(password) here."))
        let shown = error.withholding(secrets(password)) { $0 == "weak_password" }
        #expect(shown.message == error.message)
        #expect(shown.reasons == error.reasons)
        #expect(shown.provider?.code == "weak_password")
        #expect(shown.provider?.message?.contains("You sent \(password) here") == false)
    }

    @Test func hidesASecretInTheProvidersText() {
        let error = AuthError(
            .unknown, "Refused.", reasons: ["Correct-Horse-9"],
            provider: ProviderDetail(code: "Correct-Horse-9", message: "Correct-Horse-9", body: ["x": "Correct-Horse-9"]))
        let shown = error.withholding(secrets("Correct-Horse-9"))
        #expect(shown.reasons == [Secret.mask])
        #expect(shown.provider?.code == Secret.mask)
        #expect(shown.provider?.message == Secret.mask)
        #expect(shown.provider?.body == ["x": .string(Secret.mask)])
    }
}
