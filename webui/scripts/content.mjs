import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const rules = JSON.parse(readFileSync(new URL("../src/rules.json", import.meta.url), "utf8"));
let ruleTexts = rules.texts;

/** Writes placeholders for what the organisation's currency decides; the server fills them. */
export function leaveCurrencyOpen() {
  const minimum = `{{dollars:${rules.pledgeDollarsMin * 100}}}`;
  ruleTexts = { ...ruleTexts, minimum, symbol: "{{symbol}}" };
}

const OURS = fileURLToPath(new URL("../../data", import.meta.url));

/** Folder of the content that the build renders: JARA_CONTENT, or data/ of this repository. */
export const contentFolder = process.env.JARA_CONTENT ?? OURS;

/**
 * A content file in the form of the API's answer, with the rules that it quotes, for a reader of a
 * language; an empty list if it does not exist.
 */
export function readContent(name, language = "en", folder = contentFolder) {
  const file = path.join(folder, `${name}.yaml`);
  const items = existsSync(file) ? parse(quoteRules(readFileSync(file, "utf8"))) : [];
  return items.map((item) => inLanguage(item, language));
}

/** A document as a reader of a language sees it, as `in_language` of the server. */
function inLanguage(document, language) {
  const { language: own = "en", updates, ...texts } = document;
  const plain = Object.fromEntries(Object.entries(texts).filter((entry) => !isTranslation(entry)));
  const translation = own === language ? {} : (texts[language] ?? {});
  const news = updates === undefined ? {} : { updates: updates.map((one) => inLanguage(one, language)) };
  return { ...translated(plain, translation), ...news, language: own };
}

function translated(document, texts) {
  const shown = { ...document };
  const original = {};
  for (const [key, text] of Object.entries(texts)) {
    const before = document[key];
    if (Array.isArray(before) && before.some(isObject)) {
      shown[key] = before.map((item, place) =>
        translated(item, item.id === undefined ? text[place] : (text.find(({ id }) => id === item.id) ?? {})),
      );
    } else {
      original[key] = before;
      shown[key] = text;
    }
  }
  return Object.keys(original).length === 0 ? shown : { ...shown, original };
}

/** Whether a field holds the translation into the language of its name: `fr`. */
function isTranslation([key, value]) {
  return /^[a-z]{2,3}$/.test(key) && isObject(value);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The samples of the about page, the same for every organisation: projects, and the ledger entries
 * of a contribution, of payments to projects and of a fixed cost. Texts that the site has are null.
 */
export function aboutSamples(reader) {
  const read = (name) => readContent(name, reader, OURS);
  return {
    projects: read("projects")
      .slice(0, 3)
      .map(({ title, summary, category, language, original }) => ({ title, summary, category, language, original })),
    entries: [
      { text: null, cents: rules.pledgeDollarsDefault * 100 },
      ...read("donations").slice(0, 3).map(({ title, amountCents }) => ({ text: title, cents: -amountCents })),
      ...read("fixed-costs").slice(0, 1).map(({ amountCents }) => ({ text: null, cents: -amountCents })),
    ],
  };
}

function quoteRules(text) {
  return text.replaceAll(/\{(\w+)\}/g, (slot, name) => ruleTexts[name] ?? slot);
}

const scenes = JSON.parse(readFileSync(new URL("../src/components/scene/scenes.json", import.meta.url), "utf8"));

/**
 * Answers by API path from content alone, without figures from the books.
 *
 * @param art the folder of the drawings that stand where there is no photo.
 */
export function contentAnswers(art, reader = "en") {
  const read = (name) => readContent(name, reader);
  const sceneOf = (title, category) => {
    const special = Object.entries(scenes.bySubject).find(([pattern]) => new RegExp(pattern, "i").test(title));
    return `${art}/${special?.[1] ?? scenes.byCategory[category] ?? scenes.otherwise}.svg`;
  };
  const withPicture = (item, key) => ({
    ...item,
    imageUrl: item.imageUrl ?? sceneOf(item.original?.[key] ?? item[key], item.category),
    ...(item.milestones && {
      milestones: item.milestones.map((one) => ({
        ...one,
        images: one.images ?? [sceneOf(one.original?.title ?? one.title, item.category)],
      })),
    }),
  });
  const projects = read("projects").map((one) => withPicture(one, "title"));
  const donations = read("donations");
  return {
    "/faqs": read("faqs"),
    "/team": read("team"),
    "/roadmap": read("roadmap"),
    "/regions": read("regions"),
    "/events": read("events"),
    "/grants": read("grants").map((one) => withPicture(withAmount(one), "project")),
    "/projects": projects.map(projectCard),
    ...Object.fromEntries(
      projects.map((project) => [`/projects/${project.slug}`, projectPage(project)]),
    ),
    "/donations": {
      count: donations.length,
      totalCents: donations.reduce((sum, donation) => sum + donation.amountCents, 0),
      donations: donations
        .map(withAmount)
        .map(({ code, title, amount, amountCents, language, original }) => ({
          code,
          title,
          amount,
          amountCents,
          language,
          ...(original === undefined ? {} : { original }),
        })),
    },
  };
}

/** With the text of its amount, as the server sends it. */
function withAmount(item) {
  return { amount: `${ruleTexts.symbol}${(item.amountCents / 100).toLocaleString("en")}`, ...item };
}

/** What a project's file may leave out, as the server sends it. */
const NOTHING = {
  location: null,
  imageUrl: null,
  summary: "",
  completion: null,
  fundingGoalCents: null,
  capitalUsedCents: 0,
  sample: false,
};

function projectCard(project) {
  const {
    story: _story,
    milestones: _milestones,
    updates: _updates,
    account: _account,
    ...card
  } = project;
  return { ...NOTHING, ...card };
}

function projectPage(project) {
  return {
    ...NOTHING,
    story: "",
    ...project,
    milestones: (project.milestones ?? []).map((milestone) => ({
      ...milestone,
      paidCents: 0,
      leftCents: milestone.costCents,
      evidence: evidenceOf(milestone),
    })),
    updates: (project.updates ?? []).toSorted((left, right) => right.date.localeCompare(left.date)),
    // The server adds what was measured.
    measures: [],
    late: null,
    commitment: null,
    payouts: [],
    paidAbroad: [],
    paidCents: 0,
    vote: null,
  };
}

/** The files of a milestone that are named by their hash. */
function evidenceOf({ images = [], evidence = [] }) {
  const files = [
    ...images.map((file) => ({ path: file, isImage: true })),
    ...evidence.map((file) => ({ path: file, isImage: false })),
  ];
  return files
    .filter((file) => /^\/(?:media|samples)\//.test(file.path))
    .map((file) => ({ ...file, sha256: path.posix.basename(file.path).split(".")[0] }));
}
