import { expect, test } from "vitest";
import { readPlace, shareOf } from "./photos.ts";

/** A JPEG whose Exif part has only a place, in the order of bytes of Intel or Motorola. */
function jpegAt(little: boolean, north: boolean, east: boolean): DataView {
  const view = new DataView(new ArrayBuffer(200));
  view.setUint32(0, 0xff_d8_ff_e1);
  view.setUint16(4, 180);
  view.setUint32(6, 0x45_78_69_66);
  const tiff = 12;
  view.setUint16(tiff, little ? 0x49_49 : 0x4d_4d);
  view.setUint32(tiff + 4, 8, little);
  entry(view, tiff + 8, [[0x88_25, 26]], little);
  const signs = [north ? 0x4e : 0x53, east ? 0x45 : 0x57];
  entry(view, tiff + 26, [[1, 0], [2, 100], [3, 0], [4, 124]], little);
  view.setUint8(tiff + 26 + 2 + 8, signs[0] ?? 0);
  view.setUint8(tiff + 26 + 2 + 24 + 8, signs[1] ?? 0);
  for (const [at, parts] of [[100, [1, 17, 31]], [124, [36, 49, 19]]] as const) {
    for (const [place, part] of parts.entries()) {
      view.setUint32(tiff + at + 8 * place, part, little);
      view.setUint32(tiff + at + 8 * place + 4, 1, little);
    }
  }
  return view;
}

function entry(view: DataView, at: number, tags: readonly (readonly [number, number])[], little: boolean): void {
  view.setUint16(at, tags.length, little);
  for (const [place, [tag, value]] of tags.entries()) {
    view.setUint16(at + 2 + 12 * place, tag, little);
    view.setUint32(at + 2 + 12 * place + 8, value, little);
  }
}

test.each([true, false])("the place of a photo is read and rounded to a kilometre", (little) => {
  expect(readPlace(jpegAt(little, false, true))).toEqual({ latitude: -1.29, longitude: 36.82 });
  expect(readPlace(jpegAt(little, true, false))).toEqual({ latitude: 1.29, longitude: -36.82 });
});

test("a file without a place has none", () => {
  const bare = new DataView(new ArrayBuffer(64));
  bare.setUint32(0, 0xff_d8_ff_db);
  expect(readPlace(new DataView(new ArrayBuffer(8)))).toBeNull();
  expect(readPlace(bare)).toBeNull();
});

test("so many photos share what a report may send", () => {
  expect([1, 3, 6].map(shareOf)).toEqual([200_000, 66_666, 33_333]);
});
