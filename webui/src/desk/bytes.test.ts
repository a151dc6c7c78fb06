import { expect, test } from "vitest";
import { challengeOf, decode64, digest, encode64, hex, keyDigest, unhex, utf8, wordsOf } from "./bytes";

test("six words stand for the first 66 bits, as BIP-39 has them", () => {
  expect(wordsOf(unhex("7f".repeat(32)))).toBe("legal winner thank year wave sausage");
  expect(wordsOf(unhex("00".repeat(32)))).toBe("abandon abandon abandon abandon abandon abandon");
  expect(wordsOf(unhex("ff".repeat(32)))).toBe("zoo zoo zoo zoo zoo zoo");
});

test("a challenge is what an SSH key signs for the statement", async () => {
  const challenge = hex(await challengeOf("an act"));

  expect(challenge.startsWith(`${hex(utf8("SSHSIG"))}000000086a6172612d61637400000000`)).toBe(true);
  expect(challenge.endsWith(hex(await digest(utf8("an act"), "SHA-512")))).toBe(true);
});

test("a passkey's digest is that of its SSH key", async () => {
  const point = Uint8Array.from({ length: 65 }, (_, place) => (place === 0 ? 4 : place));
  const spki = Uint8Array.from([...unhex("3059301306072a8648ce3d020106082a8648ce3d030107034200"), ...point]);

  expect(hex(await keyDigest(spki.buffer, "jara.example"))).toBe(
    "f4514e8a2dfa4c6ee5828ada811344aec751d6c0c99bd5341bc6de1cf705da22",
  );
});

test("base64url is read and written", () => {
  expect(encode64(unhex("fbff00").buffer)).toBe("-_8A");
  expect(hex(decode64("-_8A"))).toBe("fbff00");
});
