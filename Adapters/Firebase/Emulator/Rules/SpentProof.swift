internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension BlockingFunctions {
    /// Uses up a verification that works only once, before any function is called about it.
    ///
    /// The handler runs again after the response of each function, and its transaction is rolled back first. If that
    /// transaction removed the verification, another request could find it in between, and would also call the
    /// functions. So if the project has functions, the verification is first removed permanently. Without functions, it
    /// is removed in the transaction.
    ///
    /// - Parameters:
    ///   - proof: The verified code.
    ///   - refusal: The code for a verification that another request has used in the meantime.
    ///   - check: Finds the verification and returns what it verifies. If there are functions, it is not called again
    ///     after it has succeeded.
    /// - Returns: The result of `check`.
    /// - Throws: The errors of `check`, and the error for a used verification.
    func spend(_ proof: SpentProof, orRefuse refusal: ErrorCode, _ check: () throws -> String) throws -> String {
        guard !context.rules.functions.addresses.isEmpty else {
            let proven = try check()
            try context.db.remove(proof, in: context.scope)
            return proven
        }
        let proven = try context.stableText("proven by \(proof)", check)
        let removal = ProofRemoval(proof: proof, scope: context.scope, database: context.state.database)
        try context.require(try context.result(of: removal), refusal)
        return proven
    }
}

/// A row that verifies something once.
enum SpentProof: Hashable, Sendable {
    case actionCode(String)
    case textCode(session: String)
}

/// Removes a verification in a separate transaction; false if it no longer exists.
private struct ProofRemoval: DeferredWork {
    let proof: SpentProof
    let scope: ProjectScope
    let database: Database

    func run(in environment: EmulationEnvironment) async throws -> Bool {
        try database.write { db in try db.remove(proof, in: scope) }
    }

    static func == (left: ProofRemoval, right: ProofRemoval) -> Bool {
        left.proof == right.proof && left.scope.id == right.scope.id
    }

    func hash(into hasher: inout Hasher) { hasher.combine(proof) }
}

extension SQLiteConnection {
    /// Removes a verification, and returns whether it existed.
    @discardableResult
    fileprivate mutating func remove(_ proof: SpentProof, in scope: ProjectScope) throws -> Bool {
        switch proof {
        case .actionCode(let code): try run("DELETE FROM action_codes WHERE space = \(scope.id) AND code = \(code)") > 0
        case .textCode(let session): try run("DELETE FROM text_codes WHERE space = \(scope.id) AND session = \(session)") > 0
        }
    }
}
