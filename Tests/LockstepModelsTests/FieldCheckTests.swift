import Lockstep
import LockstepModels
import Testing

/// A field is checked when the user leaves it, before a request.
@Suite("Fields that the user has left")
@MainActor
struct FieldCheckTests {
    @Test func signUpShowsProblemsNextToTheirFields() async throws {
        try await Place.code.run { backend in
            let model = SignUpModel(await backend.launch().auth)
            model.email = "ada"
            let sent = try await backend.requests {
                for field in model.fields { model.check(field) }
            }
            #expect(sent == 0)
            #expect(model.form.problem(for: .email)?.error.code == .invalidEmail)
            #expect(model.form.problem(for: .password)?.text() == AuthStrings.english("error.invalidInput.blank"))
            #expect(model.form.problem(for: .displayName) == nil)
            // An edit removes only the error of its own field, and so does a check of a corrected field.
            model.email = Backend.email
            #expect(model.form.problem(for: .email) == nil && model.form.problem(for: .password) != nil)
            model.check(.email)
            #expect(model.form.problem(for: .email) == nil)
        }
    }

    @Test func repeatedCheckShowsOneProblem() async throws {
        try await Place.code.run { backend in
            let model = PasswordResetModel(await backend.launch().auth)
            model.email = "ada@"
            model.check()
            model.check()
            #expect(model.form.problems.map(\.error.code) == [.invalidEmail])
        }
    }

    @Test func signInChecksTheFieldsOfItsMethod() async throws {
        try await Place.code.run { backend in
            let model = SignInModel(await backend.launch().auth)
            model.way = .phoneCode
            model.phone = "12"
            model.check(.phone)
            #expect(model.form.problem(for: .phone)?.error.code == .invalidPhone)
            // The form of this method has no address.
            model.check(.email)
            #expect(model.form.problems.count == 1)
        }
    }
}
