"""``jara ledger``: the books."""

import typer

# Each verb: its module, and its line in the list of verbs.
VERBS = {
    "balance": ("reading", "Show the balance of each account."),
    "register": ("reading", "Show an account's entries with the balance after each."),
    "show": ("reading", "Show one entry with its postings."),
    "budget": ("reading", "Show what a year received, spent and promised, per fund."),
    "accounts": ("settings", "List the chart of accounts, or add to it."),
    "fixed-costs": ("settings", "List the monthly fixed costs, or change them."),
    "post": ("posting", "Post an entry."),
    "document": ("papers", "Add documents to an entry, such as its invoice."),
    "documents": ("papers", "List the documents of an entry, or write them to files."),
    "erase-document": ("papers", "Erase a document; its hash stays."),
    "reverse": ("posting", "Reverse an entry by a new one."),
    "return": ("posting", "Book money that a payee sent back."),
    "transfer": ("posting", "Transfer free money from one fund to another."),
    "bank-charge": ("posting", "Book the bank's own charge."),
    "count": ("posting", "Record a count of cash."),
    "import": ("files", "Import Stripe reports, a ledger CSV or a journal."),
    "imports": ("files", "List the imports."),
    "undo": ("files", "Reverse an import as a whole."),
    "export": ("files", "Export every entry."),
    "verify": ("checking", "Check the books, the public log and the votes."),
    "waiting": ("checking", "List movements that wait for what they undo."),
    "reconcile": ("checking", "Compare the books with the payment provider."),
    "close-year": ("settings", "Lock a year that is over."),
    "open-year": ("settings", "Reopen a closed year."),
}

app = typer.Typer(no_args_is_help=True)
