internal import LockstepPrimitives

/// The properties of a user that the plan counts, without the user's own values.
///
/// Many users share the same properties.
struct PlanShape: Sendable, Hashable {
    var fields: [FieldVerdict]
    var way: WayIn
    var provider: String?
    var hashKind: String?
    var obstacles: [MoveObstacle.Key]
    var uses: Set<MoveSetting>
}

/// The shapes of a plan by number.
///
/// The journal stores a number for each user, and the sums are computed at the end.
struct PlanShapes: Sendable {
    private var numbers: [PlanShape: Int] = [:]
    private(set) var all: [PlanShape] = []

    /// The maximum number of different shapes: a source could name a different provider for each user.
    static let limit = 10_000

    /// Returns the number of a shape.
    mutating func number(of shape: PlanShape) -> Int {
        if let number = numbers[shape] { return number }
        guard all.count >= Self.limit else { return add(shape) }
        var shape = shape
        (shape.provider, shape.hashKind) = (shape.provider.map { _ in "other" }, shape.hashKind.map { _ in "other" })
        shape.obstacles = shape.obstacles.map { .init($0.kind) }
        return numbers[shape] ?? add(shape)
    }

    private mutating func add(_ shape: PlanShape) -> Int {
        numbers[shape] = all.count
        all.append(shape)
        return all.count - 1
    }
}

/// The number of users who have the same properties and the same treatment in the plan.
public struct PlanCount: Sendable, Hashable {
    let shape: Int
    let state: UserState
    let reason: UserReason?
    let users: Int
}
