import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const SOURCE = path.join(import.meta.dirname, "../../src");

/** The modules of the site, without tests, whose text has a match. */
export async function modulesWith(pattern: RegExp): Promise<string[]> {
  const files = await readdir(SOURCE, { recursive: true });
  const modules = files.filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const having = await Promise.all(
    modules.map(async (file) => (pattern.test(await readFile(path.join(SOURCE, file), "utf8")) ? [file] : [])),
  );
  return having.flat().toSorted();
}
