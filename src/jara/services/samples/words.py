"""What the sample organisation writes: notes, reasons and names, in its own language."""

from jara.services.context import Context

OF_LANGUAGE = {
    "fr": {
        "A guest": "Une invitée",
        "At the office": "Au bureau",
        "Cash that is not at the bank yet": "Espèces pas encore déposées",
        "Cheques that are not at the bank yet": "Chèques pas encore déposés",
        "Credit union": "Caisse populaire",
        "Decided by the board": "Décidé par le conseil",
        "Fee of the account": "Frais de compte",
        "Flyers and posters": "Tracts et affiches",
        "Food for meetings": "Repas des réunions",
        "Getting there": "Déplacements",
        "Interac e-transfer to give@example.org": "Virement Interac à give@example.org",
        "Post": "Poste",
        "Rooms and equipment": "Salles et matériel",
        "Sample": "Exemple",
        "Sample account 0042": "Compte d’exemple 0042",
        "The hall is on a bus line; ask us before you take a taxi.": (
            "La salle est sur une ligne de bus ; demandez-nous avant de prendre un taxi."
        ),
        "To Jara": "À l’ordre de Jara",
        "Voted by the trustees": "Voté par les administrateurs",
        "charged by mistake": "prélevé par erreur",
        "sample content removed": "contenu d’exemple retiré",
    }
}


def in_own_words(context: Context, text: str) -> str:
    """Return a text of the samples in the language of the organisation."""
    words = OF_LANGUAGE.get(context.rules.language)
    return text if words is None else words[text]
