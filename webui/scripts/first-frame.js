// Loads the app once the first frame of a prerendered page is on the screen: until then neither the
// script nor the fonts compete with the paint. prerender.mjs puts this file into dist/assets/.
const { main } = document.querySelector("script[data-main]").dataset;
const { classList } = document.documentElement;
// Safari has no requestIdleCallback.
const whenIdle = window.requestIdleCallback ?? requestAnimationFrame;

const start = () => {
  classList.remove("first-frame");
  void import(main).then(() => whenIdle(layOutNext));
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
