/** Packet times by ffprobe: a few ranges for the frame rate, and the real end of the file. */
import { packetArguments, type PacketInterval } from '../../media/arguments/probe.ts'
import { runTool } from '../../media/run-tool.ts'

export interface PacketSource {
  readonly ffprobe: string
  readonly path: string
  readonly signal: AbortSignal
}

export interface Packet {
  readonly time: number
  readonly end: number
  readonly keyFrame: boolean
}

/** Packets of a stream in some intervals (times of the file's own clock); without intervals the whole stream. In file order. */
export async function eachPacket(
  source: PacketSource,
  stream: number,
  intervals: readonly PacketInterval[],
  take: (packet: Packet) => void,
): Promise<void> {
  let rest = ''
  await runTool({
    executable: source.ffprobe,
    args: packetArguments(source.path, stream, intervals),
    signal: source.signal,
    stallSeconds: 120,
    onStdout: (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const packet = parsePacket(line)
        if (packet !== null) take(packet)
      }
    },
  })
}

/** Parses a `pts,dts,duration,flags` line; null when it has no time. */
function parsePacket(line: string): Packet | null {
  const [pts = '', dts = '', duration = '', flags = ''] = line.split(',')
  const time = [Number.parseFloat(pts), Number.parseFloat(dts)].find(Number.isFinite)
  if (time === undefined) return null
  return { time, end: time + (Number.parseFloat(duration) || 0), keyFrame: flags.startsWith('K') }
}

/** Sorted presentation times of some packets at each place. A place that cannot be read gives none. */
export async function frameTimes(
  source: PacketSource,
  stream: number,
  places: readonly number[],
  packets: number,
): Promise<number[][]> {
  const samples: number[][] = []
  for (const from of places) {
    const times: number[] = []
    await eachPacket(source, stream, [{ from, packets }], ({ time }) => times.push(time))
    // Packets are in decoding order: the last few may lack neighbours that come later in the file, but the first one is first.
    samples.push(times.toSorted((a, b) => a - b).slice(0, Math.max(1, times.length - 4)))
  }
  return samples
}

/** Where the stream really ends on the file's clock: near its declared end, or found by bisection. Null: unreadable. */
export async function realEnd(
  source: PacketSource,
  stream: number,
  start: number,
  end: number,
): Promise<number | null> {
  const lastFrom = async (from: number, packets: number | null): Promise<number | null> => {
    let last: number | null = null
    await eachPacket(source, stream, [{ from, packets }], (packet) => {
      last = Math.max(last ?? packet.end, packet.end)
    })
    return last
  }
  const nearEnd = await lastFrom(Math.max(start, end - 8), 20_000)
  if (nearEnd !== null && nearEnd > end - 8) return nearEnd
  let readable = start
  let lost = end - 8
  while (lost - readable > 4) {
    const middle = (readable + lost) / 2
    const found = await lastFrom(middle, 3)
    if (found !== null && found >= middle - 20) readable = middle
    else lost = middle
  }
  return (await lastFrom(readable, 20_000)) ?? nearEnd
}

/** Number of places at which a file is checked for a gap. */
const GAP_CHECKS = 16
/** Keyframes and slides are closer than this many seconds; a longer gap means that the clock has jumped. */
const MIN_GAP_SECONDS = 60

/** A gap in the file's own clock; `seconds` is a lower bound of its length. */
export interface Hole {
  readonly from: number
  readonly seconds: number
}

/** The longest common gap of these streams; null when none is found. Short gaps are not searched for. */
export async function findHole(
  source: PacketSource,
  streams: readonly number[],
  start: number,
  end: number,
): Promise<Hole | null> {
  let open: Hole | null = null
  let longest: Hole | null = null
  if (end - start < MIN_GAP_SECONDS) return null
  for (let look = 1; look <= GAP_CHECKS; look++) {
    const place = start + ((end - start) * look) / GAP_CHECKS
    const last = await lastBefore(source, streams, place)
    // A gap with nothing after it is the end of the file.
    if (open !== null && last > open.from + MIN_GAP_SECONDS) {
      if (open.seconds > (longest?.seconds ?? 0)) longest = open
      open = null
    }
    if (last > start && place - last > MIN_GAP_SECONDS) open = { from: last, seconds: place - last }
  }
  return longest
}

/** The end of the last packet before a place: seeking goes there, however far it is. 0: there is none. */
async function lastBefore(source: PacketSource, streams: readonly number[], place: number): Promise<number> {
  let last = 0
  for (const stream of streams)
    await eachPacket(source, stream, [{ from: place, packets: 1 }], (packet) => {
      last = Math.max(last, packet.end)
    })
  return last
}
