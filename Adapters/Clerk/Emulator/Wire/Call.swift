import LockstepEmulation
import LockstepPrimitives

/// A request to either API without its rows, and the parts of its response that are not in the body.
struct Call: Sendable {
    /// The API that the request is for.
    var api = ClerkOperation.API.frontend
    /// The sender of a request to the Frontend API, as the request describes it.
    var sender = Sender()
    /// The parameters of a form.
    var form = Form()
    /// The members of the body, if it is a JSON object.
    var fields = Fields(object: [:])
    /// The elements of a list of objects, which bulk operations accept.
    var elements: [Fields] = []
    /// The files of the body, by the names of their fields.
    var files: [ExactString: [UInt8]] = [:]
    /// The parameters of the query.
    var query = Form()

    /// The client of the request, once there is one.
    var client: ClientRecord?
    /// The session of the request, if its endpoint requires a user.
    var session: SessionRecord?
    /// The user of ``session``.
    var user: UserRecord?

    /// Values that an extension reads once in a request.
    var memory = CallMemory()

    /// Whether the device must delete its token.
    var clearsIdentity = false
    /// The redirect of a browser, instead of a response.
    var redirect: String?
    /// The kind of redirect.
    var redirectStatus = 303
    /// All cookies except the client's own.
    var cookies: [String] = []
}

/// Values that are kept during one call, by their types.
struct CallMemory: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    subscript<Value: Sendable>(_ type: Value.Type) -> Value? {
        get { values[ObjectIdentifier(type)] as? Value }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}

/// The result of a handler of either API, without its envelope.
enum Answer {
    /// A resource in the envelope of its API: `{"response": …, "client": …}` in the Frontend API, no envelope in the
    /// Backend API.
    case resource(JSON)
    /// A resource with status 201, for the operations that document this status.
    case created(JSON)
    /// `{"response": client, "client": null}`
    case client
    /// The unchanged body.
    case bare(JSON)
    /// Bytes of a media type.
    case file([UInt8], type: String)
    /// A sentence for a person with a browser, unless the request contains a redirect.
    case page(String)
    /// 204
    case nothing
}

/// Short names for the parts of the call.
extension RequestContext {
    var sender: Sender { call.sender }
    var form: Form { call.form }
    var fields: Fields { call.fields }
    var elements: [Fields] { call.elements }
    var query: Form { call.query }

    var client: ClientRecord? {
        get { call.client }
        set { call.client = newValue }
    }

    /// The redirect of a browser, instead of a response.
    var redirect: String? {
        get { call.redirect }
        set { call.redirect = newValue }
    }

    /// The value of a path parameter.
    func piece(_ name: String) -> String { request[placeholder: name] }

    /// Returns an uploaded file.
    ///
    /// - Parameter name: The name of its field.
    /// - Throws: `form_param_missing` if the body has no such file.
    func file(_ name: String) throws(ClerkError) -> [UInt8] {
        guard let bytes = call.files[name.exact] else { throw .missing(name) }
        return bytes
    }

    /// The app that receives a session token.
    var audience: TokenAudience { TokenAudience(origin: sender.isNative ? nil : sender.origin, isOld: sender.isOldVersion) }
}

/// The sender of a request to the Frontend API.
extension RequestContext {
    /// The session of the request.
    ///
    /// - Throws: `authentication_invalid` if the endpoint requires no user.
    var session: SessionRecord {
        get throws(ClerkError) {
            guard let session = call.session else { throw .unauthenticated }
            return session
        }
    }

    /// The user of ``session``, as it was at the start of the request.
    ///
    /// - Throws: `authentication_invalid` if the endpoint requires no user.
    var user: UserRecord {
        get throws(ClerkError) {
            guard let user = call.user else { throw .unauthenticated }
            return user
        }
    }

    /// Returns the user, and checks the age of the last verification if the instance requires that.
    ///
    /// If the user has a second factor and has used it in this session, the verification with the second factor decides
    /// (`strict`: https://clerk.com/docs/guides/secure/reverification). The code for a new device is not relevant,
    /// because a reverification never requires it.
    ///
    /// - Throws: `session_reverification_required` after ten minutes.
    func freshUser() throws -> UserRecord {
        let (session, user) = (try session, try user)
        if settings.asksAgain {
            let hasSecond = try !FactorList(context: self, user: user).second().isEmpty
            let proven = hasSecond ? session.secondFactorAt ?? session.firstFactorAt : session.firstFactorAt
            let age = proven.map { now - $0 } ?? .seconds(1_000_000)
            if age >= .seconds(600) { throw ClerkError.reverificationRequired }
        }
        return user
    }

    /// Returns the client, and creates it if the request has none.
    func clientOrNew() throws -> ClientRecord {
        if let client { return client }
        let new = try clients.make()
        client = new
        return new
    }

    /// Saves a change of the client.
    func save(_ client: ClientRecord) throws {
        var copy = client
        try clients.save(&copy)
        self.client = copy
    }

    /// Reads the client from the database again.
    func reloadClient() throws {
        if let id = client?.id { client = try clients.find(id: id) }
    }
}

/// The objects in the path of a request to the Backend API.
extension RequestContext {
    /// Finds the row whose id is in the path.
    ///
    /// - Throws: `resource_not_found` if no row has the id.
    func named<Row>(_ placeholder: String, _ find: (String) throws -> Row?) throws -> Row {
        let id = piece(placeholder)
        guard let row = try find(id) else { throw ClerkError.notFound(id) }
        return row
    }

    /// Returns the user in the path.
    func namedUser() throws -> UserRecord { try user(piece("user_id")) }

    /// Finds a user by id.
    ///
    /// - Throws: `resource_not_found` if no user has the id.
    func user(_ id: String) throws -> UserRecord {
        guard let user = try users.find(id) else { throw ClerkError.notFound(id) }
        return user
    }

    /// Returns the user as the Backend API shows it.
    func privateJSON(_ user: UserRecord) throws -> JSON { try userJSON.user(user, isPrivate: true) }

    /// Returns a list, with its total if the query has `paginated=true`.
    func list(_ elements: [JSON], total: Int) -> JSON {
        query["paginated"] == "true" ? ["data": .array(elements), "total_count": .int(Int64(total))] : .array(elements)
    }
}
