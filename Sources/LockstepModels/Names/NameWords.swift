/// The words of generated names, from a list that this project made.
///
/// Each word was read next to each word of the other list. The adjectives are kind, and say nothing about body, skin,
/// age, faith, health or wealth. The nouns are plants, places, weather, stones, instruments and birds. There are no
/// people, no food, no parts of a body, no tools that can hurt, no colors, and no slang words for any of these. The
/// app gives a name to a person who has not chosen it. So no word in the list has a second meaning.
enum NameWords {
    static let adjectives = [
        "agile", "airy", "alert", "ample", "breezy", "bright", "brisk", "calm", "candid", "careful", "caring", "cheerful",
        "civil",
        "clear", "clever", "cosy", "curious", "daring", "deft", "earnest", "festive", "fluent", "friendly", "generous", "gentle",
        "genuine", "gifted", "glad", "graceful", "grateful", "happy", "hearty", "helpful", "honest", "hopeful", "humble", "jolly",
        "jovial", "joyful", "keen", "kind", "lively", "lucid", "lucky", "mellow", "merry", "mild", "modest", "neat", "nimble",
        "patient", "peaceful", "placid", "pleasant", "poised", "polite", "quiet", "rapid", "refined", "reliable",
        "restful", "serene", "sincere", "skilful", "splendid", "starry", "steady", "subtle", "sunny", "swift", "tactful",
        "thankful", "tidy", "tranquil", "trusty", "upbeat", "vivid", "watchful", "wise", "witty", "worthy", "zesty",
    ]

    static let nouns = [
        "acorn", "alder", "anchor", "aspen", "aurora", "autumn", "barley", "basil", "beacon", "bonsai", "breeze",
        "bridge", "brook", "canoe", "canyon", "cedar", "cello", "clover", "comet", "compass", "coral", "cosmos", "cove",
        "dawn", "dune", "echo", "elm", "ember", "fable", "falcon", "fern", "finch", "fjord", "forest", "fountain", "galaxy",
        "garden", "garnet", "glacier", "glade", "granite", "guitar", "harbor", "harp", "hazel", "heath", "horizon",
        "iris", "island", "ivy", "jasmine", "juniper", "kayak", "kite", "lark", "laurel", "lilac",
        "linden", "lotus", "lupin", "mallow", "mandolin", "maple", "meadow", "meteor", "mint", "moss", "nebula", "nova", "oak",
        "oasis", "oboe", "ocean", "opal", "orbit", "orchard", "orchid", "osprey", "pebble", "piano", "pine", "planet", "pond",
        "poplar", "prairie", "prism", "puffin", "quarry", "quartz", "quill", "reed", "ridge", "river", "robin", "sail",
        "shore", "sierra", "sonnet", "sparrow", "spring", "spruce", "stream", "summit", "sundial", "sunrise", "terrace",
        "thistle",
        "thyme", "topaz", "trellis", "tulip", "tundra", "valley", "velvet", "viola", "violet", "violin", "willow",
        "wren", "yarrow", "zephyr", "zinnia",
    ]
}
