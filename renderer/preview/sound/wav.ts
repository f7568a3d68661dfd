/** A WAV file of 16 bit at 48 kHz. PURE. */
import { SAMPLE_RATE } from '../../../workers/stages/render/pure/mix/mix.ts'
import type { Stereo } from '../../../workers/stages/render/pure/mix/stereo.ts'

const HEADER = 44
const BYTES = 2
const CHANNELS = 2
const FULL = 32767

export function wavOf({ left, right }: Stereo): ArrayBuffer {
  const size = left.length * CHANNELS * BYTES
  const file = new ArrayBuffer(HEADER + size)
  const view = new DataView(file)
  const write = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, HEADER - 8 + size, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, CHANNELS, true)
  view.setUint32(24, SAMPLE_RATE, true)
  view.setUint32(28, SAMPLE_RATE * CHANNELS * BYTES, true)
  view.setUint16(32, CHANNELS * BYTES, true)
  view.setUint16(34, 8 * BYTES, true)
  write(36, 'data')
  view.setUint32(40, size, true)
  const samples = new Int16Array(file, HEADER)
  const whole = (value: number): number => Math.round(Math.max(-1, Math.min(1, value)) * FULL)
  for (let at = 0; at < left.length; at++) {
    samples[2 * at] = whole(left[at] ?? 0)
    samples[2 * at + 1] = whole(right[at] ?? 0)
  }
  return file
}
