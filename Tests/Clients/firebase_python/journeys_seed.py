"""A command of `lockstep exec` with a seed."""
from server import journey


@journey(on=["emulator"])
def a_seeded_user_signs_in_with_nothing_but_the_variables_of_exec(server):
    assert server.run_seeded("seeded.py") == "ada@example.com\n"
