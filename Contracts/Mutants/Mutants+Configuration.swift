internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let configuration: [Mutant<World>] = [
        Mutant(
            "configuration.refused", "accepts any configuration",
            Mutation(controls: { environment, _ in
                let (adapter, factory) = (environment.adapter, environment.factory)
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    if case .mistake = entry { return adapter }
                    return try factory?.make(entry)
                }
            })),
        Mutant(
            "configuration.refused", "reports a developer's mistake as the user's mistake",
            Mutation(controls: { environment, _ in
                let factory = environment.factory
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    do throws(AuthError) { return try factory?.make(entry) } catch { throw error.renamed(.invalidInput) }
                }
            })),
        Mutant(
            "configuration.refused", "reports no details of the mistake",
            Mutation(controls: { environment, _ in
                let factory = environment.factory
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    do throws(AuthError) { return try factory?.make(entry) } catch { throw AuthError(error.code, "") }
                }
            })),
        .silent("creates no adapter for mistakes in a callback address") {
            [.malformedCallback, .scriptCallback, .fileCallback, .callbackWithoutScheme].contains($0)
        },
        .silent("creates no adapter for one mistake in a callback address") { $0 == .scriptCallback },
        .missing("creates only one adapter in a process", .sameProject),
        .missing("creates adapters for only one project", .otherProject),
        Mutant(
            "configuration.names-its-backend", "gives all projects of the provider the same name",
            Mutation(controls: { environment, _ in
                let (backend, factory) = (environment.adapter.backend, environment.factory)
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    try factory?.make(entry).map { AlteredAdapter($0) { changes in changes.backend = backend } }
                }
            })),
        Mutant(
            "configuration.names-its-backend", "gives its backend another name at each launch",
            Mutation(controls: { environment, _ in
                let factory = environment.factory
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    try factory?.make(entry).map { adapter in AlteredAdapter(adapter) { $0.backend = adapter.backend + "#2" } }
                }
            })),
    ]
}

extension Mutant<World> {
    /// Creates a mutant whose factory returns `nil` for some mistakes in the configuration.
    fileprivate static func silent(
        _ summary: String, _ isLeftOut: @escaping @Sendable (ConfigurationMistake) -> Bool
    ) -> Mutant<World> {
        Mutant(
            "configuration.refused", summary,
            Mutation(controls: { environment, _ in
                let factory = environment.factory
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    if case .mistake(let mistake) = entry, isLeftOut(mistake) { return nil }
                    return try factory?.make(entry)
                }
            }))
    }

    /// Creates a mutant whose factory creates no adapter for an entry.
    fileprivate static func missing(_ summary: String, _ missing: AdapterFactory.Entry) -> Mutant<World> {
        Mutant(
            "configuration.names-its-backend", summary,
            Mutation(controls: { environment, _ in
                let factory = environment.factory
                environment.factory = AdapterFactory { entry throws(AuthError) in
                    entry == missing ? nil : try factory?.make(entry)
                }
            }))
    }
}
