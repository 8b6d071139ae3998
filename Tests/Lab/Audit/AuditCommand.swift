import Foundation
import LockstepContracts
import LockstepInMemoryHarness
import LockstepMutants
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// `make audit`: for each statement of each contract, whether some mutant breaks it.
///
/// The status is 1 if no mutant breaks a statement.
///
/// A contract's own mutants run first, then the systematic ones (for the backend, the client, and the calls of the check), then
/// faults of single requests, then the mutants of other contracts, until each of its statements is broken. A statement that the
/// run never reached is listed separately, because its backend lacks the feature.
struct AuditCommand {
    private let only: [String]
    private let harness = InMemoryHarness()

    static func run(_ words: [String]) async throws {
        guard words.allSatisfy({ !$0.hasPrefix("-") }) else {
            try StandardStream.error.write(
                "usage: lockstep-lab audit [ID …], such as: lockstep-lab audit session.token reset\n")
            CurrentProcess.exit(2)
        }
        let command = AuditCommand(only: words)
        if try await command.run() { CurrentProcess.exit(1) }
    }

    private init(only: [String]) { self.only = only }

    /// - Returns: Whether a statement is left.
    private func run() async throws -> Bool {
        let start = SystemClock().uptime
        let contracts = Catalog.all.filter { contract in
            only.isEmpty || only.contains { contract.id == $0 || contract.id.hasPrefix($0 + ".") }
        }
        var results: [Int: ContractStatements] = [:]
        await withTaskGroup(of: (Int, ContractStatements).self) { group in
            var next = 0
            func begin() {
                guard next < contracts.count else { return }
                let (place, contract) = (next, contracts[next])
                next += 1
                group.addTask { (place, await statements(of: contract)) }
            }
            for _ in 0..<4 { begin() }
            var printed = 0
            while let (place, result) = await group.next() {
                results[place] = result
                // Printed immediately, because the whole run takes long.
                while let next = results[printed] {
                    for line in next.unbroken.sorted() { print("no mutant breaks \(next.contract.id), \(next.text(line))") }
                    printed += 1
                }
                try? StandardStream.error.write("\raudit: \(results.count) of \(contracts.count)")
                begin()
            }
        }
        try StandardStream.error.write("\n")
        let all = contracts.indices.compactMap { results[$0] }
        for result in all {
            for line in result.unreached.sorted() {
                print("never reached: \(result.contract.id), \(result.text(line))")
            }
        }
        let count = all.reduce(0) { $0 + $1.stated.count }
        let unbroken = all.reduce(0) { $0 + $1.unbroken.count }
        let unreached = all.reduce(0) { $0 + $1.unreached.count }
        print(
            "\(contracts.count) contracts, \(count) statements reached: \(count - unbroken) broken by a mutant, \(unbroken) by none; \(unreached) never reached; \(all.reduce(0) { $0 + $1.runs }) runs in \((SystemClock().uptime - start).components.seconds) s"
        )
        return unbroken > 0
    }

    /// Runs mutants until every statement of a contract is broken.
    private func statements(of contract: Contract<World>) async -> ContractStatements {
        var result = ContractStatements(contract)
        var places: [(variant: Variant, reached: Set<Statement>)] = []
        for variant in harness.variants {
            let reached = await contract.expectations(on: harness, variant).reached
            result.runs += 1
            if !reached.subtracting(result.reached).isEmpty { places.append((variant, reached)) }
            result.reached.formUnion(reached)
        }
        for mutants in await attempts(on: contract, in: places.map(\.variant)) {
            await withTaskGroup(of: Set<Statement>.self) { group in
                var rest = mutants[...]
                func begin() {
                    let open = places.filter { !$0.reached.isDisjoint(with: result.unbroken) }.map(\.variant.name)
                    rest = rest.drop { !open.contains($0.variant.name) }
                    guard let next = rest.popFirst() else { return }
                    result.runs += 1
                    group.addTask { await broken(of: contract, by: next) }
                }
                for _ in 0..<Self.width { begin() }
                while let broken = await group.next() {
                    result.broken.formUnion(broken)
                    if result.unbroken.isEmpty { group.cancelAll() }
                    begin()
                }
            }
        }
        return result
    }

    /// The number of mutants of a contract that run at the same time.
    ///
    /// Some make a client wait until the limit.
    private static let width = 16

    private typealias Attempt = (variant: Variant, mutation: Mutation, harness: any Harness)

