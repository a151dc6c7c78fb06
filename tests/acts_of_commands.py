"""The acts of each command: rows of ``jara.domain.control.effects`` behind a command line."""

from collections.abc import Mapping

from jara.domain.content.kinds import KINDS
from jara.domain.control.effects import ACTS, Touch

SEVERAL: Mapping[str, tuple[str, ...]] = {
    "init": ("organisation.init", "keys.make"),
    "migrate": ("database.migrate", "keys.make"),
    "backup": ("backup.make",),
    "restore": ("backup.restore",),
    "db copy": ("database.copy", "database.move"),
    "setup": ("organisation.init", "organisation.set", "operators.add", "operators.invite"),
    "samples load": (
        *(f"{kind}.{change}" for kind in KINDS for change in ("add", "edit")),
        *("partners.add", "proposals.new", "proposals.open", "fixed_costs.put"),
    ),
    "samples remove": (
        *(f"{kind}.{change}" for kind in KINDS for change in ("edit", "remove")),
        *("partners.remove", "proposals.withdraw", "votes.withdraw", "fixed_costs.remove"),
    ),
    "run daily": ("run.daily", "proofs.checkpoint", "proposals.close", "votes.seal"),
    "samples bank": ("bank.mappings.add", "payments.ways.set"),
    "organisation set": ("organisation.set", "organisation.effective"),
    "organisation unset": ("organisation.unset", "organisation.effective"),
    "payments refund": ("pledges.refund",),
    "payments receive": ("payments.receive", "payments.receipt"),
    "payments returned": ("pledges.refund",),
    "members edit": ("members.edit", "members.remove-address"),
    "ledger bank-charge": ("ledger.bank_charge",),
    "ledger accounts add": ("accounts.add",),
    "ledger fixed-costs add": ("fixed_costs.add",),
    "ledger fixed-costs remove": ("fixed_costs.remove",),
    "ledger close-year": ("years.close",),
    "ledger open-year": ("years.open",),
    "bank import": ("bank.import", "bank.vouch"),
    "bank match": ("bank.match", "bank.vouch"),
    "proposals edit": ("proposals.edit", "proposals.correct", "votes.correct"),
    "proposals withdraw": ("proposals.withdraw", "votes.withdraw"),
    "proposals import": ("proposals.new", "proposals.edit"),
    "proposals fund": ("proposals.fund", "projects.add"),
    "votes destroy-key": ("votes.seal", "votes.destroy-early"),
    "mail announcements withdraw": ("mail.withdraw",),
    "report statement": ("report.mail",),
    **{
        f"{kind.command} {verb}": tuple(f"{name}.{change}" for change in changes)
        for name, kind in KINDS.items()
        for verb, changes in (
            ("add", ("add",)),
            ("edit", ("edit",)),
            ("publish", ("edit",)),
            ("import", ("add", "edit")),
            ("remove", ("remove",)),
        )
    },
    "projects milestone": ("projects.edit",),
    "projects measure": ("projects.edit",),
    "projects evidence": ("projects.edit",),
    "partners add": ("partners.add", "partners.link"),
    "field publish": ("reports.field.publish", "updates.add"),
    "field refuse": ("reports.field.refuse",),
    "operators confirm": ("operators.add",),
    "operators policy set": ("operators.policy",),
    "operators scheduler-key": ("operators.add",),
    "operators end-sessions": ("keys.renew",),
    "approvals approve": ("approvals.approve", "approvals.sign"),
    "proofs signer reset": ("proofs.signer-reset",),
    "proofs witnesses add": ("witnesses.add",),
    "proofs witnesses remove": ("witnesses.remove",),
    "proofs witnesses quorum": ("witnesses.quorum",),
    "stripe setup": ("stripe.setup", "stripe.confirm"),
    "rehearse record": ("stripe.rehearse",),
}
"""The acts of each command that has another name than its act, or several acts."""

OUTSIDE: Mapping[str, str] = {
    "demo": "makes an organisation of its own",
    "serve": "answers the calls of the API",
    "samples copy": "writes files",
    "rehearse stripe": "uses test mode and writes a file",
    **dict.fromkeys(("witness init", "witness add", "witness serve"), "keeps a witness for others"),
}
"""Commands that write something, but not into the organisation's database."""


def acts_of(command: str) -> tuple[str, ...]:
    """Return the acts of a command, such as `ledger close-year`; none if it only reads."""
    own = command.replace(" ", ".")
    return SEVERAL.get(command, (own,) if own in ACTS else ())


def touches_of(command: str) -> tuple[Touch, ...]:
    """Return what a command may touch, each once."""
    return tuple(dict.fromkeys(t for action in acts_of(command) for t in ACTS[action].touches))
