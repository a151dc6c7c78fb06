"""What a PostgreSQL schema holds, compared with what the steps create.

Partitions count as their table, and what an extension owns is left out.
"""

import re
from collections.abc import Container, Iterator, Mapping

from jara.store.postgres.schema import REFUSE_BODY, STEPS_TABLE, trigger_names, trigger_of
from jara.store.sql.connection import Sql
from jara.store.sql.tables import TABLES, columns_of, names_made

_LITERAL = re.compile(r"-?\d+|\(?'-?\d+'::\w+\)?|'[^']*'(?:::\w+)?|NULL(?:::\w+)?")

_HERE = "relnamespace = CAST(current_schema() AS regnamespace)"
_ROOT = (
    "(SELECT relname FROM pg_class AS r WHERE r.oid = COALESCE(pg_partition_root(c.oid), c.oid))"
)
_OWN = "NOT EXISTS (SELECT 1 FROM pg_depend AS e WHERE e.deptype = 'e' AND e.objid ="
_OWN_CLASS = f"{_OWN} c.oid AND e.classid = CAST('pg_class' AS regclass))"
_OWN_FUNCTION = f"{_OWN} p.oid AND e.classid = CAST('pg_proc' AS regclass))"
_KINDS = {"r": "table", "p": "table", "v": "view", "m": "view", "f": "table", "S": "sequence"}

_RELATIONS = f"""
SELECT c.relname, CAST(c.relkind AS TEXT), {_ROOT} FROM pg_class AS c
WHERE {_HERE} AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND {_OWN_CLASS} ORDER BY 1
"""
_COLUMNS = f"""
SELECT {_ROOT}, c.relname, a.attname, CAST(a.attgenerated AS TEXT) || CAST(a.attidentity AS TEXT),
       pg_get_expr(d.adbin, d.adrelid)
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE {_HERE} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
AND {_OWN_CLASS} ORDER BY 2, 3
"""
_INDEXES = f"""
SELECT c.relname FROM pg_class AS c JOIN pg_index ON indexrelid = c.oid
JOIN pg_class AS t ON t.oid = indrelid
WHERE c.{_HERE} AND t.relkind = 'r' AND NOT t.relispartition AND {_OWN_CLASS}
AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = c.oid) ORDER BY 1
"""
_TRIGGERS = f"""
SELECT {_ROOT}, tgname, tgtype, tgqual IS NULL,
       proname = 'refuse_change' AND pronamespace = c.relnamespace
FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid JOIN pg_proc AS p ON p.oid = tgfoid
WHERE {_HERE} AND NOT tgisinternal ORDER BY 2
"""
_FUNCTIONS = f"""
SELECT p.proname, p.prosrc, p.prosecdef FROM pg_proc AS p
WHERE pronamespace = CAST(current_schema() AS regnamespace)
AND {_OWN_FUNCTION} ORDER BY 1
"""
_OTHERS = f"""
SELECT 'rule ' || rulename FROM pg_rewrite JOIN pg_class AS c ON c.oid = ev_class
WHERE {_HERE} AND rulename <> '_RETURN' AND {_OWN_CLASS}
UNION ALL
SELECT 'view ' || c.relname || ' as it is now' FROM pg_rewrite
JOIN pg_class AS c ON c.oid = ev_class
JOIN pg_depend ON classid = CAST('pg_rewrite' AS regclass) AND objid = pg_rewrite.oid
WHERE {_HERE} AND refclassid = CAST('pg_proc' AS regclass) AND {_OWN_CLASS}
UNION ALL
SELECT 'policy ' || polname FROM pg_policy JOIN pg_class AS c ON c.oid = polrelid WHERE {_HERE}
UNION ALL
SELECT 'constraint ' || conname FROM pg_constraint JOIN pg_depend
ON classid = CAST('pg_constraint' AS regclass) AND objid = pg_constraint.oid
WHERE connamespace = CAST(current_schema() AS regnamespace)
AND refclassid = CAST('pg_proc' AS regclass)
UNION ALL
SELECT 'index ' || c.relname FROM pg_class AS c JOIN pg_depend
ON classid = CAST('pg_class' AS regclass) AND objid = c.oid
WHERE {_HERE} AND c.relkind IN ('i', 'I') AND refclassid = CAST('pg_proc' AS regclass)
ORDER BY 1
"""
_GUARD = 58
"""The type of the triggers: before update, delete and truncate, for each statement."""


def schema_findings(sql: Sql) -> list[str]:
    """Return what the schema has and Jara's has not, and which triggers it lacks."""
    foreign = [f"the {label} is not Jara's" for label in _foreign(sql)]
    there = {row[0] for row in sql.all(_ENABLED)}
    missing = sorted(set(trigger_names()) - there)
    return foreign + [f"the trigger {name} is missing or disabled" for name in missing]


_ENABLED = f"""
SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE {_HERE} AND NOT tgisinternal AND tgenabled IN ('O', 'A')
"""


def _foreign(sql: Sql) -> Iterator[str]:
    tables = {**TABLES, **columns_of([STEPS_TABLE])}
    yield from _relations(sql, tables.keys())
    yield from _columns(sql, tables)
    indexes = names_made("INDEX")
    yield from (f"index {name}" for (name,) in sql.all(_INDEXES) if name not in indexes)
    yield from _triggers(sql)
    yield from _functions(sql)
    yield from (str(label) for (label,) in sql.all(_OTHERS))


def _relations(sql: Sql, tables: Container[str]) -> Iterator[str]:
    views = names_made("VIEW")
    for name, kind, root in sql.all(_RELATIONS):
        is_known = (kind in {"r", "p"} and root in tables) or (kind == "v" and name in views)
        if not is_known:
            yield f"{_KINDS[kind]} {name}"


def _columns(sql: Sql, tables: Mapping[str, Container[str]]) -> Iterator[str]:
    for root, table, column, computed, default in sql.all(_COLUMNS):
        if root not in tables:
            continue  # the table itself is named
        if column not in tables[root] or computed:
            yield f"column {table}.{column}"
        elif default is not None and _LITERAL.fullmatch(default) is None:
            yield f"default of {table}.{column}"


def _triggers(sql: Sql) -> Iterator[str]:
    guards = set(trigger_names())
    for root, name, kind, is_plain, is_ours in sql.all(_TRIGGERS):
        if name not in guards or name != trigger_of(root):
            yield f"trigger {name}"
        elif kind != _GUARD or not is_plain or not is_ours:
            yield f"trigger {name} as it is now"


def _functions(sql: Sql) -> Iterator[str]:
    for name, body, is_definers in sql.all(_FUNCTIONS):
        if name != "refuse_change":
            yield f"function {name}"
        elif body.split() != REFUSE_BODY.split() or is_definers:
            yield f"function {name} as it is now"
