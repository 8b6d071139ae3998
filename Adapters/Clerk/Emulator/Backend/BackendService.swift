internal import LockstepEmulation
import LockstepPrimitives

/// Takes requests to the Backend API through the secret key and their handlers.
struct BackendService: Sendable {
    typealias Handler = @Sendable (BackendCall) throws -> BackendAnswer

    let instance: Instance

    func reply(_ request: EmulatorRequest, _ handler: @escaping Handler) -> Reply {
        let trace = newTrace()
        let fields: Fields
        do throws(ClerkError) {
            try check(request)
            fields = try Self.fields(request)
        } catch {
            return .now(error.response(trace: trace))
        }
        let query = Form(request.query.pairs)
        let placeholders = request.placeholders
        return RequestRunner(instance: instance).reply { exchange in
            let call = BackendCall(exchange: exchange, fields: fields, query: query, placeholders: placeholders)
            return switch try handler(call) {
            case .resource(let json): .json(json)
            case .nothing: .empty()
            }
        } refused: { refusal in
            refusal.response(trace: trace)
        }
    }

    /// The refusal of an unauthorized request; `nil` where it may pass.
    func refusal(of request: EmulatorRequest) -> EmulatorResponse? {
        do throws(ClerkError) { try check(request) } catch { return error.response(trace: newTrace()) }
        return nil
    }

    private func newTrace() -> String { instance.randomness.text(32, of: "0123456789abcdef") }

    private func check(_ request: EmulatorRequest) throws(ClerkError) {
        guard let bearer = request.bearer else { throw .authorizationFormat }
        guard Secret(bearer) == instance.secretKey else { throw .secretKey }
        _ = try APIVersion.read(header: request.headers["clerk-api-version"], query: nil)
    }

    private static func fields(_ request: EmulatorRequest) throws(ClerkError) -> Fields {
        guard !request.body.isEmpty else { return Fields(object: [:]) }
        guard request.mediaType == "application/json" else { throw .contentType(request.mediaType, expected: "application/json") }
        guard let object = (try? request.json())?.object else { throw .malformedBody("The body must be a JSON object.") }
        return Fields(object: object)
    }
}