    /// The mutants to try on a contract, the likeliest kind first.
    private func attempts(on contract: Contract<World>, in variants: [Variant]) async -> [[Attempt]] {
        func everywhere(_ mutations: some Sequence<Mutation>, _ harness: any Harness) -> [Attempt] {
            mutations.flatMap { mutation in variants.map { ($0, mutation, harness) } }
        }
        var (each, one): ([Attempt], [Attempt]) = ([], [])
        for variant in variants {
            let names = await names(of: contract, variant)
            for name in Set(names).sorted() {
                each += AlteredCalls.Way.ofEachCall.map {
                    (variant, AlteredCalls.mutation($0) { other, _ in other == name }, harness)
                }
            }
            // Later calls are repetitions.
            for number in 1...max(1, min(names.count, 60)) {
                one += AlteredCalls.Way.ofOneCall.map { (variant, AlteredCalls.mutation($0) { $1 == number }, harness) }
            }
        }
        let faults = Self.faults.flatMap { fault in (0..<6).map { FaultyHarness(base: harness, fault: fault, place: $0) } }
        return [
            everywhere(Mutants.all.filter { $0.breaks == contract.id }.map(\.mutation), harness),
            everywhere((BackendMutants.all + SystematicMutants.all).map(\.mutation), harness),
            each, one,
            faults.flatMap { everywhere([.none], $0) },
            everywhere(Mutants.all.filter { $0.breaks != contract.id }.map(\.mutation), harness),
        ]
    }

    private func broken(of contract: Contract<World>, by attempt: Attempt) async -> Set<Statement> {
        await contract.expectations(
            on: attempt.harness, attempt.variant, mutation: attempt.mutation, limit: .seconds(40)
        ).broken
    }

    /// The names of all calls of a check's clients.
    private func names(of contract: Contract<World>, _ variant: Variant) async -> [String] {
        let names = Mutex<[String]>([])
        _ = await contract.expectations(
            on: harness, variant,
            mutation: AlteredCalls.mutation(.wasted) { name, _ in
                names.withLock { $0.append(name) }
                return false
            })
        return names.withLock { $0 }
    }

    private static let faults: [Fault] = [
        .closed, .status(503, retryAfter: nil), .garbage(.captivePortal), .unknownCode("mutant"),
        .rateLimited(retryAfter: .seconds(9)),
        .messageNotSent,
    ]
}

/// A harness on which one request fails, by its number.
private struct FaultyHarness: Harness {
    let base: any Harness
    let fault: Fault
    let place: Int

    var name: String { base.name }
    var variants: [Variant] { base.variants }

    func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        try await base.withEnvironment(variant) { environment in
            try await environment.faults?.inject(fault, on: .any, skipping: place, times: 1)
            try await body(environment)
        }
    }
}

/// The statements of one contract.
///
/// Those of invariants belong to the invariants.
private struct ContractStatements: Sendable {
    let contract: Contract<World>
    var reached: Set<Statement> = []
    var broken: Set<Statement> = []
    var runs = 0
    private let lines: [String]
    private let written: Set<Statement>

    init(_ contract: Contract<World>) {
        self.contract = contract
        let text = (try? String(contentsOfFile: contract.site.filePath, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.lines = lines
        let ends = Catalog.all.map(\.site).filter { $0.filePath == contract.site.filePath && $0.line > contract.site.line }.map(
            \.line)
        // Contracts that one line creates for many capabilities share their statements.
        let end = min(ends.min() ?? lines.count, lines[contract.site.line...].firstIndex { $0.hasPrefix("}") } ?? lines.count)
        written = Set(
            (contract.site.line..<max(end, contract.site.line)).filter { place in
                // A function inside the contract makes its statements at the lines of its calls.
                !["func ", "line: line"].contains { lines[place].contains($0) }
                    && ["w.expect(", "w.require(", "w.refused(", "w.found(", "w.expectRequests(", " expect("].contains {
                        lines[place].contains($0)
                    }
            }.map { Statement(contract.site.fileID, $0 + 1) })
    }

    /// Statements that were reached and that no mutant broke.
    ///
    /// Only the contract's own statements. The contracts that it builds on make the statements of its set-up (a code in a
    /// message, a flow that can disappear), and their mutants break them there.
    var unbroken: Set<Statement> { reached.intersection(written).subtracting(broken) }

    /// The contract's own statements that were reached.
    var stated: Set<Statement> { reached.intersection(written) }

    /// Statements in the source that no configuration reached.
    var unreached: Set<Statement> { written.subtracting(reached).subtracting(broken) }

    func text(_ statement: Statement) -> String {
        guard statement.fileID == contract.site.fileID, lines.indices.contains(statement.line - 1) else {
            return "\(statement.fileID), line \(statement.line)"
        }
        return "line \(statement.line): \(lines[statement.line - 1].trimmingCharacters(in: .whitespaces))"
    }
}
