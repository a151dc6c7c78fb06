// Loads the app once the first frame of a prerendered page is on the screen: until then neither the
// script nor the fonts compete with the paint. prerender.mjs puts this file into dist/assets/.
const { main } = document.querySelector("script[data-main]").dataset;
const start = () => {
  document.documentElement.classList.remove("first-frame");
  import(main);
};
// A page in the background has no frames.
if (document.visibilityState === "hidden") start();
else requestAnimationFrame(() => requestAnimationFrame(start));
