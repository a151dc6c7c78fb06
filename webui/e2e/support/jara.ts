import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The environment without JARA_* variables, plus the given settings. */
export function environment(settings: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith("JARA_"));
  return { ...Object.fromEntries(plain), ...settings };
}

/** Runs a `jara` command in a folder and returns its output. */
export async function runJara(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute("jara", args, { cwd: folder, env: environment(settings) });
  return stdout;
}
