// Loads the app once the first frame of a prerendered page is on the screen: until then neither the
// script nor the fonts compete with the paint. prerender.mjs puts this file into dist/assets/.
const { main } = document.querySelector("script[data-main]").dataset;
const { classList } = document.documentElement;
const FONTS = ['800 1em "Jara Display"', '1em "Source Sans 3 Variable"'];
// Safari has no requestIdleCallback.
const whenIdle = window.requestIdleCallback ?? requestAnimationFrame;

const start = () => {
  // The page is laid out again once, when all its fonts are there.
  const fonts = Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
  const shown = fonts.then(() => classList.remove("first-frame"));
  void Promise.all([import(main), shown]).then(() => whenIdle(layOutNext));
  // The first formatter makes the browser list its locales; while it waits for the app it has time.
  whenIdle(() => new Intl.NumberFormat());
};
// One section at a time: laying out all of them at once would block a cheap phone.
const layOutNext = () => {
  const section = document.querySelector(".below");
  if (section === null) {
    classList.remove("later-layout");
    return;
  }
  section.classList.remove("below");
  whenIdle(layOutNext);
};

// A page in the background has no frames.
if (document.visibilityState === "hidden") start();
else requestAnimationFrame(() => requestAnimationFrame(start));
