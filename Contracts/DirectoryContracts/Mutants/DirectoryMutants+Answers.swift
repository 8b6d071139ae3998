internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives
internal import Synchronization

extension DirectoryMutants {
    /// Faults in which a directory accepts a wrong response of a backend or a cache.
    static var adopting: [DirectoryMutant] {
        [
            DirectoryMutant(breaks: "directory.own-answers", "returns the user of a response without a check") { directory in
                let last = LastUser()
                directory.onUser = { base, id throws(AuthError) in
                    do throws(AuthError) {
                        let user = try await base.user(id: id)
                        last.user = user
                        return user
                    } catch  where error.code == .invalidResponse {
                        guard let user = last.user else { throw error }
                        return user
                    }
                }
            },
            DirectoryMutant(breaks: "directory.pages-end", "treats the users of a repeated page as new") { directory in
                let last = LastPage()
                directory.onPage = { base, cursor, size throws(AuthError) in
                    var page = try await base.page(after: cursor, size: size)
                    let number = last.repetitions(of: page.users.map(\.id), isFirst: cursor == nil)
                    if number > 0 {
                        for index in page.users.indices {
                            page.users[index].id += "-\(number)"
                            page.users[index].createdAt = page.users[index].createdAt.map { $0 - .seconds(number) }
                        }
                    }
                    return page
                }
            },
            DirectoryMutant(breaks: "directory.found-together", "returns the missing users last") { directory in
                directory.onUsers = { base, requests throws(AuthError) in
                    let users = try await base.users(requests)
                    return users.filter { $0 != nil } + users.filter { $0 == nil }
                }
            },
            DirectoryMutant(
                breaks: "directory.times-kept", "writes times before 1582 by the Julian calendar", needs: .creationTimes
            ) { directory in
                directory.onCreate = { base, user throws(AuthError) in
                    var user = user
                    if let time = user.createdAt, time < Instant(seconds: -12_219_292_800),
                        time > Instant(seconds: -60_000_000_000)
                    {
                        user.createdAt = time + .seconds(10 * 86_400)
                    }
                    return try await base.create(user)
                }
            },
        ]
    }
}

/// The last user that a directory returned.
private final class LastUser: Sendable {
    private let state = Mutex<DirectoryUser?>(nil)

    var user: DirectoryUser? {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}

/// The last page that a directory returned.
private final class LastPage: Sendable {
    private let state = Mutex<(ids: [String], count: Int)>(([], 0))

    /// Returns how often the directory has repeated this page.
    func repetitions(of ids: [String], isFirst: Bool) -> Int {
        state.withLock { state in
            state = !isFirst && !ids.isEmpty && state.ids == ids ? (ids, state.count + 1) : (ids, 0)
            return state.count
        }
    }
}
