// The photos of a report: made small as they are chosen, kept on the phone, shown with their size.

import { fieldReport } from "@/rules.json";
import { button, element } from "./elements";
import { hashOf, placeOf, shareOf, shrink } from "./photos";
import { photosOf, putPhoto, removePhoto } from "./store";
import type { Photo, Place } from "./store";
import { say } from "./texts";

const MOST = fieldReport.photos;

export class PhotoRow {
  readonly element = element("div", { class: "row", role: "group", "aria-labelledby": "photos-label" });
  readonly #list = element("ul", { class: "photos" });
  readonly #input = element("input", { type: "file", id: "photos", accept: "image/*", multiple: true });
  readonly #status = element("p", { class: "hint", role: "status" });
  #photos: readonly Photo[] = [];
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    private readonly report: string,
    private readonly changed: (problem: string) => void,
  ) {
    this.#input.addEventListener("change", () => this.#choose());
    this.element.append(
      element("p", { id: "photos-label", class: "label" }, say("photos")),
      element("p", { class: "hint" }, say("photosHint", { most: MOST })),
      this.#list,
      element("label", { class: "add", for: "photos" }, say("addPhotos")),
      this.#input,
      this.#status,
    );
  }

  get count(): number {
    return this.#photos.length;
  }

  /** Where the first photo that says so was taken. */
  get place(): Place | null {
    return this.#photos.map(({ place }) => place ?? null).find((place) => place !== null) ?? null;
  }

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  async load(): Promise<void> {
    this.#photos = await photosOf(this.report);
    this.#show();
  }

  #choose(): void {
    const files = [...(this.#input.files ?? [])];
    // So that the same photo can be chosen again after it was removed.
    this.#input.value = "";
    for (const file of files) this.#inTurn(() => this.#add(file));
  }

  /** One after the other: a cheap phone has little memory. */
  #inTurn(act: () => Promise<string>): void {
    this.#waiting += 1;
    this.#status.textContent = say("shrinking");
    this.#work = this.#work.then(async () => {
      let problem: string;
      try {
        problem = await act();
        await this.load();
      } catch {
        // Whatever fails, the next photo has its turn.
        problem = say("full");
      }
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#status.textContent = "";
      this.changed(problem);
    });
  }

  async #add(file: File): Promise<string> {
    if (this.#photos.length >= MOST) return say("tooManyPhotos", { most: MOST });
    const share = shareOf(this.#photos.length + 1);
    let data: ArrayBuffer;
    try {
      data = await shrink(file, share);
    } catch {
      return say("badPhoto", { name: file.name });
    }
    await this.#makeRoom(share);
    await this.#put(data, Math.max(-1, ...this.#photos.map(({ number }) => number)) + 1, await placeOf(file));
    return "";
  }

  /** Makes the photos that are there as small as the new one. */
  async #makeRoom(share: number): Promise<void> {
    for (const photo of this.#photos.filter(({ data }) => data.byteLength > share)) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one after the other, as above
      const data = await shrink(new Blob([photo.data], { type: "image/jpeg" }), share);
      // oxlint-disable-next-line eslint/no-await-in-loop -- the new one before the old one goes
      await this.#put(data, photo.number, photo.place);
      // oxlint-disable-next-line eslint/no-await-in-loop
      await removePhoto(photo.id);
    }
  }

  async #put(data: ArrayBuffer, number: number, place: Photo["place"]): Promise<void> {
    const sha256 = await hashOf(data);
    await putPhoto({ id: `${this.report}/${sha256}`, report: this.report, number, sha256, data, place });
  }

  #show(): void {
    const items = this.#photos.map(({ id, data }, place) => {
      const number = place + 1;
      const size = Math.ceil(data.byteLength / 1000);
      const picture = element("img", { alt: say("photo", { number, size }) });
      void dataAddress(data).then((address) => picture.setAttribute("src", address));
      const remove = button("×", () => this.#inTurn(() => removePhoto(id).then(() => "")), "remove");
      remove.setAttribute("aria-label", say("removePhoto", { number }));
      return element("li", {}, picture, element("span", { class: "size", "aria-hidden": "true" }, say("photoSize", { size })), remove);
    });
    this.#list.replaceChildren(...items);
    this.#input.disabled = this.#photos.length >= MOST;
  }
}

/** The address of a photo on the phone; the Content-Security-Policy allows no blob: addresses. */
async function dataAddress(data: ArrayBuffer): Promise<string> {
  return await new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.readAsDataURL(new Blob([data], { type: "image/jpeg" }));
  });
}
