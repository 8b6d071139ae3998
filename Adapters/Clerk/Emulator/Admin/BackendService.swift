internal import LockstepEmulation
import LockstepPrimitives

/// Takes requests to the Backend API through the secret key and their handlers.
struct BackendService: Sendable {
    typealias Handler = @Sendable (BackendCall) throws -> BackendResponse

    let state: ServerState

    func reply(_ request: EmulatorRequest, _ handler: @escaping Handler) -> Reply {
        let fields: Fields
        do throws(ClerkError) {
            try check(request)
            fields = try Self.fields(request)
        } catch {
            return .now(state.response(to: error))
        }
        return TransactionRunner(state).reply(to: request) { context in
            switch try handler(BackendCall(context: context, fields: fields)) {
            case .resource(let json): .json(json)
            case .nothing: .empty()
            }
        }
    }

    /// The refusal of an unauthorized request; `nil` where it may pass.
    func refusal(of request: EmulatorRequest) -> EmulatorResponse? {
        do throws(ClerkError) { try check(request) } catch { return state.response(to: error) }
        return nil
    }

    private func check(_ request: EmulatorRequest) throws(ClerkError) {
        guard let bearer = request.bearer else { throw .authorizationFormat }
        guard Secret(bearer) == state.secretKey else { throw .secretKey }
        _ = try APIVersion.read(header: request.headers["clerk-api-version"], query: nil)
    }

    private static func fields(_ request: EmulatorRequest) throws(ClerkError) -> Fields {
        guard !request.body.isEmpty else { return Fields(object: [:]) }
        guard request.mediaType == "application/json" else { throw .contentType(request.mediaType, expected: "application/json") }
        guard let object = (try? request.json())?.object else { throw .malformedBody("The body must be a JSON object.") }
        return Fields(object: object)
    }
}

/// One request to the Backend API inside its transaction.
struct BackendCall {
    let context: RequestContext
    let fields: Fields

    /// The parameters of the query.
    var query: Form { Form(context.request.query.pairs) }
    var settings: ClerkSettings { context.settings }

    /// The value of a path parameter.
    func piece(_ name: String) -> String { context.request[placeholder: name] }

    /// The user that the path names.
    func user() throws -> UserRecord { try user(piece("user_id")) }

    func user(_ id: String) throws -> UserRecord {
        guard let user = try UserRepository(context: context).find(id) else { throw ClerkError.notFound(id) }
        return user
    }

    /// The user as this API shows it.
    func json(_ user: UserRecord) throws -> JSON { try UserJSON(context: context).user(user, isPrivate: true) }

    /// `limit` and `offset` of a list.
    func page(default standard: Int = 10, most: Int = 500) throws -> (limit: Int, offset: Int) {
        func number(_ name: String, _ range: ClosedRange<Int>, _ standard: Int) throws -> Int {
            guard let text = query.text(name) else { return standard }
            guard let number = Int(text), range.contains(number) else {
                throw ClerkError.invalidValue(name, String(text.prefix(40)))
            }
            return number
        }
        return (try number("limit", 1...most, standard), try number("offset", 0...1_000_000_000, 0))
    }

    /// A list as it was asked for: bare, or with its total where `paginated=true`.
    func list(_ elements: [JSON], total: Int) -> JSON {
        query["paginated"] == "true" ? ["data": .array(elements), "total_count": .int(Int64(total))] : .array(elements)
    }
}

/// The result of a handler of the Backend API.
enum BackendResponse {
    /// 200 with this body, which has no envelope.
    case resource(JSON)
    /// 204
    case nothing
}
