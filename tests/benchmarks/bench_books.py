"""The books that the benchmarks measure, in Jara and in the format of its peer."""

from pathlib import Path

from tests.benchmarks.giving_history import write_csv
from tests.benchmarks.processes import JARA, Took, run


class Books:
    """An imported history, and its folder."""

    def __init__(self, folder: Path, postings: int) -> None:
        """Create the organisation and import the history."""
        self.folder = folder
        self.csv = folder / "history.csv"
        self.postings = write_csv(self.csv, postings)
        self.jara("init")
        self.jara("ledger", "import", str(self.csv), "--format", "csv")

    def jara(self, *arguments: str) -> Took:
        """Run jara in the folder."""
        return run([JARA, *arguments], self.folder)

    def exported(self, form: str) -> str:
        """Return the file with all entries in a format."""
        file = self.folder / f"history.{form}"
        if not file.exists():
            self.jara("ledger", "export", "--format", form, "--out", str(file))
        return str(file)
