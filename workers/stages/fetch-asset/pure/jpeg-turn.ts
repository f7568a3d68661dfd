/** Whether a JPEG is shown on its side, as its camera noted in EXIF: width and height of the shown picture are exchanged. PURE. */

const ORIENTATION = 0x0112

/** False as well for anything that cannot be read. */
export function isOnItsSide(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff;) {
    const marker = view.getUint8(at + 1)
    const length = view.getUint16(at + 2)
    if (marker === 0xda || length < 2) return false
    if (marker === 0xe1 && isExif(bytes, at + 4)) return turnIn(view, at + 10) >= 5
    at += 2 + length
  }
  return false
}

const isExif = (bytes: Uint8Array, at: number): boolean =>
  String.fromCharCode(...bytes.subarray(at, at + 6)) === 'Exif\0\0'

/** 1 to 8, of the TIFF that begins at `start`; 1 where it says none. */
function turnIn(view: DataView, start: number): number {
  if (start + 8 > view.byteLength) return 1
  const little = view.getUint16(start) === 0x4949
  const first = start + view.getUint32(start + 4, little)
  if (first + 2 > view.byteLength) return 1
  const entries = view.getUint16(first, little)
  for (let entry = 0; entry < entries; entry++) {
    const at = first + 2 + entry * 12
    if (at + 12 > view.byteLength) return 1
    if (view.getUint16(at, little) === ORIENTATION) return view.getUint16(at + 8, little)
  }
  return 1
}
