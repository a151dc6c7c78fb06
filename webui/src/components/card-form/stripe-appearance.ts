import type { Appearance, CustomFontSource } from "@stripe/stripe-js";
import textFont from "@/styles/fonts/source-sans-3-latin-wght-normal.woff2";

/** Colours and type of Stripe's form, light or dark like the page. */
export function stripeAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    theme: "flat",
    variables: {
      fontFamily: '"Source Sans 3", system-ui, sans-serif',
      fontSizeBase: "18px",
      borderRadius: "6px",
      colorPrimary: token("action"),
      colorText: token("text"),
      colorBackground: token("surface"),
      colorDanger: token("danger"),
    },
    rules: {
      ".Input": { border: `1.5px solid ${token("line-strong")}`, padding: "15px 16px" },
      ".Input:focus": { outline: `3px solid ${token("focus")}`, boxShadow: "none" },
      ".Label": { fontWeight: "600" },
    },
  };
}

/** The text font, self-hosted. */
export function stripeFonts(): CustomFontSource[] {
  const file = new URL(textFont, window.location.href);
  return [{ family: "Source Sans 3", src: `url(${file.href})`, weight: "200 900" }];
}
