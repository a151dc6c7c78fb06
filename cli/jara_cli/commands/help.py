"""``jara help``: a topic, or the help of a command."""

from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.errors import NotFound
from jara_cli.columns import Column
from jara_cli.groups import TOPICS, LazyGroup
from jara_cli.options import argument
from jara_cli.verbs import Answer, verb

app = typer.Typer()


@verb(app, Column("topic", "Topic"), Column("title", "About"), name="help")
def command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, argument("[TOPIC]...", "A topic, or the words of a command.")
    ] = None,
) -> Answer:
    """Explain a topic, or show a command's help; without arguments, list the topics.

    Examples:
      jara help
      jara help dates
      jara help ledger import
    """
    if not words:
        hint = "jara help TOPIC explains one; jara COMMAND --help shows a command's help."
        return Answer(_list_topics(), hints=[hint])
    path = TOPICS / f"{words[0]}.txt"
    is_topic = len(words) == 1 and path.name in {each.name for each in TOPICS.iterdir()}
    text = path.read_text("utf-8") if is_topic else _help_of(ctx, words)
    return Answer({"topic": " ".join(words), "text": text}, view=text.rstrip() + "\n")


def _list_topics() -> list[Document]:
    return [
        {"topic": path.stem, "title": path.read_text("utf-8").split("\n", 1)[0]}
        for path in sorted(TOPICS.glob("*.txt"))
    ]


def _help_of(ctx: typer.Context, words: list[str]) -> str:
    """Return the help of a command.

    Raises:
        NotFound: no command or topic has this name.
    """
    context = ctx.find_root()
    command = context.command
    for word in words:
        if word not in getattr(command, "commands", {}):
            topics = ", ".join(sorted(path.stem for path in TOPICS.glob("*.txt")))
            raise NotFound(
                f"There is no command '{' '.join(words)}' and no such topic; topics are {topics}."
            )
        is_lazy = isinstance(command, LazyGroup)
        inner = command.load(word) if is_lazy else command.commands[word]  # type: ignore[attr-defined] # a group, as asked above
        context = inner.make_context(word, [], parent=context, resilient_parsing=True)
        command = inner
    return str(command.get_help(context))
