"""The goals of the website: what a browser fetches and draws."""

from __future__ import annotations

from tests.benchmarks.goal import LIBERAPAY, Goal

SITE_GOALS = (
    Goal(
        "U1.first",
        "first JavaScript of the home page, compressed",
        90,
        "kB",
        at_most=True,
        digits=1,
    ),
    Goal("U1.routes", "what the largest other route adds", 12, "kB", at_most=True, digits=1),
    Goal(
        "U1.kept_out",
        "first scripts of the home page that hold code of Stripe or of the toasts",
        0,
        "",
        at_most=True,
        digits=0,
    ),
    Goal(
        "U2.paint1",
        "largest text of the home page, against a bare page with it under the same headers of "
        "safety",
        1.5,
        at_most=True,
        hindrance="Its styles and its drawings stand in it, and the browser reads and applies them "
        "before anything is seen; the bare page has none.",
    ),
    Goal(
        "U2.paint4",
        "largest text of the home page on a processor slowed 4 times, against the same",
        1.5,
        at_most=True,
        hindrance="As above.",
    ),
    Goal("U2.shift", "layout shift of the home page", 0, "", at_most=True, digits=3),
    Goal("U2.liberapay", "against Liberapay's home page", 2.5, unmeasured=LIBERAPAY),
    Goal(
        "U3.bytes",
        "the home page with fonts and pictures, on a phone",
        230,
        "kB",
        at_most=True,
        digits=0,
    ),
    Goal("U3.requests", "requests of the home page, on a phone", 12, "", at_most=True, digits=0),
    Goal(
        "U3.lighthouse",
        "the lowest of Lighthouse's four scores on any public page",
        100,
        "",
        digits=0,
        hindrance="Only the score of speed is ever less, by a point or two in some runs and not in "
        "others: the imitated slow line counts how busy the machine is.",
    ),
)
