/** Tiny generated speech stand-ins: one swelling tone per word over faint noise, 16 kHz mono. */

export function wavOf(spans: readonly (readonly [number, number])[], seconds: number): Buffer {
  const rate = 16_000
  const samples = new Int16Array(seconds * rate)
  let noise = 1
  for (let index = 0; index < samples.length; index += 1) {
    noise = (noise * 1103515245 + 12345) & 0x7fffffff
    samples[index] = (noise % 21) - 10
  }
  for (const [from, to] of spans) {
    for (let index = Math.round(from * rate); index < to * rate; index += 1) {
      const share = Math.min(1, Math.max(0, (index / rate - from) / (to - from)))
      samples[index] = 9000 * Math.sin(Math.PI * share) ** 0.3 * Math.sin(index * 0.08)
    }
  }
  return wavFile(samples)
}

/** A WAV file of mono samples at 16 kHz. */
export function wavFile(samples: Int16Array): Buffer {
  const rate = 16_000
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}
