/** An email with its quoted-printable parts decoded. */
export function decoded(email: string): string {
  return email.split(/^--/m).map(decodedPart).join("--").replaceAll(/\s*\n\s*/g, "\n");
}

function decodedPart(part: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(part)) return part;
  const bytes = part
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
