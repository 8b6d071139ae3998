internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension BlockingFunctions {
    /// Uses up a proof that counts once, before any function is asked about what it proves.
    ///
    /// The handler runs again after each function's answer, its transaction rolled back before: a proof that was removed in it
    /// would be there for another request meanwhile, which would ask the functions as well. So if the project has functions, the
    /// proof is removed for good first; without functions it goes with the transaction.
    ///
    /// - Parameters:
    ///   - proof: The verified code.
    ///   - refusal: The code for a proof that another request has used meanwhile.
    ///   - check: Finds the proof, and says what it proves; not called again once it has not thrown, if there are functions.
    /// - Returns: What `check` said.
    /// - Throws: What `check` throws, and the refusal.
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

/// A row that proves something once.
enum SpentProof: Hashable, Sendable {
    case actionCode(String)
    case textCode(session: String)
}

/// Removes a proof in a transaction of its own; false if it is gone already.
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
    /// Whether the proof was there to be removed.
    @discardableResult
    fileprivate mutating func remove(_ proof: SpentProof, in scope: ProjectScope) throws -> Bool {
        switch proof {
        case .actionCode(let code): try run("DELETE FROM action_codes WHERE space = \(scope.id) AND code = \(code)") > 0
        case .textCode(let session): try run("DELETE FROM text_codes WHERE space = \(scope.id) AND session = \(session)") > 0
        }
    }
}
