internal import LockstepEmulation
import LockstepPrimitives

/// Takes requests to the Backend API through the secret key and their handlers.
struct BackendService: Sendable {
    typealias Handler = @Sendable (BackendCall) throws -> BackendResponse

    let state: ServerState

    func reply(_ request: EmulatorRequest, _ handler: @escaping Handler) -> Reply {
        let body: BackendBody
        do throws(ClerkError) {
            try check(request)
            body = try BackendBody(request)
        } catch {
            return .now(state.response(to: error))
        }
        return TransactionRunner(state).reply(to: request) { context in
            switch try handler(BackendCall(context: context, body: body)) {
            case .resource(let json): .json(json)
            case .created(let json): .json(json, status: 201)
            case .nothing: .empty()
            }
        }.then { state.sendEvents() }
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
}

/// The body of a request to the Backend API.
struct BackendBody: Sendable {
    /// The members of a JSON object.
    private(set) var fields = Fields(object: [:])
    /// The elements of a list of objects, as bulk operations take.
    private(set) var elements: [Fields] = []
    /// The files of a `multipart/form-data` body, by the names of their fields.
    private(set) var files: [String: [UInt8]] = [:]

    init(_ request: EmulatorRequest) throws(ClerkError) {
        guard !request.body.isEmpty else { return }
        switch request.mediaType {
        case "application/json":
            let json = try? request.json()
            if let object = json?.object {
                fields = Fields(object: object)
                return
            }
            guard let list = json?.array, list.allSatisfy({ $0.object != nil }) else {
                throw .malformedBody("The body must be a JSON object, or a list of objects where the operation takes one.")
            }
            elements = list.map { Fields(object: $0.object ?? [:]) }
        case "multipart/form-data":
            guard let parts = Multipart(request.body, contentType: request.headers["content-type"] ?? "") else {
                throw .malformedBody("The body is no multipart/form-data. Check its boundary.")
            }
            files = parts.files
        default: throw .contentType(request.mediaType, expected: "application/json")
        }
    }
}

/// One request to the Backend API inside its transaction.
struct BackendCall {
    let context: RequestContext
    let body: BackendBody

    var fields: Fields { body.fields }
    var elements: [Fields] { body.elements }

    /// An uploaded file, which must be there.
    func file(_ name: String) throws(ClerkError) -> [UInt8] {
        guard let bytes = body.files[name] else { throw .missing(name) }
        return bytes
    }

    /// The parameters of the query.
    var query: Form { Form(context.request.query.pairs) }
    var settings: ClerkSettings { context.settings }

    /// The value of a path parameter.
    func piece(_ name: String) -> String { context.request[placeholder: name] }

    /// The user that the path names.
    func user() throws -> UserRecord { try user(piece("user_id")) }

    func user(_ id: String) throws -> UserRecord {
        guard let user = try context.users.find(id) else { throw ClerkError.notFound(id) }
        return user
    }

    /// The user as this API shows it.
    func json(_ user: UserRecord) throws -> JSON { try context.userJSON.user(user, isPrivate: true) }

    /// A list as it was asked for: bare, or with its total where `paginated=true`.
    func list(_ elements: [JSON], total: Int) -> JSON {
        query["paginated"] == "true" ? ["data": .array(elements), "total_count": .int(Int64(total))] : .array(elements)
    }
}

/// The result of a handler of the Backend API.
enum BackendResponse {
    /// 200 with this body, which has no envelope.
    case resource(JSON)
    /// The same with 201, where the document says so.
    case created(JSON)
    /// 204
    case nothing
}
