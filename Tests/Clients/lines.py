"""The lines of a provider's page that connect an SDK to the emulator, for a server on another port."""
import re

from environment import here

# What the page has, and the server's own value: an address, or a key of the ready line's `vars`.
KEYS = {
    r"sb_publishable_\w[\w-]+": "publishable", r"sb_secret_\w[\w-]+": "secret", r"pk_test_\w+": "publishable_key", r"sk_test_\w+": "secret_key",
}


def lines(provider, language, server):
    """The blocks of a language on the provider's page, each as one text."""
    page = (here.parent.parent / f"docs/{provider}-emulator.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert blocks, f"docs/{provider}-emulator.md has no block in {language}"
    for index, block in enumerate(blocks):
        block = re.sub(r"http://127\.0\.0\.1:460[1-3]", server.base, block)
        for pattern, name in KEYS.items():
            block = re.sub(pattern, lambda _: server.vars[name], block)
        blocks[index] = block
    return blocks


def names(provider, server):
    """What the page's lines in Python define."""
    defined = {}
    for block in lines(provider, "python", server):
        exec(block, defined)
    return defined
