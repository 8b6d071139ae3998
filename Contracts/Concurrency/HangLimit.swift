extension Duration {
    /// The time after which a wait in a test counts as hung: far longer than the work takes on a busy machine.
    ///
    /// A deadline that ends a wait which should succeed is this one. A short deadline belongs only where it is meant to pass.
    public static let hangLimit = Duration.seconds(600)
}
