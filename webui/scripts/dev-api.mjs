// Development server for the API: the content of data/, invented figures,
// and, if dist/ exists, the built site.
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { artFolder } from "./art-plugin.ts";
import { inventedEmails } from "./dev-emails.mjs";
import { contentAnswers, readContent } from "./content.mjs";
import { inventedImpact, inventedLedger, inventedProposals } from "./dev-figures.mjs";
import { inventedMember } from "./dev-member.mjs";

const port = Number(process.argv[2] ?? 8000);
const rules = JSON.parse(readFileSync(new URL("../src/rules.json", import.meta.url), "utf8"));
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".woff2": "font/woff2",
};

const answers = {
  ...contentAnswers(artFolder),
  "/config": config(),
  "/countries": JSON.parse(await readFile("countries.json")),
  "/stats": {
    changemakers: 64,
    contributions: 812,
    contributionsCents: 927_400,
    monthlyDonationCents: 74_200,
    cashAtHandCents: 321_400,
    monthlyFixedCostCents: 5_800,
    cashDeployedCents: 2_882_000,
    donations: 7,
    donationsCents: 2_882_000,
    projects: 9,
    claims: readContent("claims"),
  },
  "/impact": inventedImpact(),
  ...inventedProposals(readContent("proposals")),
  ...inventedLedger(),
  ...inventedMember(),
  "/emails": inventedEmails(),
};

const DONE = { success: true, message: "Done." };
const SIGNED_IN = {
  success: true,
  token: "e30.eyJzdWIiOiJkZXYifQ.e30",
  message: "Login successful",
};
const sends = {
  "POST /user/login": SIGNED_IN,
  "POST /register": { ...SIGNED_IN, message: "Welcome to Jara." },
  "POST /user/votes": {
    ...DONE,
    user_vote_status: "voted",
    receipt: { leaf: "dev", leafBytes: "", index: 41, nonce: "", tracker: "DEV" },
  },
  "POST /emails/choice": {
    ...DONE,
    email: "amara@example.org",
    isMember: true,
    choice: "monthly",
  },
  "PUT /user/update-subscription": { ...DONE, subscriptionAmount: 10 },
};

createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname.startsWith("/api/")) answerCall(request, response, url);
  else answerPage(response, url);
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`));

function answerCall(request, response, url) {
  const call = decodeURIComponent(url.pathname.slice(4));
  request.resume();
  if (request.method !== "GET")
    return json(response, 200, sends[`${request.method} ${call}`] ?? DONE);
  const found = answers[call];
  if (found !== undefined) return json(response, 200, found);
  const message = "There is nothing here.";
  json(response, 404, { success: false, code: "not_found", message, error: message });
}

function answerPage(response, url) {
  const wanted = path.join(dist, path.normalize(decodeURIComponent(url.pathname)));
  const [file, status] = fileFor(wanted, url.pathname);
  response.writeHead(status, {
    "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
  });
  createReadStream(file).pipe(response);
}

function fileFor(wanted, pathname) {
  if (isFile(wanted)) return [wanted, 200];
  if (isFile(path.join(wanted, "index.html"))) return [path.join(wanted, "index.html"), 200];
  // Addresses that are rendered in the browser.
  if (
    /^\/(?:login|join|dashboard|ledger|proposals|projects|donate|reset-password|my-impact|check-vote|emails|sandbox)\b/.test(
      pathname,
    )
  ) {
    return [path.join(dist, "shell.html"), 200];
  }
  return [path.join(dist, "404.html"), 404];
}

function isFile(name) {
  return existsSync(name) && statSync(name).isFile();
}

function json(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readFile(name) {
  const { readFile: read } = await import("node:fs/promises");
  const { contentFolder } = await import("./content.mjs");
  return read(path.join(contentFolder, name), "utf8");
}

function config() {
  return {
    organisation: "Jara Foundation",
    legalName: null,
    siteUrl: "https://jara.example",
    payments: { provider: "sandbox", publishableKey: null },
    ways: [],
    currency: "usd",
    donateUrl: null,
    contactEmail: "hello@jara.example",
    chatUrl: "https://chat.jara.example",
    social: {
      x: "https://x.example/joinjara",
      instagram: "https://instagram.example/joinjara",
      facebook: "https://facebook.example/joinjara",
      linkedin: "https://linkedin.example/company/joinjara",
    },
    fundPolicy: {
      from: "2024-01-01",
      weights: rules.fundPolicy,
      feeWeights: { projects: 0, staff: 7, marketing: 9, other: 4 },
    },
    cardFee: { basisPoints: 290, fixedCents: 30 },
    today: "2026-11-21",
    limits: {
      pledgeDollarsMin: rules.pledgeDollarsMin,
      pledgeDollarsMax: rules.pledgeDollarsMax,
      pledgeDollarsDefault: rules.pledgeDollarsDefault,
      quickDollars: rules.quickDollars,
      billingDays: ["current", "1", "28"],
      giftCentsMin: rules.giftCentsMin,
      giftCentsMax: rules.giftCentsMax,
      passwordMin: rules.passwordMin,
      passwordMax: 128,
      nameMax: 80,
    },
  };
}
