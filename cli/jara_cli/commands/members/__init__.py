"""``jara members``: registered members."""

import typer

from jara_cli.groups import LazyGroup

# Each verb: its module, and its line in the list of verbs.
VERBS = {
    "import": ("moving", "Import members from another program's file."),
    "imports": ("moving", "List the imports of members."),
    "undo": ("moving", "Erase an import's members who have not used their account."),
    "send-invitations": ("moving", "Email a link to every imported member."),
    "export": ("accounts", "Export all data about a member."),
    "list": ("accounts", "List members in order of joining."),
    "show": ("accounts", "Show a member: profile, pledge, payments, emails."),
    "add": ("accounts", "Add a member who agreed to the privacy policy."),
    "confirm": ("accounts", "Confirm an address, in a sandbox only."),
    "invite": ("accounts", "Invite a person by email."),
    "edit": ("accounts", "Change a member's name, addresses or language."),
    "vouch": ("accounts", "Ask another operator to confirm an address."),
    "share-card": ("accounts", "Let all members who share a card or account vote."),
    "died": ("deaths", "Record a death; the family gets a statement."),
    "erase": ("accounts", "Erase a member's personal data."),
}

app = typer.Typer(cls=LazyGroup, no_args_is_help=True)
