"""``jara bank``: bank statements."""

import typer

# Each verb: its module, and its line in the list of verbs.
VERBS = {
    "import": ("files", "Import a statement: CAMT.053, MT940, OFX or CSV."),
    "waiting": ("lines", "List unmatched lines."),
    "match": ("lines", "Book an unmatched line."),
    "rematch": ("lines", "Match every waiting line again."),
    "reconcile": ("files", "Compare the statements with the books."),
    "accounts": ("accounts", "List, set and remove the accounts at the bank."),
    "senders": ("lines", "List and forget the senders matched with members."),
    "rules": ("lines", "Manage rules that book recurring lines."),
    "mappings": ("mappings", "Define how to read a bank's CSV."),
}

app = typer.Typer(no_args_is_help=True)
