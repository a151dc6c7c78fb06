import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "./wait-until.ts";

// A partner's phone: slow, often without a network, and killed at any time.

/** A killed browser that is opened again: another window of the same phone. */
export async function reopened(page: Page, link: string, before?: Page): Promise<Page> {
  const next = await page.context().newPage();
  await before?.close();
  await next.goto(link);
  return next;
}

export async function becomeSlow(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 600,
    downloadThroughput: 50_000 / 8,
    uploadThroughput: 50_000 / 8,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

export async function isKept(page: Page): Promise<void> {
  await until(async () => {
    const kept = await page.evaluate(async () => (await caches.match("/field", { ignoreVary: true })) !== undefined);
    expect(kept, "the page is kept").toBe(true);
  });
}

export async function isStored(page: Page, title: string): Promise<void> {
  await until(async () => {
    expect((await stored(page)).map(({ draft }) => draft?.title)).toContain(title);
  });
}

export async function isNotStored(page: Page, title: string): Promise<void> {
  await until(async () => {
    expect((await stored(page)).map(({ draft }) => draft?.title)).not.toContain(title);
  });
}

export async function queued(page: Page): Promise<number> {
  return (await stored(page)).filter(({ state }) => state === "queued").length;
}

type Stored = { readonly state: string; readonly draft?: { readonly title: string } };

async function stored(page: Page): Promise<readonly Stored[]> {
  return await page.evaluate(
    () =>
      new Promise<Stored[]>((resolve) => {
        const opening = indexedDB.open("jara-field");
        opening.addEventListener("success", () => {
          const all = opening.result.transaction("reports").objectStore("reports").getAll();
          all.addEventListener("success", () => {
            opening.result.close();
            resolve(all.result as Stored[]);
          });
        });
      }),
  );
}

/** Photos with noise, as JPEG of a size in pixels. */
export async function photos(page: Page, count: number, width: number) {
  const data = await page.evaluate(async ([howMany, edge]) => {
    const canvas = document.createElement("canvas");
    canvas.width = edge;
    canvas.height = (edge * 3) / 4;
    const pen = canvas.getContext("2d");
    const made: string[] = [];
    for (let photo = 0; photo < howMany; photo += 1) {
      for (let spot = 0; spot < 3000; spot += 1) {
        if (pen !== null) pen.fillStyle = `hsl(${Math.random() * 360} 60% 50%)`;
        pen?.fillRect(Math.random() * edge, Math.random() * edge, edge / 30, edge / 30);
      }
      made.push(canvas.toDataURL("image/jpeg", 0.9));
    }
    return made;
  }, [count, width] as const);
  return filesOf(data);
}

/** Sets how many bytes this site may keep in the browser; null is the usual. */
export async function roomOf(page: Page, origin: string): Promise<(bytes: number | null) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  return async (bytes) => {
    await devtools.send("Storage.overrideQuotaForOrigin", { origin, ...(bytes === null ? {} : { quotaSize: bytes }) });
  };
}

/** Photos in which every pixel is random, so that they compress badly. */
export async function noise(page: Page, count: number) {
  const data = await page.evaluate((howMany) => {
    const canvas = document.createElement("canvas");
    canvas.width = 1600;
    canvas.height = 1200;
    const pen = canvas.getContext("2d");
    return Array.from({ length: howMany }, () => {
      const pixels = new Uint32Array(canvas.width * canvas.height);
      for (let at = 0; at < pixels.length; at += 1) pixels[at] = 0xff_00_00_00 + Math.random() * 0xff_ff_ff;
      pen?.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), canvas.width), 0, 0);
      return canvas.toDataURL("image/jpeg", 0.9);
    });
  }, count);
  return filesOf(data);
}

function filesOf(addresses: readonly string[]) {
  return addresses.map((address, number) => ({
    name: `photo-${number}.jpg`,
    mimeType: "image/jpeg",
    buffer: Buffer.from(address.split(",")[1] ?? "", "base64"),
  }));
}

/** Loses a third of the requests, and the answers to another third. */
export async function cutAtRandom(context: BrowserContext): Promise<void> {
  await context.route(/\/api\/field/, async (route) => {
    const chance = Math.random();
    if (chance < 1 / 3) return await route.abort("connectionreset");
    const answer = await route.fetch();
    return await (chance < 2 / 3 ? route.abort("connectionreset") : route.fulfill({ response: answer }));
  });
}

/** Lets reports with two photos wait on the phone. */
export async function queueReports(page: Page, code: string, count: number): Promise<void> {
  const jpeg = readFileSync(new URL("../../public/share.png", import.meta.url)).subarray(0, 20_000).toString("base64");
  await page.evaluate(async ([link, howMany, bytes]) => {
    const opened = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("jara-field");
      opening.addEventListener("success", () => resolve(opening.result));
    });
    for (let number = 0; number < howMany; number += 1) {
      const key = crypto.randomUUID();
      const made = [0, 1].map((photo) => {
        const data = Uint8Array.from(atob(bytes), (sign) => sign.codePointAt(0) ?? 0);
        data[data.length - 1] = photo;
        return data.buffer;
      });
      const hashes = await Promise.all(
        made.map(async (data) =>
          [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
        ),
      );
      const writing = opened.transaction(["reports", "photos"], "readwrite");
      made.forEach((data, photo) =>
        writing.objectStore("photos").put({ id: `${key}/${hashes[photo]}`, report: key, number: photo, sha256: hashes[photo], data }),
      );
      const draft = { title: `Report ${number}`, text: "Sent often.", milestone: null, numbers: [], consent: "nobody", latitude: null, longitude: null, writtenAt: 1, photoPlace: null, showsPlace: false, values: {} };
      writing.objectStore("reports").put({ key, code: link, state: "queued", draft, problem: "", at: number });
      await new Promise((resolve) => {
        writing.addEventListener("complete", resolve);
      });
    }
    opened.close();
  }, [code, count, jpeg] as const);
}
