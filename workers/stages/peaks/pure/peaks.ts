/** Waveform peaks in audiowaveform's `.dat` format: version 2, 8 bit, one channel. PURE. */

export const DAT_HEADER_BYTES = 24

/** The 24-byte header. `length`: number of minimum and maximum pairs. */
export function datHeader(sampleRate: number, samplesPerPeak: number, length: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(DAT_HEADER_BYTES))
  const eightBit = 1
  const fields = [2, eightBit, sampleRate, samplesPerPeak, length, 1]
  fields.forEach((value, index) => view.setInt32(index * 4, value, true))
  return new Uint8Array(view.buffer)
}

/** A peak that continues in the next chunk. */
export interface OpenPeak {
  readonly low: number
  readonly high: number
  readonly count: number
}

export const NO_PEAK: OpenPeak = { low: 32_767, high: -32_768, count: 0 }

/** Consumes samples; returns the finished pairs (low and high as signed bytes) and the unfinished peak. */
export function takeSamples(
  open: OpenPeak,
  samples: Int16Array,
  samplesPerPeak: number,
): { readonly pairs: Int8Array; readonly open: OpenPeak } {
  const pairs = new Int8Array(2 * Math.floor((open.count + samples.length) / samplesPerPeak))
  let { low, high, count } = open
  let at = 0
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0
    if (sample < low) low = sample
    if (sample > high) high = sample
    if (++count < samplesPerPeak) continue
    pairs[at++] = toByte(low)
    pairs[at++] = toByte(high)
    low = NO_PEAK.low
    high = NO_PEAK.high
    count = NO_PEAK.count
  }
  return { pairs, open: { low, high, count } }
}

/** The last, shorter peak; empty when there are no samples left. */
export function lastPair(open: OpenPeak): Int8Array {
  return open.count === 0 ? new Int8Array(0) : Int8Array.of(toByte(open.low), toByte(open.high))
}

/** Rounds towards zero, so that silence is drawn as nothing. */
function toByte(sample: number): number {
  return Math.trunc(sample / 256)
}
