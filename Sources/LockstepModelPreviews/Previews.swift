/// A placeholder until the previews are here.
enum Previews {}
