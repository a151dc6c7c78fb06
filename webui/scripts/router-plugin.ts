import type { Plugin } from "vite";

const ROUTER = /\/node_modules\/react-router\/dist\/production\/chunk-\w+\.mjs$/;

/**
 * Lets the bundler leave out the components of React Router that no page uses. They stay otherwise,
 * with all that they call, since they are made by a call and named by an assignment.
 */
export function shakeRouter(): Plugin {
  return {
    name: "jara-router",
    apply: "build",
    transform(code, id) {
      if (!ROUTER.test(id)) return null;
      return code
        .replaceAll(/^\w+\.displayName = .*;$/gm, "")
        .replaceAll(/= (React\w*\.(?:forwardRef|createContext|memo)\()/g, "= /* @__PURE__ */ $1");
    },
  };
}
