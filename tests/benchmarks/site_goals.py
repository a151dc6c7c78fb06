"""The performance goals of the website."""

from __future__ import annotations

from tests.benchmarks.goal import LIBERAPAY, Goal

SITE_GOALS = (
    Goal(
        "U1.first",
        "first JavaScript of the home page, compressed",
        115,
        "kB",
        at_most=True,
        digits=1,
    ),
    Goal(
        "U1.routes", "JavaScript added by the largest other route", 12, "kB", at_most=True, digits=1
    ),
    Goal(
        "U1.kept_out",
        "first scripts of the home page that contain code of Stripe or React-Toastify",
        0,
        "",
        at_most=True,
        digits=0,
    ),
    Goal(
        "U2.paint1",
        "largest contentful paint of the home page, compared with a bare page with the "
        "same text and security headers",
        1.5,
        at_most=True,
        felt=True,
        hindrance="The page contains styles and drawings that the browser applies before it "
        "paints; the bare page has none.",
    ),
    Goal(
        "U2.paint4",
        "the same on a CPU slowed down 4 times",
        1.5,
        at_most=True,
        felt=True,
        hindrance="As above.",
    ),
    Goal("U2.shift", "layout shift of the home page", 0, "", at_most=True, digits=3, felt=True),
    Goal("U2.liberapay", "compared with Liberapay's home page", 2.5, unmeasured=LIBERAPAY),
    Goal(
        "U3.bytes",
        "size of the home page with fonts and pictures, on a phone",
        230,
        "kB",
        at_most=True,
        digits=0,
        felt=True,
    ),
    Goal(
        "U3.requests",
        "number of requests of the home page, on a phone",
        12,
        "",
        at_most=True,
        digits=0,
        felt=True,
    ),
    Goal(
        "U3.lighthouse",
        "the lowest of Lighthouse's four scores on any public page",
        100,
        "",
        digits=0,
        felt=True,
        hindrance="Only the performance score is lower: the imitated phone is a quarter as "
        "fast as this machine, and lays out and starts what the first view shows. On a machine "
        "whose Python starts in 11 ms all scores were 100.",
    ),
)
