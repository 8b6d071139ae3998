extension DirectoryContract {
    /// Every promise of a directory.
    public static let all: [DirectoryContract] = [
        .pagesOnce, .createdSignsIn, .hashSignsIn, .disabled, .deleted, .nothingDropped, .refusalNamesUser, .limitsWaited,
        .batchInterrupted,
    ]
}
