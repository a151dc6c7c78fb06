/** Raw colours, for drawings and full-bleed fields only. */
export const C = {
  ink: "#13153a",
  night: "#0d0f2b",
  indigo: "#232c84",
  marigold: "#ffb61e",
  hibiscus: "#c4195a",
  palm: "#0a5740",
  clay: "#b0481f",
  sea: "#0c767d",
  cotton: "#fffdf8",
  sky: "#bfc8f7",
  foam: "#8fdcd6",
  petal: "#f8a9c4",
  leaf: "#9fd8b4",
  butter: "#ffe09a",
  sand: "#f2c9a0",
} as const;
