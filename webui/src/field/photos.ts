// Photos on the phone: drawn anew, so that nothing of the camera's notes is left, and small.

import { fieldReport } from "@/rules.json";
import type { Place } from "./store";

const EDGES = [1600, 1280, 1024, 800, 640, 480, 360, 240];
const QUALITIES = [0.78, 0.62, 0.45];
const GPS_IFD = 0x88_25;
const HEAD_BYTES = 256 * 1024;

/** The most bytes that each of so many photos may have. */
export function shareOf(count: number): number {
  return Math.floor(fieldReport.reportBytes / Math.max(1, count));
}

/** A photo as JPEG of at most so many bytes; rejects if the browser cannot read it. */
export async function shrink(source: Blob, bytes: number): Promise<ArrayBuffer> {
  const picture = await createImageBitmap(source);
  try {
    const longest = Math.max(picture.width, picture.height);
    for (const edge of EDGES) {
      const scale = Math.min(1, edge / longest);
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
      const pen = canvas.getContext("2d");
      if (pen === null) throw new Error("This browser draws nothing.");
      // What is see-through would turn black.
      pen.fillStyle = "#ffffff";
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
      for (const quality of QUALITIES) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- the first that is small enough
        const jpeg = await encode(canvas, quality);
        // oxlint-disable-next-line eslint/no-await-in-loop -- the loop ends here
        if (jpeg.size <= bytes) return await jpeg.arrayBuffer();
        // Far too large: a smaller picture is quicker to try than another quality.
        if (jpeg.size > 3 * bytes) break;
      }
    }
  } finally {
    picture.close();
  }
  throw new Error("The photo cannot be made small enough.");
}

export async function hashOf(data: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where a photo was taken, if its file says so, rounded to a kilometre. */
export async function placeOf(source: Blob): Promise<Place | null> {
  try {
    return readPlace(new DataView(await source.slice(0, HEAD_BYTES).arrayBuffer()));
  } catch {
    return null; // a file that ends too early says nothing
  }
}

export function rounded(latitude: number, longitude: number): Place {
  return { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
}

/** Reads the GPS tags of the Exif part of a JPEG (JEITA CP-3451). */
export function readPlace(view: DataView): Place | null {
  const tiff = findExif(view);
  if (tiff === null) return null;
  const little = view.getUint16(tiff) === 0x49_49;
  const gps = tagsOf(view, tiff, view.getUint32(tiff + 4, little), little).get(GPS_IFD);
  if (gps === undefined) return null;
  const tags = tagsOf(view, tiff, view.getUint32(gps, little), little);
  const latitude = degrees(view, tiff, tags.get(2), little);
  const longitude = degrees(view, tiff, tags.get(4), little);
  if (latitude === null || longitude === null) return null;
  return rounded(latitude * sign(view, tags.get(1), "S"), longitude * sign(view, tags.get(3), "W"));
}

function findExif(view: DataView): number | null {
  if (view.getUint16(0) !== 0xff_d8) return null;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const length = view.getUint16(at + 2);
    // "Exif" and two zeros, then the TIFF header.
    if (view.getUint8(at + 1) === 0xe1 && view.getUint32(at + 4) === 0x45_78_69_66) return at + 10;
    at += 2 + length;
  }
  return null;
}

/** The places of the values of a directory, by tag. */
function tagsOf(view: DataView, tiff: number, directory: number, little: boolean): Map<number, number> {
  const count = view.getUint16(tiff + directory, little);
  const tags = new Map<number, number>();
  for (let entry = 0; entry < count; entry += 1) {
    const at = tiff + directory + 2 + 12 * entry;
    tags.set(view.getUint16(at, little), at + 8);
  }
  return tags;
}

function degrees(view: DataView, tiff: number, value: number | undefined, little: boolean): number | null {
  if (value === undefined) return null;
  const at = tiff + view.getUint32(value, little);
  const parts = [0, 8, 16].map(
    (offset) => view.getUint32(at + offset, little) / view.getUint32(at + offset + 4, little),
  );
  const [whole = 0, minutes = 0, seconds = 0] = parts;
  const sum = whole + minutes / 60 + seconds / 3600;
  return Number.isFinite(sum) ? sum : null;
}

function sign(view: DataView, value: number | undefined, negative: string): number {
  return value !== undefined && view.getUint8(value) === negative.codePointAt(0) ? -1 : 1;
}

async function encode(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("This browser writes no JPEG.")) : resolve(blob)),
      "image/jpeg",
      quality,
    );
  });
}
