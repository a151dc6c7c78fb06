const TIFF = 10;
const GPS_AT = 26;
const LATITUDE_AT = 80;
const LONGITUDE_AT = 104;

/** The JPEG as a camera writes it that knows its place: 1° 17′ 31″ S, 36° 49′ 19″ E. */
export function withPlace(jpeg: Buffer): Buffer {
  const exif = Buffer.alloc(TIFF + LONGITUDE_AT + 24);
  exif.writeUInt16BE(0xff_e1);
  exif.writeUInt16BE(exif.length - 2, 2);
  exif.write("Exif\0\0MM", 4);
  exif.writeUInt32BE(8, TIFF + 4);
  writeTags(exif, 8, [[0x88_25, GPS_AT]]);
  writeTags(exif, GPS_AT, [[1, 0x53_00_00_00], [2, LATITUDE_AT], [3, 0x45_00_00_00], [4, LONGITUDE_AT]]);
  for (const [at, parts] of [[LATITUDE_AT, [1, 17, 31]], [LONGITUDE_AT, [36, 49, 19]]] as const) {
    for (const [place, part] of parts.entries()) {
      exif.writeUInt32BE(part, TIFF + at + 8 * place);
      exif.writeUInt32BE(1, TIFF + at + 8 * place + 4);
    }
  }
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

function writeTags(exif: Buffer, at: number, tags: readonly (readonly [number, number])[]): void {
  exif.writeUInt16BE(tags.length, TIFF + at);
  for (const [place, [tag, value]] of tags.entries()) {
    exif.writeUInt16BE(tag, TIFF + at + 2 + 12 * place);
    exif.writeUInt32BE(value, TIFF + at + 2 + 12 * place + 8);
  }
}
