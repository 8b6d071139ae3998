/// Where the recordings and the settings of their configurations lie in this project.
public enum Fixtures {
    private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Fixtures"

    /// The recordings, one folder a provider.
    public static let recordings = folder + "/Recordings"
    /// The configurations of GoTrue's recordings: `VARIANT.env`, by the server's own names.
    public static let settings = folder + "/Settings/gotrue"
}
