/// The folders of the recordings and of the settings of their configurations in this project.
public enum Fixtures {
    private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Fixtures"

    /// The recordings, one folder for each provider.
    public static let recordings = folder + "/Recordings"
    /// The configurations of GoTrue's recordings: `VARIANT.env`, by the server's own names.
    public static let settings = folder + "/Settings/gotrue"
}
